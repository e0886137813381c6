"""The figures of the overview and what needs attention, on both engines."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.encryption import answer_ack, open_ack, store_ack
from longshore.domain.acks.model import AckError, AckRowStatus, NewAck
from longshore.domain.acks.store import AckQuery
from longshore.domain.control_numbers.numbers import CounterKey, NumberKind, NumberRange
from longshore.domain.control_numbers.store import NumberRequest
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.overview.model import DayLatency, DayVolume, Stats, Totals
from longshore.domain.overview.service import OverviewService
from longshore.domain.overview.store import Group
from longshore.domain.partners.model import ConnectionStatus, Direction, PartnerId, PartnerStatus
from longshore.domain.ports import AccountId, RequestContext, Scope
from longshore.domain.transactions.lists import TransactionFilters
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    States,
    TransactionId,
    TransactionStatus,
    ValidationStatus,
)
from longshore.domain.transactions.store import PageRequest, TransactionQuery
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.complaints import INVALID_CODE
from tests.support.database import Database
from tests.support.interchanges import a_received_interchange
from tests.support.trading import (
    FOREIGN_LIVE,
    LIVE,
    PRODUCTION,
    RECEIVING,
    SANDBOX,
    SENDING,
    a_record,
    an_ack,
    partner_facts,
    set_facts,
    stored_transaction,
    write,
)
from tests.support.vault import a_sealer

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
TIMES = "\N{MULTIPLICATION SIGN}"
DELIVERED = SENDING._replace(delivery=DeliveryStatus.DELIVERED, ack=AckStatus.ACCEPTED)
FAILED = SENDING._replace(delivery=DeliveryStatus.FAILED)
INVALID = RECEIVING._replace(processing=ProcessingStatus.DONE, validation=ValidationStatus.INVALID)


async def a_transaction(
    database: Database,
    states: States,
    at: datetime = START,
    given: Scope = LIVE,
    tx_set: str = "850",
    **members: object,
) -> None:
    record = a_record(set_facts(tx_set=tx_set), states=states, **members)
    await stored_transaction(database, record, given, at)


async def stored_ack(database: Database, new: NewAck, at: datetime, given: Scope = LIVE) -> None:
    async def insert(unit: WriteUnit) -> None:
        assert given.account_id is not None
        await store_ack(unit, a_sealer(), given.account_id, new, at)

    await write(database, given, insert)


def answered(seconds: int, result: AckStatus, *errors: AckError) -> NewAck:
    """Return an answer that came so many seconds after START, to what was sent then."""
    ack = an_ack(
        status=AckRowStatus.RECEIVED,
        result=result,
        partner_id=PartnerId(1),
        sent_at=START,
        received_at=START + seconds * SECOND,
    )
    return replace(ack, facts=replace(ack.facts, errors=errors))


async def a_failing_partner(
    database: Database, given: Scope, name: str = "Northwind Retail"
) -> None:
    """Store a partner of the account whose test connection fails, and whose numbers run out."""
    account_id = given.account_id
    assert account_id is not None
    facts = partner_facts(name=name, settings='{"control_max": 10}')
    key = CounterKey(NumberKind.ISA, "ZZ", "ACMECORP", "01", "123456789")
    request = NumberRequest(key=key, numbers=NumberRange(most=10), count=10, skip_since=START)

    async def insert(unit: WriteUnit) -> None:
        number = await unit.partners.insert(account_id, facts, PartnerStatus.TESTING, START)
        assert number is not None
        await unit.partners.set_connection_status(number, SANDBOX, ConnectionStatus.FAILING)
        await unit.control_numbers.draw((account_id, SANDBOX), request, START)

    await write(database, given, insert)


@pytest.fixture(autouse=True)
async def traded(accounts: AccountService, database: Database) -> None:
    """Account 1 with traffic of both environments in the sandbox's place; 2 has the same."""
    for number, given in ((1, LIVE), (2, FOREIGN_LIVE)):
        await accounts.create(f"account {number}", AccountType.ENTERPRISE)
        await a_failing_partner(database, given)
        own = {"partner_id": PartnerId(number), "given": given}
        await a_transaction(database, DELIVERED, **own)  # type: ignore[arg-type]  # each as its own
        await a_transaction(database, FAILED, START - DAY, **own)  # type: ignore[arg-type]  # as above
        inbound = {**own, "direction": Direction.INBOUND, "tx_set": "810"}
        await a_transaction(database, INVALID, START - DAY, **inbound)  # type: ignore[arg-type]  # as above
        await a_transaction(database, DELIVERED, START - 40 * DAY, **own)  # type: ignore[arg-type]  # as above
        await a_received_interchange(database, AccountId(number), sets=0)
    await a_transaction(database, FAILED, environment=PRODUCTION, partner_id=PartnerId(1))
    rows = [answered(each, AckStatus.ACCEPTED) for each in (1, 61, 7_261)]
    rows.append(answered(40_000, AckStatus.REJECTED, INVALID_CODE))
    owed = an_ack(sent_at=START - 31 * HOUR, expected_by=START - HOUR, is_overdue=True)
    for row in (*rows, owed):
        await stored_ack(database, row, START)


@pytest.fixture
def service(database: Database, clock: StoppedClock) -> OverviewService:
    return OverviewService(database.units, clock)


def context(account: int = 1, environment: Environment = SANDBOX) -> RequestContext:
    return RequestContext(account_id=AccountId(account), environment=environment, actor="user 1")


async def two_days(service: OverviewService, who: RequestContext) -> Stats:
    return await service.stats(who, date(2026, 1, 14), date(2026, 1, 15))


async def test_transactions_count_on_the_day_they_were_stored(service: OverviewService) -> None:
    stats = await two_days(service, context())
    yesterday, today = stats.period.days
    assert (stats.totals, stats.previous) == (Totals(count=3, failed=2), Totals(count=0, failed=0))
    assert stats.volume == (
        DayVolume(day=yesterday, tx_set="810", count=1),
        DayVolume(day=yesterday, tx_set="850", count=1),
        DayVolume(day=today, tx_set="850", count=1),
    )
    assert [(each.failed, each.count) for each in stats.failures] == [(2, 2), (0, 1)]


async def test_the_days_before_are_compared_with(service: OverviewService) -> None:
    stats = await service.stats(context(), None, None)
    assert (stats.totals.count, stats.previous) == (3, Totals(count=1, failed=0))


async def test_acknowledgements_count_by_how_long_they_took(service: OverviewService) -> None:
    stats = await two_days(service, context())
    yesterday, today = stats.period.days
    assert stats.latencies == (
        DayLatency(day=yesterday, p50_s=None, p95_s=None),
        DayLatency(day=today, p50_s=61, p95_s=7_260),
    )
    assert (stats.pending_acks, stats.oldest_unacked_seconds) == (1, 31 * 3600)


async def test_what_partners_complained_of_is_counted(service: OverviewService) -> None:
    (reason,) = (await two_days(service, context())).rejections
    assert (reason.error, reason.meaning, reason.count) == ("7@PO1.06", "Invalid code value", 1)


async def test_what_answers_nothing_that_was_sent_is_no_rejection(
    service: OverviewService, database: Database
) -> None:
    stray = replace(answered(50_000, AckStatus.REJECTED, INVALID_CODE), is_matched=False)
    before = await service.attention(context())
    await stored_ack(database, stray, START)
    assert [each.count for each in (await two_days(service, context())).rejections] == [1]
    assert await service.attention(context()) == before


async def test_sets_that_are_not_among_the_most_frequent_count_as_one(database: Database) -> None:
    await a_transaction(database, DELIVERED, tx_set="997", partner_id=PartnerId(1))

    async def read(unit: ReadUnit) -> Sequence[DayVolume]:
        return await unit.overview.volumes(SANDBOX, midnight - DAY, midnight + DAY, 1)

    midnight = START.replace(hour=0, minute=0, second=0, microsecond=0)
    volumes = await database.units.read(LIVE, read)
    assert [(each.day.day, each.tx_set, each.count) for each in volumes] == [
        (14, "850", 1),
        (14, "other", 1),
        (15, "850", 1),
        (15, "other", 1),
    ]


async def test_no_more_groups_are_read_than_asked_for(database: Database) -> None:
    rejected = answered(50_000, AckStatus.REJECTED)
    owed = an_ack(expected_by=START, is_overdue=True)
    for row in (rejected, rejected, replace(owed, facts=replace(owed.facts, tx_set="810"))):
        await stored_ack(database, row, START)
    await a_transaction(database, FAILED)
    await a_transaction(database, INVALID, direction=Direction.INBOUND, tx_set="855")
    await a_failing_partner(database, LIVE, "Another")

    async def read(unit: ReadUnit) -> list[Sequence[Group]]:
        store, since = unit.overview, START - DAY
        return [
            await store.rejections(SANDBOX, since, START + DAY, 1),
            await store.overdue(SANDBOX, 1),
            await store.undelivered(SANDBOX, 1),
            await store.invalid_received(SANDBOX, since, 1),
            await store.failing_partners(SANDBOX, 1),
        ]

    found = await database.units.read(LIVE, read)
    assert [[(each.name, each.count, each.partner_id) for each in one] for one in found] == [
        [("", 2, 1)],
        [("810", 1, None)],
        [("", 1, None)],
        [("855", 1, None)],
        [("failing", 0, 1)],
    ]


async def test_each_account_and_environment_has_its_own_figures(service: OverviewService) -> None:
    live = await two_days(service, context(environment=PRODUCTION))
    foreign = await two_days(service, context(2))
    assert (live.totals, live.pending_acks) == (Totals(count=1, failed=1), 0)
    assert (foreign.totals, foreign.rejections) == (Totals(count=3, failed=2), ())
    assert foreign.oldest_unacked_seconds is None


async def test_all_that_needs_attention_is_told(service: OverviewService) -> None:
    items = await service.attention(context())
    assert sorted(each.title for each in items) == sorted([
        f"1 {TIMES} Invalid code value at PO1.06, Northwind Retail",
        f"1 {TIMES} delivery failed, Northwind Retail",
        f"1 {TIMES} interchange in quarantine: no reason",
        f"1 {TIMES} acknowledgement overdue, 850",
        f"1 {TIMES} invalid 810 received, Northwind Retail",
        "0 control numbers of interchanges left, Northwind Retail",
        "Delivery to Northwind Retail is failing",
    ])


async def test_what_needs_attention_in_one_environment_is_not_told_in_the_other(
    service: OverviewService,
) -> None:
    (item,) = await service.attention(context(environment=PRODUCTION))
    assert item.href == "/app/transactions?delivery_status=failed&partner_id=1&open=true"


TOLD = {"rejected", "delivery_failed", "invalid_received"}
CANCELLED = SENDING._replace(delivery=DeliveryStatus.CANCELLED)
REFUSED = SENDING._replace(
    validation=ValidationStatus.INVALID, delivery=DeliveryStatus.NOT_APPLICABLE
)
PROCESSED = INVALID._replace(validation=ValidationStatus.VALID)


@pytest.mark.parametrize(
    ("direction", "states", "told"),
    [
        (Direction.OUTBOUND, SENDING, set()),
        (Direction.OUTBOUND, CANCELLED, TOLD),
        (Direction.OUTBOUND, REFUSED, TOLD),
        (Direction.INBOUND, PROCESSED, set()),
        (Direction.INBOUND, RECEIVING, set()),
        (Direction.INBOUND, INVALID, TOLD),
    ],
    ids=["sent", "cancelled", "refused", "processed", "just received", "invalid again"],
)
async def test_what_was_made_anew_needs_no_attention_but_counts(
    service: OverviewService,
    database: Database,
    direction: Direction,
    states: States,
    told: set[str],
) -> None:
    found = await rejected_failed_and_invalid(database)
    for number in found:
        await a_transaction(
            database, states, START - 60 * DAY, parent_id=number, direction=direction
        )
    items = await service.attention(context())
    assert {each.kind.value for each in items} & TOLD == told
    assert await listed_as_open(database) == ([*found] if told else [])
    assert (await two_days(service, context())).rejections[0].count == 1


async def listed_as_open(database: Database) -> list[TransactionId]:
    """Return the transactions that the lists behind the three links show."""
    rejected = frozenset({AckStatus.REJECTED})
    status = frozenset({TransactionStatus.FAILED, TransactionStatus.INVALID})
    since = START - 30 * DAY
    filters = TransactionFilters(is_test=True, is_open=True, status=status, since=since)

    async def read(unit: WriteUnit) -> list[TransactionId]:
        query = AckQuery(results=rejected, is_test=True, is_open=True)
        rows = [each.ack.row.transaction_id for each in await unit.acks.list(query, 9)]
        page = PageRequest(limit=9)
        found = await unit.transactions.list(TransactionQuery(filters=filters), page)
        return [*filter(None, rows), *(each.transaction.id for each in found)]

    return await write(database, LIVE, read)


async def rejected_failed_and_invalid(database: Database) -> list[TransactionId]:
    """Return the transactions that need attention; the one that was rejected is made so."""

    async def work(unit: WriteUnit) -> list[TransactionId]:
        asked = TransactionQuery(filters=TransactionFilters(is_test=True))
        stored = await unit.transactions.list(asked, PageRequest(limit=50))
        rows = await unit.acks.list(AckQuery(results=frozenset({AckStatus.REJECTED})), 1)
        (rejected,) = (each.transaction.id for each in stored if each.transaction.id == 1)
        row = replace(open_ack(a_sealer(), rows[0]).row, transaction_id=rejected)
        assert await answer_ack(unit, a_sealer(), rows[0], row, START)
        unsent = [each for each in stored if each.transaction.record.states in {FAILED, INVALID}]
        return [rejected, *(each.transaction.id for each in unsent)]

    return await write(database, LIVE, work)


async def test_quarantined_interchanges_are_told_of_by_their_reasons(
    service: OverviewService, database: Database
) -> None:
    status = InterchangeStatus.QUARANTINED
    await a_received_interchange(database, AccountId(2), status, sets=0, reason="unknown_sender")
    titles = [each.title for each in await service.attention(context(2))]
    assert f"2 {TIMES} interchange in quarantine: no reason, unknown sender" in titles
