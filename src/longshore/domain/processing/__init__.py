"""Processing: what becomes of received bytes, and of an interchange that is processed again."""
