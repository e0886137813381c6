"""The audit log as its owners read it, and as the operator walks it."""

from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.service import (
    BATCH,
    MAX_READ,
    AuditAdministration,
    AuditFilters,
    AuditService,
)
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.ports import AccountId, RequestContext, Scope
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START
from tests.support.database import Database
from tests.support.trading import FOREIGN_LIVE, PRODUCTION, SANDBOX, TEST, write
from tests.support.vault import a_sealer

OWN, FOREIGN = AccountId(1), AccountId(2)
ALL = AuditFilters()
READ = NewEntry(actor="user 5", action="document.read", object="document 17", detail="exported")
RETRY = NewEntry(actor="key 3", action="transaction.retry", object="transaction 7")


@pytest.fixture(autouse=True)
async def two_accounts(accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)


def context(environment: Environment = SANDBOX, account: AccountId = OWN) -> RequestContext:
    return RequestContext(account_id=account, environment=environment, actor="user 5")


async def record(
    database: Database, *entries: NewEntry, given: Scope = TEST, days: int = 0
) -> None:
    async def work(unit: WriteUnit) -> None:
        assert given.account_id is not None
        writer = AuditWriter(unit, a_sealer(), given.account_id)
        await writer.record(entries, START + timedelta(days=days))

    await write(database, given, work)


async def pages(
    database: Database,
    filters: AuditFilters = ALL,
    limit: int = 2,
    who: RequestContext | None = None,
) -> list[list[int]]:
    """Return the positions on each page, until there is none left."""
    service, found, before = AuditService(database.units, a_sealer()), [], None
    while True:
        page = await service.page(who or context(), filters, before, limit)
        found.append([each.entry.position for each in page.entries])
        before = page.next_before
        if before is None:
            return found


async def test_an_owner_reads_back_in_time_page_by_page(database: Database) -> None:
    await record(database, *[READ] * 5)
    assert await pages(database) == [[5, 4], [3, 2], [1]]
    assert await pages(database, limit=5) == [[5, 4, 3, 2, 1]]


async def test_the_details_are_opened(database: Database) -> None:
    await record(database, READ, RETRY)
    service = AuditService(database.units, a_sealer())
    page = await service.page(context(), ALL, None, 10)
    assert [(each.entry.actor, each.detail) for each in page.entries] == [
        ("key 3", ""),
        ("user 5", "exported"),
    ]


async def test_an_account_sees_its_own_log_whatever_the_environment(database: Database) -> None:
    await record(database, READ)
    await record(database, READ, READ, given=FOREIGN_LIVE)
    for environment in (SANDBOX, PRODUCTION):
        assert await pages(database, limit=9, who=context(environment)) == [[1]]
        assert await pages(database, limit=9, who=context(environment, FOREIGN)) == [[2, 1]]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (AuditFilters(actor="key 3"), [3, 2]),
        (AuditFilters(actor="key"), []),
        (AuditFilters(action="document.read"), [4, 1]),
        (AuditFilters(action="transaction"), [3, 2]),
        (AuditFilters(action="trans"), []),
        (AuditFilters(object=RETRY.object), [3, 2]),
        (AuditFilters(object=RETRY.object, before=START + timedelta(days=1)), [2]),
        (AuditFilters(object="transaction"), []),
        (AuditFilters(since=START + timedelta(days=1)), [4, 3]),
        (AuditFilters(before=START + timedelta(days=1)), [2, 1]),
        (AuditFilters(actor="key 3", before=START + timedelta(days=1)), [2]),
    ],
)
async def test_filters_ask_for_who_what_and_when(
    database: Database, filters: AuditFilters, expected: list[int]
) -> None:
    await record(database, READ, RETRY)
    await record(database, RETRY, READ, days=1)
    assert await pages(database, filters, limit=9) == [expected]


async def test_a_rare_entry_is_found_over_several_pages(database: Database) -> None:
    """One call looks at so many entries and no more; the next one goes on there."""
    await record(database, RETRY)
    await record(database, *[READ] * (MAX_READ + BATCH))
    assert await pages(database, AuditFilters(actor="key 3"), limit=1) == [[], [1]]


async def test_the_operator_walks_the_chain_of_each_account(database: Database) -> None:
    await record(database, READ, RETRY)
    verifier = AuditAdministration(database.units)
    own, foreign = await verifier.verify(OWN), await verifier.verify(FOREIGN)
    assert (own.entries, own.broken_at) == (2, None)
    assert (foreign.entries, foreign.broken_at) == (0, None)
