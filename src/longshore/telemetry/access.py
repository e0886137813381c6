"""The access line: one JSON line per request, formatted by hand, written in bundles.

By hand because a structlog line costs more than everything else a ping does (performance.md
section 3). In bundles because one write per 50 ms costs next to nothing; the lines of a bundle
carry the time at which it was begun.
"""

import asyncio
import sys
from contextlib import suppress
from typing import BinaryIO, Final

from longshore.kit.clock import Clock, SystemClock

FLUSH_SECONDS: Final = 0.05
MAX_WAITING_LINES: Final = 1_000


class AccessLog:
    """Keeps lines for at most 50 ms. One per process, used on its event loop alone."""

    def __init__(self, stream: BinaryIO | None = None, clock: Clock | None = None) -> None:
        self._stream = stream
        self._clock = clock or SystemClock()
        self._lines: list[str] = []
        self._beginning = ""
        self._flushing_on: asyncio.AbstractEventLoop | None = None

    def add(self, members: str) -> None:
        """Take the members of a JSON object, to be written soon as one line."""
        loop = asyncio.get_running_loop()
        if self._flushing_on is not loop:
            self._flushing_on = loop
            loop.call_later(FLUSH_SECONDS, self.flush)
        if not self._lines:
            moment = self._clock.now().isoformat(timespec="milliseconds")
            self._beginning = f'{{"timestamp":"{moment}","level":"info",'
        self._lines.append(f"{self._beginning}{members}}}\n")
        if len(self._lines) >= MAX_WAITING_LINES:
            self._write()

    def flush(self) -> None:
        """Write what waits; called by the clock, and once at shutdown."""
        self._flushing_on = None
        self._write()

    def _write(self) -> None:
        lines, self._lines = self._lines, []
        if not lines:
            return
        stream = self._stream or sys.stderr.buffer
        # A log nobody reads any more must not stop the service.
        with suppress(OSError, ValueError):
            stream.write("".join(lines).encode("utf-8", "replace"))
            stream.flush()
