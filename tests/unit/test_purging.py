"""The hourly removal of expired documents: a failure is logged, and does not end it."""

import asyncio
import json
from contextlib import suppress
from io import BytesIO
from typing import cast

import pytest

from longshore import background
from longshore.domain.vault.service import Retention
from longshore.telemetry.logging import configure_logging


class Purges:
    """Fails, removes nothing, removes three, and then has no more to do."""

    def __init__(self) -> None:
        self.outcomes: list[int | Exception] = [ValueError("private"), 0, 3]
        self.are_over = asyncio.Event()

    async def purge(self) -> int:
        if not self.outcomes:
            self.are_over.set()
            return 0
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


async def test_a_purge_that_fails_is_logged_and_the_next_one_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "PURGE_SECONDS", 0)
    log = BytesIO()
    configure_logging("info", log)
    purges = Purges()
    purging = asyncio.create_task(background.purge_periodically(cast("Retention", purges)))
    await purges.are_over.wait()
    purging.cancel()
    with suppress(asyncio.CancelledError):
        await purging
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["event"], line.get("count")) for line in lines] == [
        ("purge_failed", None),
        ("documents_purged", 3),
    ]
    assert lines[0]["error_type"] == "ValueError"
    assert b"private" not in log.getvalue()
