"""The pages that owners alone see: /app/users and /app/audit."""

import re
from typing import Final

from playwright.sync_api import Page

from tests.e2e.support.states.state import State, press


def _change(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Actions for ")).first.click()
    page.get_by_role("menuitem", name="Change…").click()


EMPTY: Final = (
    State("audit-empty", "/app/audit?action=partner.delete"),
    State("users-new-dialog", "/app/users", press("Add user")),
)
FILLED: Final = (
    State("users", "/app/users", is_route=True),
    State("users-change-dialog", "/app/users", _change),
    State("audit", "/app/audit", is_route=True),
)
