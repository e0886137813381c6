"""Audit entries and events of submissions, for those that are refused in a unit of their own.

The entry of an accepted submission is written in the unit that stores it.

Fault points: ``submission.refuse.before_commit``, ``submission.refuse.after_commit``.

Source: x12.md sections 3 and 4 (test and live), contract.md section 13.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from longshore.domain.audit.model import SEPARATION, NewEntry
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.events.writer import EventWriter
from longshore.domain.outbound.checks import SubmissionDiagnostic
from longshore.domain.outbound.errors import (
    NumbersExhaustedError,
    PartnerNotShownError,
    SubmitRefusedError,
)
from longshore.domain.ports import Ports, RequestContext
from longshore.domain.units import WriteUnit
from longshore.kit.errors import LongshoreError
from longshore.kit.faults import fault_point

PARTNER_NOT_SHOWN: Final = f"{SEPARATION}.partner_not_shown"
_NOT_SHOWN: Final = "A sandbox key sees partners in testing alone; to it, this one is not there."


def separations(
    context: RequestContext, diagnostics: Iterable[SubmissionDiagnostic], of: str
) -> list[NewEntry]:
    """Return what is said of remarks. ``of`` is what was stored, or whom it was for."""
    return [
        entry_of(context, f"{SEPARATION}.{each.code}", of, each.message)
        for each in diagnostics
        if each.is_separation
    ]


def not_shown(context: RequestContext, partner_id: int) -> NewEntry:
    """Return what is said of a partner that a key does not see."""
    return entry_of(context, PARTNER_NOT_SHOWN, f"partner {partner_id}", _NOT_SHOWN)


async def note_refusal(
    ports: Ports, context: RequestContext, error: LongshoreError, of: str
) -> None:
    """Store what is to be reported a refusal, if anything is. ``of`` is such as ``partner 7``."""
    entries = _entries(context, error, of)
    exhausted = error if isinstance(error, NumbersExhaustedError) else None
    if not entries and exhausted is None:
        return
    now = ports.clock.now()

    async def work(unit: WriteUnit) -> None:
        if exhausted is not None:
            writer = EventWriter(unit, ports.sealer, exhausted.owner)
            await writer.record([exhausted.event], now)
        await AuditWriter(unit, ports.sealer, context.account_id).record(entries, now)
        fault_point("submission.refuse.before_commit")

    await ports.units.write(context.scope, work)
    fault_point("submission.refuse.after_commit")


def _entries(context: RequestContext, error: LongshoreError, of: str) -> list[NewEntry]:
    if isinstance(error, PartnerNotShownError):
        return [not_shown(context, error.partner_id)]
    if isinstance(error, SubmitRefusedError):
        return separations(context, error.diagnostics, of)
    return []
