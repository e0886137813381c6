"""Composition root: settings to adapters to services to application."""
