"""Our acknowledgements: numbered, written and stored in the unit that processes the document.

An acknowledgement is an interchange like any other that is sent: it has control numbers of ours,
records of its sets and an entry in the outbox. In addition it has one row for its TA1 and one for
each set that it acknowledges.

Source: x12.md sections 2.1, 2.2 and 3, contract.md section 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Final, NamedTuple

from longshore.domain.acks.encryption import store_ack
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
from longshore.domain.control_numbers.numbers import (
    NumberKind,
    group_number,
    isa_number,
    set_numbers_by_group,
)
from longshore.domain.delivery.model import JobKind
from longshore.domain.events.model import NewEvent
from longshore.domain.inbound.dispositions import RoutedInterchange
from longshore.domain.inbound.rows import InterchangeOrigin
from longshore.domain.interchanges.encryption import seal_content
from longshore.domain.interchanges.store import plain, plain_pair
from longshore.domain.outbound.control_numbers import (
    Drawn,
    NumbersWanted,
    draw_envelope_numbers,
    draw_of_kind,
)
from longshore.domain.outbound.interchange import (
    OutboundInterchange,
    WrittenInterchange,
    store_outgoing,
)
from longshore.domain.outbound.outlines import outline_of
from longshore.domain.outbound.templates import TradingParties, local_time
from longshore.domain.partners.model import Direction, Identity, PartnerId
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.ports import WORKER, AccountId, Ports
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.domain.units import WriteUnit
from longshore.formats.x12doc import LATIN_1
from longshore.kit.environment import Environment
from longshore.x12.acks.application import ApplicationPlan, write_application
from longshore.x12.acks.assessment import GroupAssessment, SetAssessment
from longshore.x12.acks.build import AckNumbers, AckPlan, WrittenAck, write_acks
from longshore.x12.acks.codes import Status
from longshore.x12.findings import Finding
from longshore.x12.results import STANDARD_LAYER

MAX_ERRORS: Final = 1_000
TA1: Final = "TA1"
_RESULTS: Final[Mapping[Status, AckStatus]] = {
    Status.ACCEPTED: AckStatus.ACCEPTED,
    Status.WITH_ERRORS: AckStatus.ACCEPTED_WITH_ERRORS,
    Status.PARTIAL: AckStatus.PARTIALLY_ACCEPTED,
    Status.REJECTED: AckStatus.REJECTED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgedInterchange:
    """An interchange that an acknowledgement of ours is about, as it was stored."""

    environment: Environment
    partner_id: PartnerId
    interchange_id: InterchangeId
    groups: Sequence[GroupId]
    """By place in the interchange, from 0."""
    transactions: Mapping[int, TransactionId]
    """By index of the set, from 1."""


def own_ack_rows(
    plan: AckPlan,
    answered: AcknowledgedInterchange,
    sent: tuple[InterchangeId, str],
    group_places: Sequence[int],
) -> Iterator[NewAck]:
    """Yield the rows, the TA1 first.

    ``sent`` is the interchange that the acknowledgement goes in, and its ISA13. ``group_places`` is
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
    assessment = plan.assessment
    facts = replace(
        base.facts,
        transaction_code=assessment.status.value,
        transaction_error_codes=(assessment.code,),
    )
    return replace(base, facts=facts, result=_RESULTS[assessment.status])


def _of_group(
    base: NewAck, group: GroupAssessment, answered: AcknowledgedInterchange
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
    for assessment in group.sets:
        yield replace(
            base,
            facts=_with_set(facts, group, assessment),
            result=_RESULTS[assessment.status],
            transaction_id=answered.transactions[assessment.summary.index],
        )


def _with_set(facts: AckFacts, group: GroupAssessment, assessment: SetAssessment) -> AckFacts:
    errors = (error for each in assessment.result.findings for error in _errors(each, group))
    return replace(
        facts,
        tx_set=plain(assessment.summary.set_id),
        acked_st_control_number=plain(assessment.summary.control_number),
        transaction_code=assessment.status.value,
        transaction_error_codes=tuple(group.form.set_errors(assessment.codes)),
        errors=tuple(islice(errors, MAX_ERRORS)),
    )


def _errors(finding: Finding, group: GroupAssessment) -> Iterator[AckError]:
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


class PlannedAck(NamedTuple):
    """An acknowledgement that is to be made, and the interchange that it answers."""

    routed: RoutedInterchange
    plan: AckPlan | ApplicationPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedAck:
    """An answer with its control numbers."""

    account_id: AccountId
    answer: PlannedAck
    numbers: AckNumbers
    events: tuple[NewEvent, ...]
    """To be recorded when all else is."""


def pair_key(answer: PlannedAck) -> tuple[str, ...]:
    """Return what answers are sorted by, so that all units draw their numbers in one order."""
    sender, receiver = plain_pair(answer.routed.pair)
    return (answer.routed.environment, *sender, *receiver)


async def number_answer(
    unit: WriteUnit, account_id: AccountId, answer: PlannedAck, now: datetime
) -> NumberedAck:
    """Draw the control numbers of an acknowledgement.

    Where too few are free, used ones come again: what was received is processed in any case.
    """
    settings = answer.routed.partner.terms.settings
    counts = [len(group.answered) for group in answer.plan.groups]
    sets = sum(counts) if settings.st02 is SetNumbering.CONTINUOUS else 0
    groups, drawn, events = await _draw(unit, account_id, answer, sets, now)
    local_now = local_time(now, settings.timezone)
    numbers = AckNumbers(
        interchange=isa_number(drawn.interchange),
        groups=tuple(group_number(each, is_padded=settings.gs06_pad) for each in groups),
        sets=set_numbers_by_group(settings.st02, drawn.first_set, counts),
        date=local_now.strftime("%Y%m%d"),
        time=local_now.strftime("%H%M"),
    )
    return NumberedAck(account_id=account_id, answer=answer, numbers=numbers, events=events)


async def _draw(
    unit: WriteUnit, account_id: AccountId, answer: PlannedAck, sets: int, now: datetime
) -> tuple[list[int], Drawn, tuple[NewEvent, ...]]:
    """Return GS06 of each group, and what else was drawn.

    The groups of an interchange may lie between different applications: each pair has its counter.
    """
    owner = (account_id, answer.routed.environment)
    pairs = [(plain(group.sender), plain(group.receiver)) for group in answer.plan.groups]
    first, *others = dict.fromkeys(pairs) or [("", "")]

    def wanted_of(pair: tuple[str, str], sets: int) -> NumbersWanted:
        parties, groups = _parties(answer.routed, *pair), pairs.count(pair)
        return NumbersWanted(
            owner=owner, parties=parties, groups=groups, sets=sets, may_repeat=True
        )

    drawn, events = await draw_envelope_numbers(unit, wanted_of(first, sets), now)
    numbers = {first: iter(drawn.groups)}
    for pair in others:
        found, more = await draw_of_kind(unit, wanted_of(pair, 0), NumberKind.GS, now)
        numbers[pair] = iter(found)
        events += more
    return [next(numbers[pair]) for pair in pairs], drawn, events


def _parties(routed: RoutedInterchange, own_code: str, code: str) -> TradingParties:
    """Return the parties as the counters know them; the codes are GS02 and GS03."""
    sender, receiver = plain_pair(routed.pair)
    own = Identity(qualifier=receiver.qualifier, isa_id=receiver.id, gs_id=own_code)
    them = Identity(qualifier=sender.qualifier, isa_id=sender.id, gs_id=code)
    partner = routed.partner
    return TradingParties(replace(partner, terms=replace(partner.terms, identity=them)), own)


async def store_answer(
    unit: WriteUnit,
    ports: Ports,
    numbered: NumberedAck,
    answered: AcknowledgedInterchange,
    origin: InterchangeOrigin,
    now: datetime,
) -> tuple[NewEvent, ...]:
    """Write and store an acknowledgement; return the events to be recorded when all else is.

    A 277CA or 824 is a document like others that are sent: the partner acknowledges it.
    """
    (routed, plan), numbers = numbered.answer, numbered.numbers
    is_document = isinstance(plan, ApplicationPlan)
    written = (
        WrittenAck(write_application(plan, numbers), is_truncated=False)
        if isinstance(plan, ApplicationPlan)
        else write_acks(plan, numbers)
    )
    content = written.text.encode(LATIN_1 if routed.read.charset == LATIN_1 else "utf-8")
    facts = {"ack_truncated": True} if written.is_truncated else {}
    outgoing = OutboundInterchange(
        account_id=numbered.account_id,
        environment=routed.environment,
        partner=routed.partner,
        written=WrittenInterchange(
            text=written.text,
            outline=outline_of(written.text),
            parts=seal_content(ports.sealer, content, facts),
            file_size=len(content),
            body_digest=sha256(content).digest(),
            is_allotted=True,
        ),
        source=origin.source,
        kind=JobKind.DOCUMENT if is_document else JobKind.ACKNOWLEDGEMENT,
        origin=f"Answers interchange {answered.interchange_id}." if is_document else "",
        actor=WORKER,
        due_at=None if is_document else origin.answer_until,
    )
    stored = await store_outgoing(unit, ports, outgoing, now)
    if isinstance(plan, ApplicationPlan):
        return (*numbered.events, *stored.events)
    sent = (stored.interchange_id, numbers.interchange)
    for row in own_ack_rows(plan, answered, sent, _places(routed, plan)):
        await store_ack(unit, ports.sealer, numbered.account_id, row, now)
    return (*numbered.events, *stored.events)


def _places(routed: RoutedInterchange, plan: AckPlan) -> list[int]:
    """Return where the answered groups stand in the interchange, in the order of the plan."""
    # By identity: two groups without sets may be equal.
    places = {id(group): at for at, group in enumerate(routed.read.received.groups)}
    return [places[id(each.summary)] for group in plan.groups for each in group.answered]
