"""Adds to the audit log inside a write unit, which belongs to another use case; opens details."""

from collections.abc import Sequence
from datetime import datetime

from longshore.domain.audit.chain import chained
from longshore.domain.audit.model import NewEntry, SealedEntry, associated_data_of
from longshore.domain.encryption import decrypt_row, encrypt_row
from longshore.domain.ports import AccountId, RequestContext, Sealer
from longshore.domain.units import WriteUnit


class AuditWriter:
    """Adds to the log of an account; called once in a unit, as the last thing it does.

    ``sealer`` None: nothing that is added has a detail. So whoever has no master key, as commands
    about users and keys, can be reported all the same.
    """

    def __init__(self, unit: WriteUnit, sealer: Sealer | None, account_id: AccountId) -> None:
        self._audit = unit.audit
        self._sealer = sealer
        self._account_id = account_id

    async def record(self, entries: Sequence[NewEntry], now: datetime) -> None:
        """Add entries in this order.

        A detail is encrypted for the position of its entry, so it is drawn at once. Without one the
        entries are stored when the unit ends.
        """
        if any(new.detail for new in entries):
            first, previous = await self._audit.draw(self._account_id, len(entries))
            sealed = [self._sealed(at, new, now) for at, new in enumerate(entries, first)]
            await self._audit.insert(chained(first, previous, sealed))
        elif entries:
            self._audit.append([self._sealed(0, new, now) for new in entries])

    def _sealed(self, position: int, new: NewEntry, now: datetime) -> SealedEntry:
        wrapped_key = facts = b""
        if new.detail:
            assert self._sealer is not None  # a mistake of ours
            associated_data = associated_data_of(self._account_id, position)
            wrapped_key, facts = encrypt_row(self._sealer, associated_data, new.detail.encode())
        return SealedEntry(
            account_id=self._account_id,
            position=position,
            actor=new.actor,
            action=new.action,
            object=new.object,
            ip=new.ip,
            request_id=new.request_id,
            created_at=now,
            wrapped_key=wrapped_key,
            facts=facts,
        )


def entry_of(context: RequestContext, action: str, of: str, detail: str = "") -> NewEntry:
    """Return what is said of somebody who does something. ``of`` is to what, as ``partner 3``."""
    return NewEntry(
        actor=context.actor,
        action=action,
        object=of,
        ip=context.ip,
        request_id=context.request_id,
        detail=detail,
    )


def open_detail(sealer: Sealer, entry: SealedEntry) -> str:
    """Return what an entry says to people.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    if not entry.facts:
        return ""
    associated_data = associated_data_of(entry.account_id, entry.position)
    return decrypt_row(sealer, associated_data, entry.wrapped_key, entry.facts).decode()
