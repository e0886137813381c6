"""Webhooks: endpoints that are called about events, and what was delivered to them."""
