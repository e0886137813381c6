"""Logs and metrics: adapters may use them, the domain may not."""
