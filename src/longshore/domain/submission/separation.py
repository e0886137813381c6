"""What the audit log says of submissions where test and live are kept apart.

What is accepted is told of in the unit that stores it; what is refused, in a unit of its own, which
stores nothing else. Points where a test lets the process die: ``submission.refuse.before_commit``
and ``submission.refuse.after_commit``.

Source: x12.md section 4 (test and live).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from longshore.domain.acting import Acting
from longshore.domain.audit.model import SEPARATION, NewEntry
from longshore.domain.audit.recording import AuditWriter, entry_of
from longshore.domain.submission.checks import Remark
from longshore.domain.submission.ports import SubmitPorts, SubmitWriteUnit
from longshore.kit.faults import fault_point

PARTNER_NOT_SHOWN: Final = f"{SEPARATION}.partner_not_shown"
_NOT_SHOWN: Final = "A sandbox key sees partners in testing alone; to it, this one is not there."


def separations(acting: Acting, remarks: Iterable[Remark], of: str) -> list[NewEntry]:
    """Return what is said of remarks; ``of``: what was stored, or whom it was for."""
    return [
        entry_of(acting, f"{SEPARATION}.{each.code}", of, each.message)
        for each in remarks
        if each.is_separation
    ]


def not_shown(acting: Acting, partner_id: int) -> NewEntry:
    """Return what is said of a partner that a key does not see."""
    return entry_of(acting, PARTNER_NOT_SHOWN, f"partner {partner_id}", _NOT_SHOWN)


async def note_refusal(ports: SubmitPorts, acting: Acting, entries: Iterable[NewEntry]) -> None:
    """Store what is said of a submission that is refused."""
    told = tuple(entries)
    if not told:
        return
    now = ports.clock.now()

    async def work(unit: SubmitWriteUnit) -> None:
        await AuditWriter(unit, ports.sealer, acting.account_id).record(told, now)
        fault_point("submission.refuse.before_commit")

    await ports.units.write(acting.scope, work)
    fault_point("submission.refuse.after_commit")
