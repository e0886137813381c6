"""The rows of an acknowledgement that we send: one for its TA1, one for each set. Pure.

Source: contract.md section 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from longshore.domain.acks.meanings import ELEMENT_MEANINGS, SEGMENT_MEANINGS, meaning
from longshore.domain.acks.model import (
    AckError,
    AckErrorLevel,
    AckFacts,
    AckForm,
    AckRowStatus,
    GroupId,
    NewAck,
)
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.reception.columns import plain
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.kit.environment import Environment
from longshore.x12.acks.build import AckPlan
from longshore.x12.acks.codes import Status
from longshore.x12.acks.judge import JudgedGroup, JudgedSet
from longshore.x12.findings import Finding
from longshore.x12.results import STANDARD_LAYER

MOST_ERRORS: Final = 1_000
TA1: Final = "TA1"
_RESULTS: Final[Mapping[Status, AckStatus]] = {
    Status.ACCEPTED: AckStatus.ACCEPTED,
    Status.WITH_ERRORS: AckStatus.ACCEPTED_WITH_ERRORS,
    Status.PARTIAL: AckStatus.PARTIALLY_ACCEPTED,
    Status.REJECTED: AckStatus.REJECTED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgedInterchange:
    """What an acknowledgement of ours is about, as it was stored.

    ``groups``: by place in the interchange, from 0. ``transactions``: by index of the set, from 1.
    """

    environment: Environment
    partner_id: PartnerId
    interchange_id: InterchangeId
    groups: Sequence[GroupId]
    transactions: Mapping[int, TransactionId]


def own_ack_rows(
    plan: AckPlan,
    answered: AcknowledgedInterchange,
    sent: tuple[InterchangeId, str],
    group_places: Sequence[int],
) -> Iterator[NewAck]:
    """Yield the rows, the TA1 first.

    ``sent``: the interchange that the acknowledgement goes in, and its ISA13. ``group_places``:
    where each answered group stands in the interchange, in the order of the plan.
    """
    interchange_id, number = sent
    base = NewAck(
        environment=answered.environment,
        direction=Direction.OUTBOUND,
        status=AckRowStatus.QUEUED,
        facts=AckFacts(ack_type=AckForm.TA1, isa_control_number=number),
        partner_id=answered.partner_id,
        interchange_id=interchange_id,
        acked_interchange_id=answered.interchange_id,
    )
    if plan.has_ta1:
        yield _ta1(base, plan)
    places = iter(group_places)
    for planned in plan.groups:
        for group in planned.answered:
            group_id = answered.groups[next(places)]
            yield from _of_group(replace(base, acked_group_id=group_id), group, answered)


def _ta1(base: NewAck, plan: AckPlan) -> NewAck:
    judged = plan.judged
    facts = replace(
        base.facts,
        transaction_code=judged.status.value,
        transaction_error_codes=(judged.code,),
    )
    return replace(base, facts=facts, result=_RESULTS[judged.status])


def _of_group(
    base: NewAck, group: JudgedGroup, answered: AcknowledgedInterchange
) -> Iterator[NewAck]:
    summary = group.summary
    facts = AckFacts(
        ack_type=AckForm(group.form.set_id),
        functional_group=plain(summary.functional_id),
        isa_control_number=base.facts.isa_control_number,
        acked_gs_control_number=plain(summary.control_number),
        group_code=group.status.value,
        group_error_codes=tuple(group.form.group_errors(group.codes)),
        sets_included=int(group.included),
        sets_received=len(group.sets),
        sets_accepted=group.accepted_count,
    )
    if not group.sets:
        yield replace(base, facts=facts, result=_RESULTS[group.status])
    for judged in group.sets:
        yield replace(
            base,
            facts=_with_set(facts, group, judged),
            result=_RESULTS[judged.status],
            transaction_id=answered.transactions[judged.summary.index],
        )


def _with_set(facts: AckFacts, group: JudgedGroup, judged: JudgedSet) -> AckFacts:
    errors = (error for each in judged.result.findings for error in _errors(each, group))
    return replace(
        facts,
        tx_set=plain(judged.summary.set_id),
        acked_st_control_number=plain(judged.summary.control_number),
        transaction_code=judged.status.value,
        transaction_error_codes=tuple(group.form.set_errors(judged.codes)),
        errors=tuple(islice(errors, MOST_ERRORS)),
    )


def _errors(finding: Finding, group: JudgedGroup) -> Iterator[AckError]:
    """Yield what is said of a finding: its segment, and its element if it is about one."""
    form, codes = group.form, finding.ack_code
    assert codes is not None  # validation keeps errors that are acknowledged alone
    if finding.layer != STANDARD_LAYER and not form.carries_guide:
        return
    code = codes["segment"]
    error = AckError(
        level=AckErrorLevel.SEGMENT,
        segment_id=finding.segment_id or "",
        segment_position=finding.segment_position,
        loop_id=finding.loop_id or "",
        code=code,
        code_meaning=meaning(SEGMENT_MEANINGS, code),
        source=form.segment,
    )
    if "element" not in codes:
        yield error
        return
    code = form.element_error(codes["element"])
    yield replace(
        error,
        level=AckErrorLevel.ELEMENT,
        element_position=finding.element_position,
        component_position=finding.component_position,
        repeat=finding.repeat,
        element_ref=finding.element_ref or "",
        code=code,
        code_meaning=meaning(ELEMENT_MEANINGS, code),
        bad_value=finding.bad_value or "",
        source=form.element,
    )
