"""Submission: what is checked before a document is taken, and the envelope it is given."""
