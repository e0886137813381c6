"""The pages under /app/transactions."""

import re
from typing import Final

from tests.e2e.support.states.state import State, press

REJECTED: Final = "/app/transactions/{rejected}"

EMPTY: Final = (State("transactions-empty", "/app/transactions"),)
FILLED: Final = (
    State("transactions", "/app/transactions", is_route=True),
    State("transactions-more", "/app/transactions", press("More filters")),
    State("transactions-status", "/app/transactions", press(re.compile("^Status: "))),
    State("transactions-views", "/app/transactions", press("Views")),
    State("transactions-retry", "/app/transactions", press("Retry deliveries…")),
    State("transaction", REJECTED, is_route=True),
    *(
        State(f"transaction-{tab}", f"{REJECTED}?tab={tab}")
        for tab in ("tree", "fields", "findings", "deliveries", "acks", "events")
    ),
    State("transaction-retry", REJECTED, press("Retry…")),
    State("transaction-redacted", REJECTED, press("Copy redacted…")),
    State("transaction-compare", f"{REJECTED}?tab=compare&with={{accepted}}"),
    State("correct", "/app/transactions/{invalid}/correct", is_route=True),
    State("correct-rejected", f"{REJECTED}/correct"),
)
