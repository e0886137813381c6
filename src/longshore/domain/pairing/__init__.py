"""Pairs of requests and responses, by trace number: 270/271, 276/277 and 278/278."""
