"""What is told of a request to send that is refused: to the audit log, and in the feed.

It is told in a unit of its own, which stores nothing else. Points where a test lets the process
die: ``submission.refuse.before_commit`` and ``submission.refuse.after_commit``.

Source: x12.md sections 3 and 4, contract.md section 13.
"""

from __future__ import annotations

from longshore.domain.acting import RequestContext
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.recording import AuditWriter
from longshore.domain.events.recording import EventWriter
from longshore.domain.ports import Ports
from longshore.domain.submission.errors import (
    NumbersExhaustedError,
    PartnerNotShownError,
    SubmitRefusedError,
)
from longshore.domain.submission.separation import not_shown, separations
from longshore.domain.units import WriteUnit
from longshore.kit.errors import LongshoreError
from longshore.kit.faults import fault_point


async def note_refusal(
    ports: Ports, acting: RequestContext, error: LongshoreError, of: str
) -> None:
    """Store what is to be told of a refusal, if anything is; ``of``: such as ``partner 7``."""
    entries = _entries(acting, error, of)
    exhausted = error if isinstance(error, NumbersExhaustedError) else None
    if not entries and exhausted is None:
        return
    now = ports.clock.now()

    async def work(unit: WriteUnit) -> None:
        if exhausted is not None:
            writer = EventWriter(unit, ports.sealer, exhausted.owner)
            await writer.record([exhausted.event], now)
        await AuditWriter(unit, ports.sealer, acting.account_id).record(entries, now)
        fault_point("submission.refuse.before_commit")

    await ports.units.write(acting.scope, work)
    fault_point("submission.refuse.after_commit")


def _entries(acting: RequestContext, error: LongshoreError, of: str) -> list[NewEntry]:
    if isinstance(error, PartnerNotShownError):
        return [not_shown(acting, error.partner_id)]
    if isinstance(error, SubmitRefusedError):
        return separations(acting, error.remarks, of)
    return []
