"""Cryptography that needs a library: hashing passwords."""
