"""The pages under /app/partners."""

from typing import Final

from tests.e2e.support.states.state import State

EMPTY: Final = (State("partners-empty", "/app/partners"),)
FILLED: Final = (State("partners", "/app/partners", is_route=True),)
