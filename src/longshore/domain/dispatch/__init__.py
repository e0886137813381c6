"""Dispatch: the worker that does what the outbox holds, and what follows from each attempt."""
