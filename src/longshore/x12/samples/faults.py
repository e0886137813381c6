"""One fault put into a valid sample, and the findings that a validation must report for it.

What is expected follows from the definition and from how the sample was made, not from how a
validation places segments. Where a segment could just as well be meant for another place there is
no one finding to expect, and the fault is not made there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from itertools import takewhile
from typing import Final

from longshore.x12.dictionary.model import STANDARD, Loop, Node
from longshore.x12.findings import SEVERITIES, FindingCode, Severity
from longshore.x12.samples.amounts import CHARGES, balance
from longshore.x12.samples.element_faults import ELEMENT_FAULTS, element_faults
from longshore.x12.samples.expected import ExpectedFinding, Fault, Row
from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.sample_set import (
    COMPONENT,
    REPETITION,
    Iteration,
    SampleSegment,
    SampleSet,
)
from longshore.x12.validate.line_totals import LINES, QUANTITIES, TOTALS

Faults = Callable[[SampleSet, SeededNumbers], Iterator[Fault]]
_HEADER: Final = 2  # the position of the segment after ST


def faults(code: FindingCode, sample: SampleSet, numbers: SeededNumbers) -> Iterator[Fault]:
    """Yield faults that lead to a finding with this code, in an order that ``numbers`` decides."""
    return FAULTS[code](sample, numbers)


def broken_rows(sample: SampleSet, fault: Fault) -> list[Row]:
    """Return the segments of a set with a fault in them; other amounts agree as before."""
    rows = [list(row) for row in sample.rows]
    rows[fault.start : fault.end] = [list(row) for row in fault.rows]
    if not fault.is_of_amount:
        balance(sample.definition.tx_set, rows)
    return rows


# ---- something is missing ----------------------------------------------------------------------


def _missing(code: FindingCode, sample: SampleSet, numbers: SeededNumbers) -> Iterator[Fault]:
    """Leave out what must be there: a segment, or a loop with all that is in it."""
    iterations = {each: None for item in sample.segments for each in item.within.around()}
    for within in numbers.shuffled([*iterations]):
        for at, node in enumerate(within.nodes):
            is_trigger = within.loop is not None and at == 0
            if node.is_required and not is_trigger and not _is_swallowed(sample, within, at):
                fault = _left_out(sample, within, at)
                if fault.expected[0].code == code:
                    yield fault


def _is_swallowed(sample: SampleSet, within: Iteration, at: int) -> bool:
    """Return whether what follows could stand where the node is missing, or before it."""
    items = sample.segments
    first, last = _span_of(sample, within, at)
    if first == 0 or last == len(items):
        return False
    place, each = items[first - 1].at, items[first - 1].within
    while each is not within and each.parent is not None:
        if _is_meant(each.nodes[max(place, 1) :], items[last].row):
            return True  # the trigger would begin another iteration
        place, each = each.at, each.parent
    return _is_meant(within.nodes[max(place, within.loop is not None) : at], items[last].row)


def _span_of(sample: SampleSet, within: Iteration, at: int) -> tuple[int, int]:
    """Return where the segments of a node begin and end; they follow each other."""
    found = [index for index, item in enumerate(sample.segments) if _node_in(item, within) == at]
    return found[0], found[-1] + 1


def _left_out(sample: SampleSet, within: Iteration, at: int) -> Fault:
    node, items = within.nodes[at], sample.segments
    first, last = _span_of(sample, within, at)
    group = _group(within, at)
    following = last
    while following < len(items) and _node_in(items[following], within) in group:
        following += 1
    alike = {each for each, other in enumerate(within.nodes) if _tag(other) == _tag(node)} - {at}
    is_alone = all(_node_in(item, within) not in alike for item in items)
    definition = sample.definition
    is_standard = definition.guide is None or (node.base_requirement == "M" and is_alone)
    is_loop = isinstance(node, Loop)
    code = FindingCode.LOOP_UNDER_MINIMUM if is_loop else FindingCode.SEGMENT_UNDER_MINIMUM
    expected = ExpectedFinding(
        code=FindingCode.SEGMENT_MISSING if is_standard else code,
        layer=STANDARD if is_standard else definition.layer,
        segment_id=_tag(node),
        segment_position=following - (last - first) + _HEADER,
        loop_id=node.id if isinstance(node, Loop) else within.loop_id,
    )
    return Fault(first, last, (), (expected,))


def _node_in(item: SampleSegment, within: Iteration) -> int | None:
    """Return the node of ``within`` that an item belongs to; None if it is elsewhere."""
    at, each = item.at, item.within
    while each is not within:
        if each.parent is None:
            return None
        at, each = each.at, each.parent
    return at


def _group(within: Iteration, at: int) -> range:
    """Return the nodes next to this one with the same tag, whose order is free."""
    tags = [_tag(node) for node in within.nodes]
    start = end = at
    minimum = 0 if within.loop is None else 1
    while start > minimum and tags[start - 1] == tags[at]:
        start -= 1
    while end + 1 < len(tags) and tags[end + 1] == tags[at]:
        end += 1
    return range(start, end + 1)


# ---- something occurs too often, or in another order --------------------------------------------


def _twice(sample: SampleSet, numbers: SeededNumbers) -> Iterator[Fault]:
    """Write a segment twice that may occur once."""
    items = sample.segments
    for index in numbers.shuffled(range(len(items))):
        item = items[index]
        node = item.within.nodes[item.at]
        if item.is_trigger or node.maximum != 1 or _is_meant_ahead(item, item.within, item.at):
            continue
        is_standard = sample.definition.guide is None or node.base_maximum == 1
        expected = ExpectedFinding(
            code=FindingCode.SEGMENT_OVER_MAXIMUM,
            layer=STANDARD if is_standard else sample.definition.layer,
            segment_id=item.row[0],
            segment_position=index + 1 + _HEADER,
            loop_id=item.within.loop_id,
        )
        yield Fault(index + 1, index + 1, (item.row,), (expected,))


def _swapped(sample: SampleSet, numbers: SeededNumbers) -> Iterator[Fault]:
    """Swap neighbours of different tags, neither of which begins a loop."""
    items = sample.segments
    for index in numbers.shuffled(range(len(items) - 1)):
        one, other = items[index], items[index + 1]
        within = one.within
        if other.within is not within or one.is_trigger or one.row[0] == other.row[0]:
            continue
        before = items[index - 1].within.around() if index else iter(())
        inner = [each for each in before if within in list(each.around())[1:]]
        is_ambiguous = (
            any(_is_meant(each.nodes, other.row) for each in inner)
            or _is_meant_ahead(one, within, other.at)
            or _is_meant(within.nodes[: other.at], other.row)
        )
        if not is_ambiguous:
            expected = ExpectedFinding(
                code=FindingCode.SEGMENT_OUT_OF_ORDER,
                layer=STANDARD,
                segment_id=one.row[0],
                segment_position=index + 1 + _HEADER,
                loop_id=within.loop_id,
            )
            yield Fault(index, index + 2, (other.row, one.row), (expected,))


def _is_meant_ahead(item: SampleSegment, within: Iteration, at: int) -> bool:
    """Return whether a segment may be meant for a place behind ``at``, here or further out."""
    ahead: tuple[Node, ...] = within.nodes[at + 1 :]
    for each in within.around():
        if each.parent is not None:
            ahead += each.parent.nodes[each.at :]
    own = item.within.nodes[item.at]
    return _is_meant(tuple(node for node in ahead if node is not own), item.row)


def _is_meant(nodes: tuple[Node, ...], row: Row) -> bool:
    return any(_tag(node) == row[0] and _holds(node, row) for node in nodes)


def _holds(node: Node, row: Row) -> bool:
    when = node.when or (node.trigger if isinstance(node, Loop) else node).when
    if when is None:
        return True
    text = row[when.position] if when.position < len(row) else ""
    if when.component is not None:
        components = text.split(REPETITION)[0].split(COMPONENT)
        text = (*components, *[""] * when.component)[when.component - 1]
    return text in when.values


def _tag(node: Node) -> str:
    return (node.trigger if isinstance(node, Loop) else node).segment.id


# ---- amounts and counts -------------------------------------------------------------------------

_STATED: Final[Mapping[FindingCode, tuple[tuple[str, str, int], ...]]] = {
    FindingCode.INVOICE_OUT_OF_BALANCE: (("810", "TDS", 1),),
    FindingCode.PAYMENT_OUT_OF_BALANCE: (("835", "BPR", 2),),
    FindingCode.CLAIM_OUT_OF_BALANCE: (("835", "CLP", 4), ("837", "CLM", 2)),
    FindingCode.SERVICE_OUT_OF_BALANCE: (("835", "SVC", 3), ("837", "SVD", 2)),
    FindingCode.REMITTANCE_OUT_OF_BALANCE: (("820", "BPR", 2),),
    FindingCode.LINE_COUNT_WRONG: tuple((each, TOTALS, 1) for each in LINES),
    FindingCode.HASH_TOTAL_WRONG: tuple((each, TOTALS, 2) for each in QUANTITIES),
}
"""By finding, where sets state an amount or count: set, segment, element."""

_OF_OTHER_PAYMENTS: Final = frozenset(("AMT", "DED", "LX", "RYL", "TXP"))
"""Segments without which alone a remittance is compared."""
_PARTS_OF_TOTAL: Final = {"SAC": 5, "TXI": 2}  # an invoice without one of them is not compared


def _disagreeing(code: FindingCode, sample: SampleSet, numbers: SeededNumbers) -> Iterator[Fault]:
    """Add one to an amount or a count that is stated."""
    rows = sample.rows
    places = {tag: element for of, tag, element in _STATED[code] if of == sample.definition.tx_set}
    for at in numbers.shuffled([at for at, row in enumerate(rows) if row[0] in places]):
        row = list(rows[at])
        element = places[row[0]]
        if not any(row[element : element + 1]) or not _is_compared(rows, at, code):
            continue
        row[element] = f"{Decimal(row[element]) + 1:f}"
        expected = [_amount(code, sample, at, element)]
        if row[0] == "CLP":  # what a claim pays is part of the payment
            header = next(index for index, each in enumerate(rows) if each[0] == "BPR")
            payment = FindingCode.PAYMENT_OUT_OF_BALANCE
            expected.insert(0, _amount(payment, sample, header, 2))
        yield Fault(at, at + 1, (row,), tuple(expected), is_of_amount=True)


def _is_compared(rows: list[Row], at: int, code: FindingCode) -> bool:
    """Return whether all that an amount is compared with is there."""
    match rows[at][0]:
        case "TDS":
            has_lines = any(row[0] == "IT1" for row in rows)
            return has_lines and all(
                any(row[_PARTS_OF_TOTAL[row[0]] :][:1]) for row in rows if row[0] in _PARTS_OF_TOTAL
            )
        case "CLM":
            following = (row[0] for row in rows[at + 1 :])
            claim = takewhile(lambda tag: tag not in {"CLM", "HL"}, following)
            return any(tag in CHARGES for tag in claim)
        case "SVD":
            before = (row[0] for row in reversed(rows[:at]))
            line = takewhile(lambda tag: tag != "LX", before)
            return any(tag in CHARGES for tag in line)
        case "BPR" if code is FindingCode.REMITTANCE_OUT_OF_BALANCE:
            items = [row for row in rows if row[0] == "RMR"]
            others = {row[0] for row in rows} & _OF_OTHER_PAYMENTS
            return bool(items) and not others and all(any(row[4:5]) for row in items)
        case _:
            return True


def _amount(code: FindingCode, sample: SampleSet, at: int, element: int) -> ExpectedFinding:
    is_warning = SEVERITIES[code] is Severity.WARNING
    return ExpectedFinding(
        code=code,
        layer=STANDARD if is_warning else sample.definition.layer,
        segment_id=sample.segments[at].row[0],
        segment_position=at + _HEADER,
        element_position=element,
    )


FAULTS: Final[Mapping[FindingCode, Faults]] = {
    **{
        code: partial(_missing, code)
        for code in (
            FindingCode.SEGMENT_MISSING,
            FindingCode.SEGMENT_UNDER_MINIMUM,
            FindingCode.LOOP_UNDER_MINIMUM,
        )
    },
    FindingCode.SEGMENT_OVER_MAXIMUM: _twice,
    FindingCode.SEGMENT_OUT_OF_ORDER: _swapped,
    **{code: partial(element_faults, code) for code in ELEMENT_FAULTS},
    **{code: partial(_disagreeing, code) for code in _STATED},
}
"""By the finding that it leads to, what makes a fault inside a set."""
