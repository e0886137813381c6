"""How many tests of which versions fail, of those that this process has run last.

A version never changes, nor does what comes of its tests, so what is known is never stale.
"""

from typing import Final

from longshore.domain.maps.model import MapHead
from longshore.engine.trials import TestReport

MAX_KNOWN: Final = 10_000  # versions, about 2 MB


class KnownFailures:
    """The outcomes of tests. One per process, on its event loop."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, int], int] = {}  # by map and version

    def of(self, head: MapHead) -> int | None:
        """Return how many tests of the newest version fail; None if that is not known."""
        return self._counts.get((head.id, head.version))

    def note(self, head: MapHead, report: TestReport) -> None:
        """Remember how the tests of the newest version went."""
        version = (head.id, head.version)
        self._counts.pop(version, None)
        if len(self._counts) >= MAX_KNOWN:
            del self._counts[next(iter(self._counts))]
        self._counts[version] = report.failed
