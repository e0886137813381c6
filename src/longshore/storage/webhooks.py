"""The store of webhook endpoints and their deliveries, over named queries."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from longshore.domain.delivery.model import (
    AttemptId,
    ClaimRequest,
    DeliveryAttempt,
    OutboxEntry,
    OutboxId,
    OutboxState,
    RecentAttempt,
)
from longshore.domain.events.model import EventId, EventType, SealedEvent
from longshore.domain.partners.model import BreakerState, CircuitBreaker, PartnerId
from longshore.domain.ports import AccountId, KeyForRow, Scope
from longshore.domain.webhooks.model import (
    DeliveryProgress,
    DisabledReason,
    WebhookDelivery,
    WebhookDeliveryId,
    WebhookEndpoint,
    WebhookId,
    WebhookStatus,
    WebhookTerms,
    message_id_of,
)
from longshore.domain.webhooks.store import (
    EndpointRef,
    NewWebhook,
    NewWebhookDelivery,
    StoredWebhook,
)
from longshore.kit.environment import Environment
from longshore.storage.delivery import read_attempt, read_entry, read_recent_attempt
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.sealed_rows import next_row
from longshore.storage.times import from_us, to_us


class SqlWebhookStore:
    """Webhook endpoints and deliveries as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, endpoint_id: WebhookId) -> StoredWebhook | None:
        row = await self._sql.fetch_one("find_webhook_endpoint", endpoint_id=endpoint_id)
        return None if row is None else _stored(row)

    async def list(self, environment: Environment) -> Sequence[StoredWebhook]:
        rows = await self._sql.fetch_all("list_webhook_endpoints", environment=environment)
        return [_stored(row) for row in rows]

    async def list_behind(self) -> Sequence[EndpointRef]:
        return [_ref(row) for row in await self._sql.fetch_all("list_webhook_endpoints_behind")]

    async def next_due(self) -> datetime | None:
        row = await self._sql.fetch_one("find_next_webhook_due")
        assert row is not None
        due_at: int | None = row["due_at"]
        return from_us(due_at)

    async def list_all(self) -> Sequence[EndpointRef]:
        return [_ref(row) for row in await self._sql.fetch_all("list_all_webhook_endpoints")]

    async def find_delivery(self, delivery_id: WebhookDeliveryId) -> DeliveryProgress | None:
        row = await self._sql.fetch_one("find_webhook_delivery", delivery_id=delivery_id)
        return None if row is None else _progress(row)

    async def find_delivery_of_entry(self, outbox_id: OutboxId) -> WebhookDelivery | None:
        row = await self._sql.fetch_one("find_webhook_delivery_of_entry", outbox_id=outbox_id)
        return None if row is None else _delivery(row)

    async def list_deliveries(
        self, endpoint_id: WebhookId, before: int, limit: int
    ) -> Sequence[DeliveryProgress]:
        rows = await self._sql.fetch_all(
            "list_webhook_deliveries", endpoint_id=endpoint_id, before=before, limit=limit
        )
        return [_progress(row) for row in rows]

    async def list_attempts(
        self, endpoint_id: WebhookId, first: WebhookDeliveryId, last: WebhookDeliveryId
    ) -> Sequence[DeliveryAttempt]:
        rows = await self._sql.fetch_all(
            "list_webhook_attempts", endpoint_id=endpoint_id, first=first, last=last
        )
        return [read_attempt(row) for row in rows]

    async def list_recent_attempts(
        self, endpoint_id: WebhookId, most: int
    ) -> Sequence[RecentAttempt]:
        rows = await self._sql.fetch_all(
            "list_recent_webhook_attempts", endpoint_id=endpoint_id, most=most
        )
        return [read_recent_attempt(row) for row in rows]

    async def list_ended(
        self, endpoint_id: WebhookId, before: datetime, most: int
    ) -> Sequence[tuple[WebhookDeliveryId, OutboxId]]:
        rows = await self._sql.fetch_all(
            "list_ended_webhook_deliveries",
            endpoint_id=endpoint_id,
            before=to_us(before),
            most=most,
        )
        return [(WebhookDeliveryId(row["id"]), OutboxId(row["outbox_id"])) for row in rows]

    async def find_partner_of(self, event: SealedEvent) -> PartnerId | None:
        row = await self._sql.fetch_one(
            "find_partner_of_event",
            transaction_id=event.data.get("transaction_id"),
            interchange_id=event.data.get("interchange_id"),
        )
        assert row is not None
        return None if row["partner_id"] is None else PartnerId(row["partner_id"])

    async def claim(self, request: ClaimRequest) -> Sequence[OutboxEntry]:
        rows = await self._sql.fetch_all(
            "claim_webhooks",
            now=to_us(request.now),
            until=to_us(request.lease_until),
            owner=request.owner,
            most=request.most,
        )
        return sorted(map(read_entry, rows), key=lambda entry: entry.id)

    async def leave_order(self, entry: OutboxEntry) -> None:
        await self._sql.execute("leave_order", entry_id=entry.id)
        if entry.new.order_key is not None:
            await self._sql.execute(
                "let_following_be_first",
                account_id=entry.account_id,
                environment=entry.new.environment,
                order_key=entry.new.order_key,
                entry_id=entry.id,
            )

    async def insert(self, new: NewWebhook, key_for: KeyForRow, now: datetime) -> WebhookId:
        row_id, wrapped_key = await next_row(self._sql, "webhook_endpoints", key_for)
        await self._sql.execute(
            "insert_webhook_endpoint",
            id=row_id,
            account_id=new.account_id,
            environment=new.environment,
            position=new.position,
            now=to_us(now),
            wrapped_key=wrapped_key,
            secrets=new.secrets,
            **_terms(new.terms),
        )
        return WebhookId(row_id)

    async def change(self, endpoint_id: WebhookId, terms: WebhookTerms, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "change_webhook_endpoint", endpoint_id=endpoint_id, now=to_us(now), **_terms(terms)
        )
        return row is not None

    async def change_secrets(self, changed: StoredWebhook, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "change_webhook_secrets",
            endpoint_id=changed.endpoint.id,
            now=to_us(now),
            sealed_version=changed.sealed_version,
            expected_version=changed.sealed_version - 1,
            wrapped_key=changed.wrapped_key,
            secrets=changed.secrets,
        )
        return row is not None

    async def disable(self, endpoint_id: WebhookId, reason: str, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "disable_webhook_endpoint",
            endpoint_id=endpoint_id,
            status=WebhookStatus.DISABLED,
            reason=reason,
            now=to_us(now),
        )
        return row is not None

    async def enable(self, endpoint_id: WebhookId, position: EventId, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "enable_webhook_endpoint",
            endpoint_id=endpoint_id,
            status=WebhookStatus.ACTIVE,
            state=BreakerState.CLOSED,
            position=position,
            now=to_us(now),
        )
        return row is not None

    async def delete(self, endpoint_id: WebhookId, now: datetime) -> bool:
        row = await self._sql.fetch_one(
            "delete_webhook_endpoint",
            endpoint_id=endpoint_id,
            status=WebhookStatus.DELETED,
            now=to_us(now),
        )
        return row is not None

    async def move(self, endpoint: WebhookEndpoint, to: EventId) -> bool:
        row = await self._sql.fetch_one(
            "move_webhook_position",
            endpoint_id=endpoint.id,
            start_position=endpoint.position,
            position=to,
        )
        return row is not None

    async def draw_replay(self, endpoint_id: WebhookId) -> int:
        row = await self._sql.fetch_one("draw_webhook_replay", endpoint_id=endpoint_id)
        assert row is not None
        number: int = row["replays"]
        return number

    async def set_breaker(self, endpoint: WebhookEndpoint, to: CircuitBreaker) -> bool:
        start = endpoint.breaker
        row = await self._sql.fetch_one(
            "set_webhook_breaker",
            endpoint_id=endpoint.id,
            start=start.state,
            start_probe_at=to_us(start.probe_at) or 0,
            state=to.state,
            opened_at=to_us(to.opened_at),
            probe_at=to_us(to.probe_at),
        )
        return row is not None

    async def record_success(self, endpoint_id: WebhookId, now: datetime) -> None:
        await self._sql.execute("record_webhook_success", endpoint_id=endpoint_id, now=to_us(now))

    async def record_failure(self, endpoint_id: WebhookId, now: datetime) -> None:
        await self._sql.execute("record_webhook_failure", endpoint_id=endpoint_id, now=to_us(now))

    async def insert_delivery(self, new: NewWebhookDelivery, now: datetime) -> WebhookDeliveryId:
        row = await self._sql.fetch_one(
            "insert_webhook_delivery",
            account_id=new.endpoint.account_id,
            environment=new.endpoint.environment,
            endpoint_id=new.endpoint.id,
            outbox_id=new.outbox_id,
            event_position=new.event.id,
            event_type=new.event.type,
            replay=new.replay,
            message_id=message_id_of(new.event.id, new.replay),
            now=to_us(now),
        )
        assert row is not None
        return WebhookDeliveryId(row["id"])

    async def begin_attempt(
        self, entry: OutboxEntry, delivery: WebhookDelivery, now: datetime
    ) -> AttemptId | None:
        row = await self._sql.fetch_one(
            "insert_webhook_attempt",
            account_id=entry.account_id,
            environment=entry.new.environment,
            outbox_id=entry.id,
            endpoint_id=delivery.endpoint_id,
            attempt=entry.attempt,
            message_id=delivery.message_id,
            now=to_us(now),
            wrapped_key=b"",
        )
        return None if row is None else AttemptId(row["id"])

    async def make_due(
        self, endpoint_id: WebhookId, at: datetime, unchanged_since: datetime
    ) -> int:
        rows = await self._sql.fetch_all(
            "make_webhook_entries_due",
            endpoint_id=endpoint_id,
            at=to_us(at),
            unchanged_since=to_us(unchanged_since),
        )
        return len(rows)

    async def delete_delivery(self, delivery_id: WebhookDeliveryId, outbox_id: OutboxId) -> None:
        await self._sql.execute("delete_webhook_attempts", outbox_id=outbox_id)
        await self._sql.execute("delete_webhook_delivery", delivery_id=delivery_id)
        await self._sql.execute("delete_webhook_entry", outbox_id=outbox_id)


def _terms(terms: WebhookTerms) -> Mapping[str, SqlValue]:
    return {
        "url": terms.url,
        "description": terms.description,
        "events": json.dumps(terms.events),
        "of_partners": json.dumps(terms.partner_ids),
    }


def _ref(row: Row) -> EndpointRef:
    scope = Scope(
        account_id=AccountId(row["account_id"]), environment=Environment(row["environment"])
    )
    return EndpointRef(id=WebhookId(row["id"]), scope=scope)


def _stored(row: Row) -> StoredWebhook:
    terms = WebhookTerms(
        url=row["url"],
        description=row["description"],
        events=tuple(map(EventType, json.loads(row["events"]))),
        partner_ids=tuple(map(PartnerId, json.loads(row["partner_ids"]))),
    )
    endpoint = WebhookEndpoint(
        id=WebhookId(row["id"]),
        account_id=AccountId(row["account_id"]),
        environment=Environment(row["environment"]),
        terms=terms,
        status=WebhookStatus(row["status"]),
        disabled_reason=DisabledReason(row["disabled_reason"]) if row["disabled_reason"] else None,
        position=EventId(row["position"]),
        created_at=from_us(row["created_at"]),
        last_success_at=from_us(row["last_success_at"]),
        last_failure_at=from_us(row["last_failure_at"]),
        failing_since=from_us(row["failing_since"]),
        breaker=CircuitBreaker(
            state=BreakerState(row["breaker"]),
            opened_at=from_us(row["opened_at"]),
            probe_at=from_us(row["probe_at"]),
        ),
    )
    return StoredWebhook(
        endpoint=endpoint,
        sealed_version=row["sealed_version"],
        wrapped_key=row["wrapped_key"],
        secrets=row["secrets"],
    )


def _delivery(row: Row) -> WebhookDelivery:
    return WebhookDelivery(
        id=WebhookDeliveryId(row["id"]),
        account_id=AccountId(row["account_id"]),
        environment=Environment(row["environment"]),
        endpoint_id=WebhookId(row["endpoint_id"]),
        outbox_id=OutboxId(row["outbox_id"]),
        event_id=EventId(row["event_position"]),
        event_type=EventType(row["event_type"]),
        replay=row["replay"],
        message_id=row["message_id"],
        created_at=from_us(row["created_at"]),
    )


def _progress(row: Row) -> DeliveryProgress:
    return DeliveryProgress(
        delivery=_delivery(row),
        state=OutboxState(row["state"]),
        due_at=from_us(row["due_at"]),
    )
