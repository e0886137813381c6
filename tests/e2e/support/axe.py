"""What axe finds wrong with the page as it is shown now."""

from collections.abc import Iterator
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.e2e.support.waiting import wait_until

# What is on its way has colours between two states; a skeleton pulses for as long as it stands.
_AT_REST = """() => document.getAnimations().every(({ playState, effect }) =>
    playState !== 'running' || effect?.getTiming().iterations === Infinity)"""


def axe(page: Page) -> None:
    """Fail with a list of rules, elements and reasons unless axe finds nothing.

    Dialogs, menus and notifications bring faults only while they are open: open them first.
    """
    wait_until(page, _AT_REST)
    violations = Axe().run(page).response["violations"]
    assert violations == [], "\n".join(["", *(line for each in violations for line in lines(each))])


# Any: axe's own report.
def lines(violation: dict[str, Any]) -> Iterator[str]:
    """Yield one line for the rule and two for each element that breaks it."""
    yield f"{violation['id']} ({violation['impact']}): {violation['help']}"
    for node in violation["nodes"]:
        yield f"  {' '.join(map(str, node['target']))}    {node['html'][:200]}"
        yield f"    {' '.join(node['failureSummary'].split())}"
