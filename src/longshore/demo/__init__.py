"""Believable traffic for the sandbox of an account, made by the services themselves."""
