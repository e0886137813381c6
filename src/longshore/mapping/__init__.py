"""Mapping rules applied to documents: pure."""
