"""The store of the outbox and the attempts to deliver, over named queries."""

from collections.abc import Sequence
from datetime import datetime

from longshore.domain.delivery.outcome import Outcome
from longshore.domain.delivery.store import (
    Attempt,
    AttemptId,
    AttemptResult,
    ClaimRequest,
    HeldPartner,
    Lease,
    NewOutboxEntry,
    OutboxEntry,
    OutboxId,
    OutboxState,
)
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId, TransactionId
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql
from longshore.storage.times import from_us, to_us
from longshore.storage.words import as_words


class SqlOutboxStore:
    """The outbox as the scope of one unit shows it."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, entry_id: OutboxId) -> OutboxEntry | None:
        row = await self._sql.fetch_one("find_outbox_entry", entry_id=entry_id)
        return None if row is None else _entry(row)

    async def list_of_interchange(self, interchange_id: InterchangeId) -> Sequence[OutboxEntry]:
        rows = await self._sql.fetch_all(
            "list_outbox_of_interchange", interchange_id=interchange_id
        )
        return [_entry(row) for row in rows]

    async def list_attempts(self, interchange_id: InterchangeId) -> Sequence[Attempt]:
        rows = await self._sql.fetch_all(
            "list_attempts_of_interchange", interchange_id=interchange_id
        )
        return [_attempt(row) for row in rows]

    async def next_due(self) -> datetime | None:
        row = await self._sql.fetch_one("find_next_due")
        assert row is not None
        return from_us(row[0])

    async def list_leased(self, owner: str) -> Sequence[OutboxEntry]:
        return [
            _entry(row) for row in await self._sql.fetch_all("list_leased_entries", owner=owner)
        ]

    async def list_held_partners(self) -> Sequence[HeldPartner]:
        rows = await self._sql.fetch_all("list_held_partners")
        return [
            HeldPartner(AccountId(row[0]), Environment(row[1]), PartnerId(row[2])) for row in rows
        ]

    async def list_held(
        self, partner_id: PartnerId, environment: Environment, most: int
    ) -> Sequence[OutboxEntry]:
        rows = await self._sql.fetch_all(
            "list_held_entries", partner_id=partner_id, environment=environment, most=most
        )
        return [_entry(row) for row in rows]

    async def insert(self, account_id: AccountId, new: NewOutboxEntry, now: datetime) -> OutboxId:
        row = await self._sql.fetch_one(
            "insert_outbox_entry",
            account_id=account_id,
            environment=new.environment,
            kind=new.kind,
            partner_id=new.partner_id,
            order_key=new.order_key,
            state=OutboxState.HELD if new.is_held else OutboxState.DUE,
            due_at=to_us(new.due_at),
            interchange_id=new.interchange_id,
            transaction_id=new.transaction_id,
            receipt_id=new.receipt_id,
            ack_id=new.ack_id,
            now=to_us(now),
        )
        assert row is not None
        return OutboxId(row[0])

    async def claim(self, request: ClaimRequest) -> Sequence[OutboxEntry]:
        rows = await self._sql.fetch_all(
            "claim_outbox",
            now=to_us(request.now),
            until=to_us(request.lease_until),
            owner=request.owner,
            kinds=as_words(request.kinds),
            most=request.most,
        )
        return sorted(map(_entry, rows), key=_age)

    async def claim_following(
        self, ended: OutboxEntry, request: ClaimRequest
    ) -> OutboxEntry | None:
        if ended.new.order_key is None:
            return None
        row = await self._sql.fetch_one(
            "claim_following_entry",
            account_id=ended.account_id,
            environment=ended.new.environment,
            order_key=ended.new.order_key,
            now=to_us(request.now),
            until=to_us(request.lease_until),
            owner=request.owner,
        )
        return None if row is None else _entry(row)

    async def renew(self, lease: Lease, until: datetime) -> bool:
        row = await self._sql.fetch_one(
            "renew_lease", entry_id=lease.id, attempt=lease.attempt, until=to_us(until)
        )
        return row is not None

    async def finish(self, lease: Lease, to: OutboxState, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "finish_outbox_entry",
            entry_id=lease.id,
            attempt=lease.attempt,
            state=to,
            now=to_us(now),
        )
        return row is not None

    async def put_back(self, lease: Lease, due_at: datetime, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "put_back_outbox_entry",
            entry_id=lease.id,
            attempt=lease.attempt,
            due_at=to_us(due_at),
            now=to_us(now),
        )
        return row is not None

    async def change_waiting(
        self,
        entry_id: OutboxId,
        start: OutboxState,
        to: OutboxState,
        due_at: datetime,
        now: datetime,
    ) -> bool:
        row = await self._sql.fetch_one(
            "change_waiting_entry",
            entry_id=entry_id,
            start=start,
            state=to,
            due_at=to_us(due_at),
            now=to_us(now),
        )
        return row is not None

    async def begin_attempt(
        self, entry: OutboxEntry, message_id: str, now: datetime
    ) -> AttemptId | None:
        row = await self._sql.fetch_one(
            "insert_attempt",
            account_id=entry.account_id,
            environment=entry.new.environment,
            outbox_id=entry.id,
            partner_id=entry.new.partner_id,
            interchange_id=entry.new.interchange_id,
            attempt=entry.attempt,
            message_id=message_id,
            now=to_us(now),
            wrapped_key=b"",
        )
        return None if row is None else AttemptId(row[0])

    async def end_attempt(self, lease: Lease, result: AttemptResult) -> bool:
        row = await self._sql.fetch_one(
            "end_attempt",
            entry_id=lease.id,
            attempt=lease.attempt,
            finished_at=to_us(result.finished_at),
            outcome=result.outcome,
            http_status=result.http_status,
            error_code=result.error_code,
            next_attempt_at=to_us(result.next_attempt_at),
            wrapped_key=result.wrapped_key,
            facts=result.facts,
        )
        return row is not None

    async def lose_attempts(self, lease: Lease, now: datetime) -> int:
        rows = await self._sql.fetch_all(
            "lose_attempts", entry_id=lease.id, attempt=lease.attempt, now=to_us(now)
        )
        return len(rows)


def _age(entry: OutboxEntry) -> int:
    return entry.id


def _entry(row: Row) -> OutboxEntry:
    state = OutboxState(row[11])
    new = NewOutboxEntry(
        environment=Environment(row[2]),
        kind=row[3],
        due_at=from_us(row[4]),
        partner_id=None if row[5] is None else PartnerId(row[5]),
        order_key=row[6],
        interchange_id=None if row[7] is None else InterchangeId(row[7]),
        transaction_id=None if row[8] is None else TransactionId(row[8]),
        receipt_id=row[9],
        ack_id=row[10],
        is_held=state is OutboxState.HELD,
    )
    return OutboxEntry(
        id=OutboxId(row[0]),
        account_id=AccountId(row[1]),
        new=new,
        state=state,
        attempt=row[12],
        lease_owner=row[13],
        created_at=from_us(row[14]),
        updated_at=from_us(row[15]),
    )


def _attempt(row: Row) -> Attempt:
    result = None
    if row[8] is not None:
        result = AttemptResult(
            finished_at=from_us(row[7]),
            outcome=Outcome(row[8]),
            http_status=row[9],
            error_code=row[10],
            next_attempt_at=from_us(row[11]),
            wrapped_key=row[12],
            facts=row[13],
        )
    return Attempt(
        id=AttemptId(row[0]),
        account_id=AccountId(row[1]),
        environment=Environment(row[2]),
        outbox_id=OutboxId(row[3]),
        attempt=row[4],
        message_id=row[5],
        started_at=from_us(row[6]),
        result=result,
    )
