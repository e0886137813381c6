"""The partner that answers by a script: what it sends back for a document, and how much later.

Its acknowledgements are those that any partner could send: in its own envelope, addressed back, of
the form that the version of the group asks for. The same document under the same script is always
answered with the same bytes: dates are those of the document, numbers follow from its own.

    accept                all is accepted
    accept_with_errors    accepted, with a note about the second segment of each set
    reject, reject:4      rejected, with the same note or with this AK5 code
    partial               the last set of each group is rejected; one that is alone is not listed
    duplicate             accepted, twice: in two interchanges with the same content
    late, late:3600       accepted, that many seconds later
    never                 no answer
    broken                an acknowledgement that ends before the result of its group

Source: contract.md sections 8 and 15.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum, unique
from typing import Final, NamedTuple
from zlib import crc32

from longshore.domain.delivery.ports import Reply
from longshore.engine.acknowledgement import LATIN_1
from longshore.engine.decoding import read
from longshore.x12.acks.assessment import (
    GroupAssessment,
    ReceivedInterchange,
    SetAssessment,
    received_interchanges,
)
from longshore.x12.acks.build import AckNumbers, AckPlan, plan_acks, preview_numbers, write_acks
from longshore.x12.acks.codes import SEGMENTS_IN_ERROR, Status
from longshore.x12.acks.profile import AckProfile, UnknownSets
from longshore.x12.control import GROUP_NUMBER, element_at
from longshore.x12.envelope import Envelope
from longshore.x12.findings import Finding, Severity
from longshore.x12.results import SetResult
from longshore.x12.walk import Walk


@unique
class Word(StrEnum):
    """A behaviour of the simulator."""

    ACCEPT = "accept"
    ACCEPT_WITH_ERRORS = "accept_with_errors"
    REJECT = "reject"
    PARTIAL = "partial"
    DUPLICATE = "duplicate"
    LATE = "late"
    NEVER = "never"
    BROKEN = "broken"


class Script(NamedTuple):
    """A word, the AK5 code to reject with (``""``: the usual one), and how much later."""

    word: Word
    code: str = ""
    delay: timedelta = timedelta(0)


ACCEPT: Final = Script(Word.ACCEPT)
_DEFAULT_DELAY: Final = timedelta(seconds=60)
_SCRIPT: Final = re.compile("([a-z_]+)(?::(I?[0-9]{1,6}))?")
_MAX_CODE_CHARS: Final = 3  # I12
_SIMULATED: Final = AckProfile(unknown_sets=UnknownSets.ACCEPT)  # the script alone decides
_NOTED: Final = 2  # the position of the segment that notes are about: the first behind ST
_VALUE_INVALID: Final[Mapping[str, str]] = {"segment": "8", "element": "7"}
_RESULT: Final = "AK9"  # of a group, behind everything else that is said of it
_NUMBERS: Final = 999_999_999  # of interchanges, from 1


def read_script(text: str) -> Script | None:
    """Return what a script says, None if it is none."""
    match = _SCRIPT.fullmatch(text)
    if match is None or match[1] not in set(Word):
        return None
    word, argument = Word(match[1]), match[2] or ""
    if not argument:
        return Script(word, delay=_DEFAULT_DELAY if word is Word.LATE else timedelta(0))
    if word is Word.LATE and not argument.startswith("I"):
        return Script(word, delay=timedelta(seconds=int(argument)))
    if word is Word.REJECT and len(argument) <= _MAX_CODE_CHARS:
        return Script(word, argument)
    return None


def simulate(content: bytes, script: Script) -> tuple[Reply, ...]:
    """Return what the simulator sends for an interchange, in order.

    Nothing for acknowledgements, and for what it cannot read as X12 with an ISA.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    if script.word is Word.NEVER:
        return ()
    reading = read(content, None, None)
    walk = Walk(lambda: (reading.text,), is_single_octet=reading.charset == LATIN_1)
    noted = _second_segments(walk)
    charset = LATIN_1 if reading.charset == LATIN_1 else "utf-8"
    return tuple(
        Reply(content=text.encode(charset), delay=script.delay)
        for received in received_interchanges(_faultless(walk.envelope), {})
        for text in _answers(received, script, noted)
    )


def _second_segments(walk: Walk) -> Mapping[int, list[str]]:
    """Walk through a document; return the second segment of each set that has one."""
    noted: dict[int, list[str]] = {}
    for spans in walk.span_lists():
        for span in spans:
            at = span.first + _NOTED - span.position
            if span.tx_index and span.first <= at < span.last:
                noted[span.tx_index] = span.batch.rows[at]
    return noted


def _faultless(envelope: Envelope) -> Envelope:
    """Return a structure without the faults that were found: the script alone decides."""
    for interchange in envelope.interchanges:
        interchange.codes, interchange.is_fixed_width = (), True
    for group in envelope.groups:
        group.codes = ()
    for each in envelope.sets:
        each.codes = ()
    return envelope


def _answers(
    received: ReceivedInterchange, script: Script, noted: Mapping[int, list[str]]
) -> Sequence[str]:
    plan = plan_acks(received, _SIMULATED)
    if plan is None:
        return ()
    assess = _ASSESSMENTS[script.word]
    groups = tuple(
        planned._replace(answered=tuple(assess(each, script, noted) for each in planned.answered))
        for planned in plan.groups
    )
    plan = plan._replace(groups=groups, has_accepted_sets=script.word is not Word.PARTIAL)
    text = write_acks(plan, _numbers(plan, 0)).text
    if script.word is Word.DUPLICATE:
        return (text, write_acks(plan, _numbers(plan, 1)).text)
    return (text[: text.rfind(_RESULT)] if script.word is Word.BROKEN else text,)


def _numbers(plan: AckPlan, copy: int) -> AckNumbers:
    """Return the numbers of an answer; two for each number that we may send."""
    own = plan.summary.header[13].strip()
    number = int(own) if GROUP_NUMBER.fullmatch(own) else crc32(own.encode())
    first = 1 + (2 * number + copy) % _NUMBERS
    groups = tuple(str(1 + (first - 1 + at) % _NUMBERS) for at in range(len(plan.groups)))
    return preview_numbers(plan)._replace(interchange=f"{first:09d}", groups=groups)


# ---- verdicts ------------------------------------------------------------------------------------

_Assess = Callable[[GroupAssessment, Script, Mapping[int, list[str]]], GroupAssessment]


def _accepted(
    group: GroupAssessment, script: Script, noted: Mapping[int, list[str]]
) -> GroupAssessment:
    del script, noted
    return group


def _with_errors(
    group: GroupAssessment, script: Script, noted: Mapping[int, list[str]]
) -> GroupAssessment:
    del script
    sets = tuple(_noted(each, Status.WITH_ERRORS, noted) for each in group.sets)
    return group._replace(status=Status.WITH_ERRORS if sets else group.status, sets=sets)


def _rejected(
    group: GroupAssessment, script: Script, noted: Mapping[int, list[str]]
) -> GroupAssessment:
    if script.code in {"", SEGMENTS_IN_ERROR}:
        sets = tuple(_noted(each, Status.REJECTED, noted) for each in group.sets)
    else:
        sets = tuple(
            each._replace(status=Status.REJECTED, codes=(script.code,), is_faultless=False)
            for each in group.sets
        )
    return group._replace(status=Status.REJECTED, sets=sets)


def _partly(
    group: GroupAssessment, script: Script, noted: Mapping[int, list[str]]
) -> GroupAssessment:
    del script
    if not group.sets:
        return group
    *others, last = group.sets
    # Of a set that is alone, and accepted in part, an acknowledgement can only say nothing.
    rejected = (
        _noted(last, Status.REJECTED, noted) if others else last._replace(status=Status.REJECTED)
    )
    return group._replace(status=Status.PARTIAL, sets=(*others, rejected))


_ASSESSMENTS: Final[Mapping[Word, _Assess]] = {
    Word.ACCEPT: _accepted,
    Word.ACCEPT_WITH_ERRORS: _with_errors,
    Word.REJECT: _rejected,
    Word.PARTIAL: _partly,
    Word.DUPLICATE: _accepted,
    Word.LATE: _accepted,
    Word.NEVER: _accepted,
    Word.BROKEN: _accepted,
}


def _noted(
    assessed: SetAssessment, status: Status, noted: Mapping[int, list[str]]
) -> SetAssessment:
    """Return a set with an invalid value in the first element behind ST."""
    result = SetResult()
    row = noted.get(assessed.summary.index, [])
    if row:
        finding = Finding(
            code="simulated",
            severity=Severity.ERROR,
            message="the script of the simulator says so",
            segment_id=row[0],
            segment_position=_NOTED,
            element_position=1,
            bad_value=element_at(row, 1) or None,
            ack_code=_VALUE_INVALID,
        )
        result.add(finding)
    return assessed._replace(
        status=status, result=result, codes=(SEGMENTS_IN_ERROR,), is_faultless=False
    )
