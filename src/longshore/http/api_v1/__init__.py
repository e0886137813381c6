"""The programmatic endpoints under /api/v1, for callers with an API key."""
