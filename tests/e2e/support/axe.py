"""What axe finds wrong with the page as it is shown now."""

import json
from collections.abc import Iterator
from typing import Any, Final, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.e2e.support.waiting import wait_until

# What is on its way has colours between two states; a skeleton pulses for as long as it stands.
_AT_REST = """() => document.getAnimations().every(({ playState, effect }) =>
    playState !== 'running' || effect?.getTiming().iterations === Infinity)"""

Rules = Literal["all", "colours", "structure"]
_CONTRAST: Final = ["color-contrast"]  # four fifths of the work of all rules
_OPTIONS: Final[dict[Rules, dict[str, object]]] = {
    "all": {},
    "colours": {"runOnly": _CONTRAST},
    "structure": {"rules": {rule: {"enabled": False} for rule in _CONTRAST}},
}


def axe(page: Page, rules: Rules = "all") -> None:
    """Fail with a list of rules, elements and reasons unless axe finds nothing.

    Dialogs, menus and notifications bring faults only while they are open: open them first.
    """
    wait_until(page, _AT_REST)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], "preload": False, **_OPTIONS[rules]}
    ran = page.evaluate(f"axe.run({json.dumps(options)})")
    assert ran["passes"], "no rule was applied"
    violations = ran["violations"]
    assert violations == [], "\n".join(["", *(line for each in violations for line in lines(each))])


# Any: axe's own report.
def lines(violation: dict[str, Any]) -> Iterator[str]:
    """Yield one line for the rule and two for each element that breaks it."""
    yield f"{violation['id']} ({violation['impact']}): {violation['help']}"
    for node in violation["nodes"]:
        yield f"  {' '.join(map(str, node['target']))}    {node['html'][:200]}"
        yield f"    {' '.join(node['failureSummary'].split())}"
