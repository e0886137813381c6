"""Decide which application answers a validated interchange gets: 277CA by claim, or 824 by set.

What they say of claims and business numbers is read in a second pass through the document.

Source: x12.md sections 2.8 and 2.9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from longshore.x12.acks.advice import (
    ADVICE,
    AdvisedSet,
    advice,
    advice_version,
    advised_set,
)
from longshore.x12.acks.advice import GROUP_ID as ADVICE_GROUP
from longshore.x12.acks.application import (
    AnswerGroup,
    AnswerSet,
    ApplicationPlan,
)
from longshore.x12.acks.assessment import (
    NEVER_ACKNOWLEDGED,
    GroupAssessment,
    ReceivedInterchange,
    SetAssessment,
    assess_groups,
    assess_interchange,
)
from longshore.x12.acks.claim_answer import CLAIM_ANSWER, GUIDE, SET_ID, claim_answer
from longshore.x12.acks.claim_answer import GROUP_ID as CLAIM_GROUP
from longshore.x12.acks.claim_status import ClaimStatuses
from longshore.x12.acks.claims import CLAIMS, ClaimBatch, ClaimReader
from longshore.x12.acks.codes import (
    GUIDE_SEGMENTS_IN_ERROR,
    SEGMENT_COUNT_WRONG,
    SEGMENTS_IN_ERROR,
    Status,
)
from longshore.x12.acks.profile import AckProfile, CountMismatch, RejectLevel
from longshore.x12.business_keys import KEY_ELEMENTS
from longshore.x12.control import element_at
from longshore.x12.dictionary.release import release_of
from longshore.x12.walk import Walk

Chosen = Callable[[SetAssessment], bool]
"""Returns whether a set is to be answered."""


def _all(_assessment: SetAssessment) -> bool:
    return True


@dataclass(slots=True)
class SetContents:
    """The claims and business numbers of the sets of a document, by index from 1."""

    claims: dict[int, ClaimBatch] = field(default_factory=dict)
    """The claims of each 837."""
    references: dict[int, str] = field(default_factory=dict)
    """The business number of each set that has one."""


def read_contents(walk: Walk) -> SetContents:
    """Read the claims and the business numbers of all sets.

    Args:
        walk: A new walk through the document.

    Raises:
        LongshoreError: As the walk.
    """
    contents, readers = SetContents(), dict[int, ClaimReader]()
    for spans in walk.span_lists():
        for span in spans:
            index = span.tx_index
            if not index:
                continue
            set_id = walk.envelope.sets[index - 1].set_id
            rows = span.batch.rows[span.first : span.last]
            _read_reference(contents, index, set_id, rows)
            if set_id == CLAIMS:
                reader = readers.setdefault(index, ClaimReader())
                contents.claims[index] = reader.batch
                for position, row in enumerate(rows, span.position):
                    reader.take(position, row)
    return contents


def _read_reference(
    contents: SetContents, index: int, set_id: str, rows: Iterable[list[str]]
) -> None:
    elements = KEY_ELEMENTS.get(set_id)
    if elements is None or index in contents.references:
        return
    first = elements[0]
    for row in rows:
        value = element_at(row, first.position).strip() if row[0] == first.segment_id else ""
        if value:
            contents.references[index] = value
            return


def plan_claim_answers(
    received: ReceivedInterchange,
    profile: AckProfile,
    contents: SetContents,
    is_chosen: Chosen = _all,
) -> tuple[ApplicationPlan | None, bool]:
    """Return the 277CAs of an interchange, one for each 837 with claims, or None.

    The second value is True if an 837 is left out, because it is not known which of its claims are
    faulty: the document has more errors than are looked up.
    """
    answered: list[tuple[GroupAssessment, AnswerSet]] = []
    is_truncated = False
    for group, assessment in _assessed(received, profile, is_chosen):
        batch = contents.claims.get(assessment.summary.index)
        if batch is None or not batch.claim_count:
            continue
        if assessment.result.has_uncounted_places:
            is_truncated = True
            continue
        is_rejected = _is_rejected_as_a_whole(group, assessment, profile)
        statuses = ClaimStatuses(batch, assessment.result, is_rejected=is_rejected)
        segments = partial(claim_answer, batch, statuses)
        answered.append((group, AnswerSet(SET_ID, GUIDE, segments)))
    return _plan(received, [(CLAIM_GROUP, GUIDE, *each) for each in answered]), is_truncated


def plan_advice(
    received: ReceivedInterchange,
    profile: AckProfile,
    contents: SetContents,
    is_chosen: Chosen = _all,
) -> tuple[ApplicationPlan | None, bool]:
    """Return the 824s of an interchange, one for each group with sets, or None.

    The second value is True if faults are left out, because there are too many.
    """
    is_strict = profile.reject_level is RejectLevel.STRICT
    status_with_errors = Status.REJECTED if is_strict else Status.WITH_ERRORS
    advised: dict[int, tuple[GroupAssessment, list[AdvisedSet]]] = {}
    for group, assessment in _assessed(received, profile, is_chosen):
        reference = contents.references.get(assessment.summary.index, "")
        found = advised_set(group, assessment, reference)
        if found.status is Status.ACCEPTED and found.notes:  # of what no 997 or 999 carries
            found = found._replace(status=status_with_errors)
        advised.setdefault(group.summary.first_set, (group, []))[1].append(found)
    is_truncated = any(each.is_truncated for _, sets in advised.values() for each in sets)
    groups = ((group, tuple(sets)) for group, sets in advised.values())
    return advice_plan(received, groups), is_truncated


def advice_plan(
    received: ReceivedInterchange,
    advised: Iterable[tuple[GroupAssessment, Sequence[AdvisedSet]]],
) -> ApplicationPlan | None:
    """Return 824s, one for each group, that say of its sets what the caller has found."""
    answered = []
    for group, sets in advised:
        release = release_of(group.summary.version, received.summary.header[12].strip())
        version = advice_version(release)
        segments = partial(advice, sets, version)
        answered.append((ADVICE_GROUP, version, group, AnswerSet(ADVICE, "", segments)))
    return _plan(received, answered)


def _assessed(
    received: ReceivedInterchange, profile: AckProfile, is_chosen: Chosen
) -> Iterator[tuple[GroupAssessment, SetAssessment]]:
    """Yield the sets that may be answered; of an interchange that is rejected there are none."""
    if assess_interchange(received.summary).status is Status.REJECTED:
        return
    for group in assess_groups(received, profile):
        if group.summary.functional_id != NEVER_ACKNOWLEDGED:
            yield from ((group, each) for each in group.sets if is_chosen(each))


def _is_rejected_as_a_whole(
    group: GroupAssessment, assessment: SetAssessment, profile: AckProfile
) -> bool:
    """Return whether a set is rejected by its frame or its group, whatever its claims are like."""
    inside = {SEGMENTS_IN_ERROR, GUIDE_SEGMENTS_IN_ERROR}
    if profile.count_mismatch is CountMismatch.ACCEPT_WITH_ERRORS:
        inside.add(SEGMENT_COUNT_WRONG)
    return group.rejects_its_sets or not inside.issuperset(assessment.codes)


def _plan(
    received: ReceivedInterchange,
    answered: Sequence[tuple[str, str, GroupAssessment, AnswerSet]],
) -> ApplicationPlan | None:
    """Return a plan of these sets, with one group for each id, version and pair of addresses."""
    groups: dict[tuple[str, str, str, str], list[AnswerSet]] = {}
    for functional_id, version, group, answer in answered:
        header = group.summary.header
        key = (functional_id, version, element_at(header, 3), element_at(header, 2))
        groups.setdefault(key, []).append(answer)
    if not groups:
        return None
    planned = tuple(AnswerGroup(*key, tuple(sets)) for key, sets in groups.items())
    return ApplicationPlan(received.summary, planned)


AnswerPlanner = Callable[
    [ReceivedInterchange, AckProfile, SetContents], tuple[ApplicationPlan | None, bool]
]
PLANNERS: Mapping[str, AnswerPlanner] = {CLAIM_ANSWER: plan_claim_answers, ADVICE: plan_advice}
"""By the word with which an answer is asked for."""
