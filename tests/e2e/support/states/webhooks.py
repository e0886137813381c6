"""The pages under /app/webhooks."""

from typing import Final

from playwright.sync_api import Page

from tests.e2e.support.api import Api
from tests.e2e.support.states.state import Open, State, press
from tests.e2e.support.trade import until


def called_webhook(api: Api) -> int:
    """Make an endpoint, and wait until it could not be reached with a test event; return its id."""
    terms = {
        "url": "https://erp.invalid/hooks",
        "description": "ERP",
        "events": ["transaction.acknowledged", "transaction.rejected", "ack.overdue"],
    }
    made: int = api.post("/api/webhooks", terms)["webhook"]["id"]
    api.post(f"/api/webhooks/{made}/test")
    path = f"/api/webhooks/{made}"
    until(api, path, lambda answer: answer["webhook"]["last_failure_at"] is not None)
    return made


def _choose_events(page: Page) -> None:
    page.get_by_role("radio", name="Chosen events").check()
    page.get_by_role("radio", name="Only events about chosen partners").check()


def _ask(action: str) -> Open:
    """Return what chooses from the menu of an endpoint."""

    def ask(page: Page) -> None:
        page.get_by_role("button", name="More actions").click()
        page.get_by_role("menuitem", name=action).click()

    return ask


_WEBHOOK: Final = "/app/webhooks/{webhook}"

EMPTY: Final = (
    State("webhooks-empty", "/app/webhooks", is_route=True),
    State("webhooks-new-dialog", "/app/webhooks?new=true", _choose_events),
)
FILLED: Final = (
    State("webhooks", "/app/webhooks", is_route=True),
    State("webhook", _WEBHOOK, is_route=True),
    State("webhook-attempts", _WEBHOOK, press("Show attempts of")),
    State("webhook-menu", _WEBHOOK, press("More actions")),
    State("webhook-change-dialog", _WEBHOOK, _ask("Change…")),
    State("webhook-replay-dialog", _WEBHOOK, _ask("Replay a period…")),
    State("webhook-delete-dialog", _WEBHOOK, _ask("Delete…")),
)
