"""The pages under /app/users."""

from typing import Final

from tests.e2e.support.states.state import State

EMPTY: Final = (State("owners-empty", "/app/users"),)
FILLED: Final = (State("owners", "/app/users", is_route=True),)
