"""Runs one step of the operator's commands against the database."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from longshore.cli.terminal import print_error
from longshore.domain.users.administration import UserAdministration
from longshore.opening import open_sealer, upgrade_database
from longshore.settings import Settings
from longshore.wiring import (
    Administration,
    MapAdministration,
    open_administration,
    open_map_administration,
    open_user_administration,
)

T = TypeVar("T")
AdminT = TypeVar("AdminT")


def administer(
    settings: Settings, work: Callable[[Administration], Coroutine[object, object, T]]
) -> T:
    """Return what ``work`` returns, with the database open while it runs.

    Makes the data directory and the database if they are absent, and migrates an old one.
    """
    return _run(settings, open_administration, work)


def administer_users(
    settings: Settings, work: Callable[[UserAdministration], Coroutine[object, object, T]]
) -> T:
    """Do the same for commands about users."""
    return _run(settings, open_user_administration, work)


def administer_maps(
    settings: Settings, work: Callable[[MapAdministration], Coroutine[object, object, T]]
) -> T:
    """Do the same for commands about saved maps; makes the master key if there is none."""
    upgrade_database(settings)
    opened = open_sealer(settings)
    if opened.made_key:
        print_error(f"the master key was made, keep a copy of it apart: {opened.made_key}")
    return _run(settings, lambda settings: open_map_administration(settings, opened.sealer), work)


def _run(
    settings: Settings,
    opened: Callable[[Settings], AbstractAsyncContextManager[AdminT]],
    work: Callable[[AdminT], Coroutine[object, object, T]],
) -> T:
    async def run() -> T:
        async with opened(settings) as admin:
            return await work(admin)

    upgrade_database(settings)
    return asyncio.run(run())
