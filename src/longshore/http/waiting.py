"""Waits for what a worker does, without holding anything but the request."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

T = TypeVar("T")

PAUSE_SECONDS: Final = 0.05
WAIT_SECONDS: Final = 10
"""The longest time that a request waits for what is done in the background."""


async def awaited(look: Callable[[], Awaitable[T | None]], until: float) -> T | None:
    """Call ``look`` until it returns something; return that, or None at the time ``until``.

    ``until`` is a time of the event loop. ``look`` is called at least once.
    """
    loop = asyncio.get_running_loop()
    while (found := await look()) is None and loop.time() < until:  # noqa: ASYNC110 - who does it may be another process
        await asyncio.sleep(PAUSE_SECONDS)
    return found
