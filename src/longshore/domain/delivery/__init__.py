"""Delivery: the outbox and its worker, attempts and retries, and what follows from each attempt."""
