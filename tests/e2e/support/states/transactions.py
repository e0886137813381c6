"""The pages under /app/transactions."""

from typing import Final

from tests.e2e.support.states.state import State

EMPTY: Final = (State("transactions-empty", "/app/transactions"),)
FILLED: Final = (State("transactions", "/app/transactions", is_route=True),)
