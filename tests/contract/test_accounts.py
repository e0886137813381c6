"""Accounts: what the operator makes is what he reads; refusals leave no trace."""

from dataclasses import replace

import pytest

from longshore.domain.accounts.model import Account, AccountId, AccountStatus, AccountType
from longshore.domain.accounts.service import AccountService, bootstrap_demo
from longshore.domain.ports import Scope
from longshore.domain.units import ReadUnit
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError
from tests.support.clock import START, CountedIds, StoppedClock
from tests.support.database import Database

NORTHWIND = Account(
    id=AccountId(1),
    name="Northwind Retail",
    account_type=AccountType.DEVELOPER_PRO,
    status=AccountStatus.ACTIVE,
    created_at=START,
)


async def test_a_created_account_is_found_by_its_name_in_any_case(accounts: AccountService) -> None:
    assert await accounts.create("Northwind Retail", AccountType.DEVELOPER_PRO) == NORTHWIND
    assert await accounts.find("NORTHWIND retail") == NORTHWIND
    assert await accounts.find("Northwind") is None


async def test_accounts_are_listed_in_the_order_they_were_made(accounts: AccountService) -> None:
    made = [await accounts.create(name, AccountType.DEVELOPER) for name in ("zeta", "Alpha", "mid")]
    assert await accounts.list() == tuple(made)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("", "An account name has 1 to 64 characters, not 0.", id="empty"),
        pytest.param("a" * 65, "An account name has 1 to 64 characters, not 65.", id="long"),
        *(
            pytest.param(
                name,
                "An account name has no control characters and no spaces at its ends.",
                id=case,
            )
            for case, name in (
                ("nul", "a\0b"),
                ("line", "a\nb"),
                ("bidi", "a\u202eb"),
                ("surrogate", "a\ud800"),
                ("space", " a"),
            )
        ),
        pytest.param(
            "NORTHWIND RETAIL",
            "There is an account 'NORTHWIND RETAIL' already. Choose another name.",
            id="taken",
        ),
    ],
)
async def test_a_bad_name_is_refused_by_parameter_and_nothing_is_stored(
    accounts: AccountService, name: str, message: str
) -> None:
    await accounts.create("Northwind Retail", AccountType.DEVELOPER_PRO)
    with pytest.raises(LongshoreError) as refusal:
        await accounts.create(name, AccountType.DEVELOPER)
    assert (refusal.value.code, refusal.value.message) == (ErrorCode.INVALID_PARAMETER, message)
    assert [detail.param for detail in refusal.value.details] == ["name"]
    assert await accounts.list() == (NORTHWIND,)


async def test_a_name_may_have_64_characters_of_any_script(accounts: AccountService) -> None:
    name = "Ärger & Söhne 東京 " + "x" * 47
    assert (await accounts.create(name, AccountType.DEVELOPER)).name == name


async def test_suspend_and_resume_change_the_status_and_are_repeatable(
    accounts: AccountService, database: Database
) -> None:
    await accounts.create("Northwind Retail", AccountType.DEVELOPER_PRO)
    before = database.revocations.count()
    for _ in range(2):
        suspended = await accounts.suspend("northwind retail")
        assert suspended == replace(NORTHWIND, status=AccountStatus.SUSPENDED)
    for _ in range(2):
        assert await accounts.resume("Northwind Retail") == NORTHWIND
    assert database.revocations.count() == before + 4


async def test_an_unknown_account_is_neither_suspended_nor_resumed(
    accounts: AccountService, database: Database
) -> None:
    before = database.revocations.count()

    async def enlarge(name: str) -> Account:
        return await accounts.set_plan(name, AccountType.ENTERPRISE)

    for change in (accounts.suspend, accounts.resume, enlarge):
        with pytest.raises(LongshoreError) as refusal:
            await change("nobody")
        assert (refusal.value.code, refusal.value.message) == (
            ErrorCode.NOT_FOUND,
            "There is no account 'nobody'. List them with 'longshore accounts list'.",
        )
    assert database.revocations.count() == before


async def test_the_first_start_makes_demo_and_a_sandbox_key_and_no_later_one(
    database: Database, accounts: AccountService, clock: StoppedClock
) -> None:
    issued = await bootstrap_demo(database.units, clock, CountedIds("first"))
    assert issued is not None
    assert issued.key.startswith("svc_test_")
    assert issued.record.environment is Environment.SANDBOX
    assert await bootstrap_demo(database.units, clock, CountedIds("second")) is None
    listed = await accounts.list()
    assert [(account.name, account.account_type) for account in listed] == [
        ("demo", AccountType.DEVELOPER)
    ]


async def test_an_account_sees_itself_only(accounts: AccountService, database: Database) -> None:
    own = await accounts.create("own", AccountType.DEVELOPER)
    await accounts.create("neighbour", AccountType.DEVELOPER)

    async def visible(unit: ReadUnit) -> list[Account | None]:
        return [await unit.accounts.find("neighbour"), *await unit.accounts.list()]

    scope = Scope(account_id=own.id, environment=Environment.SANDBOX)
    assert await database.units.read(scope, visible) == [None, own]
