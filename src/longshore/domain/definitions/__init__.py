"""Definitions of transaction sets that accounts import, used in place of those of Longshore."""
