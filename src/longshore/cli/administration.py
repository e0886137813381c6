"""Runs one step of the operator's commands against the data directory."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

from longshore.settings import Settings
from longshore.wiring import Administration, open_administration

T = TypeVar("T")


def administer(
    settings: Settings, work: Callable[[Administration], Coroutine[object, object, T]]
) -> T:
    """Return what ``work`` returns, with the database open while it runs."""
    with open_administration(settings) as admin:
        return asyncio.run(work(admin))
