"""Find the account that a demo fills, or create it with a sandbox key."""

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
    """A means by which a person logs in to the account."""

    LINK = "link"
    """With the link for the first user, which the server prints at its first start."""
    USER = "user"
    """As a user who exists already."""
    NOBODY = "nobody"
    """Not before a user is created."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPorts:
    """The adapters that creating an account needs."""

    units: Units
    revocations: Revocations
    sealer: Sealer
    ids: IdSource
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoAccount:
    """The account of a demo, and its new API key."""

    account: Account
    key: str | None = field(repr=False)
    """A sandbox key; None if the account existed before the demo."""


async def find(ports: AccountPorts, name: str) -> Account | None:
    """Return the account of a name, if there is one."""
    return await AccountService(ports.units, ports.clock, ports.revocations).find(name)


async def find_or_make(ports: AccountPorts, name: str) -> DemoAccount:
    """Return the account of a name, with an identity; create it if it does not exist.

    Raises:
        InvalidAccountParameterError: No account can have this name.
    """
    accounts = AccountService(ports.units, ports.clock, ports.revocations)
    key, account = None, await find(ports, name)
    if account is None:
        account = await accounts.create(name, AccountType.DEVELOPER)
        keys = KeyService(ports.units, ports.clock, ports.ids, ports.revocations)
        key = (await keys.create(name, Environment.SANDBOX)).key
    await AccountProvisioner(ports.units, ports.clock, ports.sealer, ports.ids).provision_defaults(
        account
    )
    return DemoAccount(account=account, key=key)


async def record_reset(ports: AccountPorts, account: Account) -> None:
    """Record in the audit log of an account that its trading data was removed."""
    entry = NewEntry(actor=OPERATOR, action="account.reset", object=f"account {account.id}")

    async def record(unit: WriteUnit) -> None:
        await AuditWriter(unit, None, account.id).record((entry,), ports.clock.now())

    await ports.units.write(SYSTEM, record)


async def login_by(ports: AccountPorts, account: Account) -> LoginBy:
    """Return how a person can log in to an account."""

    async def look(unit: ReadUnit) -> LoginBy:
        users = await unit.users.list()
        if any(user.account_id == account.id for user in users):
            return LoginBy.USER
        first, *_ = await unit.accounts.list()
        is_first = not users and first.id == account.id
        return LoginBy.LINK if is_first else LoginBy.NOBODY

    return await ports.units.read(SYSTEM, look)
