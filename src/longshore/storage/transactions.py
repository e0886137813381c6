"""The store of transactions, over named queries."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from longshore.domain.pages import ALL
from longshore.domain.partners.model import Direction, Identity, PartnerId
from longshore.domain.ports import AccountId, KeyForRow
from longshore.domain.transactions.lists import DEFAULT_SORT
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    NewTransaction,
    ProcessingStatus,
    SetFacts,
    Source,
    States,
    Transaction,
    TransactionId,
    ValidationStatus,
)
from longshore.domain.transactions.states import Axis, AxisStatus
from longshore.domain.transactions.store import (
    Links,
    PageRequest,
    SealedFacts,
    SealedTransaction,
    TransactionQuery,
    TransactionRow,
)
from longshore.kit.environment import Environment
from longshore.storage.queries import Row, Sql, SqlValue
from longshore.storage.sealed_rows import next_row
from longshore.storage.times import from_us, keyset_values, to_us
from longshore.storage.transaction_lists import choose_plan, fits, order_of
from longshore.storage.usage import StoredAmounts
from longshore.storage.word_lists import as_words


class SqlTransactionStore:
    """Transactions as the scope of one unit shows them."""

    def __init__(self, sql: Sql, stored: StoredAmounts) -> None:
        self._sql = sql
        self._stored = stored

    async def find(self, transaction_id: TransactionId) -> SealedTransaction | None:
        row = await self._sql.fetch_one("find_transaction", transaction_id=transaction_id)
        return None if row is None else _transaction(row)

    async def list(self, query: TransactionQuery, page: PageRequest) -> Sequence[SealedTransaction]:
        place = {"limit": page.limit, "offset": page.offset}
        if page.sort == DEFAULT_SORT:
            plan = await choose_plan(self._sql, query)
            values = keyset_values(page.behind, plan.values)
            rows = await self._sql.fetch_all(plan.page, **values, **place)
        else:
            rows = await self._sql.fetch_all(
                "list_sorted_transactions", **fits(query), **place, **order_of(page)
            )
        return [_transaction(row) for row in rows]

    async def count(self, query: TransactionQuery, most: int = ALL) -> int:
        plan = await choose_plan(self._sql, query)
        row = await self._sql.fetch_one(plan.count, **plan.values, most=most)
        assert row is not None
        return int(row["total"])

    async def list_of_interchange(
        self, interchange_id: InterchangeId
    ) -> Sequence[SealedTransaction]:
        rows = await self._sql.fetch_all(
            "list_transactions_of_interchange", interchange_id=interchange_id
        )
        return [_transaction(row) for row in rows]

    async def list_ids(self, interchange_id: InterchangeId) -> Sequence[TransactionId]:
        rows = await self._sql.fetch_all("list_transaction_ids", interchange_id=interchange_id)
        return [TransactionId(row["id"]) for row in rows]

    async def list_duplicates(
        self, environment: Environment, partner_id: PartnerId, digest: bytes, since: datetime
    ) -> Sequence[TransactionId]:
        rows = await self._sql.fetch_all(
            "list_duplicate_transactions",
            environment=environment,
            partner_id=partner_id,
            digest=digest,
            since=to_us(since),
        )
        return [TransactionId(row["id"]) for row in rows]

    async def insert(
        self, account_id: AccountId, new: TransactionRow, key_for: KeyForRow, now: datetime
    ) -> TransactionId:
        row_id, wrapped_key = await next_row(self._sql, "transactions", key_for)
        await self._sql.execute(
            "insert_transaction",
            id=row_id,
            account_id=account_id,
            group_id=new.group_id,
            digest=new.digest,
            facts=new.facts,
            wrapped_key=wrapped_key,
            now=to_us(now),
            **_record_values(new.record),
            **_set_values(new.record.facts),
        )
        self._stored.add(account_id, 0)
        transaction_id = TransactionId(row_id)
        await self._link_documents(transaction_id, new.record.doc_id, None)
        return transaction_id

    async def set_facts(
        self, transaction_id: TransactionId, new: SealedFacts, now: datetime
    ) -> bool:
        row = await self._sql.fetch_one(
            "set_transaction_facts",
            transaction_id=transaction_id,
            sealed_version=new.version,
            wrapped_key=new.wrapped_key,
            facts=new.facts,
            now=to_us(now),
        )
        return row is not None

    async def add_references(
        self,
        owner: tuple[AccountId, Environment],
        transaction_id: TransactionId,
        digests: Collection[bytes],
    ) -> None:
        rows: list[Mapping[str, SqlValue]] = [
            {
                "account_id": owner[0],
                "environment": owner[1],
                "transaction_id": transaction_id,
                "digest": digest,
            }
            for digest in digests
        ]
        if rows:
            await self._sql.execute_for_each("insert_reference", rows)

    async def step(
        self,
        transaction_id: TransactionId,
        axis: Axis,
        start: AxisStatus,
        to: AxisStatus,
        now: datetime,
    ) -> bool:
        values: Mapping[str, SqlValue] = {
            "transaction_id": transaction_id,
            "start": start,
            "status": to,
            "now": to_us(now),
        }
        if axis is Axis.PROCESSING:
            row = await self._sql.fetch_one("step_processing", **values)
        elif axis is Axis.VALIDATION:
            row = await self._sql.fetch_one("step_validation", **values)
        elif axis is Axis.DELIVERY:
            row = await self._sql.fetch_one("step_delivery", **values)
        else:
            row = await self._sql.fetch_one("step_ack", **values)
        return row is not None

    async def step_deliveries(
        self,
        interchange_id: InterchangeId,
        start: DeliveryStatus | tuple[DeliveryStatus, ...],
        to: DeliveryStatus,
        now: datetime,
    ) -> Sequence[TransactionId]:
        rows = await self._sql.fetch_all(
            "step_deliveries",
            interchange_id=interchange_id,
            starts=as_words(start if isinstance(start, tuple) else (start,)),
            status=to,
            now=to_us(now),
        )
        return [TransactionId(row["id"]) for row in rows]

    async def list_related(self, interchange_id: InterchangeId) -> Sequence[TransactionId]:
        rows = await self._sql.fetch_all("list_related", interchange_id=interchange_id)
        return [TransactionId(row["id"]) for row in rows]

    async def list_made_of(self, transaction_id: TransactionId) -> Sequence[TransactionId]:
        rows = await self._sql.fetch_all("list_made_of", transaction_id=transaction_id)
        return [TransactionId(row["id"]) for row in rows]

    async def hold_interchange(self, interchange_id: InterchangeId) -> None:
        await self._sql.fetch_one("take_turn", key=f"interchange {interchange_id}")

    async def lock_chain(self, root: TransactionId) -> None:
        await self._sql.fetch_one("take_turn", key=f"resend chain {root}")

    async def count_attempt(self, interchange_id: InterchangeId, now: datetime) -> None:
        await self._sql.execute("count_attempt", interchange_id=interchange_id, now=to_us(now))

    async def link(self, transaction_id: TransactionId, links: Links, now: datetime) -> None:
        await self._sql.execute(
            "link_transaction",
            transaction_id=transaction_id,
            partner_id=links.partner_id,
            doc_id=links.doc_id,
            output_doc_id=links.output_doc_id,
            duplicate_of=links.duplicate_of,
            now=to_us(now),
        )
        await self._link_documents(transaction_id, links.doc_id, links.output_doc_id)

    async def _link_documents(
        self, transaction_id: TransactionId, doc_id: int | None, output_doc_id: int | None
    ) -> None:
        if doc_id is not None or output_doc_id is not None:
            await self._sql.execute(
                "link_documents",
                transaction_id=transaction_id,
                doc_id=doc_id,
                output_doc_id=output_doc_id,
            )


def _record_values(new: NewTransaction) -> Mapping[str, SqlValue]:
    return {
        "environment": new.environment,
        "interchange_id": new.interchange_id,
        "partner_id": new.partner_id,
        "direction": new.direction,
        "processing_status": new.states.processing,
        "validation_status": new.states.validation,
        "delivery_status": new.states.delivery,
        "ack_status": new.states.ack,
        "source": new.source,
        "doc_id": new.doc_id,
        "parent_id": new.parent_id,
        "duplicate_of": new.duplicate_of,
    }


def _set_values(facts: SetFacts) -> Mapping[str, SqlValue]:
    return {
        "tx_set": facts.tx_set,
        "format": facts.format,
        "version": facts.version,
        "functional_group": facts.functional_group,
        "isa_control_number": facts.isa_control_number,
        "gs_control_number": facts.gs_control_number,
        "st_control_number": facts.st_control_number,
        "sender_qualifier": facts.sender.qualifier,
        "sender_id": facts.sender.isa_id,
        "receiver_qualifier": facts.receiver.qualifier,
        "receiver_id": facts.receiver.isa_id,
        "usage_indicator": facts.usage_indicator,
        "segment_count": facts.segment_count,
        "file_size": facts.file_size,
    }


def _transaction(row: Row) -> SealedTransaction:
    record = NewTransaction(
        environment=Environment(row["environment"]),
        partner_id=None if row["partner_id"] is None else PartnerId(row["partner_id"]),
        direction=Direction(row["direction"]),
        facts=_set_facts(row),
        states=States(
            ProcessingStatus(row["processing_status"]),
            ValidationStatus(row["validation_status"]),
            DeliveryStatus(row["delivery_status"]),
            AckStatus(row["ack_status"]),
        ),
        source=Source(row["source"]),
        interchange_id=None
        if row["interchange_id"] is None
        else InterchangeId(row["interchange_id"]),
        doc_id=row["doc_id"],
        parent_id=None if row["parent_id"] is None else TransactionId(row["parent_id"]),
        duplicate_of=None if row["duplicate_of"] is None else TransactionId(row["duplicate_of"]),
    )
    transaction = Transaction(
        id=TransactionId(row["id"]),
        account_id=AccountId(row["account_id"]),
        record=record,
        partner_name=row["partner_name"],
        attempts=row["attempts"],
        created_at=from_us(row["created_at"]),
        updated_at=from_us(row["updated_at"]),
    )
    sealed = SealedFacts(
        version=row["sealed_version"], wrapped_key=row["wrapped_key"], facts=row["facts"]
    )
    return SealedTransaction(
        transaction=transaction,
        group_id=row["group_id"],
        output_doc_id=row["output_doc_id"],
        sealed=sealed,
    )


def _set_facts(row: Row) -> SetFacts:
    return SetFacts(
        tx_set=row["tx_set"],
        format=row["format"],
        version=row["version"],
        functional_group=row["functional_group"],
        isa_control_number=row["isa_control_number"],
        gs_control_number=row["gs_control_number"],
        st_control_number=row["st_control_number"],
        sender=Identity(qualifier=row["sender_qualifier"], isa_id=row["sender_id"]),
        receiver=Identity(qualifier=row["receiver_qualifier"], isa_id=row["receiver_id"]),
        usage_indicator=row["usage_indicator"],
        segment_count=row["segment_count"],
        file_size=row["file_size"],
    )
