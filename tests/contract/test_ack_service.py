"""Acknowledgements as they are read, on both engines."""

from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.encryption import open_ack, open_named_ack
from longshore.domain.acks.model import AckId
from longshore.domain.acks.service import AckNotFoundError, AckService
from longshore.domain.acks.store import AckQuery
from longshore.domain.pages import PageParameters
from longshore.domain.ports import AccountId, RequestContext, SealBrokenError
from longshore.domain.transactions.model import AckStatus
from longshore.kit.environment import Environment
from tests.support.answers import SEALER, a_997, acks, receive, sent
from tests.support.database import Database
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST, a_partner, read
from tests.support.vault import a_sealer

ANY = AckQuery()
GROUP = "AK1*PO*123"
REJECTED = a_997(GROUP, "AK2*850*0001", "AK3*PO1*3**8", "AK4*6*235*7*XX", "AK5*R*5", "AK9*P*2*2*1")


@pytest.fixture(autouse=True)
async def answered(accounts: AccountService, database: Database) -> None:
    """Two accounts; the first sent in both environments, and was answered in the sandbox."""
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    await a_partner(database)
    await sent(database, given=TEST)
    await sent(database, given=LIVE)
    await receive(database, REJECTED)


@pytest.fixture
def service(database: Database) -> AckService:
    return AckService(database.units, SEALER)


def context(account: int = 1, environment: Environment = SANDBOX) -> RequestContext:
    return RequestContext(account_id=AccountId(account), environment=environment, actor="key 1")


async def test_a_page_has_the_newest_first_with_their_errors(
    service: AckService, database: Database
) -> None:
    page = await service.page(context(), ANY, PageParameters(limit=1, offset=1))
    assert (page.total.count, [each.id for each in page.acks]) == (2, [1])
    (first,) = page.acks
    assert [each.our_path for each in first.row.facts.errors] == ["PO1.06"]
    assert first.business_key == "PO-1"
    assert page.acks == tuple((await acks(database))[:1])


@pytest.mark.parametrize(
    ("account", "environment", "expected"),
    [(1, SANDBOX, [2, 1]), (1, PRODUCTION, [4, 3, 2, 1]), (2, PRODUCTION, [])],
    ids=["sandbox", "production", "another account"],
)
async def test_each_caller_sees_his_own(
    service: AckService, account: int, environment: Environment, expected: list[int]
) -> None:
    page = await service.page(context(account, environment), ANY, PageParameters(limit=50))
    assert ([each.id for each in page.acks], page.total.count) == (expected, len(expected))


async def test_one_is_found_by_its_id(service: AckService) -> None:
    found = await service.get(context(), AckId(1))
    assert (found.row.result, found.partner_name) == (AckStatus.REJECTED, "Northwind Retail")


@pytest.mark.parametrize(
    ("given", "number"), [(context(), 9), (context(), 3), (context(2, PRODUCTION), 1)]
)
async def test_what_is_absent_or_foreign_is_not_found(
    service: AckService, given: RequestContext, number: int
) -> None:
    with pytest.raises(AckNotFoundError):
        await service.get(given, AckId(number))


async def test_errors_under_another_master_key_are_not_shown(database: Database) -> None:
    foreign = AckService(database.units, a_sealer(b"x" * 32))
    with pytest.raises(SealBrokenError):
        await foreign.get(context(), AckId(1))


async def test_a_damaged_transaction_takes_only_its_name_from_its_acknowledgement(
    database: Database,
) -> None:
    stored = await read(database, TEST, lambda unit: unit.acks.find(AckId(1)))
    assert stored is not None
    assert stored.about is not None
    assert open_named_ack(SEALER, stored).business_key == "PO-1"
    damaged = replace(stored, about=replace(stored.about, facts=stored.about.facts[::-1]))
    assert open_named_ack(SEALER, damaged) == open_ack(SEALER, stored)
