"""Accounts and their API keys: who may call, with what, until when."""
