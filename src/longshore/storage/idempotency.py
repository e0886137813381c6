"""The store of requests that are carried out once, over named queries."""

from datetime import datetime

from longshore.domain.idempotency.store import NewKey, StoredRequest, StoredRequestId
from longshore.storage.queries import Sql
from longshore.storage.times import from_us, to_us


class SqlIdempotencyStore:
    """Kept requests as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, key: NewKey) -> StoredRequest | None:
        row = await self._sql.fetch_one(
            "find_kept_request",
            environment=key.environment,
            purpose=key.purpose,
            key_digest=key.key_digest,
        )
        if row is None:
            return None
        return StoredRequest(
            id=StoredRequestId(row["id"]),
            request_digest=row["request_digest"],
            status=row["status"],
            subject_id=row["subject_id"],
            created_at=from_us(row["created_at"]),
            wrapped_key=row["wrapped_key"],
            answer=row["answer"],
        )

    async def claim(
        self, key: NewKey, now: datetime, forgotten_before: datetime
    ) -> StoredRequestId | None:
        await self._sql.execute(
            "forget_key",
            account_id=key.account_id,
            environment=key.environment,
            purpose=key.purpose,
            key_digest=key.key_digest,
            before=to_us(forgotten_before),
        )
        row = await self._sql.fetch_one(
            "claim_key",
            account_id=key.account_id,
            environment=key.environment,
            purpose=key.purpose,
            key_digest=key.key_digest,
            request_digest=key.request_digest,
            created_at=to_us(now),
            wrapped_key=b"",
        )
        return None if row is None else StoredRequestId(row["id"])

    async def finish(
        self, request_id: StoredRequestId, status: int, subject_id: int | None
    ) -> None:
        await self._sql.execute(
            "finish_request", request_id=request_id, http_status=status, subject_id=subject_id
        )

    async def set_answer(
        self, request_id: StoredRequestId, wrapped_key: bytes, answer: bytes
    ) -> None:
        await self._sql.execute(
            "set_request_answer", request_id=request_id, wrapped_key=wrapped_key, answer=answer
        )

    async def delete_older(self, before: datetime, most: int) -> int:
        rows = await self._sql.fetch_all("list_forgettable_keys", before=to_us(before), most=most)
        for request_id in (row["id"] for row in rows):
            await self._sql.execute("delete_key", request_id=request_id)
        return len(rows)
