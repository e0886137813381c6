"""The envelope structure: interchange, functional group, transaction set; counts, control numbers.

``Envelope`` follows the batches in document order. It assigns each span of segments to a
transaction set, records a summary of every interchange, group and set, and reports structure errors
as findings that lead to TA105, AK905 and AK502 codes.

Source: x12.md sections 1.5, 2.1 and 2.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.control import (
    CONTROL_IDS,
    GROUP_NUMBER,
    OUTSIDE_SETS,
    SET_ID,
    SET_NUMBER,
    ControlRef,
    GroupSummary,
    InterchangeSummary,
    OpenGroup,
    OpenInterchange,
    SegmentSpan,
    SetSummary,
    Summary,
    element_at,
    is_count,
    is_same_number,
    keep_code,
    next_control,
    segment_ref,
)
from longshore.x12.findings import ACK_CODES, FindingCode, Severity
from longshore.x12.group_header import group_header_faults, is_good_group_header
from longshore.x12.interchange_header import check_interchange_header, is_good_header
from longshore.x12.report import Reporter, SegmentRef

_BEHIND_TRAILER: Final = 3  # the position after the last one of a GE or IEA


class Envelope:
    """Follows the structure of one document, and reports its faults.

    With ``keeps_summaries`` it records interchanges, groups and sets, which grow with the document.
    """

    def __init__(self, reporter: Reporter, *, keeps_summaries: bool = True) -> None:
        self.interchanges: list[InterchangeSummary] = []
        self.groups: list[GroupSummary] = []
        self.sets: list[SetSummary] = []
        self.set_count = 0
        self._keeps_summaries = keeps_summaries
        self.segment_count = 0
        self.first_group_version = ""
        self._reporter = reporter
        self._interchange: OpenInterchange | None = None
        self._group: OpenGroup | None = None
        self._set: SetSummary | None = None
        self._set_ref: ControlRef | None = None
        self._ref: ControlRef | None = None  # of the control segment at hand
        self._occurrences = dict.fromkeys(CONTROL_IDS, 0)
        self._is_stray = False

    @property
    def version(self) -> str:
        """The release in force: GS08, else ISA12, else ``""``."""
        if self._group is not None and self._group.version:
            return self._group.version
        return self._interchange.version if self._interchange is not None else ""

    def follow(self, batch: SegmentBatch) -> Iterator[SegmentSpan]:
        """Yield the spans of ``batch`` in order; use each before asking for the next."""
        rows = batch.rows
        if batch.kind is BatchKind.HEAD:
            yield self._head(batch)
        elif batch.ids.isdisjoint(CONTROL_IDS):
            if rows:
                yield self._body(batch, 0, len(rows))
        else:
            tags = [row[0] for row in rows]
            index, end = 0, len(tags)
            while index < end:
                if tags[index] in CONTROL_IDS:
                    yield self._control(batch, index)
                    index += 1
                else:
                    last = next_control(tags, index)
                    yield self._body(batch, index, last)
                    index = last

    @property
    def open_group(self) -> GroupSummary | None:
        """The group that is open, if no set is."""
        return None if self._group is None or self._set is not None else self._group.summary

    def pass_set(self, header: list[str], segment_count: int) -> int:
        """Record a whole set without faults, from its ST, ``header``, to its SE.

        Returns:
            Its index; 0, without any effect, if the envelope has a finding about it.
        """
        group, number = self._group, header[2]
        if group is None or self._set is not None or number in group.set_numbers:
            return 0
        group.set_numbers.add(number)
        group.summary.set_count += 1
        self.set_count = index = self.set_count + 1
        self.segment_count += segment_count
        self._occurrences["ST"] += 1
        self._occurrences["SE"] += 1
        self._is_stray = False
        assert self._keeps_summaries  # sets are skipped only in validation
        version = group.version or element_at(header, 3)
        version = version or (self._interchange.version if self._interchange else "")
        self.sets.append(
            SetSummary(index, header[1], number, version, header, segment_count, has_trailer=True)
        )
        return index

    def finish(self) -> None:
        """Report the levels that are still open at the end of the document, innermost first."""
        self._end_set()
        self._end_group()
        self._end_interchange()

    # ---- stretches --------------------------------------------------------------------------

    def _body(self, batch: SegmentBatch, first: int, last: int) -> SegmentSpan:
        count, ordinal = last - first, self.segment_count + 1
        self.segment_count += count
        if self._set is None:
            self._stray(batch, first, ordinal)
            return SegmentSpan(batch, first, last, 0, 0, ordinal, 0)
        position = self._set.segment_count + 1
        self._set.segment_count += count
        return SegmentSpan(batch, first, last, self._set.index, position, ordinal, 0)

    def _stray(self, batch: SegmentBatch, first: int, ordinal: int) -> None:
        """Report once that segments are outside every transaction set of an interchange."""
        if self._interchange is not None and not self._is_stray:
            # Its key depends on the rest of the document: whether it has a set at all.
            segment = SegmentRef(batch=batch, at=first, tx_index=0, position=ordinal, key="")
            message = "segments stand outside every transaction set"
            code = FindingCode.INTERCHANGE_CONTENT_INVALID
            self._reporter.segment(code, message, segment)
            if self._is_error(code):
                keep_code(code, self._interchange.summary)
        self._is_stray = True

    def _control(self, batch: SegmentBatch, index: int) -> SegmentSpan:
        row = batch.rows[index]
        tag = row[0]
        self._is_stray = False
        self._occurrences[tag] = occurrence = self._occurrences[tag] + 1
        self.segment_count = ordinal = self.segment_count + 1
        tx_index, position, current = 0, 0, self._set
        if tag == "ST":
            tx_index, position = self.set_count + 1, 1
        elif current is not None and tag not in OUTSIDE_SETS:
            current.segment_count = position = current.segment_count + 1
            tx_index = current.index
        self._ref = (batch, index, tx_index, position or ordinal, occurrence)
        self._HANDLERS[tag](self, row)
        return SegmentSpan(batch, index, index + 1, tx_index, position, ordinal, occurrence)

    def _head(self, batch: SegmentBatch) -> SegmentSpan:
        self.finish()
        row = batch.rows[0]
        self._is_stray = False
        self._occurrences["ISA"] = occurrence = self._occurrences["ISA"] + 1
        self.segment_count = ordinal = self.segment_count + 1
        self._ref = ref = (batch, 0, 0, ordinal, occurrence)
        summary = InterchangeSummary(batch.delimiters, row)
        self._interchange = OpenInterchange(ref, row[13].strip(), row[12].strip(), summary)
        if self._keeps_summaries:
            self.interchanges.append(summary)
        for diagnostic in batch.diagnostics:
            if diagnostic.code is FindingCode.ISA_NOT_FIXED_WIDTH:
                summary.is_fixed_width = False
        if not is_good_header(row):
            for code in check_interchange_header(row, segment_ref(ref), self._reporter):
                if self._is_error(code):
                    keep_code(code, summary)
        return SegmentSpan(batch, 0, 1, 0, 0, ordinal, occurrence)

    # ---- control segments -------------------------------------------------------------------

    def _open_group(self, row: list[str]) -> None:
        self._end_set()
        self._end_group()
        number, version = element_at(row, 6), element_at(row, 8)
        if not self.first_group_version:
            self.first_group_version = version
        of_interchange = None
        if self._interchange is not None:
            self._interchange.group_count += 1
            of_interchange = len(self.interchanges) - 1
        summary = GroupSummary(of_interchange, row, self.set_count + 1)
        self._group = OpenGroup(self._current_ref(), number, version, summary)
        if self._keeps_summaries:
            self.groups.append(summary)
        if not is_good_group_header(row):
            isa12 = self._interchange.version if self._interchange is not None else ""
            for fault in group_header_faults(row, isa12):
                self._report(*fault)
        self._check_group_number(number)

    def _check_group_number(self, number: str) -> None:
        if self._interchange is not None and GROUP_NUMBER.fullmatch(number):
            if int(number) in self._interchange.group_numbers:
                message = "GS06 occurs a second time in this interchange"
                self._report(FindingCode.GROUP_NUMBER_REPEATED, message, 6)
            self._interchange.group_numbers.add(int(number))

    def _open_set(self, row: list[str]) -> None:
        self._end_set()
        set_id, number = element_at(row, 1), element_at(row, 2)
        group = self._group
        if group is None and self._interchange is not None:
            message = "a transaction set stands outside every functional group"
            self._report(FindingCode.INTERCHANGE_CONTENT_INVALID, message)
        version = group.version if group is not None else ""
        version = version or element_at(row, 3)
        version = version or (self._interchange.version if self._interchange is not None else "")
        self.set_count += 1
        self._set = SetSummary(self.set_count, set_id, number, version, row)
        self._set_ref = self._ref
        if self._keeps_summaries:
            self.sets.append(self._set)
        if not SET_ID.fullmatch(set_id):
            message = "ST01 is not a transaction set id of 3 characters"
            self._report(FindingCode.SET_ID_INVALID, message, 1)
        if not SET_NUMBER.fullmatch(number):
            message = "ST02 is not a control number of 4 to 9 characters"
            self._report(FindingCode.SET_NUMBER_INVALID, message, 2)
        if group is not None:
            group.summary.set_count += 1
            if number in group.set_numbers:
                message = "ST02 occurs a second time in this functional group"
                self._report(FindingCode.SET_NUMBER_REPEATED, message, 2)
            group.set_numbers.add(number)

    def _close_set(self, row: list[str]) -> None:
        current = self._set
        if current is None:
            self._misplaced(row)
            return
        if element_at(row, 2) != current.control_number:
            message = "SE02 differs from ST02"
            self._report(FindingCode.SET_NUMBER_MISMATCH, message, 2)
        if not is_count(element_at(row, 1), current.segment_count):
            message = f"SE01 is wrong: the set has {current.segment_count} segments"
            self._report(FindingCode.SEGMENT_COUNT_WRONG, message, 1)
        current.has_trailer = True
        self._set = None

    def _close_group(self, row: list[str]) -> None:
        self._end_set()
        group = self._group
        if group is None:
            self._misplaced(row)
            return
        self._check_surplus(row, FindingCode.GROUP_ELEMENTS_SURPLUS)
        if not is_same_number(element_at(row, 2), group.control_number):
            message = "GE02 differs from GS06"
            self._report(FindingCode.GROUP_NUMBER_MISMATCH, message, 2)
        group.summary.trailer_count = element_at(row, 1)
        if not is_count(element_at(row, 1), group.summary.set_count):
            message = f"GE01 is wrong: the group has {group.summary.set_count} transaction sets"
            self._report(FindingCode.SET_COUNT_WRONG, message, 1)
        self._group = None

    def _close_interchange(self, row: list[str]) -> None:
        self._end_set()
        self._end_group()
        interchange = self._interchange
        if interchange is None:
            self._misplaced(row)
            return
        self._check_surplus(row, FindingCode.INTERCHANGE_ELEMENTS_SURPLUS)
        number = element_at(row, 2)
        if number != interchange.control_number:
            if is_same_number(number, interchange.control_number):
                message = "IEA02 equals ISA13 as a number but is padded differently"
                self._report(FindingCode.CONTROL_NUMBER_PADDING, message, 2)
            else:
                message = "IEA02 differs from ISA13"
                self._report(FindingCode.INTERCHANGE_NUMBER_MISMATCH, message, 2)
        self._check_group_count(element_at(row, 1), interchange)
        self._interchange = None

    def _check_surplus(self, row: list[str], code: FindingCode) -> None:
        """Report a GE or IEA with more elements than the two it has; empty ones do not count."""
        if len(row) > _BEHIND_TRAILER and any(row[_BEHIND_TRAILER:]):
            self._report(code, f"{row[0]} has more than 2 elements", _BEHIND_TRAILER)

    def _check_group_count(self, count: str, interchange: OpenInterchange) -> None:
        if is_count(count, interchange.group_count):
            return
        if interchange.summary.has_ta1 and not interchange.group_count and is_count(count, 1):
            message = "IEA01 counts a TA1 as a functional group"
            self._report(FindingCode.TA1_ONLY_GROUP_COUNT, message, 1)
        else:
            message = f"IEA01 is wrong: the interchange has {interchange.group_count} groups"
            self._report(FindingCode.GROUP_COUNT_WRONG, message, 1)

    def _interchange_segment(self, row: list[str]) -> None:
        """Take a TA1, ISB, ISE or ISX before the first group; a TA1 after a group is accepted."""
        interchange, is_ta1 = self._interchange, row[0] == "TA1"
        is_inside = self._group is not None or self._set is not None
        if interchange is None or is_inside or (interchange.group_count and not is_ta1):
            self._misplaced(row)
        elif is_ta1:
            interchange.summary.has_ta1 = True
            if interchange.group_count:
                message = "TA1 stands behind a functional group; its place is before the first one"
                self._report(FindingCode.TA1_AFTER_GROUP, message)

    def _misplaced(self, row: list[str]) -> None:
        message = f"{row[0]} stands where the control structure does not allow it"
        self._report(FindingCode.CONTROL_STRUCTURE_INVALID, message)

    # ---- levels left open -------------------------------------------------------------------

    def _end_set(self) -> None:
        if self._set is not None:
            message = "the transaction set that begins here has no SE"
            self._report(FindingCode.SET_TRAILER_MISSING, message, ref=self._set_ref)
            self._set = None

    def _end_group(self) -> None:
        if self._group is not None:
            message = "the functional group that begins here has no GE"
            self._report(FindingCode.GROUP_TRAILER_MISSING, message, ref=self._group.ref)
            self._group = None

    def _end_interchange(self) -> None:
        if self._interchange is not None:
            message = "the interchange that begins here has no IEA"
            code, ref = FindingCode.INTERCHANGE_TRAILER_MISSING, self._interchange.ref
            self._report(code, message, ref=ref)
            self._interchange = None

    # ---- reporting ----------------------------------------------------------------------------

    def _report(
        self,
        code: FindingCode,
        message: str,
        element: int | None = None,
        *,
        ref: ControlRef | None = None,
    ) -> None:
        """Report the current control segment, or the one at ``ref``."""
        if self._is_error(code) and code in ACK_CODES:
            self._keep_code(code)
        if self._reporter.log.is_full(code):
            self._reporter.log.count(code)
            return
        segment = segment_ref(ref or self._current_ref())
        self._reporter.segment(code, message, segment, element)

    def _is_error(self, code: FindingCode) -> bool:
        return self._reporter.log.severity_of(code) is Severity.ERROR

    def _keep_code(self, code: FindingCode) -> None:
        """Add the acknowledgement code of a fault to the open level that it concerns, if any."""
        level = next(iter(ACK_CODES[code]))
        summary: Summary | None
        if level == "set":
            summary = self._set
        else:
            opened = self._group if level == "group" else self._interchange
            summary = opened.summary if opened is not None else None
        if summary is not None:
            keep_code(code, summary)

    def _current_ref(self) -> ControlRef:
        assert self._ref is not None  # called while a control segment is at hand
        return self._ref

    # What each control segment does. Functions, not bound methods: those, kept in an instance,
    # would be a cycle that only the garbage collector can free, once a document.
    _HANDLERS: ClassVar[dict[str, Callable[[Envelope, list[str]], None]]] = {
        "ISA": _misplaced,
        "GS": _open_group,
        "ST": _open_set,
        "SE": _close_set,
        "GE": _close_group,
        "IEA": _close_interchange,
        "TA1": _interchange_segment,
        "ISB": _interchange_segment,
        "ISE": _interchange_segment,
        "ISX": _interchange_segment,
    }
