"""The store of transactions, over named queries."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from re import fullmatch
from typing import Final

from longshore.domain.partners.model import Direction, Identity, PartnerId
from longshore.domain.ports import AccountId
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
from longshore.domain.transactions.query import DEFAULT_SORT, SortField
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
from longshore.storage.sealed_rows import NO_KEY
from longshore.storage.times import from_us, to_us
from longshore.storage.words import as_words

_BEYOND: Final = 2**62  # every time and every id
_LARGEST_ID: Final = 2**63 - 1


class SqlTransactionStore:
    """Transactions as the scope of one unit shows them."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    async def find(self, transaction_id: TransactionId) -> SealedTransaction | None:
        row = await self._sql.fetch_one("find_transaction", transaction_id=transaction_id)
        return None if row is None else _transaction(row)

    async def list(self, query: TransactionQuery, page: PageRequest) -> Sequence[SealedTransaction]:
        fits, place = _fits(query), {"limit": page.limit, "offset": page.offset}
        if page.sort == DEFAULT_SORT:
            behind = page.behind
            rows = await self._sql.fetch_all(
                "list_transactions",
                before_at=_BEYOND if behind is None else to_us(behind.moment),
                before_id=_BEYOND if behind is None else behind.id,
                **fits,
                **place,
            )
        else:
            rows = await self._sql.fetch_all(
                "list_sorted_transactions", **fits, **place, **_order(page)
            )
        return [_transaction(row) for row in rows]

    async def count(self, query: TransactionQuery) -> int:
        row = await self._sql.fetch_one("count_transactions", **_fits(query))
        assert row is not None
        return int(row[0])

    async def list_of_interchange(
        self, interchange_id: InterchangeId
    ) -> Sequence[SealedTransaction]:
        rows = await self._sql.fetch_all(
            "list_transactions_of_interchange", interchange_id=interchange_id
        )
        return [_transaction(row) for row in rows]

    async def list_ids(self, interchange_id: InterchangeId) -> Sequence[TransactionId]:
        rows = await self._sql.fetch_all("list_transaction_ids", interchange_id=interchange_id)
        return [TransactionId(row[0]) for row in rows]

    async def list_twins(
        self, environment: Environment, partner_id: PartnerId, digest: bytes, since: datetime
    ) -> Sequence[TransactionId]:
        rows = await self._sql.fetch_all(
            "list_twin_transactions",
            environment=environment,
            partner_id=partner_id,
            digest=digest,
            since=to_us(since),
        )
        return [TransactionId(number) for (number,) in rows]

    async def insert(
        self, account_id: AccountId, new: TransactionRow, now: datetime
    ) -> TransactionId:
        row = await self._sql.fetch_one(
            "insert_transaction",
            account_id=account_id,
            group_id=new.group_id,
            digest=new.digest,
            facts=new.facts,
            wrapped_key=NO_KEY,
            now=to_us(now),
            **_record_values(new.record),
            **_set_values(new.record.facts),
        )
        assert row is not None
        return TransactionId(row[0])

    async def set_key(self, transaction_id: TransactionId, wrapped_key: bytes) -> None:
        await self._sql.execute(
            "set_transaction_key", transaction_id=transaction_id, wrapped_key=wrapped_key
        )

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
        for digest in digests:
            await self._sql.execute(
                "insert_reference",
                account_id=owner[0],
                environment=owner[1],
                transaction_id=transaction_id,
                digest=digest,
            )

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
        start: DeliveryStatus,
        to: DeliveryStatus,
        now: datetime,
    ) -> Sequence[TransactionId]:
        rows = await self._sql.fetch_all(
            "step_deliveries",
            interchange_id=interchange_id,
            start=start,
            status=to,
            now=to_us(now),
        )
        return [TransactionId(number) for (number,) in rows]

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


def _order(page: PageRequest) -> Mapping[str, SqlValue]:
    """Return the order, and behind which row of it the page begins."""
    sign = -1 if page.sort.is_descending else 1
    behind, behind_id = -_BEYOND, -_BEYOND
    if page.behind is not None:
        is_by_id = page.sort.field is SortField.ID
        behind_id = sign * page.behind.id
        behind = behind_id if is_by_id else sign * to_us(page.behind.moment)
    return {"sort": page.sort.field, "sign": sign, "behind": behind, "behind_id": behind_id}


def _fits(query: TransactionQuery) -> Mapping[str, SqlValue]:
    """Return the values of the filters, as lists and the count take them."""
    filters = query.filters
    environments = {
        None: None,
        True: Environment.SANDBOX,
        False: Environment.PRODUCTION,
    }
    return {
        "environment": environments[filters.is_test],
        "directions": as_words(filters.direction),
        "tx_sets": as_words(filters.tx_set),
        "partner_ids": as_words(filters.partner_id),
        "processing": as_words(filters.processing_status),
        "validation": as_words(filters.validation_status),
        "delivery": as_words(filters.delivery_status),
        "ack": as_words(filters.ack_status),
        "statuses": as_words(filters.status),
        "control_number": filters.control_number or None,
        "by_key": int(bool(filters.business_key)),
        "key_test": query.business_key.test,
        "key_live": query.business_key.live,
        "q": filters.q or None,
        "q_id": _as_id(filters.q),
        "q_prefix": filters.q.casefold(),
        "q_test": query.q.test,
        "q_live": query.q.live,
        "since": -_BEYOND if filters.since is None else to_us(filters.since),
        "before": _BEYOND if filters.before is None else to_us(filters.before),
    }


def _as_id(text: str) -> int | None:
    if fullmatch(r"[0-9]{1,19}", text) is None or int(text) > _LARGEST_ID:
        return None
    return int(text)


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
        environment=Environment(row[2]),
        partner_id=None if row[3] is None else PartnerId(row[3]),
        direction=Direction(row[5]),
        facts=_set_facts(row),
        states=States(
            ProcessingStatus(row[7]),
            ValidationStatus(row[8]),
            DeliveryStatus(row[9]),
            AckStatus(row[10]),
        ),
        source=Source(row[24]),
        interchange_id=None if row[25] is None else InterchangeId(row[25]),
        doc_id=row[27],
        parent_id=None if row[29] is None else TransactionId(row[29]),
        duplicate_of=None if row[30] is None else TransactionId(row[30]),
    )
    transaction = Transaction(
        id=TransactionId(row[0]),
        account_id=AccountId(row[1]),
        record=record,
        partner_name=row[4],
        attempts=row[31],
        created_at=from_us(row[32]),
        updated_at=from_us(row[33]),
    )
    sealed = SealedFacts(version=row[34], wrapped_key=row[35], facts=row[36])
    return SealedTransaction(
        transaction=transaction, group_id=row[26], output_doc_id=row[28], sealed=sealed
    )


def _set_facts(row: Row) -> SetFacts:
    return SetFacts(
        tx_set=row[6],
        format=row[11],
        version=row[12],
        functional_group=row[13],
        isa_control_number=row[14],
        gs_control_number=row[15],
        st_control_number=row[16],
        sender=Identity(qualifier=row[17], isa_id=row[18]),
        receiver=Identity(qualifier=row[19], isa_id=row[20]),
        usage_indicator=row[21],
        segment_count=row[22],
        file_size=row[23],
    )
