"""The pages under /app/interchanges."""

from typing import Final

from tests.e2e.support.states.state import State, press

ONE: Final = "/app/interchanges/{quarantined}"

EMPTY: Final = (
    State("interchanges-empty", "/app/interchanges"),
    State("interchanges-calm", "/app/interchanges?status=quarantined"),
)
FILLED: Final = (
    State("interchanges", "/app/interchanges", is_route=True),
    State("interchanges-selected", "/app/interchanges", press("Select all in quarantine")),
    State("interchange", ONE, is_route=True),
    State("interchange-release", ONE, press("Release…")),
    State("interchange-discard", ONE, press("Discard…")),
)
