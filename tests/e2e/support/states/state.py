"""A page as it can be met, and what is done there first."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page

Open = Callable[[Page], None]


@dataclass(frozen=True)
class State:
    """A page as it can be met.

    In ``path`` {map} and {doc} are ids of the filled account, and so is each member of ``Traded``.
    ``is_route``: its structure is compared with a baseline.
    """

    name: str
    path: str
    open: Open | None = None
    is_route: bool = False


def press(name: str | re.Pattern[str]) -> Open:
    """Return what presses the first button of this name."""
    return lambda page: page.get_by_role("button", name=name).first.click()


def press_all(name: str) -> Open:
    """Return what presses every button of this name, which has another one afterwards."""

    def press_each(page: Page) -> None:
        buttons = page.get_by_role("button", name=name)
        for _ in range(buttons.count()):
            buttons.first.click()

    return press_each


def hit(key: str) -> Open:
    """Return what hits a key, as ``Control+K``."""
    return lambda page: page.keyboard.press(key)
