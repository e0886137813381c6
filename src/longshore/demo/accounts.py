"""The account of a demo: the one that has the name, made with a sandbox key if there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum, unique

from longshore.domain.accounts.model import Account, AccountType
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.partners.simulators import AccountProvisioner
from longshore.domain.ports import OPERATOR, SYSTEM, Revocations, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource


@unique
class LoginBy(StrEnum):
    """How somebody logs in: by the first start's link, as a user, or not before one is made."""

    LINK = "link"
    USER = "user"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPorts:
    """What accounts are made with."""

    units: Units
    revocations: Revocations
    sealer: Sealer
    ids: IdSource
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoAccount:
    """The account. ``key``: of the sandbox, None unless the account was made for the demo."""

    account: Account
    key: str | None = field(repr=False)


async def find(ports: AccountPorts, name: str) -> Account | None:
    """Return the account of a name, if there is one."""
    return await AccountService(ports.units, ports.clock, ports.revocations).find(name)


async def find_or_make(ports: AccountPorts, name: str) -> DemoAccount:
    """Return the account of a name, with an identity; make it if there is none.

    Raises:
        InvalidAccountParameterError: No account can have this name.
    """
    accounts = AccountService(ports.units, ports.clock, ports.revocations)
    key, account = None, await find(ports, name)
    if account is None:
        account = await accounts.create(name, AccountType.DEVELOPER)
        keys = KeyService(ports.units, ports.clock, ports.ids, ports.revocations)
        key = (await keys.create(name, Environment.SANDBOX)).key
    await AccountProvisioner(ports.units, ports.clock, ports.sealer, ports.ids).equip(account)
    return DemoAccount(account=account, key=key)


async def record_reset(ports: AccountPorts, account: Account) -> None:
    """Add to the log of an account that what it had traded was removed."""
    entry = NewEntry(actor=OPERATOR, action="account.reset", object=f"account {account.id}")

    async def record(unit: WriteUnit) -> None:
        await AuditWriter(unit, None, account.id).record((entry,), ports.clock.now())

    await ports.units.write(SYSTEM, record)


async def login_by(ports: AccountPorts, account: Account) -> LoginBy:
    """Return how somebody comes to log in to an account."""

    async def look(unit: ReadUnit) -> LoginBy:
        users = await unit.users.list()
        if any(user.account_id == account.id for user in users):
            return LoginBy.USER
        first, *_ = await unit.accounts.list()
        is_first = not users and first.id == account.id
        return LoginBy.LINK if is_first else LoginBy.NOBODY

    return await ports.units.read(SYSTEM, look)
