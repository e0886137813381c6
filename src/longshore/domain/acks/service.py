"""Lists and details of acknowledgements, sent and received.

Source: contract.md section 7.
"""

from __future__ import annotations

from dataclasses import dataclass

from longshore.domain.acks.encryption import open_named_ack
from longshore.domain.acks.model import Ack, AckId
from longshore.domain.acks.store import AckQuery, StoredAck
from longshore.domain.pages import PageParameters, Total, total_of
from longshore.domain.ports import RequestContext, Sealer
from longshore.domain.units import ReadUnit, Units
from longshore.kit.errors import ErrorCode, LongshoreError


class AckNotFoundError(LongshoreError):
    """Nothing of this id is the caller's; the text is the same whatever was asked for."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "There is no acknowledgement with this id in your account, or it belongs to the other"
            " environment. List yours with GET /api/v1/acks.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AckPage:
    """A page of a list, with the errors of each."""

    acks: tuple[Ack, ...]
    total: Total
    has_more: bool


class AckService:
    """The acknowledgements of all accounts, each through the scope of its caller."""

    def __init__(self, units: Units, sealer: Sealer) -> None:
        self._units = units
        self._sealer = sealer

    async def page(
        self, context: RequestContext, query: AckQuery, asked: PageParameters
    ) -> AckPage:
        """Return a page of what fits, newest first. In production, of both environments.

        Raises:
            SealBrokenError: The errors of a row are not what was stored in it.
        """

        async def read(unit: ReadUnit) -> tuple[list[StoredAck], int]:
            rows = await unit.acks.list(query, asked.limit + 1, asked.offset)
            return [*rows], await unit.acks.count(query, asked.count_to + 1)

        rows, found = await self._units.read(context.scope, read)
        return AckPage(
            acks=tuple(open_named_ack(self._sealer, each) for each in rows[: asked.limit]),
            total=total_of(found, asked),
            has_more=len(rows) > asked.limit,
        )

    async def get(self, context: RequestContext, ack_id: AckId) -> Ack:
        """Return one of them.

        Raises:
            AckNotFoundError: There is none with this id.
            SealBrokenError: Its errors are not what was stored.
        """

        async def find(unit: ReadUnit) -> StoredAck | None:
            return await unit.acks.find(ack_id)

        found = await self._units.read(context.scope, find)
        if found is None:
            raise AckNotFoundError
        return open_named_ack(self._sealer, found)
