"""People of an account: their roles, passwords and browser sessions."""
