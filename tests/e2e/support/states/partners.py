"""The pages under /app/partners."""

from typing import Final

from tests.e2e.support.states.state import State, press

EMPTY: Final = (
    State("partners-empty", "/app/partners"),
    State("partners-new-dialog", "/app/partners?new=true"),
    State("partners-none-fits", "/app/partners?q=nobody"),
)
FILLED: Final = (
    State("partners", "/app/partners", is_route=True),
    State("partner", "/app/partners/{partner}", is_route=True),
    State("partner-move-dialog", "/app/partners/{partner}", press("Activate")),
    State("partner-menu", "/app/partners/{partner}", press("More actions")),
    State("partner-identity", "/app/partners/{partner}?tab=identity"),
    State("partner-connection", "/app/partners/{partner}?tab=connection"),
    State(
        "partner-address-dialog", "/app/partners/{partner}?tab=connection", press("New address…")
    ),
    State("partner-maps", "/app/partners/{partner}?tab=maps", press("Add a map")),
    State("partner-settings", "/app/partners/{partner}?tab=settings"),
    State("partner-numbers", "/app/partners/{partner}?tab=numbers"),
)
