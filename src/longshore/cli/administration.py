"""Runs one step of the operator's commands against the database."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

from longshore.settings import Settings
from longshore.wiring import Administration, open_administration, upgrade_database

T = TypeVar("T")


def administer(
    settings: Settings, work: Callable[[Administration], Coroutine[object, object, T]]
) -> T:
    """Return what ``work`` returns, with the database open while it runs.

    Makes the data directory and the database if they are absent, and migrates an old one.
    """

    async def run() -> T:
        async with open_administration(settings) as admin:
            return await work(admin)

    upgrade_database(settings)
    return asyncio.run(run())
