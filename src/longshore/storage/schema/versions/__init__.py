"""Migrations: numbered, forward only, never changed once released."""
