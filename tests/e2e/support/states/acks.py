"""The pages under /app/acks."""

from typing import Final

from tests.e2e.support.states.state import State

EMPTY: Final = (State("acks-empty", "/app/acks"),)
FILLED: Final = (State("acks", "/app/acks", is_route=True),)
