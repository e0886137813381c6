"""Sets of a received interchange, each as an interchange of its own: what maps are run over.

So that a set that a map cannot convert keeps nobody else back. Pure.
"""

from __future__ import annotations

from longshore.formats.charset import decode
from longshore.formats.x12doc import LATIN_1
from longshore.x12.control import SegmentSpan, element_at
from longshore.x12.walk import Walk


def set_documents(content: bytes, indexes: frozenset[int]) -> dict[int, str]:
    """Return sets of an interchange by their index, from 1.

    Each keeps its ISA and its GS, and each of its segments as it was received. ``content``: of a
    ``reading.ReadInterchange``; ``indexes``: of sets that stand in a group.
    """
    text, charset = decode(content)
    excerpts = _Excerpts(indexes)
    walk = Walk(lambda: (text,), is_single_octet=charset == LATIN_1)
    for course in walk.courses():
        for stretch in course:
            excerpts.take(stretch)
    return excerpts.documents()


class _Excerpts:
    def __init__(self, indexes: frozenset[int]) -> None:
        self._indexes = indexes
        self._isa: list[str] = []
        self._before: list[str] = []  # texts of what precedes the groups: ISA, and ISX if there is
        self._gs: list[str] = []
        self._gs_text = ""
        self._mark = ""
        self._sets: dict[int, list[str]] = {}
        self._ends: dict[int, tuple[str, str]] = {}

    def take(self, stretch: SegmentSpan) -> None:
        """Take the segments of a stretch."""
        batch = stretch.batch
        row, text = batch.rows[stretch.first], batch.texts[stretch.first]
        if stretch.tx_index in self._indexes:
            if stretch.tx_index not in self._sets:
                self._begin(stretch.tx_index, batch.delimiters.element)
            self._sets[stretch.tx_index] += batch.texts[stretch.first : stretch.last]
        elif row[0] == "ISA":
            self._isa, self._before, self._mark = row, [text], batch.delimiters.segment
        elif row[0] == "ISX":
            self._before.append(text)
        elif row[0] == "GS":
            self._gs, self._gs_text = row, text

    def documents(self) -> dict[int, str]:
        """Return what was taken."""
        return {
            index: "".join(text + self._mark for text in (*texts, *self._ends[index]))
            for index, texts in self._sets.items()
        }

    def _begin(self, index: int, element: str) -> None:
        self._sets[index] = [*self._before, self._gs_text]
        group_end = element.join(("GE", "1", element_at(self._gs, 6)))
        self._ends[index] = (group_end, element.join(("IEA", "1", self._isa[13])))
