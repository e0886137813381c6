"""Carries out an action inside a write unit: on all the transactions that are named, or on none.

Source: contract.md sections 5 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.domain.acting import RequestContext
from longshore.domain.audit.recording import AuditWriter, entry_of
from longshore.domain.delivery.families import lock_chains
from longshore.domain.events.recording import EventWriter
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.opening import partner_of
from longshore.domain.ports import Sealer
from longshore.domain.submission.resending import SEEN_BY_PEOPLE, check_taker
from longshore.domain.tracking.actions import InterchangeActions
from longshore.domain.transactions.errors import TransactionNotFoundError
from longshore.domain.transactions.model import Transaction, TransactionId
from longshore.domain.transactions.states import Action, check_action
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.faults import fault_point

_LARGEST_ID: Final = 2**63 - 1  # what both databases hold


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedAction:
    """An action, on what, and why; ``seen``: in which status the caller sees partners."""

    acting: RequestContext
    action: Action
    ids: Sequence[int]
    now: datetime
    reason: str = ""
    seen: frozenset[PartnerStatus] = SEEN_BY_PEOPLE


async def found_transaction(unit: ReadUnit | WriteUnit, transaction_id: int) -> SealedTransaction:
    """Return a transaction.

    Raises:
        TransactionNotFoundError: The scope has none of this id.
    """
    if not 1 <= transaction_id <= _LARGEST_ID:
        raise TransactionNotFoundError
    stored = await unit.transactions.find(TransactionId(transaction_id))
    if stored is None:
        raise TransactionNotFoundError
    return stored


async def perform(unit: WriteUnit, sealer: Sealer, wanted: RequestedAction) -> InterchangeActions:
    """Do what is wanted; return what was done.

    Raises:
        LongshoreError: As ``TransactionService.retry`` and ``cancel``.
    """
    fault_point(f"transactions.{wanted.action}.before_insert")
    actions = InterchangeActions(unit, sealer, wanted.acting.actor, wanted.now)
    if wanted.action is Action.RETRY:
        await _hold(unit, wanted.ids)
    for each in wanted.ids:
        if each not in actions.stepped:
            one = (await found_transaction(unit, each)).transaction
            check_action(wanted.action, one.record.direction, one.record.states, wanted.reason)
            if wanted.action is Action.RETRY:
                await _check_taker(unit, one, wanted.seen)
            await actions.do(wanted.action, one, wanted.reason.strip())
    return actions


async def _hold(unit: WriteUnit, ids: Sequence[int]) -> None:
    """Let nobody else send what these are sent with, or of their families, until the unit ends."""
    found = [(await found_transaction(unit, each)).transaction.record for each in ids]
    interchanges = {each.interchange_id for each in found if each.interchange_id is not None}
    await lock_chains(unit, interchanges)


async def record_performed(
    unit: WriteUnit, sealer: Sealer, wanted: RequestedAction, actions: InterchangeActions
) -> None:
    """Record events and the entries of the audit log, which come last in a unit."""
    acting, reason = wanted.acting, wanted.reason.strip()
    # The records decide, since production acts on those of the sandbox too.
    for environment, events in actions.events.items():
        owner = (acting.account_id, environment)
        await EventWriter(unit, sealer, owner).record(events, wanted.now)
    entries = [
        entry_of(acting, f"transaction.{wanted.action}", f"transaction {each}", reason)
        for each in wanted.ids
    ]
    await AuditWriter(unit, sealer, acting.account_id).record(entries, wanted.now)
    fault_point(f"transactions.{wanted.action}.before_commit")


async def _check_taker(
    unit: WriteUnit, transaction: Transaction, seen: frozenset[PartnerStatus]
) -> None:
    partner_id = transaction.record.partner_id
    assert partner_id is not None  # what is sent is sent to somebody
    partner = await unit.partners.find(partner_id)
    assert partner is not None  # a partner that was traded with cannot be removed
    check_taker(partner_of(partner), transaction.record.environment, seen)
