"""The 277CAs and 824s that answer a received interchange, as the settings of the partner say.

Only sets that are passed on are answered: of what is rejected the 997 or 999 says all.

Source: x12.md section 2.11.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from longshore.domain.inbound.decisions import profile_of
from longshore.domain.inbound.dispositions import (
    InterchangeDisposition,
    ProcessingNotice,
    RoutedInterchange,
)
from longshore.domain.partners.envelopes import INFORMATION
from longshore.domain.partners.setting_kinds import AdviceRule
from longshore.domain.transactions.model import ProcessingStatus
from longshore.x12.acks.advice import ADVICE, OTHER, AdviceNote, AdvisedSet
from longshore.x12.acks.answer_plans import SetContents, advice_plan, plan_claim_answers
from longshore.x12.acks.application import ApplicationPlan
from longshore.x12.acks.assessment import GroupAssessment, assess_groups
from longshore.x12.acks.claim_answer import SET_ID
from longshore.x12.acks.codes import Status

MAX_ANSWERED_CLAIMS: Final = 10_000  # of one interchange: half a second, in which others wait
_NEVER_ANSWERED: Final = frozenset((ADVICE, SET_ID))
"""Answers of an application: two partners would answer each other for ever."""
_NOT_ANSWERED: Final = ProcessingNotice(
    "claims_not_answered",
    "An 837 is not answered by a 277CA: it has so many errors that it is not known which of its"
    " claims they are in.",
)
_TOO_MANY_CLAIMS: Final = ProcessingNotice(
    "claims_not_answered",
    f"No 837 is answered by a 277CA: there are more than {MAX_ANSWERED_CLAIMS:,} claims.",
)


class ApplicationAnswers(NamedTuple):
    """The answers to one interchange, each an interchange of its own."""

    plans: tuple[ApplicationPlan, ...] = ()
    notices: tuple[ProcessingNotice, ...] = ()


def plan_application_answers(
    routed: RoutedInterchange, disposition: InterchangeDisposition, unchanged: frozenset[int]
) -> ApplicationAnswers:
    """Return the answers that are due, after the maps have run.

    Args:
        routed: The interchange.
        disposition: The decisions about its sets.
        unchanged: The sets, from 1, that were answered before and are not processed again.
    """
    received, mode = routed.read.received, routed.mode
    is_information = received.summary.header[15].strip() == INFORMATION
    if not disposition.is_processed or not mode.is_acknowledged or is_information:
        return ApplicationAnswers()
    settings, profile = routed.partner.terms.settings, profile_of(routed)
    if mode.is_forced:  # its envelope may be what it was set aside for
        received = replace(
            received, summary=replace(received.summary, codes=(), is_fixed_width=True)
        )
    plans, notices = [], []
    claims = routed.read.claims
    if sum(each.claim_count for each in claims.values()) > MAX_ANSWERED_CLAIMS:
        notices.append(_TOO_MANY_CLAIMS)
    elif claims:
        passed = {each.index for each in disposition.sets if each.is_passed_on} - unchanged
        contents = SetContents(claims={**claims})
        plan, is_truncated = plan_claim_answers(
            received, profile, contents, lambda each: each.summary.index in passed
        )
        plans.append(plan)
        notices += [_NOT_ANSWERED] * is_truncated
    if settings.application_advice is AdviceRule.ON_ERROR:
        failed = _failed(routed, disposition, assess_groups(received, profile))
        plans.append(advice_plan(received, failed))
    return ApplicationAnswers(
        tuple(each for each in plans if each is not None),
        tuple(notices),
    )


def _failed(
    routed: RoutedInterchange,
    disposition: InterchangeDisposition,
    groups: tuple[GroupAssessment, ...],
) -> Iterator[tuple[GroupAssessment, list[AdvisedSet]]]:
    """Yield the sets whose map failed, by group."""
    failed = {
        each.index: each.error
        for each in disposition.sets
        if each.processing is ProcessingStatus.FAILED and each.error is not None
    }
    for group in groups:
        advised = []
        for each in group.sets:
            summary = each.summary
            error = failed.get(summary.index)
            if error is None or summary.set_id in _NEVER_ANSWERED:
                continue
            references = routed.read.references.get(summary.index, ())
            advised.append(
                AdvisedSet(
                    status=Status.REJECTED,
                    reference=references[0].value if references else "",
                    header=group.summary.header,
                    set_id=summary.set_id,
                    control_number=summary.control_number,
                    notes=[AdviceNote(code=OTHER, text=error.message)],
                )
            )
        if advised:
            yield group, advised
