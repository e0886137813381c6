"""The store of acknowledgements, over named queries."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from longshore.domain.acks.complaints import complaints_of
from longshore.domain.acks.matching import SentGroup, SentInterchange
from longshore.domain.acks.model import Ack, AckFacts, AckForm, AckId, AckRowStatus, GroupId, NewAck
from longshore.domain.acks.store import AckQuery, SealedErrors, StoredAck
from longshore.domain.pages import ALL
from longshore.domain.partners.model import Direction, Pair, PartnerId
from longshore.domain.ports import AccountId, KeyForRow
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.domain.transactions.store import SealedFacts
from longshore.kit.environment import Environment
from longshore.storage.ack_lists import (
    by_environment,
    filters_of,
    is_of_status,
    is_plain,
    is_rejecting,
    span_of,
    status_of,
)
from longshore.storage.interchanges import number_of, pair_values
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.sealed_rows import next_row
from longshore.storage.sent_sets import Answers, sent_group, sent_sets
from longshore.storage.times import from_us, keyset_values, to_us
from longshore.storage.word_lists import as_words


class SqlAckStore:
    """Acknowledgements as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, ack_id: AckId) -> StoredAck | None:
        row = await self._sql.fetch_one("find_ack", ack_id=ack_id)
        return None if row is None else _stored(row)

    async def list(
        self,
        query: AckQuery,
        limit: int,
        offset: int = 0,
        behind: tuple[datetime, AckId] | None = None,
    ) -> Sequence[StoredAck]:
        if query.is_test is None and is_of_status(query):
            found = [
                each
                for of_one in by_environment(query)
                for each in await self.list(of_one, offset + limit, 0, behind)
            ]
            return sorted(found, key=_age, reverse=True)[offset : offset + limit]
        values = {"limit": limit, "offset": offset, **keyset_values(behind, filters_of(query))}
        if is_rejecting(query):
            rows = await self._sql.fetch_all("list_rejected_acks", **values)
        elif is_of_status(query):
            rows = await self._sql.fetch_all("list_acks_of_status", **values, **status_of(query))
        else:
            rows = await self._sql.fetch_all("list_acks", **values)
        return [_stored(row) for row in rows]

    async def count(self, query: AckQuery, most: int = ALL) -> int:
        if query.is_test is None and is_of_status(query):
            counts = [await self.count(of_one, most) for of_one in by_environment(query)]
            return min(sum(counts), most)
        values = {**filters_of(query), "most": most}
        if is_rejecting(query):
            row = await self._sql.fetch_one("count_rejected_acks", **values)
        elif is_plain(query):
            row = await self._sql.fetch_one(
                "count_group_acks_of_status", **span_of(query), **status_of(query), most=most
            )
        elif is_of_status(query):
            row = await self._sql.fetch_one("count_acks_of_status", **values, **status_of(query))
        else:
            row = await self._sql.fetch_one("count_acks", **values)
        assert row is not None
        return int(row["total"])

    async def complaints_of(
        self, transaction_ids: Sequence[TransactionId]
    ) -> Mapping[TransactionId, Sequence[str]]:
        if not transaction_ids:
            return {}
        ids = "".join(f"{each:019}" for each in transaction_ids)
        rows = await self._sql.fetch_all("list_complaints", transaction_ids=ids)
        in_order = sorted(rows, key=lambda row: int(row["id"]))
        return {TransactionId(row["transaction_id"]): row["complaints"].split() for row in in_order}

    async def list_of_transaction(self, transaction_id: TransactionId) -> Sequence[StoredAck]:
        rows = await self._sql.fetch_all("list_acks_of_transaction", transaction_id=transaction_id)
        return [_stored(row) for row in rows]

    async def list_of_interchange(self, interchange_id: InterchangeId) -> Sequence[StoredAck]:
        rows = await self._sql.fetch_all("list_acks_of_interchange", interchange_id=interchange_id)
        return [_stored(row) for row in rows]

    async def list_sent_groups(
        self, environment: Environment, pair: Pair, gs_control_number: str
    ) -> Sequence[SentGroup]:
        rows = await self._sql.fetch_all(
            "list_sent_groups",
            environment=environment,
            gs_number=number_of(gs_control_number),
            **pair_values(pair),
        )
        return [await self._group(pair, row) for row in rows]

    async def list_sent_interchanges(
        self, environment: Environment, pair: Pair, isa_control_number: str
    ) -> Sequence[SentInterchange]:
        rows = await self._sql.fetch_all(
            "list_sent_interchanges",
            environment=environment,
            isa_number=number_of(isa_control_number),
            **pair_values(pair),
        )
        return [await self._interchange(pair, row) for row in rows]

    async def list_sent_by_reference(
        self, environment: Environment, pair: Pair, tx_set: str, digest: bytes
    ) -> Sequence[SentGroup]:
        rows = await self._sql.fetch_all(
            "list_sent_by_reference",
            environment=environment,
            tx_set=tx_set,
            digest=digest,
            **pair_values(pair),
        )
        return [await self._group_of_one(pair, row) for row in rows]

    async def list_overdue(self, now: datetime, most: int) -> Sequence[StoredAck]:
        rows = await self._sql.fetch_all("list_overdue_acks", now=to_us(now), most=most)
        return [_stored(row) for row in rows]

    async def list_own_answers(self, interchange_id: InterchangeId) -> Sequence[InterchangeId]:
        rows = await self._sql.fetch_all("list_own_answers", interchange_id=interchange_id)
        return [InterchangeId(row["interchange_id"]) for row in rows]

    async def insert(
        self,
        account_id: AccountId,
        new: NewAck,
        facts: bytes,
        key_for: KeyForRow,
        now: datetime,
    ) -> AckId:
        row_id, wrapped_key = await next_row(self._sql, "acks", key_for)
        await self._sql.execute(
            "insert_ack",
            id=row_id,
            account_id=account_id,
            environment=new.environment,
            now=to_us(now),
            digests=new.digest or b"",
            facts=facts,
            wrapped_key=wrapped_key,
            **_row_values(new),
            **_fact_values(new.facts),
        )
        return AckId(row_id)

    async def answer(
        self,
        ack_id: AckId,
        expected_version: int,
        new: NewAck,
        sealed: SealedErrors,
        now: datetime,
    ) -> bool:
        before = await self._sql.fetch_one("find_ack_digests", ack_id=ack_id)
        if before is None:
            return False
        row = await self._sql.fetch_one(
            "answer_ack",
            ack_id=ack_id,
            expected_version=expected_version,
            now=to_us(now),
            digests=before["digests"] + (new.digest or b""),
            sealed_version=sealed.version,
            wrapped_key=sealed.wrapped_key,
            facts=sealed.facts,
            **_row_values(new),
            **_fact_values(new.facts),
        )
        return row is not None

    async def expect(
        self,
        ack_id: AckId,
        sent_at: datetime | None,
        expected_by: datetime | None,
        now: datetime,
    ) -> bool:
        row = await self._sql.fetch_one(
            "expect_ack",
            ack_id=ack_id,
            sent_at=to_us(sent_at),
            expected_by=to_us(expected_by),
            now=to_us(now),
        )
        return row is not None

    async def mark_overdue(self, ack_id: AckId, now: datetime) -> bool:
        row = await self._sql.fetch_one("mark_ack_overdue", ack_id=ack_id, now=to_us(now))
        return row is not None

    async def finish_ours(self, ack_id: AckId, to: AckRowStatus, at: datetime) -> bool:
        row = await self._sql.fetch_one(
            "finish_own_ack",
            ack_id=ack_id,
            status=to,
            sent_at=to_us(at) if to is AckRowStatus.SENT else None,
            now=to_us(at),
        )
        return row is not None

    async def _group(self, pair: Pair, row: Row) -> SentGroup:
        interchange_id = InterchangeId(row["interchange_id"])
        found = await self._sql.fetch_all("list_sent_sets", interchange_id=interchange_id)
        sets = [each for each in found if each["group_id"] == row["id"]]
        answers = await self._answers(interchange_id)
        return sent_group(pair, row, row["id"], sets, answers)

    async def _group_of_one(self, pair: Pair, row: Row) -> SentGroup:
        of = {"interchange_id": row["interchange_id"], "transaction_id": row["id"]}
        found = await self._sql.fetch_all("list_answers_of_set", **of)
        return sent_group(pair, row, row["group_id"], [row], Answers(found))

    async def _interchange(self, pair: Pair, row: Row) -> SentInterchange:
        interchange_id, sent_at = InterchangeId(row["id"]), from_us(row["sent_at"])
        sets = await self._sql.fetch_all("list_sent_sets", interchange_id=interchange_id)
        answers = await self._answers(interchange_id)
        return SentInterchange(
            interchange_id=interchange_id,
            pair=pair,
            control_number=row["isa_control_number"],
            date=row["isa_date"],
            time=row["isa_time"],
            sent_at=sent_at,
            sets=sent_sets(sets, sent_at, answers),
            answers=answers.to_interchange(),
        )

    async def _answers(self, interchange_id: InterchangeId) -> Answers:
        return Answers(await self._sql.fetch_all("list_answers", interchange_id=interchange_id))


def _age(ack: StoredAck) -> tuple[datetime, AckId]:
    return ack.ack.created_at, ack.ack.id


def _row_values(new: NewAck) -> Mapping[str, SqlValue]:
    return {
        "direction": new.direction,
        "status": new.status,
        "result": new.result,
        "overdue": int(new.is_overdue),
        "matched": int(new.is_matched),
        "weak_match": int(new.is_weak_match),
        "ambiguous": int(new.is_ambiguous),
        "conflict": int(new.is_conflict),
        "transaction_id": new.transaction_id,
        "partner_id": new.partner_id,
        "interchange_id": new.interchange_id,
        "acked_interchange_id": new.acked_interchange_id,
        "acked_group_id": new.acked_group_id,
        "doc_id": new.doc_id,
        "expected_by": to_us(new.expected_by),
        "received_at": to_us(new.received_at),
        "sent_at": to_us(new.sent_at),
    }


def _fact_values(facts: AckFacts) -> Mapping[str, SqlValue]:
    return {
        "ack_type": facts.ack_type,
        "tx_set": facts.tx_set,
        "functional_group": facts.functional_group,
        "isa_control_number": facts.isa_control_number,
        "acked_gs_control_number": facts.acked_gs_control_number,
        "acked_st_control_number": facts.acked_st_control_number,
        "group_code": facts.group_code,
        "group_error_codes": json.dumps(facts.group_error_codes),
        "transaction_code": facts.transaction_code,
        "transaction_error_codes": json.dumps(facts.transaction_error_codes),
        "complaints": as_words(each.word for each in complaints_of(facts)) or "",
        "sets_included": facts.sets_included,
        "sets_received": facts.sets_received,
        "sets_accepted": facts.sets_accepted,
    }


def _stored(row: Row) -> StoredAck:
    ack = Ack(
        id=AckId(row["id"]),
        account_id=AccountId(row["account_id"]),
        row=_row(row),
        partner_name=row["partner_name"],
        created_at=from_us(row["created_at"]),
        updated_at=from_us(row["updated_at"]),
    )
    sealed = SealedErrors(
        version=row["sealed_version"], wrapped_key=row["wrapped_key"], facts=row["facts"]
    )
    return StoredAck(ack=ack, version=row["version"], sealed=sealed, about=_about(row))


def _about(row: Row) -> SealedFacts | None:
    """Return what is sealed of the transaction; None: it names none."""
    if row["transaction_sealed_version"] is None:
        return None
    return SealedFacts(
        version=row["transaction_sealed_version"],
        wrapped_key=row["transaction_wrapped_key"],
        facts=row["transaction_facts"],
    )


def _row(row: Row) -> NewAck:
    return NewAck(
        environment=Environment(row["environment"]),
        direction=Direction(row["direction"]),
        status=AckRowStatus(row["status"]),
        facts=_facts(row),
        result=row["result"] and AckStatus(row["result"]),
        is_overdue=bool(row["overdue"]),
        is_matched=bool(row["matched"]),
        is_weak_match=bool(row["weak_match"]),
        is_ambiguous=bool(row["ambiguous"]),
        is_conflict=bool(row["conflict"]),
        transaction_id=row["transaction_id"] and TransactionId(row["transaction_id"]),
        partner_id=row["partner_id"] and PartnerId(row["partner_id"]),
        interchange_id=row["interchange_id"] and InterchangeId(row["interchange_id"]),
        acked_interchange_id=row["acked_interchange_id"]
        and InterchangeId(row["acked_interchange_id"]),
        acked_group_id=row["acked_group_id"] and GroupId(row["acked_group_id"]),
        digest=Answers.last(row["digests"]),
        expected_by=from_us(row["expected_by"]),
        received_at=from_us(row["received_at"]),
        sent_at=from_us(row["sent_at"]),
        doc_id=row["doc_id"],
    )


def _facts(row: Row) -> AckFacts:
    return AckFacts(
        ack_type=AckForm(row["ack_type"]),
        tx_set=row["tx_set"],
        functional_group=row["functional_group"],
        isa_control_number=row["isa_control_number"],
        acked_gs_control_number=row["acked_gs_control_number"],
        acked_st_control_number=row["acked_st_control_number"],
        group_code=row["group_code"],
        group_error_codes=tuple(json.loads(row["group_error_codes"])),
        transaction_code=row["transaction_code"],
        transaction_error_codes=tuple(json.loads(row["transaction_error_codes"])),
        sets_included=row["sets_included"],
        sets_received=row["sets_received"],
        sets_accepted=row["sets_accepted"],
    )
