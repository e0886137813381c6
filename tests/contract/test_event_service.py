"""The feed page by page: nothing is missed, nothing of the other environment is seen."""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.service import EventPage, EventService, path_of
from longshore.domain.events.writer import EventWriter
from longshore.domain.ports import AccountId, RequestContext, Scope
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START
from tests.support.database import Database
from tests.support.trading import FOREIGN_TEST, LIVE, PRODUCTION, SANDBOX, TEST, write
from tests.support.vault import a_sealer

QUEUED, RECEIVED = EventType.TRANSACTION_QUEUED, EventType.ACK_RECEIVED


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


def context(environment: Environment = SANDBOX, account: int = 1) -> RequestContext:
    return RequestContext(account_id=AccountId(account), environment=environment, actor="key 3")


async def record(database: Database, *events: NewEvent, given: Scope = TEST) -> None:
    async def work(unit: WriteUnit) -> None:
        assert given.account_id is not None
        assert given.environment is not None
        owner = (given.account_id, given.environment)
        await EventWriter(unit, a_sealer(), owner).record(events, START)

    await write(database, given, work)


def an_event(kind: EventType = QUEUED, **data: int) -> NewEvent:
    return NewEvent(type=kind, data=data)


def ids(page: EventPage) -> list[int]:
    return [each.event.id for each in page.events]


async def test_whoever_goes_on_after_each_page_sees_every_event_once(database: Database) -> None:
    await record(database, *[an_event() for _ in range(5)])
    service, seen, after = EventService(database.units), [], 0
    for has_more in (True, True, False):
        page = await service.page(context(), after, 2)
        assert page.has_more is has_more
        seen += ids(page)
        after = page.next_after
    assert (seen, after) == ([1, 2, 3, 4, 5], 5)
    rest = await service.page(context(), after, 2)
    assert rest == EventPage(events=(), next_after=5, has_more=False)


async def test_each_environment_and_each_account_has_its_own_feed(database: Database) -> None:
    await record(database, an_event())
    await record(database, an_event(), given=LIVE)
    await record(database, an_event(), given=FOREIGN_TEST)
    service = EventService(database.units)
    feeds = [
        ids(await service.page(context(environment, account), 0, 10))
        for environment, account in ((SANDBOX, 1), (PRODUCTION, 1), (SANDBOX, 2), (PRODUCTION, 2))
    ]
    assert feeds == [[1], [2], [1], []]


async def test_a_page_holds_the_types_that_are_asked_for(database: Database) -> None:
    await record(database, an_event(), an_event(RECEIVED), an_event())
    service = EventService(database.units)
    assert ids(await service.page(context(), 0, 10, {RECEIVED})) == [2]
    assert ids(await service.page(context(), 0, 10, {RECEIVED, QUEUED})) == [1, 2, 3]


@pytest.mark.parametrize(
    ("event", "path"),
    [
        (an_event(transaction_id=7, partner_id=3), "/api/v1/transactions/7"),
        (an_event(RECEIVED, transaction_id=7, ack_id=4), "/api/v1/transactions/7"),
        (an_event(EventType.ACK_UNMATCHED, ack_id=4), ""),
        (an_event(EventType.PARTNER_STATUS_CHANGED, partner_id=3), "/api/v1/partners/3"),
        (an_event(EventType.CONTROL_NUMBER_LOW, partner_id=3), "/api/v1/partners/3"),
        (an_event(EventType.DOCUMENT_STORED, doc_id=9), "/api/v1/documents/9"),
        (an_event(EventType.MAP_SAVED, map_id=9), ""),
    ],
)
async def test_an_event_says_where_its_object_is(
    database: Database, event: NewEvent, path: str
) -> None:
    await record(database, event)
    (found,) = (await EventService(database.units).page(context(), 0, 1)).events
    assert (found.path, path_of(found.event)) == (path, path)
