"""Received documents: stored, split, routed, validated, recorded, quarantined and replayed."""
