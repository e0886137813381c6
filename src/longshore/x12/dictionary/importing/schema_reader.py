"""The frame of every importer: the schema that grows, faults and warnings with lines, limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from longshore.x12.dictionary.importing.schema import ImportedSchema, ImportSource
from longshore.x12.dictionary.lines import MAX_DEPTH, FileFault, FileFaults
from longshore.x12.dictionary.model import Loop, Node, SegmentUse

MAX_POSITIONS: Final = 100_000
_REQUIRED: Final = {"M": "M", "O": "M", "R": "R", "S": "R"}


class SchemaReader:
    """Reads one file. A form has a class of its own, whose ``read`` ends with ``finished``."""

    def __init__(self, source: ImportSource) -> None:
        self.source = source
        self.schema = ImportedSchema()
        self.faults = FileFaults()
        self._positions = 0

    def warn(self, line: int, reason: str) -> None:
        """Report a part of the file that is not taken over."""
        self.schema.warnings.append(FileFault(self.source.file, line, reason))

    def take_position(self, line: int, depth: int) -> None:
        """Count one position of a set.

        Raises:
            DictionaryError: There are too many, or it is nested too deep.
        """
        self._positions += 1
        if self._positions > MAX_POSITIONS:
            raise self.source.fault(line, f"the file has more than {MAX_POSITIONS} positions")
        if depth > MAX_DEPTH:
            raise self.source.fault(line, f"loops are nested deeper than {MAX_DEPTH} levels")

    def loop(
        self, line: int, loop_id: str, body: Sequence[Node], *, requirement: str, maximum: int
    ) -> Loop:
        """Return a loop; its first segment becomes the trigger, once in each iteration.

        Raises:
            DictionaryError: It does not begin with a segment.
        """
        if not body or not isinstance(body[0], SegmentUse):
            raise self.source.fault(line, "a loop must begin with a segment")
        trigger = replace(body[0], requirement=_REQUIRED[requirement], maximum=1)
        inner = (trigger, *body[1:])
        return Loop(id=loop_id, requirement=requirement, maximum=maximum, body=inner)

    def require(self, line: int, reason: str, *, is_there: bool) -> None:
        """Report a fault if a part that the file must have is not there."""
        if not is_there:
            self.faults.add(FileFault(self.source.file, line, reason))

    def finished(self) -> ImportedSchema:
        """Return the schema.

        Raises:
            DictionaryError: All faults that were gathered.
        """
        self.faults.check()
        return self.schema
