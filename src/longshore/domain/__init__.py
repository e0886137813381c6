"""Use cases and their rules; the ports they need are Protocols."""
