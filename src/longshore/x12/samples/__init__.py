"""Samples: documents made from the dictionary alone, valid ones and ones with a single fault."""
