"""Our acknowledgements: numbered, written and stored to be sent, in the unit that judges.

An acknowledgement is an interchange like any that is sent: it has control numbers of ours, records
of its sets and an entry in the outbox. Beside it stand rows that say what it tells of which set.

Source: x12.md sections 2.1, 2.2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple

from longshore.domain.acks.recording import store_ack
from longshore.domain.acting import WORKER
from longshore.domain.control_numbers.numbers import (
    NumberKind,
    first_set_number,
    group_number,
    isa_number,
)
from longshore.domain.delivery.ordering import JobKind
from longshore.domain.events.model import NewEvent
from longshore.domain.partners.model import Identity, Partner
from longshore.domain.partners.setting_kinds import SetNumbering
from longshore.domain.ports import AccountId, Ports
from longshore.domain.processing.ack_rows import AcknowledgedInterchange, own_ack_rows
from longshore.domain.processing.rows import InterchangeOrigin
from longshore.domain.processing.verdicts import RoutedInterchange
from longshore.domain.reception.columns import plain, plain_pair
from longshore.domain.reception.recording import seal_content
from longshore.domain.submission.drawing import NumbersWanted, draw_numbers, draw_of_kind
from longshore.domain.submission.numbering import Drawn
from longshore.domain.submission.outlines import outline_of
from longshore.domain.submission.preparing import local_time
from longshore.domain.submission.sending import OutboundInterchange, store_outgoing
from longshore.domain.units import WriteUnit
from longshore.formats.x12doc import LATIN_1
from longshore.x12.acks.build import AckNumbers, AckPlan, write_acks


class PlannedAck(NamedTuple):
    """What is to be answered to which interchange."""

    routed: RoutedInterchange
    plan: AckPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedAck:
    """An answer with its control numbers. ``events``: to be recorded when all else is."""

    account_id: AccountId
    answer: PlannedAck
    numbers: AckNumbers
    events: tuple[NewEvent, ...]


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
    is_continuous = settings.st02 is SetNumbering.CONTINUOUS
    sets = sum(counts) if is_continuous else 0
    groups, drawn, events = await _draw(unit, account_id, answer, sets, now)
    first = first_set_number(settings.st02, drawn.last_set)
    before = [*accumulate(counts, initial=0)][:-1] if is_continuous else [0] * len(counts)
    local_now = local_time(now, settings.timezone)
    numbers = AckNumbers(
        interchange=isa_number(drawn.interchange),
        groups=tuple(group_number(each, is_padded=settings.gs06_pad) for each in groups),
        first_sets=tuple(first + each for each in before),
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
        own, partner = _ends(answer.routed, *pair)
        groups = pairs.count(pair)
        return NumbersWanted(
            owner=owner, partner=partner, own=own, groups=groups, sets=sets, may_repeat=True
        )

    drawn, events = await draw_numbers(unit, wanted_of(first, sets), now)
    numbers = {first: iter(drawn.groups)}
    for pair in others:
        found = await draw_of_kind(unit, wanted_of(pair, 0), NumberKind.GS, now)
        numbers[pair] = iter(found.numbers)
        events += found.events
    return [next(numbers[pair]) for pair in pairs], drawn, events


def _ends(routed: RoutedInterchange, own_code: str, code: str) -> tuple[Identity, Partner]:
    """Return us and the partner as the counters know them; the codes are GS02 and GS03."""
    sender, receiver = plain_pair(routed.pair)
    own = Identity(qualifier=receiver.qualifier, isa_id=receiver.id, gs_id=own_code)
    them = Identity(qualifier=sender.qualifier, isa_id=sender.id, gs_id=code)
    partner = routed.partner
    return own, replace(partner, terms=replace(partner.terms, identity=them))


async def store_answer(
    unit: WriteUnit,
    ports: Ports,
    numbered: NumberedAck,
    answered: AcknowledgedInterchange,
    origin: InterchangeOrigin,
    now: datetime,
) -> tuple[NewEvent, ...]:
    """Write and store an acknowledgement; return the events to be recorded when all else is."""
    (routed, plan), numbers = numbered.answer, numbered.numbers
    written = write_acks(plan, numbers)
    content = written.text.encode(LATIN_1 if routed.read.charset == LATIN_1 else "utf-8")
    facts = {"ack_truncated": True} if written.is_truncated else {}
    outgoing = OutboundInterchange(
        account_id=numbered.account_id,
        environment=routed.environment,
        partner=routed.partner,
        outline=outline_of(written.text),
        parts=seal_content(ports.sealer, content, facts),
        file_size=len(content),
        body_digest=sha256(content).digest(),
        source=origin.source,
        is_allotted=True,
        kind=JobKind.ACKNOWLEDGEMENT,
        actor=WORKER,
        due_at=origin.answer_until,
    )
    stored = await store_outgoing(unit, ports, outgoing, now)
    sent = (stored.interchange_id, numbers.interchange)
    for row in own_ack_rows(plan, answered, sent, _places(routed, plan)):
        await store_ack(unit, ports.sealer, numbered.account_id, row, now)
    return (*numbered.events, *stored.events)


def _places(routed: RoutedInterchange, plan: AckPlan) -> list[int]:
    """Return where the answered groups stand in the interchange, in the order of the plan."""
    # By identity: two groups without sets may be equal.
    places = {id(group): at for at, group in enumerate(routed.read.received.groups)}
    return [places[id(each.summary)] for group in plan.groups for each in group.answered]
