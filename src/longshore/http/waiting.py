"""Waits for what a worker does, without holding anything but the request."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

T = TypeVar("T")

PAUSE_SECONDS: Final = 0.05
WAIT_SECONDS: Final = 10
"""How long a request waits at most for what is done in the background."""


async def awaited(look: Callable[[], Awaitable[T | None]], until: float) -> T | None:
    """Return what ``look`` returns as soon as it is not None; None if it never is until then.

    ``until``: a time of the event loop. It looks at least once.
    """
    loop = asyncio.get_running_loop()
    while (found := await look()) is None and loop.time() < until:  # noqa: ASYNC110 - who does it may be another process
        await asyncio.sleep(PAUSE_SECONDS)
    return found
