"""What has to hold when any acknowledgement is read: codes as they stand, outcomes that fit."""

from collections.abc import Iterator
from random import Random

from longshore.kit.errors import LongshoreError
from longshore.x12.acks.outcome import AckOutcome, SentSet, outcomes, unknown_sets
from longshore.x12.acks.read import GroupAck, is_rejecting, read_group_ack, read_ta1
from longshore.x12.delimiters import Delimiters
from longshore.x12.findings import Severity
from longshore.x12.walk import Walk
from tests.fuzz.oracles import expected

Rows = list[list[str]]
_NOTES = frozenset({"AK3", "IK3"})
_ELEMENT_NOTES = frozenset({"AK4", "IK4"})
_RESULTS = frozenset({"AK5", "IK5"})


def answers(text: str, draw: Random, *, is_thorough: bool) -> None:
    """Read every set of a document as if it were an acknowledgement, and every TA1."""
    del is_thorough
    try:
        for ack, rows in group_acks(text):
            own_reading(ack, rows)
            _means_something(ack, draw)
        for row, position in ta1_rows(text):
            ta1 = read_ta1(row, position)
            read = [ta1.control_number, ta1.date, ta1.time, ta1.status, ta1.code]
            assert read == (row[1:6] + [""] * 5)[:5], "a TA1 is not read as it stands"
            assert len(ta1.warnings) <= 2
    except LongshoreError as refused:
        expected(refused)


def group_acks(text: str) -> Iterator[tuple[GroupAck, Rows]]:
    """Yield each transaction set of a document, read as a 997 or 999, and its rows."""
    walk = Walk(lambda: (text,))
    rows: dict[int, Rows] = {}
    marks: dict[int, Delimiters] = {}
    for spans in walk.span_lists():
        for span in spans:
            if span.tx_index:
                marks.setdefault(span.tx_index, span.batch.delimiters)
                of_set = rows.setdefault(span.tx_index, [])
                of_set += span.batch.rows[span.first : span.last]
    for index, of_set in rows.items():
        yield read_group_ack(of_set, marks[index], index), of_set


def ta1_rows(text: str) -> Iterator[tuple[list[str], int]]:
    position = 0
    for spans in Walk(lambda: (text,)).span_lists():
        for span in spans:
            for row in span.batch.rows[span.first : span.last]:
                position += 1
                if row[0] == "TA1":
                    yield row, position


def own_reading(ack: GroupAck, rows: Rows) -> None:
    """Compare an acknowledgement with its rows: every code is there, as it stands, in order."""
    notes = [note for each in ack.sets for note in each.segments]
    own = _elements(rows, _NOTES, 4)
    assert [note.code for note in notes if note.code or note.segment_id] == [
        code for code, first in zip(own, _elements(rows, _NOTES, 1), strict=True) if code or first
    ], "a code of a segment is not read as it stands"
    elements = [element.code for note in notes for element in note.elements]
    assert elements == _elements(rows, _ELEMENT_NOTES, 3), "a code of an element changes"
    values = [element.bad_value for note in notes for element in note.elements]
    assert values == _elements(rows, _ELEMENT_NOTES, 4), "a bad value changes"
    statuses = _elements(rows, _RESULTS, 1)
    assert {each.status for each in ack.sets} <= {*statuses, ""}, "a status changes"
    read = {code for each in ack.sets for code in each.codes}
    assert read <= {code for row in rows if row[0] in _RESULTS for code in row[2:]}
    last = next((row for row in reversed(rows) if row[0] == "AK9"), ["AK9"])
    assert ack.status == _element(last, 1)
    assert ack.codes == tuple(code for code in last[5:] if code)
    assert all(each.severity is Severity.WARNING for each in ack.warnings)


def _elements(rows: Rows, tags: frozenset[str], position: int) -> list[str]:
    return [_element(row, position) for row in rows if row[0] in tags]


def _element(row: list[str], position: int) -> str:
    return row[position] if position < len(row) else ""


def _means_something(ack: GroupAck, draw: Random) -> None:
    sent = [SentSet(each.set_id, each.control_number) for each in ack.sets]
    sent += [SentSet("850", str(draw.randrange(9))) for _ in range(draw.randrange(3))]
    draw.shuffle(sent)
    found = outcomes(ack, sent)
    assert len(found) == len(sent)
    for each, outcome in zip(sent, found, strict=True):
        assert outcome.is_ambiguous or outcome.outcome is not None
        if outcome.ack is not None:
            assert (outcome.ack.set_id, outcome.ack.control_number) == each
            if is_rejecting(outcome.ack.status):
                assert outcome.outcome is AckOutcome.REJECTED
    strange = unknown_sets(ack, sent)
    assert strange == []
    assert len(unknown_sets(ack, ())) == len(ack.sets)
