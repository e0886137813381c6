"""Usage of storage by accounts, and the quotas for it."""
