"""The pages under /app/interchanges."""

from typing import Final

from tests.e2e.support.states.state import State

EMPTY: Final = (State("interchanges-empty", "/app/interchanges"),)
FILLED: Final = (State("interchanges", "/app/interchanges", is_route=True),)
