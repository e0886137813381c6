"""Transactions as they are read: the record, the list, the timeline, the bytes."""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.encryption import answer_ack
from longshore.domain.acks.model import AckId, AckRowStatus
from longshore.domain.audit.writer import open_detail
from longshore.domain.delivery.encryption import AttemptFailure, sealed_result
from longshore.domain.delivery.model import AttemptResult, DeliveryAttempt, Lease, OutboxState
from longshore.domain.delivery.outcome import AttemptOutcome
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.ports import RequestContext, Scope
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.errors import (
    InvalidQueryError,
    NothingStoredError,
    TransactionNotFoundError,
)
from longshore.domain.transactions.lists import KEY_BYTES, SORTS, TransactionFilters
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    NewTransaction,
    Reference,
    TransactionId,
    TransactionStatus,
)
from longshore.domain.transactions.service import TransactionService
from longshore.domain.transactions.store import Links
from longshore.domain.transactions.timeline import (
    Delivery,
    ListRequest,
    TimelineEntry,
    TimelineKind,
    TransactionContent,
)
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.vault.model import VaultDocumentId
from longshore.storage.blind_index import CURSORS, derived_key
from longshore.storage.errors import StorageUnavailableError
from longshore.storage.master_key import MasterKey
from tests.support.clock import START, StoppedClock
from tests.support.database import CountedUnits, Database
from tests.support.ports import some_ports
from tests.support.tracking import CONTENT, OWN, Shipping, context, states
from tests.support.trading import (
    LIVE,
    PRODUCTION,
    RECEIVING,
    SANDBOX,
    a_partner,
    a_record,
    read,
    set_facts,
    write,
)
from tests.support.vault import a_document, a_sealer, a_vault, an_index

ME, FOREIGN, LIVE_ME = context(), context(account=2), context(PRODUCTION)
PENDING, DELIVERED = states(DeliveryStatus.PENDING), states(DeliveryStatus.DELIVERED)
SENDING = states(DeliveryStatus.SENDING)
ANY = TransactionFilters()
MINUTE = timedelta(minutes=1)
BAD_IDS = [0, -1, 2, 2**63]


@pytest.fixture
async def shipping(database: Database, accounts: AccountService) -> Shipping:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return Shipping(database, await a_partner(database))


@pytest.fixture
def service(database: Database, units: CountedUnits, clock: StoppedClock) -> TransactionService:
    return TransactionService(some_ports(database, clock, units=units))


async def ids_of(
    service: TransactionService, by: RequestContext, filters: TransactionFilters = ANY
) -> list[int]:
    """Return the ids of a first page."""
    page = await service.page(by, filters, ListRequest(limit=50))
    return [each.transaction.id for each in page.transactions]


async def audited(database: Database) -> list[tuple[str, str, str]]:
    """Return who did what to what, oldest first."""

    async def work(unit: ReadUnit) -> list[tuple[str, str, str]]:
        entries = [each.entry for each in await unit.audit.list_after(OWN, 0, 100)]
        assert all(open_detail(a_sealer(), each) == "" for each in entries)
        assert {(each.ip, each.request_id) for each in entries} <= {("192.0.2.7", "req_1")}
        return [(each.actor, each.action, each.object) for each in entries]

    return await read(database, LIVE, work)


# ---- one record ----------------------------------------------------------------------------------


async def test_a_record_is_read_with_what_is_sealed(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(PENDING)
    found = await service.get(ME, 1)
    record = found.transaction.record
    assert (record.business_key, found.transaction.partner_name) == ("PO-1", "Northwind Retail")
    assert record.facts.references == (Reference("BEG.03", "Purchase order number", "PO-1"),)
    assert (found.status, found.output_doc_id) == (TransactionStatus.QUEUED, None)


Call = Callable[[TransactionService, RequestContext, int], Coroutine[object, None, object]]
READS: list[Call] = [
    TransactionService.get,
    TransactionService.timeline,
    TransactionService.deliveries,
    TransactionService.content,
    TransactionService.output,
]


@pytest.mark.parametrize("call", READS)
@pytest.mark.parametrize("number", BAD_IDS)
async def test_what_is_not_there_is_not_found(
    shipping: Shipping, service: TransactionService, call: Call, number: int
) -> None:
    await shipping.interchange(PENDING)
    with pytest.raises(TransactionNotFoundError, match="no such transaction, or it is not yours"):
        await call(service, ME, number)
    assert await audited(shipping.database) == []


@pytest.mark.parametrize("call", READS)
@pytest.mark.parametrize("stranger", [FOREIGN, context(PRODUCTION, 2), context(SANDBOX)])
async def test_a_neighbour_and_the_sandbox_do_not_find_a_live_record(
    shipping: Shipping, service: TransactionService, call: Call, stranger: RequestContext
) -> None:
    await shipping.interchange(PENDING, environment=PRODUCTION)
    with pytest.raises(TransactionNotFoundError):
        await call(service, stranger, 1)
    assert (await service.get(LIVE_ME, 1)).transaction.id == 1


# ---- the list ------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", SORTS)
async def test_cursors_lead_through_a_list_in_every_order(
    shipping: Shipping, service: TransactionService, word: str
) -> None:
    await shipping.interchange(*[PENDING] * 5)
    seen, request = [], ListRequest(limit=2, sort=SORTS[word])
    while True:
        page = await service.page(ME, ANY, request)
        assert page.total.count == 5
        seen += [each.transaction.id for each in page.transactions]
        assert page.has_more == (len(seen) < 5)
        if page.next_cursor is None:
            break
        request = replace(request, cursor=page.next_cursor)
    assert seen == ([5, 4, 3, 2, 1] if word.startswith("-") else [1, 2, 3, 4, 5])


async def test_a_page_that_ends_the_list_has_no_cursor(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(*[PENDING] * 2)
    page = await service.page(ME, ANY, ListRequest(limit=1, offset=1))
    assert [each.transaction.id for each in page.transactions] == [1]
    assert (page.total.count, page.has_more, page.next_cursor) == (2, False, None)


@pytest.mark.parametrize(
    ("by", "filters", "change"),
    [
        (FOREIGN, ANY, {}),
        (LIVE_ME, ANY, {}),
        (ME, TransactionFilters(q="PO-1"), {}),
        (ME, ANY, {"sort": SORTS["id"]}),
        (ME, ANY, {"offset": 1}),
    ],
)
async def test_a_cursor_leads_nowhere_but_through_its_own_list(
    shipping: Shipping,
    service: TransactionService,
    by: RequestContext,
    filters: TransactionFilters,
    change: dict[str, Any],
) -> None:
    await shipping.interchange(*[PENDING] * 2)
    cursor = (await service.page(ME, ANY, ListRequest(limit=1))).next_cursor
    assert cursor is not None
    request = replace(ListRequest(limit=1, cursor=cursor), **change)
    with pytest.raises(InvalidQueryError) as refusal:
        await service.page(by, filters, request)
    assert [each.param for each in refusal.value.details] == ["cursor"]


def test_cursors_are_signed_with_a_key_that_each_installation_has_for_itself() -> None:
    one, other = MasterKey(secret=bytes(32)), MasterKey(secret=b"\x01" * 32)
    keys = {derived_key(each, CURSORS) for each in (one, other)}
    assert len(keys | {one.secret, other.secret}) == 4
    assert {len(each) for each in keys} == {KEY_BYTES}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"business_key": "PO-1"}, [1]),
        ({"business_key": "PO-2"}, [2]),
        ({"business_key": "po-1"}, []),
        ({"q": "PO-2"}, [2]),
        ({"q": "1"}, [1]),
        ({"q": "NORTH"}, [2, 1]),
        ({"is_test": True}, [1]),
        ({"is_test": False}, [2]),
        ({}, [2, 1]),
    ],
)
async def test_production_finds_what_is_sealed_in_both_environments(
    shipping: Shipping, service: TransactionService, filters: dict[str, Any], expected: list[int]
) -> None:
    await shipping.interchange(PENDING)
    await shipping.interchange(PENDING, environment=PRODUCTION)
    assert await ids_of(service, LIVE_ME, TransactionFilters(**filters)) == expected


@pytest.mark.parametrize(
    ("filters", "expected"),
    [({"business_key": "PO-2"}, []), ({"q": "PO-2"}, []), ({"is_test": False}, []), ({}, [1])],
)
async def test_the_sandbox_lists_its_own_records_alone(
    shipping: Shipping, service: TransactionService, filters: dict[str, Any], expected: list[int]
) -> None:
    await shipping.interchange(PENDING)
    await shipping.interchange(PENDING, environment=PRODUCTION)
    assert await ids_of(service, ME, TransactionFilters(**filters)) == expected
    page = await service.page(ME, TransactionFilters(**filters), ListRequest(limit=50))
    assert page.total.count == len(expected)


async def test_a_neighbour_finds_nothing_by_a_number_of_ours(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(PENDING)
    assert await ids_of(service, FOREIGN, TransactionFilters(business_key="PO-1")) == []
    assert await ids_of(service, FOREIGN) == []


# ---- deliveries and timeline ---------------------------------------------------------------------


async def attempted(
    shipping: Shipping, result: AttemptResult | None, failure: AttemptFailure | None = None
) -> None:
    """Claim what is due and note an attempt."""
    (entry,) = [each for each in await shipping.entries() if each.lease_owner]
    scope = Scope(account_id=OWN, environment=SANDBOX)
    lease = Lease(id=entry.id, attempt=entry.attempt)

    async def work(unit: WriteUnit) -> None:
        number = await unit.outbox.begin_attempt(entry, "m-1@longshore", START + MINUTE)
        assert number is not None
        if result is not None:
            place = ((OWN, SANDBOX), number)
            sealed = sealed_result(a_sealer(), place, result, failure)
            assert await unit.outbox.end_attempt(lease, sealed)

    await write(shipping.database, scope, work)


FAILED = AttemptResult(
    finished_at=START + 2 * MINUTE,
    outcome=AttemptOutcome.FAILED,
    http_status=503,
    error_code="http_503",
    next_attempt_at=START + 3 * MINUTE,
)


QUEUED = NewEvent(
    type=EventType.TRANSACTION_QUEUED,
    data={"transaction_id": 1, "status": "queued"},
    transaction_id=1,
    actor="key 3",
    message="Sent to Northwind.",
)


def plain(attempt: DeliveryAttempt) -> tuple[object, ...]:
    result = attempt.result
    known = result and (result.outcome, result.http_status, result.error_code)
    return attempt.attempt, attempt.message_id, attempt.started_at, known


async def test_deliveries_are_told_with_their_errors(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(SENDING, SENDING)
    failure = AttemptFailure(message="The destination answered with status 503.", answer="SECRET")
    await attempted(shipping, FAILED, failure)
    (delivery,) = await service.deliveries(ME, 2)
    assert plain(delivery.attempt) == (
        1,
        "m-1@longshore",
        START + MINUTE,
        (AttemptOutcome.FAILED, 503, "http_503"),
    )
    assert delivery.message == "The destination answered with status 503."


async def test_a_delivery_that_runs_has_no_result(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(SENDING)
    await attempted(shipping, None)
    (delivery,) = await service.deliveries(ME, 1)
    assert delivery == Delivery(attempt=delivery.attempt, message="")
    assert delivery.attempt.result is None


async def test_attempts_are_counted_on_when_a_dead_letter_is_sent_again(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(SENDING)
    await attempted(shipping, FAILED)
    (entry,) = await shipping.entries()

    async def again(unit: WriteUnit) -> None:
        lease = Lease(id=entry.id, attempt=entry.attempt)
        await unit.outbox.finish(lease, OutboxState.DEAD, START)
        await unit.outbox.insert(OWN, entry.new, START + MINUTE)

    await write(shipping.database, LIVE, again)
    await shipping.claim(START + MINUTE)
    await attempted(shipping, None)
    assert [each.attempt.attempt for each in await service.deliveries(ME, 1)] == [1, 2]
    timeline = [each.attempt for each in await service.timeline(ME, 1) if each.attempt]
    assert timeline == [1, 2]


async def test_what_was_received_has_no_deliveries(
    database: Database, shipping: Shipping, service: TransactionService
) -> None:
    await an_unreadable_record(database)
    assert await service.deliveries(ME, 1) == ()
    assert shipping.partner_id == 1


async def test_a_timeline_joins_events_attempts_and_acknowledgements(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(SENDING)
    await attempted(shipping, FAILED, AttemptFailure(message="Status 503."))
    await answered(shipping.database, AckId(1))

    async def work(unit: WriteUnit) -> None:
        await EventWriter(unit, a_sealer(), (OWN, SANDBOX)).record([QUEUED], START)

    await write(shipping.database, LIVE, work)
    assert await service.timeline(ME, 1) == (
        TimelineEntry(at=START, kind=TimelineKind.CREATED),
        TimelineEntry(
            at=START,
            kind=TimelineKind.QUEUED,
            status="queued",
            message="Sent to Northwind.",
            actor="key 3",
            event_id=1,
        ),
        TimelineEntry(
            at=START + MINUTE,
            kind=TimelineKind.ATTEMPT,
            status="failed",
            message="Status 503.",
            attempt=1,
        ),
        TimelineEntry(at=START + 4 * MINUTE, kind=TimelineKind.ACK, status="rejected", ack_id=1),
    )


async def answered(database: Database, ack_id: AckId) -> None:
    async def work(unit: WriteUnit) -> bool:
        stored = await unit.acks.find(ack_id)
        assert stored is not None
        row = replace(
            stored.ack.row,
            status=AckRowStatus.RECEIVED,
            result=AckStatus.REJECTED,
            received_at=START + 4 * MINUTE,
        )
        return await answer_ack(unit, a_sealer(), stored, row, START + 4 * MINUTE)

    assert await write(database, LIVE, work)


# ---- bytes ---------------------------------------------------------------------------------------


UNREADABLE = a_record(set_facts(tx_set=""), states=RECEIVING)


async def an_unreadable_record(
    database: Database, record: NewTransaction = UNREADABLE
) -> TransactionId:

    async def work(unit: WriteUnit) -> TransactionId:
        return await TransactionWriter(unit, a_sealer(), an_index(), OWN).insert(record, START)

    return await write(database, LIVE, work)


@pytest.mark.parametrize("content", [CONTENT, b"\xff" * 300_000])
async def test_the_content_is_the_whole_interchange_and_is_audited(
    shipping: Shipping, service: TransactionService, content: bytes
) -> None:
    await shipping.interchange(PENDING, PENDING, content=content)
    expected = TransactionContent(content=content, filename="interchange-1.edi")
    assert await service.content(ME, 2) == expected
    assert await audited(shipping.database) == [("user 5", "transaction.read", "transaction 2")]


async def test_no_content_leaves_where_the_audit_log_cannot_be_written(
    shipping: Shipping,
    service: TransactionService,
    units: CountedUnits,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await shipping.interchange(PENDING)

    async def full(_scope: object, _work: object) -> None:
        raise StorageUnavailableError("The disk is full.", retry_after_seconds=5)

    monkeypatch.setattr(units, "write", full)
    with pytest.raises(StorageUnavailableError):
        await service.content(ME, 1)


async def test_the_content_of_what_was_in_no_interchange_is_its_document(
    database: Database, clock: StoppedClock, shipping: Shipping, service: TransactionService
) -> None:
    vault = a_vault(database, clock)
    stored = await vault.store(LIVE_ME.scope, None, [a_document("ST*850*0001~")])
    record = replace(UNREADABLE, environment=PRODUCTION, doc_id=stored.output_ids[0])
    number = await an_unreadable_record(database, record)
    expected = TransactionContent(content=b"ST*850*0001~", filename="850-1a2b3c4d.edi")
    assert await service.content(LIVE_ME, number) == expected
    assert shipping.partner_id == 1


async def test_a_record_without_content_says_so(
    database: Database, shipping: Shipping, service: TransactionService
) -> None:
    await an_unreadable_record(database)
    with pytest.raises(NothingStoredError, match=r"^The content of this transaction is not stored"):
        await service.content(ME, 1)
    assert await audited(shipping.database) == []


async def mapped(database: Database, clock: StoppedClock) -> VaultDocumentId:
    """Give transaction 1 an output."""
    stored = await a_vault(database, clock).store(ME.scope, None, [a_document('{"po":"PO-1"}')])
    links = Links(output_doc_id=stored.output_ids[0])

    async def work(unit: WriteUnit) -> None:
        await unit.transactions.link(TransactionId(1), links, START)

    await write(database, LIVE, work)
    return stored.output_ids[0]


async def test_an_output_is_given_out_and_audited(
    database: Database, clock: StoppedClock, shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(DELIVERED)
    await mapped(database, clock)
    output = await service.output(ME, 1)
    assert (output.content, output.document.fmt) == ('{"po":"PO-1"}', "x12")
    assert (await service.get(ME, 1)).output_doc_id == 1
    assert await audited(database) == [("user 5", "document.read", "document 1")]


async def test_an_output_that_is_not_kept_any_more_is_not_found(
    database: Database, clock: StoppedClock, shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(DELIVERED)
    document_id = await mapped(database, clock)

    async def remove(unit: WriteUnit) -> bool:
        return await unit.vault.delete(document_id)

    assert await database.units.write(LIVE, remove)
    with pytest.raises(NothingStoredError, match=r"^No output of a map is stored"):
        await service.output(ME, 1)
    assert await audited(database) == []


async def test_without_a_map_there_is_no_output(
    shipping: Shipping, service: TransactionService
) -> None:
    await shipping.interchange(DELIVERED)
    with pytest.raises(NothingStoredError, match=r"^No output of a map is stored"):
        await service.output(ME, 1)
