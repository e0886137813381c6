"""Find out from its envelope whether a document is complete, however many other faults it has.

Source: fields-and-mapping.md section 7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from longshore.x12.findings import Finding, FindingCode, FindingLog

_INCOMPLETE: Final = frozenset({
    FindingCode.INTERCHANGE_TRAILER_MISSING,
    FindingCode.GROUP_TRAILER_MISSING,
    FindingCode.SET_TRAILER_MISSING,
    FindingCode.CONTROL_STRUCTURE_INVALID,
    FindingCode.ELEMENT_SEPARATOR_INVALID,
    FindingCode.COMPONENT_SEPARATOR_INVALID,
    FindingCode.TERMINATOR_INVALID,
})
_OUTSIDE: Final = frozenset({FindingCode.LEADING_GARBAGE, FindingCode.TRAILING_DATA})
_COUNTS: Final = frozenset({
    FindingCode.GROUP_COUNT_WRONG,
    FindingCode.SET_COUNT_WRONG,
    FindingCode.SEGMENT_COUNT_WRONG,
})
_FIRST: Final = _INCOMPLETE | _COUNTS


class EnvelopeFault(NamedTuple):
    """Findings of one kind: the first in the document, and the number of all."""

    first: Finding
    total: int


class EnvelopeLog(FindingLog):
    """Keeps the first finding of each code that says whether a document is complete.

    All are counted. No other finding is kept, so thousands of other errors hide none of these.
    """

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[str, Finding] = {}
        self._counts: Counter[str] = Counter()
        self._outside: list[Finding] = []

    def is_full(self, code: str) -> bool:
        """Return whether findings like this are only counted and need no position."""
        return code not in _OUTSIDE and (code not in _FIRST or code in self._first)

    def add(self, finding: Finding) -> None:
        """Add a finding; of one that is not kept nothing is."""
        if finding.code in _OUTSIDE:
            self._outside.append(finding)
        elif finding.code in _FIRST:
            self._first[finding.code] = finding
            self.count(finding.code)

    def count(self, code: str, times: int = 1) -> None:
        """Count findings."""
        self._counts[code] += times

    def incomplete(self, unread: Iterable[tuple[int, int]]) -> EnvelopeFault | None:
        """Return the findings about a part that is missing or was not read; None if there are none.

        Args:
            unread: The parts outside every interchange that may be documents, start and end.
        """
        starts = {start for start, _ in unread}
        return self._fault(_INCOMPLETE, [each for each in self._outside if each.offset in starts])

    def miscounted(self) -> EnvelopeFault | None:
        """Return the findings about a trailer that counts more or less than there is, if any."""
        return self._fault(_COUNTS, [])

    def _fault(self, codes: frozenset[FindingCode], others: list[Finding]) -> EnvelopeFault | None:
        found = [*(self._first[code] for code in codes if code in self._first), *others]
        if not found:
            return None
        total = len(others) + sum(self._counts[code] for code in codes)
        return EnvelopeFault(min(found, key=lambda each: each.offset or 0), total)
