"""Validate documents by the dictionary in one pass: structure, elements, amounts."""
