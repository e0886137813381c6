"""Delivery: when an attempt is made, what came of it, and what must wait for what."""
