"""Plan the acknowledgements of an interchange, so that numbers can be assigned, and write them.

One acknowledgement interchange answers one received interchange: its TA1 if one is due, and one 997
or 999 for each of its groups.

Source: x12.md sections 2.1, 2.2, 2.5 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from longshore.x12.acks.assessment import (
    NEVER_ACKNOWLEDGED,
    GroupAssessment,
    InterchangeAssessment,
    ReceivedInterchange,
    SetAssessment,
    assess_groups,
    assess_interchange,
    received_interchanges,
)
from longshore.x12.acks.codes import Form, Status
from longshore.x12.acks.notes import SetNotes
from longshore.x12.acks.profile import DEFAULT_PROFILE, AckProfile, AckType
from longshore.x12.acks.ta1 import is_ta1_due, ta1_segment
from longshore.x12.acks.texts import AckTexts, texts_for
from longshore.x12.control import InterchangeSummary, SetSummary, element_at
from longshore.x12.delimiters import Delimiters
from longshore.x12.envelope import Envelope
from longshore.x12.results import SetResult
from longshore.x12.writer.interchange import ISA_WIDTHS, REPETITION_SINCE
from longshore.x12.writer.segment_writer import SegmentWriter
from longshore.x12.writer.separators import free_delimiters

_INFORMATION: Final = "I"  # ISA15: no functional acknowledgement
_CENTURY_PIVOT: Final = "69"  # 00 to 68 are 20yy, 69 to 99 are 19yy (x12.md section 1.6)


class PlannedGroup(NamedTuple):
    """A GS*FA to be sent: the groups it answers have one form and one pair of addresses.

    ``sender`` and ``receiver`` are its own GS02 and GS03.
    """

    form: Form
    sender: str
    receiver: str
    answered: tuple[GroupAssessment, ...]


class AckPlan(NamedTuple):
    """The acknowledgement to send for one received interchange."""

    summary: InterchangeSummary
    assessment: InterchangeAssessment
    """The assessment of the received interchange."""
    has_ta1: bool
    """A TA1 is sent."""
    groups: tuple[PlannedGroup, ...]
    """The groups to send, in order of the groups they answer."""
    has_accepted_sets: bool
    """Accepted sets are listed, as the profile says."""

    @property
    def ack_types(self) -> tuple[str, ...]:
        """The kinds of acknowledgement in it: ``TA1``, ``997``, ``999``."""
        return ("TA1",) * self.has_ta1 + tuple(sorted({each.form.set_id for each in self.groups}))


class AckNumbers(NamedTuple):
    """Control numbers and time of an acknowledgement, out of the caller's hands."""

    interchange: str
    """ISA13."""
    groups: tuple[str, ...]
    """GS06 of each planned group."""
    sets: tuple[tuple[str, ...], ...]
    """ST02 of each acknowledgement in each planned group."""
    date: str
    """CCYYMMDD, ``time``: HHMM."""
    time: str


class WrittenAck(NamedTuple):
    """The text of an acknowledgement."""

    text: str
    is_truncated: bool
    """Notes were left out (``ack_truncated``)."""


def plan_acks(
    received: ReceivedInterchange, profile: AckProfile = DEFAULT_PROFILE
) -> AckPlan | None:
    """Return the acknowledgement to send for an interchange, or None if there is none.

    A group with a set that is held (``AckProfile.unknown_sets``) is left out.
    """
    assessment = assess_interchange(received.summary)
    has_ta1 = is_ta1_due(received, assessment, profile)
    groups: tuple[PlannedGroup, ...] = ()
    if _is_answered(received, assessment, profile):
        groups = _planned_groups(assess_groups(received, profile))
    if not has_ta1 and not groups:
        return None
    return AckPlan(
        summary=received.summary,
        assessment=assessment,
        has_ta1=has_ta1,
        groups=groups,
        has_accepted_sets=profile.has_accepted_sets,
    )


def held_sets(
    received: ReceivedInterchange, profile: AckProfile = DEFAULT_PROFILE
) -> tuple[SetSummary, ...]:
    """Return the sets of an interchange that were not checked and whose groups are left out."""
    if not _is_answered(received, assess_interchange(received.summary), profile):
        return ()
    return tuple(
        each.summary
        for group in assess_groups(received, profile)
        for each in group.sets
        if each.is_held
    )


def _is_answered(
    received: ReceivedInterchange, assessment: InterchangeAssessment, profile: AckProfile
) -> bool:
    """Return whether a 997 or 999 is due for the groups of an interchange."""
    usage = received.summary.header[15].strip()
    is_rejected = assessment.status is Status.REJECTED
    return not is_rejected and usage != _INFORMATION and profile.ack_type is not AckType.NONE


def _planned_groups(assessments: tuple[GroupAssessment, ...]) -> tuple[PlannedGroup, ...]:
    answered: dict[tuple[str, str, str], list[GroupAssessment]] = {}
    for each in assessments:
        if each.summary.functional_id != NEVER_ACKNOWLEDGED and not each.is_held:
            header = each.summary.header
            key = (each.form.version, element_at(header, 3), element_at(header, 2))
            answered.setdefault(key, []).append(each)
    return tuple(
        PlannedGroup(each[0].form, sender, receiver, tuple(each))
        for (_, sender, receiver), each in answered.items()
    )


def preview_numbers(plan: AckPlan) -> AckNumbers:
    """Return preview numbers, and date and time of the received ISA, so that nothing varies."""
    return numbers_for_preview(plan.summary, [len(group.answered) for group in plan.groups])


def numbers_for_preview(summary: InterchangeSummary, set_counts: Sequence[int]) -> AckNumbers:
    """Return the preview numbers of an answer whose groups have so many sets."""
    date = _valid(summary, 9, "014", "000101")
    century = "20" if date[:2] < _CENTURY_PIVOT else "19"
    return AckNumbers(
        interchange="000000001",
        groups=tuple(map(str, range(1, len(set_counts) + 1))),
        sets=tuple([tuple([f"{at:04d}" for at in range(1, each + 1)]) for each in set_counts]),
        date=century + date,
        time=_valid(summary, 10, "015", "0000"),
    )


def _valid(summary: InterchangeSummary, position: int, fault: str, instead: str) -> str:
    """Return an element of the ISA, or ``instead`` where it led to the TA105 code ``fault``."""
    return instead if fault in summary.codes else summary.header[position]


def preview_acks(
    envelope: Envelope,
    results: Mapping[int, SetResult],
    profile: AckProfile = DEFAULT_PROFILE,
) -> Iterator[tuple[AckPlan, WrittenAck]]:
    """Yield the acknowledgement of each interchange of a document that needs one."""
    for received in received_interchanges(envelope, results):
        plan = plan_acks(received, profile)
        if plan is not None:
            yield plan, write_acks(plan, preview_numbers(plan))


def write_acks(plan: AckPlan, numbers: AckNumbers) -> WrittenAck:
    """Write an acknowledgement, under the separators received unless its names hold one."""
    delimiters = plan.summary.delimiters
    # All names are tested in one step, because they are hardly ever unsafe.
    names, texts = _names(plan), texts_for(delimiters)
    if texts.is_writable(names):
        return _AckWriter(plan, numbers, delimiters, texts, str).written()
    delimiters = free_delimiters((names,), delimiters) or delimiters
    texts = texts_for(delimiters)
    return _AckWriter(plan, numbers, delimiters, texts, texts.name).written()


def _names(plan: AckPlan) -> str:
    """Return all that has to be written as it was received, as one text."""
    header = plan.summary.header
    names = [*header[5:11], header[13]]
    for planned in plan.groups:
        for group in planned.answered:
            header = group.summary.header
            names += (*header[1:4], *header[6:7], *header[8:9])
            for each in group.sets:
                names += each.summary.header[1:4]
    return "".join(names)


def padded_number(numbers: AckNumbers) -> str:
    """Return ISA13."""
    number = numbers.interchange.rjust(ISA_WIDTHS[12], "0")
    assert len(number) == ISA_WIDTHS[12]  # the caller that assigns them knows their length
    return number


def answer_header(
    summary: InterchangeSummary,
    numbers: AckNumbers,
    marks: Delimiters,
    name: Callable[[str], str],
) -> str:
    """Return the ISA of an answer: that of the received interchange with exchanged addresses.

    Args:
        summary: The received interchange.
        numbers: The numbers of the answer.
        marks: The separators to write.
        name: Makes what was received fit to be written.
    """
    header = summary.header
    version = _valid(summary, 12, "017", "00401")
    repetition = marks.repetition if version >= REPETITION_SINCE else ""
    elements = (
        *("00", "", "00", ""),
        *(name(header[7]), name(header[8]), name(header[5]), name(header[6])),
        *(numbers.date[2:], numbers.time[:4], repetition or "U", version),
        # Whatever ISA15 is, the preview must not become a live document.
        *(padded_number(numbers), "0", _valid(summary, 15, "020", "T")),
    )
    widths = ISA_WIDTHS[:-1]
    isa = [each.ljust(width)[:width] for each, width in zip(elements, widths, strict=True)]
    return marks.element.join(("ISA", *isa, marks.component)) + marks.segment


class _AckWriter:
    """Writes one acknowledgement; ``name`` makes what was received fit to be written."""

    def __init__(
        self,
        plan: AckPlan,
        numbers: AckNumbers,
        delimiters: Delimiters,
        texts: AckTexts,
        name: Callable[[str], str],
    ) -> None:
        self._plan = plan
        self._numbers = numbers
        self._delimiters = delimiters
        self._texts = texts
        self._name = name
        self._is_truncated = False

    def written(self) -> WrittenAck:
        plan, numbers = self._plan, self._numbers
        control_number = padded_number(numbers)
        out = [answer_header(plan.summary, numbers, self._delimiters, self._name)]
        if plan.has_ta1:
            ta1 = ta1_segment(plan.summary, plan.assessment, self._texts)
            out.append(SegmentWriter(self._delimiters).write(ta1))
        for planned, number, sets in zip(plan.groups, numbers.groups, numbers.sets, strict=True):
            out.append(self._group(planned, number, sets))
        out.append(self._segment("IEA", str(len(plan.groups)), control_number))
        return WrittenAck("".join(out), self._is_truncated)

    def _group(self, planned: PlannedGroup, number: str, sets: Sequence[str]) -> str:
        """Return a functional group, from GS to GE, with one 997 or 999 for each it answers."""
        segment, name, form = self._segment, self._name, planned.form
        mark, end = self._delimiters.element, self._delimiters.segment
        names = (NEVER_ACKNOWLEDGED, name(planned.sender), name(planned.receiver))
        moment = (self._numbers.date, self._numbers.time)
        out = [segment("GS", *names, *moment, number, "X", form.version)]
        reference = form.version if form.carries_guide else ""
        for control_number, assessment in zip(sets, planned.answered, strict=True):
            first = len(out)
            out.append(segment("ST", form.set_id, control_number, reference))
            self._answer(assessment, out)
            out.append(f"SE{mark}{len(out) - first + 1}{mark}{control_number}{end}")
        out.append(f"GE{mark}{len(planned.answered)}{mark}{number}{end}")
        return "".join(out)

    def _segment(self, *texts: str) -> str:
        """Return a segment of texts without separators."""
        mark = self._delimiters.element
        return mark.join(texts).rstrip(mark) + self._delimiters.segment

    def _answer(self, assessment: GroupAssessment, out: list[str]) -> None:
        """Write the body of one 997 or 999, from AK1 to AK9."""
        form, name = assessment.form, self._name
        group = assessment.summary
        version = group.version if form.names_versions else ""
        out.append(
            self._segment(
                "AK1", name(group.functional_id), name(group.control_number), name(version)
            )
        )
        is_listed = self._plan.has_accepted_sets and assessment.status is not Status.REJECTED
        for each in assessment.sets:
            if is_listed or not each.is_faultless:
                self._set(each, form, out)
        counts = (assessment.included, str(len(assessment.sets)), str(assessment.accepted_count))
        errors = form.group_errors(assessment.codes)
        out.append(self._segment("AK9", assessment.status, *counts, *errors))

    def _set(self, assessment: SetAssessment, form: Form, out: list[str]) -> None:
        summary, name = assessment.summary, self._name
        reference = element_at(summary.header, 3) if form.names_versions else ""
        out.append(
            self._segment(
                "AK2", name(summary.set_id), name(summary.control_number), name(reference)
            )
        )
        if assessment.result.faults:
            notes = SetNotes(form, self._texts)
            out += map(SegmentWriter(self._delimiters).write, notes.of(assessment.result))
            self._is_truncated |= notes.is_truncated
        out.append(
            self._segment(form.result, assessment.status, *form.set_errors(assessment.codes))
        )
