"""Trading partners: who they are, how they are reached, what was agreed with them."""
