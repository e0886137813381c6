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


def hit(key: str) -> Open:
    """Return what hits a key, as ``Control+K``."""
    return lambda page: page.keyboard.press(key)
