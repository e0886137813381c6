"""Events: what happened to documents, in one ordered feed an account."""
