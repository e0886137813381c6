"""Longshore, a self-hosted EDI service. Importing this package stays cheap: only the version."""

__version__ = "0.1.0"
