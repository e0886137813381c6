"""The pages under /app/acks."""

from typing import Final

from tests.e2e.support.states.state import State, press

EMPTY: Final = (
    State("acks-empty", "/app/acks"),
    State("acks-received-empty", "/app/acks?tab=received"),
)
FILLED: Final = (
    State("acks", "/app/acks", is_route=True),
    State(
        "acks-received",
        "/app/acks?tab=received&result=rejected",
        press("1 error"),
        is_route=True,
    ),
    State("acks-sent", "/app/acks?tab=sent"),
)
