"""A check of the database that costs the same however often strangers ask for it."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic as system_monotonic
from typing import Final

from longshore.kit.errors import LongshoreError

VALID_SECONDS: Final = 1.0


class ThrottledCheck:
    """Checks at most once a second: whoever asks meanwhile gets the result of that check.

    Args:
        check: Raises if the database cannot be used; it may write to the disk.
        monotonic: The clock.
    """

    def __init__(
        self,
        check: Callable[[], Awaitable[None]],
        monotonic: Callable[[], float] = system_monotonic,
    ) -> None:
        self._check = check
        self._monotonic = monotonic
        self._task: asyncio.Task[LongshoreError | None] | None = None
        self._valid_until = float("-inf")

    async def __call__(self) -> None:
        """Return if the database can be used.

        Raises:
            LongshoreError: ``storage_unavailable``: it cannot.
        """
        now = self._monotonic()
        if self._task is None or (self._task.done() and now >= self._valid_until):
            self._task = asyncio.create_task(self._failure())
        failure = await asyncio.shield(self._task)
        if failure is not None:
            raise LongshoreError(
                failure.code, failure.message, retry_after_seconds=failure.retry_after_seconds
            )

    async def _failure(self) -> LongshoreError | None:
        try:
            await self._check()
        except LongshoreError as error:
            return error
        finally:
            self._valid_until = self._monotonic() + VALID_SECONDS
        return None
