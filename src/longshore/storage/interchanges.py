"""The stores of receipts, interchanges and functional groups, over named queries."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from re import fullmatch

from longshore.domain.acks.model import GroupId
from longshore.domain.interchanges.store import (
    Interchange,
    InterchangeQuery,
    InterchangeStatus,
    NewGroup,
    NewInterchange,
    NewReceipt,
    ReceiptId,
    ReceiptStatus,
    SealedContent,
    StoredReceipt,
)
from longshore.domain.pages import ALL
from longshore.domain.partners.model import Address, Direction, InboundTokenId, Pair, PartnerId
from longshore.domain.ports import AccountId, KeyForRow
from longshore.domain.transactions.model import InterchangeId, Source
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.sealed_rows import next_row
from longshore.storage.times import BEYOND, from_us, keyset_values, to_us
from longshore.storage.usage import StoredAmounts
from longshore.storage.word_lists import as_words


class SqlReceiptStore:
    """Receipts as the scope of one unit shows them."""

    def __init__(self, sql: Sql, stored: StoredAmounts) -> None:
        self._sql = sql
        self._stored = stored

    async def find(self, receipt_id: ReceiptId) -> tuple[StoredReceipt, SealedContent] | None:
        row = await self._sql.fetch_one("find_receipt", receipt_id=receipt_id)
        return None if row is None else (_receipt(row), _sealed(row))

    async def find_status(self, receipt_id: ReceiptId) -> ReceiptStatus | None:
        row = await self._sql.fetch_one("find_receipt_status", receipt_id=receipt_id)
        return None if row is None else ReceiptStatus(row["status"])

    async def find_duplicate(
        self, token_id: InboundTokenId, digest: bytes, since: datetime
    ) -> StoredReceipt | None:
        row = await self._sql.fetch_one(
            "find_duplicate_receipt", token_id=token_id, digest=digest, since=to_us(since)
        )
        return None if row is None else _receipt(row)

    async def find_by_key(
        self, token_id: InboundTokenId, key_digest: bytes, since: datetime
    ) -> StoredReceipt | None:
        row = await self._sql.fetch_one(
            "find_receipt_by_key", token_id=token_id, key_digest=key_digest, since=to_us(since)
        )
        return None if row is None else _receipt(row)

    async def find_correction(self, key_digest: bytes) -> ReceiptId | None:
        row = await self._sql.fetch_one("find_receipt_of_correction", key_digest=key_digest)
        return None if row is None else ReceiptId(row["id"])

    async def has_corrections(self) -> bool:
        return await self._sql.fetch_one("find_any_correction") is not None

    async def list_unfinished(self, before: datetime, most: int) -> Sequence[StoredReceipt]:
        rows = await self._sql.fetch_all(
            "list_unfinished_receipts", before=to_us(before), most=most
        )
        return [_receipt(row) for row in rows]

    async def insert(
        self,
        account_id: AccountId,
        new: NewReceipt,
        sealed: SealedContent,
        key_for: KeyForRow,
        now: datetime,
    ) -> ReceiptId:
        row_id, wrapped_key = await next_row(self._sql, "receipts", key_for)
        await self._sql.execute(
            "insert_receipt",
            id=row_id,
            account_id=account_id,
            environment=new.environment,
            partner_id=new.partner_id,
            token_id=new.token_id,
            source=new.source,
            byte_count=new.byte_count,
            digest=new.digest,
            key_digest=new.key_digest,
            now=to_us(now),
            facts=sealed.facts,
            wrapped_key=wrapped_key,
            content=sealed.content,
        )
        self._stored.add(account_id, len(sealed.content))
        return ReceiptId(row_id)

    async def finish(self, receipt_id: ReceiptId, status: ReceiptStatus, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "finish_receipt", receipt_id=receipt_id, status=status, now=to_us(now)
        )
        return row is not None


class SqlInterchangeStore:
    """Interchanges and their groups as the scope of one unit shows them."""

    def __init__(self, sql: Sql, stored: StoredAmounts) -> None:
        self._sql = sql
        self._stored = stored

    async def find(self, interchange_id: InterchangeId) -> tuple[Interchange, SealedContent] | None:
        row = await self._sql.fetch_one("find_interchange", interchange_id=interchange_id)
        return None if row is None else (_interchange(row), _sealed(row))

    async def find_facts(self, interchange_id: InterchangeId) -> SealedContent | None:
        row = await self._sql.fetch_one("find_interchange_facts", interchange_id=interchange_id)
        return (
            None
            if row is None
            else SealedContent(facts=row["facts"], content=b"", wrapped_key=row["wrapped_key"])
        )

    async def list(
        self,
        query: InterchangeQuery,
        limit: int,
        offset: int = 0,
        behind: tuple[datetime, InterchangeId] | None = None,
    ) -> Sequence[Interchange]:
        place = {"limit": limit, "offset": offset}
        if len(query.statuses) == 1:
            (status,) = query.statuses
            others = keyset_values(behind, _filters_without_status(query))
            rows = await self._sql.fetch_all(
                "list_interchanges_of_status", status=status, **others, **place
            )
        else:
            values = keyset_values(behind, _fits(query))
            rows = await self._sql.fetch_all("list_interchanges", **values, **place)
        return [_interchange(row) for row in rows]

    async def count(self, query: InterchangeQuery, most: int = ALL) -> int:
        if query == InterchangeQuery(
            environment=query.environment, since=query.since, before=query.before
        ):
            row = await self._sql.fetch_one("count_interchanges_of_time", **_span(query), most=most)
        elif len(query.statuses) == 1:
            (status,) = query.statuses
            row = await self._sql.fetch_one(
                "count_interchanges_of_status",
                status=status,
                most=most,
                **_filters_without_status(query),
            )
        else:
            row = await self._sql.fetch_one("count_interchanges", **_fits(query), most=most)
        assert row is not None
        return int(row["total"])

    async def list_same_number(
        self, environment: Environment, pair: Pair, isa_control_number: str
    ) -> Sequence[Interchange]:
        rows = await self._sql.fetch_all(
            "list_same_interchange_number",
            environment=environment,
            isa_number=number_of(isa_control_number),
            **pair_values(pair),
        )
        return [_interchange(row) for row in rows]

    async def list_of_receipt(self, receipt_id: ReceiptId) -> Sequence[Interchange]:
        rows = await self._sql.fetch_all("list_interchanges_of_receipt", receipt_id=receipt_id)
        return [_interchange(row) for row in rows]

    async def list_groups(
        self, interchange_id: InterchangeId
    ) -> Sequence[tuple[GroupId, NewGroup]]:
        rows = await self._sql.fetch_all("list_groups", interchange_id=interchange_id)
        return [(GroupId(row["id"]), _group(row)) for row in rows]

    async def insert(
        self,
        account_id: AccountId,
        new: NewInterchange,
        sealed: SealedContent,
        key_for: KeyForRow,
        now: datetime,
    ) -> InterchangeId:
        row_id, wrapped_key = await next_row(self._sql, "interchanges", key_for)
        await self._sql.execute(
            "insert_interchange",
            id=row_id,
            account_id=account_id,
            now=to_us(now),
            facts=sealed.facts,
            wrapped_key=wrapped_key,
            content=sealed.content,
            **pair_values(new.pair),
            **_values(new),
        )
        self._stored.add(account_id, len(sealed.content))
        return InterchangeId(row_id)

    async def insert_group(
        self,
        account_id: AccountId,
        of: tuple[InterchangeId, NewInterchange],
        new: NewGroup,
        now: datetime,
    ) -> GroupId:
        interchange_id, interchange = of
        row = await self._sql.fetch_one(
            "insert_group",
            account_id=account_id,
            environment=interchange.environment,
            interchange_id=interchange_id,
            direction=interchange.direction,
            functional_id=new.functional_id,
            sender_code=new.sender_code,
            receiver_code=new.receiver_code,
            gs_control_number=new.gs_control_number,
            gs_number=number_of(new.gs_control_number),
            version=new.version,
            allotted=int(interchange.is_allotted),
            now=to_us(now),
        )
        assert row is not None
        return GroupId(row["id"])

    async def step(
        self,
        interchange_id: InterchangeId,
        start: InterchangeStatus,
        to: InterchangeStatus,
        reason: str | None,
        now: datetime,
    ) -> bool:
        row = await self._sql.fetch_one(
            "step_interchange",
            interchange_id=interchange_id,
            start=start,
            status=to,
            reason=reason,
            now=to_us(now),
        )
        return row is not None

    async def hold(self, interchange_id: InterchangeId, now: datetime) -> None:
        await self._sql.execute("hold_interchange", interchange_id=interchange_id, now=to_us(now))

    async def set_sent(self, interchange_id: InterchangeId, at: datetime, now: datetime) -> None:
        await self._sql.execute(
            "set_interchange_sent", interchange_id=interchange_id, at=to_us(at), now=to_us(now)
        )
        await self._sql.execute("set_groups_sent", interchange_id=interchange_id, at=to_us(at))

    async def assign(
        self, interchange_id: InterchangeId, partner_id: PartnerId, now: datetime
    ) -> None:
        await self._sql.execute(
            "assign_interchange",
            interchange_id=interchange_id,
            partner_id=partner_id,
            now=to_us(now),
        )


def number_of(control_number: str) -> int | None:
    """Return the number that a control number is compared by, None if it is none."""
    return int(control_number) if fullmatch("[0-9]{1,18}", control_number) else None


def _fits(query: InterchangeQuery) -> Mapping[str, SqlValue]:
    return {"statuses": as_words(query.statuses), **_filters_without_status(query)}


def _filters_without_status(query: InterchangeQuery) -> Mapping[str, SqlValue]:
    return {"direction": query.direction, "partner_id": query.partner_id, **_span(query)}


def _span(query: InterchangeQuery) -> Mapping[str, SqlValue]:
    return {
        "environment": query.environment,
        "since": -BEYOND if query.since is None else to_us(query.since),
        "before": BEYOND if query.before is None else to_us(query.before),
    }


def pair_values(pair: Pair) -> Mapping[str, SqlValue]:
    """Return the values of the parameters that name a pair."""
    return {
        "sender_qualifier": pair.sender.qualifier,
        "sender_id": pair.sender.id,
        "receiver_qualifier": pair.receiver.qualifier,
        "receiver_id": pair.receiver.id,
    }


def _values(new: NewInterchange) -> Mapping[str, SqlValue]:
    return {
        "environment": new.environment,
        "direction": new.direction,
        "status": new.status,
        "source": new.source,
        "isa_control_number": new.isa_control_number,
        "isa_number": number_of(new.isa_control_number),
        "isa_date": new.isa_date,
        "isa_time": new.isa_time,
        "version": new.version,
        "usage_indicator": new.usage_indicator,
        "allotted": int(new.is_allotted),
        "file_size": new.file_size,
        "digest": new.digest,
        "reason": new.reason,
        "partner_id": new.partner_id,
        "receipt_id": new.receipt_id,
        "doc_id": new.doc_id,
    }


def _receipt(row: Row) -> StoredReceipt:
    new = NewReceipt(
        environment=Environment(row["environment"]),
        partner_id=None if row["partner_id"] is None else PartnerId(row["partner_id"]),
        token_id=None if row["token_id"] is None else InboundTokenId(row["token_id"]),
        source=Source(row["source"]),
        byte_count=row["byte_count"],
        digest=row["digest"],
        key_digest=row["key_digest"],
    )
    return StoredReceipt(
        id=ReceiptId(row["id"]),
        account_id=AccountId(row["account_id"]),
        new=new,
        status=ReceiptStatus(row["status"]),
        created_at=from_us(row["created_at"]),
        finished_at=from_us(row["finished_at"]),
    )


def _interchange(row: Row) -> Interchange:
    new = NewInterchange(
        environment=Environment(row["environment"]),
        direction=Direction(row["direction"]),
        status=InterchangeStatus(row["status"]),
        source=Source(row["source"]),
        pair=Pair(
            Address(row["sender_qualifier"], row["sender_id"]),
            Address(row["receiver_qualifier"], row["receiver_id"]),
        ),
        isa_control_number=row["isa_control_number"],
        isa_date=row["isa_date"],
        isa_time=row["isa_time"],
        version=row["version"],
        usage_indicator=row["usage_indicator"],
        is_allotted=bool(row["allotted"]),
        file_size=row["file_size"],
        digest=row["digest"],
        reason=row["reason"],
        partner_id=None if row["partner_id"] is None else PartnerId(row["partner_id"]),
        receipt_id=None if row["receipt_id"] is None else ReceiptId(row["receipt_id"]),
        doc_id=row["doc_id"],
    )
    return Interchange(
        id=InterchangeId(row["id"]),
        account_id=AccountId(row["account_id"]),
        new=new,
        sent_at=from_us(row["sent_at"]),
        created_at=from_us(row["created_at"]),
        updated_at=from_us(row["updated_at"]),
    )


def _group(row: Row) -> NewGroup:
    return NewGroup(
        functional_id=row["functional_id"],
        sender_code=row["sender_code"],
        receiver_code=row["receiver_code"],
        gs_control_number=row["gs_control_number"],
        version=row["version"],
    )


def _sealed(row: Row) -> SealedContent:
    return SealedContent(facts=row["facts"], content=row["content"], wrapped_key=row["wrapped_key"])
