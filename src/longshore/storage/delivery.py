"""The store of the outbox and the attempts to deliver, over named queries."""

from collections.abc import Sequence
from datetime import datetime

from longshore.domain.delivery.model import (
    BLOCKING_STATES,
    AttemptId,
    AttemptResult,
    ClaimRequest,
    DeliveryAttempt,
    HeldPartner,
    Lease,
    NewOutboxEntry,
    OutboxEntry,
    OutboxId,
    OutboxState,
    RecentAttempt,
)
from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId, TransactionId
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql
from longshore.storage.times import from_us, to_us
from longshore.storage.word_lists import as_words


class SqlOutboxStore:
    """The outbox as the scope of one unit shows it."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, entry_id: OutboxId) -> OutboxEntry | None:
        row = await self._sql.fetch_one("find_outbox_entry", entry_id=entry_id)
        return None if row is None else read_entry(row)

    async def list_of_interchange(self, interchange_id: InterchangeId) -> Sequence[OutboxEntry]:
        rows = await self._sql.fetch_all(
            "list_outbox_of_interchange", interchange_id=interchange_id
        )
        return [read_entry(row) for row in rows]

    async def list_attempts(self, interchange_id: InterchangeId) -> Sequence[DeliveryAttempt]:
        rows = await self._sql.fetch_all(
            "list_attempts_of_interchange", interchange_id=interchange_id
        )
        return [read_attempt(row) for row in rows]

    async def next_due(self) -> datetime | None:
        row = await self._sql.fetch_one("find_next_due")
        assert row is not None
        due_at: int | None = row["due_at"]
        return from_us(due_at)

    async def oldest_due(self, now: datetime) -> datetime | None:
        row = await self._sql.fetch_one("find_oldest_due", now=to_us(now))
        assert row is not None
        due_at: int | None = row["due_at"]
        return from_us(due_at)

    async def find_blocking(self, entry: OutboxEntry) -> OutboxEntry | None:
        if entry.new.order_key is None:
            return None
        row = await self._sql.fetch_one(
            "find_blocking_entry",
            account_id=entry.account_id,
            environment=entry.new.environment,
            order_key=entry.new.order_key,
            entry_id=entry.id,
        )
        return None if row is None else read_entry(row)

    async def has_open(self, account_id: AccountId, new: NewOutboxEntry) -> bool:
        rows = await self._sql.fetch_all(
            "list_open_of_order",
            account_id=account_id,
            environment=new.environment,
            order_key=new.order_key,
        )
        return bool(rows)

    async def list_recent_attempts(
        self, partner_id: PartnerId, environment: Environment, most: int
    ) -> Sequence[RecentAttempt]:
        rows = await self._sql.fetch_all(
            "list_recent_attempts", partner_id=partner_id, environment=environment, most=most
        )
        return [read_recent_attempt(row) for row in rows]

    async def list_leased(self, owner: str | None) -> Sequence[OutboxEntry]:
        return [
            read_entry(row) for row in await self._sql.fetch_all("list_leased_entries", owner=owner)
        ]

    async def list_awaiting(self, due_until: datetime, most: int) -> Sequence[OutboxEntry]:
        until = to_us(due_until)
        rows = await self._sql.fetch_all("list_awaiting_entries", due_until=until, most=most)
        return [read_entry(row) for row in rows]

    async def list_waiting_files(
        self, partner_id: PartnerId, environment: Environment, most: int
    ) -> Sequence[OutboxEntry]:
        rows = await self._sql.fetch_all(
            "list_waiting_files", partner_id=partner_id, environment=environment, most=most
        )
        return [read_entry(row) for row in rows]

    async def list_held_partners(self) -> Sequence[HeldPartner]:
        found: list[HeldPartner] = []
        for environment in Environment:
            partner_id = 0
            while row := await self._sql.fetch_one(
                "find_next_held", environment=environment, partner_id=partner_id
            ):
                partner_id = row["partner_id"]
                account_id = AccountId(row["account_id"])
                found.append(HeldPartner(account_id, environment, PartnerId(partner_id)))
        return found

    async def list_held(
        self, partner_id: PartnerId, environment: Environment, most: int
    ) -> Sequence[OutboxEntry]:
        rows = await self._sql.fetch_all(
            "list_held_entries", partner_id=partner_id, environment=environment, most=most
        )
        return [read_entry(row) for row in rows]

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
        return OutboxId(row["id"])

    async def claim(self, request: ClaimRequest) -> Sequence[OutboxEntry]:
        rows = await self._sql.fetch_all(
            "claim_outbox",
            now=to_us(request.now),
            until=to_us(request.lease_until),
            owner=request.owner,
            most=request.most,
            deliveries=request.reserved.deliveries,
            others=request.reserved.others,
        )
        return sorted(map(read_entry, rows), key=_age)

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
        return None if row is None else read_entry(row)

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
        return await self._has_left(row, lease.id)

    async def put_back(
        self, lease: Lease, due_at: datetime, now: datetime, to: OutboxState = OutboxState.DUE
    ) -> bool:
        row = await self._sql.fetch_one(
            "put_back_outbox_entry",
            entry_id=lease.id,
            attempt=lease.attempt,
            state=to,
            due_at=to_us(due_at),
            now=to_us(now),
        )
        if to in BLOCKING_STATES:
            return row is not None
        return await self._has_left(row, lease.id)

    async def make_trial(self, entry_id: OutboxId, suspended_id: OutboxId) -> None:
        await self._sql.execute("make_trial", entry_id=entry_id, suspended_id=suspended_id)

    async def resume_suspended(self, now: datetime) -> int:
        return len(await self._sql.fetch_all("resume_suspended_entries", now=to_us(now)))

    async def make_due(
        self,
        partner_id: PartnerId,
        environment: Environment,
        at: datetime,
        unchanged_since: datetime,
    ) -> int:
        rows = await self._sql.fetch_all(
            "make_partner_entries_due",
            partner_id=partner_id,
            environment=environment,
            at=to_us(at),
            unchanged_since=to_us(unchanged_since),
        )
        return len(rows)

    async def make_order_due(self, entry: OutboxEntry, now: datetime) -> int:
        rows = await self._sql.fetch_all(
            "make_order_due",
            account_id=entry.account_id,
            environment=entry.new.environment,
            order_key=entry.new.order_key,
            entry_id=entry.id,
            now=to_us(now),
        )
        return len(rows)

    async def return_leases(self, owners: Sequence[str], now: datetime) -> int:
        words = as_words(owners) or ""
        return len(await self._sql.fetch_all("return_leases", owners=words, now=to_us(now)))

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
        if to in BLOCKING_STATES:
            return row is not None
        return await self._has_left(row, entry_id)

    async def _has_left(self, row: Row | None, entry_id: OutboxId) -> bool:
        """Let what follows in the order be claimed, if an entry that was open is not any more."""
        if row is not None and row["order_key"] is not None:
            await self._sql.execute(
                "let_following_be_first",
                account_id=row["account_id"],
                environment=row["environment"],
                order_key=row["order_key"],
                entry_id=entry_id,
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
        return None if row is None else AttemptId(row["id"])

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

    async def await_receipt(self, lease: Lease, status: int | None, due_at: datetime) -> None:
        await self._sql.execute(
            "await_receipt",
            entry_id=lease.id,
            attempt=lease.attempt,
            http_status=status,
            due_at=to_us(due_at),
        )

    async def forget_attempt(self, attempt_id: AttemptId) -> None:
        await self._sql.execute("forget_attempt", attempt_id=attempt_id)

    async def lose_attempts(self, lease: Lease, now: datetime) -> int:
        rows = await self._sql.fetch_all(
            "lose_attempts", entry_id=lease.id, attempt=lease.attempt, now=to_us(now)
        )
        return len(rows)


def _age(entry: OutboxEntry) -> int:
    return entry.id


def read_entry(row: Row) -> OutboxEntry:
    """Return an entry of the outbox."""
    state = OutboxState(row["state"])
    new = NewOutboxEntry(
        environment=Environment(row["environment"]),
        kind=row["kind"],
        due_at=from_us(row["due_at"]),
        partner_id=None if row["partner_id"] is None else PartnerId(row["partner_id"]),
        order_key=row["order_key"],
        interchange_id=None
        if row["interchange_id"] is None
        else InterchangeId(row["interchange_id"]),
        transaction_id=None
        if row["transaction_id"] is None
        else TransactionId(row["transaction_id"]),
        receipt_id=row["receipt_id"],
        ack_id=row["ack_id"],
        is_held=state is OutboxState.HELD,
    )
    return OutboxEntry(
        id=OutboxId(row["id"]),
        account_id=AccountId(row["account_id"]),
        new=new,
        state=state,
        attempt=row["attempt"],
        trial_of=None if row["trial_of"] is None else OutboxId(row["trial_of"]),
        lease_owner=row["lease_owner"],
        created_at=from_us(row["created_at"]),
        updated_at=from_us(row["updated_at"]),
    )


def read_recent_attempt(row: Row) -> RecentAttempt:
    """Return an attempt as the circuit breaker sees it."""
    return RecentAttempt(
        finished_at=from_us(row["finished_at"]),
        outcome=AttemptOutcome(row["outcome"]),
        http_status=row["http_status"],
        error_code=row["error_code"],
    )


def read_attempt(row: Row) -> DeliveryAttempt:
    """Return an attempt with its result, if it has ended."""
    result = None
    if row["outcome"] is not None:
        result = AttemptResult(
            finished_at=from_us(row["finished_at"]),
            outcome=AttemptOutcome(row["outcome"]),
            http_status=row["http_status"],
            error_code=row["error_code"],
            next_attempt_at=from_us(row["next_attempt_at"]),
            wrapped_key=row["wrapped_key"],
            facts=row["facts"],
        )
    due_at = None if result is not None else from_us(row["next_attempt_at"])
    return DeliveryAttempt(
        id=AttemptId(row["id"]),
        account_id=AccountId(row["account_id"]),
        environment=Environment(row["environment"]),
        outbox_id=OutboxId(row["outbox_id"]),
        attempt=row["attempt"],
        message_id=row["message_id"],
        started_at=from_us(row["started_at"]),
        result=result,
        receipt_due_at=due_at,
        is_in_mailbox=due_at is not None and row["http_status"] is None,
    )
