"""Shows interchanges that were received or sent; who reads the bytes of one is in the audit log.

Points where a test lets the process die: ``interchanges.read.before_commit`` and ``.after_commit``.

Source: contract.md section 15.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.interchanges.encryption import open_facts, open_interchange
from longshore.domain.interchanges.errors import InterchangeNotFoundError
from longshore.domain.interchanges.store import Interchange, InterchangeQuery, SealedContent
from longshore.domain.pages import PageParameters, Total, total_of
from longshore.domain.ports import Ports, RequestContext
from longshore.domain.transactions.model import InterchangeId, TransactionId
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.faults import fault_point

_LONG_BYTES: Final = 262_144  # below it opening is done sooner than a thread is woken


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownInterchange:
    """An interchange as people see it."""

    interchange: Interchange
    sha256: str
    """Of its bytes, in hexadecimal."""
    transaction_ids: tuple[TransactionId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InterchangePage:
    """A page of interchanges, newest first."""

    interchanges: tuple[KnownInterchange, ...]
    total: Total
    has_more: bool


_Found = tuple[Interchange, SealedContent, tuple[TransactionId, ...]]


class InterchangeService:
    """The interchanges of every account."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def page(
        self, context: RequestContext, query: InterchangeQuery, asked: PageParameters
    ) -> InterchangePage:
        """Return a page of the interchanges that fit, newest first.

        Raises:
            SealBrokenError: What is sealed of one is not what was stored in its row.
        """

        async def find(unit: ReadUnit) -> tuple[list[_Found], bool, int]:
            rows = await unit.interchanges.list(query, asked.limit + 1, asked.offset)
            shown = [await _with_facts(unit, each) for each in rows[: asked.limit]]
            found = await unit.interchanges.count(query, asked.count_to + 1)
            return shown, len(rows) > asked.limit, found

        shown, has_more, found = await self._ports.units.read(context.scope, find)
        return InterchangePage(
            interchanges=tuple(self._known(*each) for each in shown),
            total=total_of(found, asked),
            has_more=has_more,
        )

    async def get(self, context: RequestContext, interchange_id: InterchangeId) -> KnownInterchange:
        """Return an interchange without its bytes.

        Raises:
            InterchangeNotFoundError: The scope has none of this id.
            SealBrokenError: What is sealed of it is not what was stored in its row.
        """

        async def find(unit: ReadUnit) -> _Found:
            return await _with_facts(unit, (await found_interchange(unit, interchange_id))[0])

        return self._known(*await self._ports.units.read(context.scope, find))

    async def content(self, context: RequestContext, interchange_id: InterchangeId) -> bytes:
        """Return the bytes of an interchange, as received or sent; the log says so before.

        Raises:
            InterchangeNotFoundError: The scope has none of this id.
            SealBrokenError: It is not what was stored in its row.
        """

        async def find(unit: ReadUnit) -> tuple[Interchange, SealedContent]:
            return await found_interchange(unit, interchange_id)

        interchange, sealed = await self._ports.units.read(context.scope, find)
        if len(sealed.content) <= _LONG_BYTES:
            opened = open_interchange(self._ports.sealer, interchange, sealed)
        else:
            opened = await self._ports.threads.submit_to_executor(
                open_interchange, self._ports.sealer, interchange, sealed
            )
        now = self._ports.clock.now()

        async def audit(unit: WriteUnit) -> None:
            entry = audit_entry(context, "read", interchange_id)
            await AuditWriter(unit, self._ports.sealer, context.account_id).record((entry,), now)
            fault_point("interchanges.read.before_commit")

        await self._ports.units.write(context.scope, audit)
        fault_point("interchanges.read.after_commit")
        return opened.content

    def _known(
        self, interchange: Interchange, sealed: SealedContent, ids: tuple[TransactionId, ...]
    ) -> KnownInterchange:
        sha256 = open_facts(self._ports.sealer, interchange, sealed).sha256
        return KnownInterchange(interchange=interchange, sha256=sha256, transaction_ids=ids)


async def found_interchange(
    unit: ReadUnit | WriteUnit, interchange_id: InterchangeId
) -> tuple[Interchange, SealedContent]:
    """Return an interchange and what is sealed of it.

    Raises:
        InterchangeNotFoundError: The unit's scope has none of this id.
    """
    found = await unit.interchanges.find(interchange_id)
    if found is None:
        raise InterchangeNotFoundError
    return found


def audit_entry(
    context: RequestContext, verb: str, interchange_id: InterchangeId, detail: str = ""
) -> NewEntry:
    """Return what the audit log says of somebody and an interchange."""
    return entry_of(context, f"interchange.{verb}", f"interchange {interchange_id}", detail)


async def _with_facts(unit: ReadUnit, interchange: Interchange) -> _Found:
    sealed = await unit.interchanges.find_facts(interchange.id)
    assert sealed is not None  # it was found in this unit
    return interchange, sealed, tuple(await unit.transactions.list_ids(interchange.id))
