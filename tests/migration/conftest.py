"""What the ways to the current schema share."""

from tests.support.postgres import postgres_server

__all__ = ["postgres_server"]
