"""Saved maps: rules with a name and a history, tried on documents before they are used."""
