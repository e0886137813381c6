"""The envelope of application answers, 277CA and 824: planned, numbered and written.

They are business documents in groups of their own, and go in an interchange of their own.

Source: x12.md sections 2.8 and 2.9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from longshore.x12.acks.build import (
    AckNumbers,
    answer_header,
    numbers_for_preview,
    padded_number,
)
from longshore.x12.acks.texts import AckTexts, texts_for
from longshore.x12.control import InterchangeSummary
from longshore.x12.writer.segment_writer import SegmentWriter
from longshore.x12.writer.segments import Element, Segment
from longshore.x12.writer.separators import free_delimiters


class AnswerNumber(NamedTuple):
    """Number and time of an application answer that is written."""

    reference: str
    """BHT03 or BGN02: ISA13 and ST02 of the answer."""
    date: str
    """CCYYMMDD."""
    time: str
    """HHMM."""


class AnswerSet(NamedTuple):
    """A transaction set to be written."""

    set_id: str
    """ST01."""
    reference: str
    """ST03."""
    segments: Callable[[AnswerNumber, AckTexts], Iterator[Segment]]
    """Yields what is between ST and SE."""


class AnswerGroup(NamedTuple):
    """A functional group to be written."""

    functional_id: str
    """GS01."""
    version: str
    """GS08."""
    sender: str
    """GS02."""
    receiver: str
    """GS03."""
    answered: tuple[AnswerSet, ...]


class ApplicationPlan(NamedTuple):
    """The application answers to send for one received interchange."""

    summary: InterchangeSummary
    groups: tuple[AnswerGroup, ...]


def preview_answer_numbers(plan: ApplicationPlan) -> AckNumbers:
    """Return preview numbers, and date and time of the received ISA, so that nothing varies."""
    return numbers_for_preview(plan.summary, [len(group.answered) for group in plan.groups])


def write_application(plan: ApplicationPlan, numbers: AckNumbers) -> str:
    """Write application answers, under the separators received unless a value holds one."""
    wanted = plan.summary.delimiters
    rows = [*_rows(plan, numbers, texts_for(wanted))]
    values = "".join(_values(rows))
    header = "".join(plan.summary.header[5:11])
    is_writable = texts_for(wanted).is_writable(values + header)
    delimiters = wanted if is_writable else free_delimiters((values, header), wanted) or wanted
    texts = texts_for(delimiters)
    writer = SegmentWriter(delimiters)
    if not is_writable:
        rows = [[_named(each, texts) for each in row] for row in rows]
    isa = answer_header(plan.summary, numbers, delimiters, texts.name)
    iea = writer.write(("IEA", str(len(plan.groups)), padded_number(numbers)))
    return "".join((isa, *map(writer.write, rows), iea))


def _rows(plan: ApplicationPlan, numbers: AckNumbers, texts: AckTexts) -> Iterator[Segment]:
    moment = (numbers.date, numbers.time)
    for group, number, sets in zip(plan.groups, numbers.groups, numbers.sets, strict=True):
        names = (group.functional_id, group.sender, group.receiver)
        yield ("GS", *names, *moment, number, "X", group.version)
        for control_number, answer in zip(sets, group.answered, strict=True):
            yield ("ST", answer.set_id, control_number, answer.reference)
            reference = f"{padded_number(numbers)}-{control_number}"
            count = 2
            for each in answer.segments(AnswerNumber(reference, *moment), texts):
                yield each
                count += 1
            yield ("SE", str(count), control_number)
        yield ("GE", str(len(group.answered)), number)


def _values(rows: Iterable[Segment]) -> Iterator[str]:
    for row in rows:
        for each in row:
            yield each if isinstance(each, str) else "".join(map(str, each))


def _named(element: Element, texts: AckTexts) -> Element:
    """Return an element whose values are fit to be written."""
    if isinstance(element, str):
        return texts.name(element)
    assert isinstance(element, tuple)  # no element of these answers repeats
    return tuple(map(texts.name, element))
