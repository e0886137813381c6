"""Leaving the house: ways to send documents, and the one place that opens connections."""
