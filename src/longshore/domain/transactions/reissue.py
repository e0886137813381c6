"""Reissue: sends a set again under new control numbers.

The set of one record is sent in an interchange of its own, since the partner may have accepted the
other sets of the old interchange. The document is not validated again. It goes to the partner under
the terms that are stored now. Whoever may not submit a document to a partner may not reissue one.

Fault points: ``submission.reissue.before_draw``, ``submission.reissue.before_commit``,
``submission.reissue.after_commit``, and those of ``outbound.interchange``.

Source: contract.md sections 5 (``reissue``), 6 and 8, x12.md section 2.6.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.events.model import NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.idempotency.claims import (
    IdempotencyClaim,
    StoredResponse,
    find_answer,
    request_key,
)
from longshore.domain.interchanges.encryption import open_interchange
from longshore.domain.interchanges.store import Interchange, SealedContent
from longshore.domain.outbound.checks import inactivity
from longshore.domain.outbound.control_numbers import assign_control_numbers
from longshore.domain.outbound.drafts import redraft
from longshore.domain.outbound.envelope import EnvelopeParties
from longshore.domain.outbound.errors import (
    PartnerChangedError,
    PartnerNotShownError,
    SubmitRefusedError,
)
from longshore.domain.outbound.interchange import (
    OutboundInterchange,
    WrittenInterchange,
    store_outgoing,
)
from longshore.domain.outbound.submission import origin_of
from longshore.domain.outbound.supersession import ensure_not_superseded
from longshore.domain.outbound.templates import (
    Template,
    TradingParties,
    are_unchanged,
    find_parties,
    local_time,
)
from longshore.domain.partners.model import Partner, PartnerStatus
from longshore.domain.ports import Ports, RequestContext
from longshore.domain.transactions.encryption import open_transaction
from longshore.domain.transactions.errors import TransactionNotFoundError
from longshore.domain.transactions.model import Transaction, TransactionId
from longshore.domain.transactions.states import Action, check_action
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.formats.charset import decode
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

VISIBLE_TO_USERS: Final = frozenset(PartnerStatus)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionOrder:
    """An action to take on a transaction, with its ``reason``, ``""`` if none was given."""

    transaction_id: int
    answer: Callable[[Transaction], bytes]
    """Makes of the record, as it stands then, the answer that repeats get as well."""
    reason: str = field(default="", repr=False)
    idempotency_key: str | None = field(default=None, repr=False)
    seen: frozenset[PartnerStatus] = VISIBLE_TO_USERS
    """In which status the caller sees partners."""

    def request_body(self, action: Action) -> bytes:
        """Return the same bytes for the same request, and other ones for any other."""
        members = {
            "action": action,
            "transaction_id": self.transaction_id,
            "reason": self.reason,
        }
        return json.dumps(members, sort_keys=True).encode()


def ensure_partner_accepts(
    partner: Partner, environment: Environment, seen: frozenset[PartnerStatus]
) -> None:
    """Make sure that a caller may send a partner a document of an environment.

    Raises:
        PartnerNotShownError: The caller does not see it.
        SubmitRefusedError: It takes no such documents.
    """
    if partner.status not in seen:
        raise PartnerNotShownError(partner.id)
    refusals = inactivity(partner, environment)
    if refusals:
        raise SubmitRefusedError(refusals)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The stored document that is sent again."""

    stored: SealedTransaction
    interchange: tuple[Interchange, SealedContent]
    place: int
    """Of the set among those of its interchange, from 0."""
    parties: TradingParties


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reissue:
    """A set on its way into a unit."""

    before: Transaction
    reason: str
    parties: TradingParties
    template: Template
    now: datetime


async def reissued(ports: Ports, context: RequestContext, order: ActionOrder) -> StoredResponse:
    """Send a set again; answer its new record.

    Raises:
        LongshoreError: As ``SubmitService.reissue``.
    """
    transaction_id = TransactionId(order.transaction_id)
    body = order.request_body(Action.REISSUE)
    key = request_key(ports.index, context, order.idempotency_key, body)
    stored = await find_answer(ports.units, ports.sealer, key, context.scope, ports.clock.now())
    if stored is not None:
        return stored

    async def find(unit: ReadUnit) -> _Found:
        return await _find(unit, transaction_id)

    draft = await _drafted(ports, await ports.units.read(context.scope, find), order)

    async def work(unit: WriteUnit) -> StoredResponse:
        claimed = IdempotencyClaim(unit.idempotency, ports.sealer, key)
        repeated = await claimed.claim(draft.now)
        if repeated is not None:
            return repeated
        await ensure_not_superseded(unit, draft.before)
        _check(await unit.transactions.find(transaction_id))
        if not await are_unchanged(unit, draft.parties):
            raise PartnerChangedError
        number, events = await _store(unit, ports, context, draft)
        stored = await unit.transactions.find(number)
        assert stored is not None
        answer = StoredResponse(order.answer(open_transaction(ports.sealer, stored)))
        await claimed.keep(answer.content, number)
        owner = (context.account_id, draft.before.record.environment)
        await EventWriter(unit, ports.sealer, owner).record(events, draft.now)
        of = f"transaction {transaction_id}"
        entry = entry_of(context, "transaction.reissue", of, order.reason)
        await AuditWriter(unit, ports.sealer, context.account_id).record([entry], draft.now)
        fault_point("submission.reissue.before_commit")
        return answer

    answer = await ports.units.write(context.scope, work)
    fault_point("submission.reissue.after_commit")
    return answer


async def _find(unit: ReadUnit, transaction_id: TransactionId) -> _Found:
    """Return a record that may be reissued, with its document and its partner.

    Raises:
        LongshoreError: As ``SubmitService.reissue``.
    """
    stored = _check(await unit.transactions.find(transaction_id))
    record = stored.transaction.record
    # What was to be sent has a partner and an interchange, none of which is ever deleted.
    assert record.partner_id is not None
    assert record.interchange_id is not None
    interchange = await unit.interchanges.find(record.interchange_id)
    assert interchange is not None
    siblings = await unit.transactions.list_of_interchange(record.interchange_id)
    return _Found(
        stored=stored,
        interchange=interchange,
        place=[each.transaction.id for each in siblings].index(transaction_id),
        parties=await find_parties(unit, record.partner_id),
    )


def _check(stored: SealedTransaction | None) -> SealedTransaction:
    """Make sure that there is a record, and that its state allows to send it again.

    Raises:
        TransactionNotFoundError: There is none.
        ActionRefusedError: It does not.
    """
    if stored is None:
        raise TransactionNotFoundError
    record = stored.transaction.record
    check_action(Action.REISSUE, record.direction, record.states, "")
    return stored


async def _drafted(ports: Ports, found: _Found, order: ActionOrder) -> _Reissue:
    """Return the set on its way.

    Raises:
        PartnerNotFoundError: The caller does not see its partner.
        SubmitRefusedError: The partner takes no documents now.
    """
    partner, own = found.parties
    before = open_transaction(ports.sealer, found.stored)
    ensure_partner_accepts(partner, before.record.environment, order.seen)
    now = ports.clock.now()
    local_now = local_time(now, partner.terms.settings.timezone)
    text, _ = decode(open_interchange(ports.sealer, *found.interchange).content)
    usage = before.record.facts.usage_indicator
    addressed = EnvelopeParties(own=own, terms=partner.terms, usage=usage)
    template = await ports.compute.run(redraft, text, found.place, addressed, local_now)
    return _Reissue(
        before=before,
        reason=order.reason,
        parties=found.parties,
        template=template,
        now=now,
    )


async def _store(
    unit: WriteUnit, ports: Ports, context: RequestContext, draft: _Reissue
) -> tuple[TransactionId, Sequence[NewEvent]]:
    """Store the new interchange with its record; return that, and what is to be reported it."""
    before = draft.before
    owner = (context.account_id, before.record.environment)
    fault_point("submission.reissue.before_draw")
    written, low = await assign_control_numbers(
        unit, ports.sealer, owner, draft.parties, draft.template, draft.now
    )
    outgoing = _outgoing(draft, written, context)
    stored = await store_outgoing(unit, ports, outgoing, draft.now)
    (number,) = stored.transaction_ids
    return number, [*stored.events, *low]


def _outgoing(
    draft: _Reissue, written: WrittenInterchange, context: RequestContext
) -> OutboundInterchange:
    record, parent_id = draft.before.record, draft.before.id
    return OutboundInterchange(
        account_id=context.account_id,
        environment=record.environment,
        partner=draft.parties.partner,
        written=written,
        source=record.source,
        validation={each.tx_index: record.states.validation for each in written.outline.sets},
        business_key=record.business_key,
        metadata=record.metadata,
        parent_id=parent_id,
        origin=origin_of("Reissued", parent_id, draft.reason),
        actor=context.actor,
    )
