"""Judging documents by the dictionary: structure, elements, amounts; in one pass."""
