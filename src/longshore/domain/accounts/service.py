"""Actions of the operator on accounts and keys: create, list, suspend, revoke, rotate.

A right that is taken away is announced (``Revocations``) after its commit, so that servers on the
same database refuse it from the next request on.
"""

import unicodedata
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Final

from longshore.domain.accounts.errors import (
    AccountNotFoundError,
    ApiKeyNotFoundError,
    InvalidAccountParameterError,
)
from longshore.domain.accounts.keys import (
    CREATE_KEY,
    OVERLAP_DEFAULT_HOURS,
    REVOKE_KEY,
    ROTATE_KEY,
    KeyFacts,
    check_overlap,
    check_plan,
    issue,
    key_name,
    rotate,
)
from longshore.domain.accounts.model import (
    ALL_SCOPES,
    Account,
    AccountStatus,
    AccountType,
    ApiKey,
    ApiKeyId,
    IssuedKey,
    KeyScope,
    RotatedKey,
)
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.ports import OPERATOR, SYSTEM, AccountId, RequestContext, Revocations, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource

NAME_MAX_CHARS: Final = 64
RETENTION_MAX_DAYS: Final = 36_500  # a hundred years
DEMO_ACCOUNT_NAME: Final = "demo"
_LARGEST_ID: Final = 2**63 - 1  # what both databases hold
_SET_PLAN: Final = "account.set_plan"
_SET_RETENTION: Final = "account.set_retention"
_STATUS_ACTIONS: Final[Mapping[AccountStatus, str]] = {
    AccountStatus.SUSPENDED: "account.suspend",
    AccountStatus.ACTIVE: "account.resume",
}


class AccountService:
    """Accounts, by name. Names differ by more than case."""

    def __init__(self, units: Units, clock: Clock, revocations: Revocations) -> None:
        self._units = units
        self._clock = clock
        self._revocations = revocations

    async def create(self, name: str, account_type: AccountType) -> Account:
        """Store a new active account and return it.

        Raises:
            InvalidAccountParameterError: The name is taken, empty, longer than 64 characters, or
                has outer spaces or characters that do not print.
        """
        _check_name(name)
        now = self._clock.now()

        async def insert(unit: WriteUnit) -> Account:
            return await _insert_account(unit, name, account_type, now)

        return await self._units.write(SYSTEM, insert)

    async def list(self) -> tuple[Account, ...]:
        """Return all accounts, in the order they were made."""

        async def accounts(unit: ReadUnit) -> tuple[Account, ...]:
            return tuple(await unit.accounts.list())

        return await self._units.read(SYSTEM, accounts)

    async def find(self, name: str) -> Account | None:
        """Return the account with this name in any case."""

        async def account(unit: ReadUnit) -> Account | None:
            return await unit.accounts.find(fold(name))

        return await self._units.read(SYSTEM, account)

    async def suspend(self, name: str) -> Account:
        """Refuse all keys of the account from the next request on; return the account.

        Raises:
            AccountNotFoundError: No account has this name.
        """
        return await self._set_status(name, AccountStatus.SUSPENDED)

    async def resume(self, name: str) -> Account:
        """Let the keys of a suspended account in again; return the account.

        Raises:
            AccountNotFoundError: No account has this name.
        """
        return await self._set_status(name, AccountStatus.ACTIVE)

    async def set_plan(self, name: str, account_type: AccountType) -> Account:
        """Change the plan of the account and return it; the plan it has already changes nothing.

        Its production keys stay. Under a plan without production they are refused from the next
        request on, and let in again under one that has it.

        Raises:
            AccountNotFoundError: No account has this name.
        """
        now = self._clock.now()

        async def change(unit: WriteUnit) -> Account:
            account = await _get_account(unit, name)
            if account.account_type is not account_type:
                await unit.accounts.set_plan(account.id, account_type)
                of = f"{_name_of(account)}, plan {account_type}"
                await _record(unit, account.id, _SET_PLAN, of, now)
            return replace(account, account_type=account_type)

        account = await self._units.write(SYSTEM, change)
        self._revocations.announce()
        return account

    async def set_retention(self, name: str, retention_days: int | None) -> Account:
        """Change how long the account keeps stored documents (None: for ever); return it.

        Raises:
            InvalidAccountParameterError: The days are outside 1..36,500.
            AccountNotFoundError: No account has this name.
        """
        _check_retention(retention_days)
        now = self._clock.now()

        async def change(unit: WriteUnit) -> Account:
            account = await _get_account(unit, name)
            await unit.accounts.set_retention(account.id, retention_days)
            await _record(unit, account.id, _SET_RETENTION, _name_of(account), now)
            return replace(account, retention_days=retention_days)

        return await self._units.write(SYSTEM, change)

    async def own(self, scope: Scope) -> Account:
        """Return the account of a caller."""
        return await self._units.read(scope, _own_account)

    async def set_own_retention(
        self, context: RequestContext, retention_days: int | None
    ) -> Account:
        """Change how long the account of a caller keeps documents (None: for ever); return it.

        Raises:
            InvalidAccountParameterError: The days are outside 1..36,500.
        """
        _check_retention(retention_days)
        now = self._clock.now()

        async def change(unit: WriteUnit) -> Account:
            account = await _own_account(unit)
            if retention_days != account.retention_days:
                await unit.accounts.set_retention(account.id, retention_days)
                entry = entry_of(context, _SET_RETENTION, _name_of(account))
                await AuditWriter(unit, None, account.id).record((entry,), now)
            return replace(account, retention_days=retention_days)

        return await self._units.write(context.scope, change)

    async def _set_status(self, name: str, status: AccountStatus) -> Account:
        now = self._clock.now()

        async def change(unit: WriteUnit) -> Account:
            account = await _get_account(unit, name)
            await unit.accounts.set_status(account.id, status)
            await _record(unit, account.id, _STATUS_ACTIONS[status], _name_of(account), now)
            return await _get_account(unit, name)

        account = await self._units.write(SYSTEM, change)
        self._revocations.announce()
        return account


class KeyService:
    """API keys of all accounts."""

    def __init__(self, units: Units, clock: Clock, ids: IdSource, revocations: Revocations) -> None:
        self._units = units
        self._clock = clock
        self._ids = ids
        self._revocations = revocations

    async def create(
        self,
        account_name: str,
        environment: Environment,
        *,
        name: str = "",
        scopes: AbstractSet[KeyScope] = ALL_SCOPES,
        expires_at: datetime | None = None,
    ) -> IssuedKey:
        """Store a new key; the answer is the only one that holds its text.

        Raises:
            InvalidAccountParameterError: As ``KeyFacts.check``.
            AccountNotFoundError: No account has this name.
            PlanRequiredError: The plan of the account has no production.
        """
        now = self._clock.now()
        facts = KeyFacts(environment=environment, name=name, scopes=scopes, expires_at=expires_at)
        facts.check(now)
        ids = self._ids

        async def insert(unit: WriteUnit) -> IssuedKey:
            account = await _get_account(unit, account_name)
            check_plan(account.account_type, environment)
            issued = await issue(unit, ids, account.id, facts, now)
            await _record(unit, account.id, CREATE_KEY, key_name(issued.record.id), now)
            return issued

        return await self._units.write(SYSTEM, insert)

    async def list(self, account_name: str | None = None) -> tuple[ApiKey, ...]:
        """Return the keys of one account, or of all, in the order they were made.

        Raises:
            AccountNotFoundError: No account has this name.
        """

        async def keys(unit: ReadUnit) -> tuple[ApiKey, ...]:
            account = None if account_name is None else await _get_account(unit, account_name)
            return tuple(await unit.api_keys.list(account.id if account else None))

        return await self._units.read(SYSTEM, keys)

    async def revoke(self, key_id: ApiKeyId) -> ApiKey:
        """Refuse a key from the next request on and return it; a second time changes nothing.

        Raises:
            ApiKeyNotFoundError: No key has this id.
        """
        now = self._clock.now()

        async def revoke(unit: WriteUnit) -> ApiKey:
            key = await _get_key(unit, key_id)
            await unit.api_keys.revoke(key_id, now)
            await _record(unit, key.account_id, REVOKE_KEY, key_name(key_id), now)
            return await _get_key(unit, key_id)

        record = await self._units.write(SYSTEM, revoke)
        self._revocations.announce()
        return record

    async def rotate(
        self, key_id: ApiKeyId, overlap_hours: int = OVERLAP_DEFAULT_HOURS
    ) -> RotatedKey:
        """Issue a key in place of another, as ``issuing.rotate`` says.

        Raises:
            InvalidAccountParameterError: The overlap is outside 0..168.
            ApiKeyNotFoundError: No key has this id.
            ApiKeyNotRotatableError: The key is revoked, expired or was rotated before.
        """
        check_overlap(overlap_hours)
        now, ids = self._clock.now(), self._ids

        async def replace_key(unit: WriteUnit) -> RotatedKey:
            old = await _get_key(unit, key_id)
            rotated = await rotate(unit, ids, old, overlap_hours, now)
            await _record(unit, old.account_id, ROTATE_KEY, key_name(key_id), now)
            return rotated

        issued = await self._units.write(SYSTEM, replace_key)
        self._revocations.announce()
        return issued


async def bootstrap_demo(units: Units, clock: Clock, ids: IdSource) -> IssuedKey | None:
    """Make the account ``demo`` with a sandbox key on a database without accounts.

    Returns None, and changes nothing, if there is an account.
    """
    now = clock.now()

    async def make(unit: WriteUnit) -> IssuedKey | None:
        if await unit.accounts.list():
            return None
        account = await unit.accounts.insert(
            DEMO_ACCOUNT_NAME, fold(DEMO_ACCOUNT_NAME), AccountType.DEVELOPER, now
        )
        if account is None:  # another process that starts now was first
            return None
        facts = KeyFacts(environment=Environment.SANDBOX)
        issued = await issue(unit, ids, account.id, facts, now)
        await _record(unit, account.id, CREATE_KEY, key_name(issued.record.id), now)
        return issued

    return await units.write(SYSTEM, make)


def fold(name: str) -> str:
    """Return what two names share that count as the same: case and width do not matter."""
    return unicodedata.normalize("NFKC", name).casefold()


def _check_name(name: str) -> None:
    if not 1 <= len(name) <= NAME_MAX_CHARS:
        raise InvalidAccountParameterError(
            "name", f"An account name has 1 to {NAME_MAX_CHARS} characters, not {len(name)}."
        )
    if not name.isprintable() or name != name.strip():
        raise InvalidAccountParameterError(
            "name", "An account name has no control characters and no spaces at its ends."
        )


def _check_retention(retention_days: int | None) -> None:
    if retention_days is not None and not 1 <= retention_days <= RETENTION_MAX_DAYS:
        raise InvalidAccountParameterError(
            "retention_days",
            f"Documents are kept for 1 to {RETENTION_MAX_DAYS} days, or for ever without a number.",
        )


async def _own_account(unit: ReadUnit) -> Account:
    """Return the one account that a scope of an account shows."""
    (account,) = await unit.accounts.list()
    return account


async def _insert_account(
    unit: WriteUnit, name: str, account_type: AccountType, now: datetime
) -> Account:
    account = await unit.accounts.insert(name, fold(name), account_type, now)
    if account is None:
        raise InvalidAccountParameterError(
            "name", f"There is an account {name!r} already. Choose another name."
        )
    return account


async def _get_account(unit: ReadUnit, name: str) -> Account:
    account = await unit.accounts.find(fold(name))
    if account is None:
        raise AccountNotFoundError(name)
    return account


async def _get_key(unit: ReadUnit, key_id: ApiKeyId) -> ApiKey:
    record = await unit.api_keys.find(key_id) if 1 <= key_id <= _LARGEST_ID else None
    if record is None:
        raise ApiKeyNotFoundError(key_id)
    return record


def _name_of(account: Account) -> str:
    """Return how the audit log names an account: ``account 3``."""
    return f"account {account.id}"


async def _record(
    unit: WriteUnit, account_id: AccountId, action: str, of: str, now: datetime
) -> None:
    """Add to the log of an account what the operator did."""
    entry = NewEntry(actor=OPERATOR, action=action, object=of)
    await AuditWriter(unit, None, account_id).record((entry,), now)
