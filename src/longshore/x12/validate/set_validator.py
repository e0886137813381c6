"""Validate one transaction set: place its segments, check their elements, compare its amounts.

Theory. In a valid document each segment is placed and matched against one compiled pattern; nothing
else happens. Only a segment that does not match is checked element by element, so no finding ever
comes from the fast path (performance.md section 1, item 3).

Source: x12.md section 2.4.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.control import SegmentSpan
from longshore.x12.dictionary.model import STANDARD, CompositeType, ValueCondition
from longshore.x12.elements.check import check
from longshore.x12.elements.check_digits import wrong_digits
from longshore.x12.elements.faults import ElementFault
from longshore.x12.elements.faults import ElementFaultKind as ElementKind
from longshore.x12.findings import SEVERITIES, FindingCode, Severity
from longshore.x12.loops.faults import LoopFaultKind, StructureFault
from longshore.x12.loops.placement import Placement
from longshore.x12.loops.slots import Slot, code_of
from longshore.x12.release import split_released
from longshore.x12.report import SegmentRef
from longshore.x12.results import SetResult
from longshore.x12.validate.amount_balance import Balance, BalanceFault, BalanceSpan
from longshore.x12.validate.reports import ContentReport, ElementPart
from longshore.x12.validate.rules import SetRules
from longshore.x12.validate.wording import (
    GUIDE_CODES,
    STRUCTURE_CODES,
    element_message,
    structure_message,
)

# For a code, a fault of the standard outranks one of a guide.
_OUTRANKING: Final = frozenset((ElementKind.MANDATORY_MISSING, ElementKind.INVALID_CODE))
_MAX_KNOWN: Final = 64  # bad segments of a set whose faults are cached


class SetValidator:
    """Validates the segments of one set, in order, and reports findings to ``content``.

    Args:
        rules: The rules of its definition.
        content: Receives the findings.
        tx_index: The index of the set.
        scope: The prefix of the keys of the set.
    """

    def __init__(self, rules: SetRules, content: ContentReport, tx_index: int, scope: str) -> None:
        self.result = SetResult()
        self._tx_index = tx_index
        self._scope = scope
        self._rules = rules
        self._context = rules.context
        self._matchers = rules.matchers
        self._content = content
        self._placement = Placement(rules.table, rules.context.delimiters, rules.known_ids)
        self._balance: Balance | None = rules.balance() if rules.balance is not None else None
        self._is_good = True  # all segments match
        self._balanced: BalanceSpan | None = None  # the last stretch that was balanced
        self._known: dict[tuple[Slot, str], list[ElementFault]] = {}  # the same over and over
        self._passed: dict[
            int, SegmentRef
        ] = {}  # segments before which one may prove to be missing

    def take(self, span: SegmentSpan, tags: list[str], keys: Callable[[int], str]) -> None:
        """Validate a span.

        Args:
            span: The span.
            tags: Its segment ids.
            keys: Returns the prefix of the keys of the segment at an index of its batch.
        """
        batch, first, last = span.batch, span.first, span.last
        rows, texts = batch.rows[first:last], batch.texts[first:last]
        self.result.may_bound_loops |= "LS" in batch.ids
        slots = self._placement.place_all(rows)
        good = self._rules.matched(slots, texts) if self._rules.is_regular(batch) else []
        if len(good) < len(rows) or not all(good):
            self._is_good = False
            self._take_slowly(span, rows, [*slots], good, keys)
        if not self._rules.has_right_digits(batch, texts):
            self._check_digits(span, rows, tags, keys)
        if self._balance is not None:
            self._take_balance(self._balance, span, rows, tags)

    def pass_over(self) -> None:
        """Count a control segment inside the set."""
        self._placement.pass_over()

    def finish(self, last: SegmentRef) -> None:
        """Report what is missing when the set ends; ``last`` is its SE, or its last segment."""
        self._placement.finish()
        if self._is_good:
            self._rules.learn(self._placement.slots_in_order)
        self._report_structure(lambda position: self._passed.get(position, last))
        if self._balance is not None:
            self._balance.finish()
            self._report_balance(self._balance.faults)

    # ---- the slow path --------------------------------------------------------------------------

    def _take_slowly(
        self,
        span: SegmentSpan,
        rows: list[list[str]],
        slots: list[Slot | None],
        good: list[object],
        keys: Callable[[int], str],
    ) -> None:
        """Validate the rows of a span one by one, except those known to be ``good``."""

        def segment_at(index: int) -> SegmentRef:
            position = span.position + index - span.first
            return SegmentRef(span.batch, index, span.tx_index, position, keys(index))

        def segment_at_position(position: int) -> SegmentRef:
            known = self._passed.get(position)
            return known or segment_at(span.first + position - span.position)

        for ahead, row in enumerate(rows):
            if ahead < len(good) and good[ahead]:
                continue
            index = span.first + ahead
            is_recovered = False
            if ahead >= len(slots):
                # After a fault, many rows can be placed in one step again.
                more = self._placement.place_all(rows[ahead:])
                slots += more or [self._placement.place(row)]
                is_recovered = not more
            slot = slots[ahead]
            is_bad = ahead < len(good)
            faults = [] if slot is None else self._faults(slot, span.batch, index, is_bad=is_bad)
            if is_recovered:
                faults = self._once(faults)
                self._report_structure(segment_at_position)
                self._keep_passed(span.position + ahead, index, segment_at)
            if slot is not None:
                for fault in faults:
                    self._report_element(fault, slot, index, segment_at)

    def _faults(
        self, slot: Slot, batch: SegmentBatch, index: int, *, is_bad: bool
    ) -> list[ElementFault]:
        """Return the faults of a segment's elements.

        Args:
            slot: The slot of the segment.
            batch: The batch of the segment.
            index: Its index in the batch.
            is_bad: The segment is known not to match its pattern.
        """
        text, delimiters = batch.texts[index], batch.delimiters
        if not (is_bad or delimiters.release) and self._matchers[slot](text):
            return []
        known = self._known.get((slot, text))
        if known is not None:
            return known
        row = batch.rows[index]
        if delimiters.release and batch.kind is BatchKind.SEGMENTS:
            row = split_released(text, delimiters.element, delimiters.release)
        faults = check(row, slot.use, self._context)
        if len(self._known) < _MAX_KNOWN and batch.kind is BatchKind.SEGMENTS:
            self._known[slot, text] = faults
        return faults

    def _once(self, faults: list[ElementFault]) -> list[ElementFault]:
        """Return the faults of the last segment placed, without those its placing reports already.

        Both check the code by which a segment is chosen.
        """
        structure, is_code = self._placement.faults, LoopFaultKind.QUALIFIER_NOT_ALLOWED
        if not faults or is_code not in {each.kind for each in structure}:
            return faults
        outranking = {
            (each.position, each.component or 0) for each in faults if each.kind in _OUTRANKING
        }
        structure[:] = [
            each
            for each in structure
            if each.kind is not is_code or (each.element, each.component) not in outranking
        ]
        reported = {(each.element, each.component) for each in structure if each.kind is is_code}
        return [
            each
            for each in faults
            if each.kind is not ElementKind.CODE_NOT_USED
            or (each.position, each.component or 0) not in reported
        ]

    def _keep_passed(
        self, position: int, index: int, segment_at: Callable[[int], SegmentRef]
    ) -> None:
        """Remember segments that passed a pending slot, for faults that become certain later."""
        pending = self._placement.pending_positions
        if self._passed and not self._passed.keys() <= pending:
            self._passed = {each: self._passed[each] for each in self._passed.keys() & pending}
        if position in pending and position not in self._passed:
            self._passed[position] = segment_at(index)

    def _report_element(
        self, fault: ElementFault, slot: Slot, index: int, segment_at: Callable[[int], SegmentRef]
    ) -> None:
        code = FindingCode(fault.kind)
        if self._content.has_counted(code, fault.layer, self.result):
            return
        self._content.report(
            code,
            partial(element_message, fault),
            segment_at(index),
            self.result,
            fault.layer,
            slot.loop_id,
            ElementPart(fault.position, fault.repeat, fault.component, fault.element_ref),
            None,
            fault.allowed,
            fault.value,
        )

    # ---- check digits ----------------------------------------------------------------------------

    def _check_digits(
        self,
        span: SegmentSpan,
        rows: list[list[str]],
        tags: list[str],
        keys: Callable[[int], str],
    ) -> None:
        places = self._rules.digit_places
        for ahead, tag in enumerate(tags):
            if tag not in places:
                continue
            for name, element, reference in wrong_digits(rows[ahead], places[tag]):
                if self._content.has_counted(FindingCode.CHECK_DIGIT_WRONG, STANDARD, self.result):
                    continue
                index, position = span.first + ahead, span.position + ahead
                self._content.report(
                    FindingCode.CHECK_DIGIT_WRONG,
                    f"check digit of this {name} is wrong",
                    SegmentRef(span.batch, index, self._tx_index, position, keys(index)),
                    self.result,
                    STANDARD,
                    part=ElementPart(element, reference=reference),
                )

    # ---- structure -------------------------------------------------------------------------------

    def _report_structure(self, segment_at_position: Callable[[int], SegmentRef]) -> None:
        faults = self._placement.faults
        for fault in faults:
            self._report_fault(fault, segment_at_position)
        faults.clear()

    def _report_fault(
        self, fault: StructureFault, segment_at_position: Callable[[int], SegmentRef]
    ) -> None:
        code = STRUCTURE_CODES[fault.kind]
        if fault.layer != STANDARD:
            code = GUIDE_CODES.get(fault.kind, code)
        if self._content.has_counted(code, fault.layer, self.result):
            return
        segment = segment_at_position(fault.position)
        is_missing = fault.kind in {LoopFaultKind.SEGMENT_MISSING, LoopFaultKind.LOOP_MISSING}
        part = None
        bad_value = None
        if fault.element:
            when = ValueCondition(fault.element, fault.component or None, ())
            row = segment.batch.rows[segment.at]
            bad_value = code_of(row, when, self._context.delimiters) or None
            reference = self._reference(fault.segment_id, when)
            part = ElementPart(fault.element, None, when.component, reference)
        self._content.report(
            code,
            partial(structure_message, fault),
            segment,
            self.result,
            fault.layer,
            fault.loop_id,
            part,
            fault.segment_id if is_missing else None,
            fault.allowed or None,
            bad_value,
        )

    def _reference(self, segment_id: str, when: ValueCondition) -> str:
        """Return the number of the element or component that a condition tests."""
        segment = self._rules.table.everywhere[segment_id][0].use.segment
        element = segment.uses[when.position - 1]
        if when.component is None or not isinstance(element.type, CompositeType):
            return element.reference
        return element.type.uses[when.component - 1].reference

    # ---- balance ---------------------------------------------------------------------------------

    def _take_balance(
        self, balance: Balance, span: SegmentSpan, rows: list[list[str]], tags: list[str]
    ) -> None:
        earlier: dict[str, int] = {}
        if self._balanced is not None:
            earlier.update(self._balanced.earlier)
            for tag in self._balanced.tags:
                earlier[tag] = earlier.get(tag, 0) + 1
        self._balanced = BalanceSpan(span, rows, tags, earlier)
        balance.take(self._balanced)
        self._report_balance(balance.faults)

    def _report_balance(self, faults: list[BalanceFault]) -> None:
        for fault in faults:
            is_warning = SEVERITIES[fault.code] is Severity.WARNING
            balanced, ahead = fault.place
            span, tag = balanced.span, balanced.tags[ahead]
            number = balanced.number(ahead)
            assert span is not None  # the one that was taken
            key = self._scope + (tag if number == 1 else f"{tag}[{number}]")
            self._content.report(
                fault.code,
                fault.message,
                SegmentRef(
                    span.batch,
                    span.first + ahead,
                    self._tx_index,
                    span.position + ahead,
                    key,
                ),
                self.result,
                STANDARD if is_warning else self._rules.definition.layer,
                None,
                ElementPart(fault.element),
            )
        faults.clear()
