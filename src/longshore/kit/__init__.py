"""Shared basics without dependencies: errors, environments, clock, random ids, fault points."""
