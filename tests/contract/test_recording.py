"""Transactions, receipts, interchanges and acknowledgements: stored sealed, opened as given."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.encryption import answer_ack, open_ack, store_ack
from longshore.domain.acks.model import AckError, AckErrorLevel, AckId, AckRowStatus, NewAck
from longshore.domain.acks.store import StoredAck
from longshore.domain.interchanges.encryption import (
    OpenedContent,
    SealedParts,
    open_interchange,
    open_receipt,
    seal_content,
    store_interchange,
    store_receipt,
)
from longshore.domain.interchanges.store import ReceiptId, SealedContent, StoredReceipt
from longshore.domain.ports import AccountId, SealBrokenError
from longshore.domain.transactions.encryption import (
    TransactionWriter,
    open_transaction,
    reference_digest,
)
from longshore.domain.transactions.lists import TransactionFilters
from longshore.domain.transactions.model import (
    AckStatus,
    InterchangeId,
    LastError,
    NewTransaction,
    Reference,
    Transaction,
    TransactionId,
)
from longshore.domain.transactions.store import (
    PageRequest,
    SealedTransaction,
    SearchDigests,
    TransactionQuery,
)
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.clock import START
from tests.support.complaints import INVALID_CODE
from tests.support.database import Database, Engine
from tests.support.trading import (
    SANDBOX,
    TEST,
    a_receipt,
    a_record,
    an_ack,
    an_interchange,
    read,
    set_facts,
    write,
)
from tests.support.vault import a_sealer, an_index

OWN = AccountId(1)
SEALER, INDEX = a_sealer(), an_index()
MINUTE = timedelta(minutes=1)
PAGE = PageRequest(limit=50)
ORDER = Reference("BEG.03", "Purchase order number", "PO-12345")
RELEASE = Reference("BEG.04", "Release number", "é\udcff")  # a byte that is no UTF-8
FAULT = LastError(code="http_503", message="The destination is away.", at=START)
CONTENT = b"ISA*00*\xff~"
COMPLAINT = replace(INVALID_CODE, segment_position=8, our_offset=611)


@pytest.fixture(autouse=True)
async def one_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


async def insert(database: Database, record: NewTransaction) -> TransactionId:
    async def work(unit: WriteUnit) -> TransactionId:
        writer = TransactionWriter(unit, SEALER, INDEX, OWN)
        return await writer.insert(record, START, digest=b"set" * 8)

    return await write(database, TEST, work)


async def stored(database: Database) -> SealedTransaction:
    async def work(unit: ReadUnit) -> SealedTransaction | None:
        return await unit.transactions.find(TransactionId(1))

    found = await read(database, TEST, work)
    assert found is not None
    return found


async def opened(database: Database) -> Transaction:
    return open_transaction(SEALER, await stored(database))


async def ids_by(database: Database, value: str) -> list[int]:
    """Return the transactions that are found by a reference."""
    digests = SearchDigests(test=reference_digest(INDEX, (OWN, SANDBOX), value))
    filters = TransactionFilters(business_key=value)

    async def work(unit: ReadUnit) -> list[int]:
        query = TransactionQuery(filters=filters, business_key=digests)
        return [each.transaction.id for each in await unit.transactions.list(query, PAGE)]

    return await read(database, TEST, work)


async def test_a_transaction_is_opened_as_it_was_given(database: Database) -> None:
    record = a_record(
        set_facts(references=(ORDER, RELEASE)),
        business_key="MINE-1",
        metadata={"simulate": "reject:5"},
        last_error=FAULT,
    )
    await insert(database, record)
    assert (await opened(database)).record == record


async def test_without_a_business_key_the_first_reference_is_that(database: Database) -> None:
    await insert(database, a_record(set_facts(references=(ORDER, RELEASE))))
    assert (await opened(database)).record.business_key == "PO-12345"


async def test_a_transaction_without_references_has_no_business_key(database: Database) -> None:
    await insert(database, a_record())
    assert (await opened(database)).record == a_record()


@pytest.mark.parametrize("value", ["MINE-1", "PO-12345", "é\udcff"])
async def test_a_transaction_is_found_by_each_of_its_numbers(
    database: Database, value: str
) -> None:
    facts = set_facts(references=(ORDER, RELEASE, ORDER))
    await insert(database, a_record(facts, business_key="MINE-1"))
    assert await ids_by(database, value) == [1]
    assert await ids_by(database, value + "x") == []


async def test_nothing_of_a_document_lies_in_the_open(engine: Engine, database: Database) -> None:
    secret = [f"SECRET-{number}" for number in range(4)]
    facts = set_facts(references=(Reference("BEG.03", "Number", secret[0]),))
    error = replace(FAULT, message=secret[3])
    record = a_record(facts, business_key=secret[1], metadata={"k": secret[2]}, last_error=error)
    await insert(database, record)
    assert b"SECRET" not in await engine.dump()


@pytest.mark.parametrize("error", [FAULT, None])
async def test_the_last_error_is_exchanged_and_all_else_is_kept(
    database: Database, error: LastError | None
) -> None:
    given = a_record(
        set_facts(references=(ORDER,)), last_error=replace(FAULT, code="connection_refused")
    )
    await insert(database, given)
    before = await stored(database)

    async def work(unit: WriteUnit) -> bool:
        writer = TransactionWriter(unit, SEALER, INDEX, OWN)
        return await writer.set_last_error(before, error, START + MINUTE)

    assert await write(database, TEST, work)
    after = await opened(database)
    assert after.record == replace(given, business_key="PO-12345", last_error=error)
    assert after.updated_at == START + MINUTE


async def test_a_last_error_is_not_set_over_one_that_is_not_known(database: Database) -> None:
    await insert(database, a_record())
    before = await stored(database)

    async def work(unit: WriteUnit) -> tuple[bool, bool]:
        writer = TransactionWriter(unit, SEALER, INDEX, OWN)
        first = await writer.set_last_error(before, FAULT, START)
        return first, await writer.set_last_error(before, None, START)

    assert await write(database, TEST, work) == (True, False)
    assert (await opened(database)).record.last_error == FAULT


# ---- receipts and interchanges -------------------------------------------------------------------

FACTS = {"filename": "in.edi", "content_type": "application/edi-x12"}
OPENED = OpenedContent(
    content=CONTENT,
    facts=FACTS,
    sha256="0b0d74d7776dda39311dd1ff2ac713f8c52b2fbd40b1f379706a9696abdc86ff",
)


async def a_stored_receipt(
    database: Database, parts: SealedParts
) -> tuple[StoredReceipt, SealedContent]:
    async def work(unit: WriteUnit) -> ReceiptId:
        return await store_receipt(unit, SEALER, OWN, a_receipt(), parts, START)

    receipt_id = await write(database, TEST, work)

    async def find(unit: ReadUnit) -> tuple[StoredReceipt, SealedContent] | None:
        return await unit.receipts.find(receipt_id)

    found = await read(database, TEST, find)
    assert found is not None
    return found


async def test_a_receipt_is_opened_as_it_came(database: Database) -> None:
    found = await a_stored_receipt(database, seal_content(SEALER, CONTENT, FACTS))
    assert open_receipt(SEALER, *found) == OPENED
    assert FACTS == {"filename": "in.edi", "content_type": "application/edi-x12"}


async def test_an_interchange_is_opened_as_it_was_stored(database: Database) -> None:
    parts = seal_content(SEALER, CONTENT, {})

    async def work(unit: WriteUnit) -> InterchangeId:
        return await store_interchange(unit, SEALER, OWN, an_interchange(), parts, START)

    number = await write(database, TEST, work)

    async def find(unit: ReadUnit) -> OpenedContent:
        found = await unit.interchanges.find(number)
        assert found is not None
        return open_interchange(SEALER, *found)

    assert await read(database, TEST, find) == replace(OPENED, facts={})


def swapped(sealed: SealedContent) -> SealedContent:
    return replace(sealed, facts=sealed.content, content=sealed.facts)


def cut(sealed: SealedContent) -> SealedContent:
    return replace(sealed, content=sealed.content[:-1])


@pytest.mark.parametrize("change", [swapped, cut])
async def test_bytes_that_were_changed_at_rest_are_not_given_out(
    database: Database, change: Callable[[SealedContent], SealedContent]
) -> None:
    receipt, sealed = await a_stored_receipt(database, seal_content(SEALER, CONTENT, FACTS))
    with pytest.raises(SealBrokenError):
        open_receipt(SEALER, receipt, change(sealed))


@pytest.mark.parametrize("text", [b"[]", b"7", b'{"filename":""}', b"{", b'{"sha256":"00"}'])
async def test_facts_that_are_none_are_a_broken_seal(database: Database, text: bytes) -> None:
    parts = seal_content(SEALER, CONTENT, {})
    facts = SEALER.seal(parts.key, text)
    parts = replace(parts, content=replace(parts.content, facts=facts))
    found = await a_stored_receipt(database, parts)
    with pytest.raises(SealBrokenError):
        open_receipt(SEALER, *found)


async def test_the_bytes_of_one_receipt_open_in_no_other(database: Database) -> None:
    one, _ = await a_stored_receipt(database, seal_content(SEALER, CONTENT, {}))
    _, other = await a_stored_receipt(database, seal_content(SEALER, CONTENT, {}))
    with pytest.raises(SealBrokenError):
        open_receipt(SEALER, one, other)


# ---- acknowledgements ----------------------------------------------------------------------------


def received(*errors: AckError) -> NewAck:
    ack = an_ack(status=AckRowStatus.RECEIVED, result=AckStatus.REJECTED, digest=b"d" * 32)
    return replace(ack, facts=replace(ack.facts, errors=errors))


async def stored_ack(database: Database, new: NewAck) -> StoredAck:
    async def work(unit: WriteUnit) -> AckId:
        return await store_ack(unit, SEALER, OWN, new, START)

    return await found_ack(database, await write(database, TEST, work))


async def found_ack(database: Database, number: AckId) -> StoredAck:
    async def find(unit: ReadUnit) -> StoredAck | None:
        return await unit.acks.find(number)

    found = await read(database, TEST, find)
    assert found is not None
    return found


async def test_an_acknowledgement_is_opened_with_its_errors(
    engine: Engine, database: Database
) -> None:
    new = received(COMPLAINT, replace(COMPLAINT, level=AckErrorLevel.SEGMENT, bad_value="SECRET"))
    sealed = await stored_ack(database, new)
    assert sealed.ack.row.facts.errors == ()
    assert open_ack(SEALER, sealed).row == new
    assert b"SECRET" not in await engine.dump()


async def test_a_pending_row_becomes_what_is_answered(database: Database) -> None:
    pending = await stored_ack(database, an_ack())

    async def work(unit: WriteUnit) -> bool:
        return await answer_ack(unit, SEALER, pending, received(COMPLAINT), START + MINUTE)

    assert await write(database, TEST, work)
    after = open_ack(SEALER, await found_ack(database, pending.ack.id))
    assert (after.row, after.updated_at) == (received(COMPLAINT), START + MINUTE)


async def test_an_answer_to_a_row_that_was_changed_is_not_kept(database: Database) -> None:
    pending = await stored_ack(database, an_ack())

    async def work(unit: WriteUnit) -> tuple[bool, bool]:
        first = await answer_ack(unit, SEALER, pending, received(COMPLAINT), START)
        return first, await answer_ack(unit, SEALER, pending, received(), START)

    assert await write(database, TEST, work) == (True, False)
    after = open_ack(SEALER, await found_ack(database, pending.ack.id))
    assert after.row.facts.errors == (COMPLAINT,)
