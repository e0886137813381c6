"""What the operator does with accounts and keys: create, list, suspend, revoke, rotate.

A right that is taken away is announced (``Revocations``) after its commit, so that servers on the
same database refuse it from the next request on.
"""

import unicodedata
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.errors import (
    AccountNotFoundError,
    ApiKeyNotFoundError,
    ApiKeyNotRotatableError,
    InvalidAccountParameterError,
)
from longshore.domain.accounts.keys import SHOWN_PREFIX_CHARS, digest, new_key
from longshore.domain.accounts.model import (
    ALL_SCOPES,
    Account,
    AccountId,
    AccountStatus,
    AccountType,
    ApiKey,
    ApiKeyId,
    IssuedKey,
    KeyScope,
    KeyStatus,
)
from longshore.domain.accounts.store import (
    AccountsReadUnit,
    AccountsUnits,
    AccountsWriteUnit,
    NewApiKey,
)
from longshore.domain.ports import SYSTEM, Revocations
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource

NAME_MAX_CHARS: Final = 64
OVERLAP_MAX_HOURS: Final = 168  # seven days
OVERLAP_DEFAULT_HOURS: Final = 24
DEMO_ACCOUNT_NAME: Final = "demo"
_LARGEST_ID: Final = 2**63 - 1  # what both databases hold


class AccountService:
    """Accounts, by name. Names differ by more than case."""

    def __init__(self, units: AccountsUnits, clock: Clock, revocations: Revocations) -> None:
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

        async def insert(unit: AccountsWriteUnit) -> Account:
            return await _insert_account(unit, name, account_type, now)

        return await self._units.write(SYSTEM, insert)

    async def list(self) -> tuple[Account, ...]:
        """Return all accounts, in the order they were made."""

        async def accounts(unit: AccountsReadUnit) -> tuple[Account, ...]:
            return tuple(await unit.accounts.list())

        return await self._units.read(SYSTEM, accounts)

    async def find(self, name: str) -> Account | None:
        """Return the account with this name in any case."""

        async def account(unit: AccountsReadUnit) -> Account | None:
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

    async def _set_status(self, name: str, status: AccountStatus) -> Account:
        async def change(unit: AccountsWriteUnit) -> Account:
            account = await _get_account(unit, name)
            await unit.accounts.set_status(account.id, status)
            return await _get_account(unit, name)

        account = await self._units.write(SYSTEM, change)
        self._revocations.announce()
        return account


class KeyService:
    """API keys of all accounts."""

    def __init__(
        self, units: AccountsUnits, clock: Clock, ids: IdSource, revocations: Revocations
    ) -> None:
        self._units = units
        self._clock = clock
        self._ids = ids
        self._revocations = revocations

    async def create(
        self,
        account_name: str,
        environment: Environment,
        *,
        scopes: AbstractSet[KeyScope] = ALL_SCOPES,
        expires_at: datetime | None = None,
    ) -> IssuedKey:
        """Store a new key; the answer is the only one that holds its text.

        Raises:
            InvalidAccountParameterError: There is no scope, or the expiry is not in the future.
            AccountNotFoundError: No account has this name.
        """
        now = self._clock.now()
        if not scopes:
            raise InvalidAccountParameterError("scopes", "A key needs at least one scope.")
        if expires_at is not None and expires_at <= now:
            raise InvalidAccountParameterError(
                "expires_at", "The expiry of a key lies in the future; this one has passed."
            )
        key = new_key(environment, self._ids)

        async def insert(unit: AccountsWriteUnit) -> ApiKey:
            account = await _get_account(unit, account_name)
            return await unit.api_keys.insert(
                _new_record(key, account.id, environment, scopes, (now, expires_at))
            )

        return IssuedKey(key=key, record=await self._units.write(SYSTEM, insert))

    async def list(self, account_name: str | None = None) -> tuple[ApiKey, ...]:
        """Return the keys of one account, or of all, in the order they were made.

        Raises:
            AccountNotFoundError: No account has this name.
        """

        async def keys(unit: AccountsReadUnit) -> tuple[ApiKey, ...]:
            account = None if account_name is None else await _get_account(unit, account_name)
            return tuple(await unit.api_keys.list(account.id if account else None))

        return await self._units.read(SYSTEM, keys)

    async def revoke(self, key_id: ApiKeyId) -> ApiKey:
        """Refuse a key from the next request on and return it; a second time changes nothing.

        Raises:
            ApiKeyNotFoundError: No key has this id.
        """
        now = self._clock.now()

        async def revoke(unit: AccountsWriteUnit) -> ApiKey:
            await _get_key(unit, key_id)
            await unit.api_keys.revoke(key_id, now)
            return await _get_key(unit, key_id)

        record = await self._units.write(SYSTEM, revoke)
        self._revocations.announce()
        return record

    async def rotate(
        self, key_id: ApiKeyId, overlap_hours: int = OVERLAP_DEFAULT_HOURS
    ) -> IssuedKey:
        """Issue a key in place of another, which works for ``overlap_hours`` more (0: not at all).

        The new key has the account, environment and scopes of the old one. A key that was made to
        live for 90 days is replaced by one that lives for 90 days; rotation never lengthens the
        life of the old key.

        Raises:
            InvalidAccountParameterError: The overlap is outside 0..168.
            ApiKeyNotFoundError: No key has this id.
            ApiKeyNotRotatableError: The key is revoked, expired or was rotated before.
        """
        if not 0 <= overlap_hours <= OVERLAP_MAX_HOURS:
            raise InvalidAccountParameterError(
                "overlap_hours",
                f"The overlap of a rotation is 0 to {OVERLAP_MAX_HOURS} hours (seven days).",
            )
        now = self._clock.now()
        overlap_end = now + timedelta(hours=overlap_hours)
        new_ids = self._ids

        async def rotate(unit: AccountsWriteUnit) -> IssuedKey:
            old = await _get_key(unit, key_id)
            if old.status(now) is not KeyStatus.ACTIVE:
                raise ApiKeyNotRotatableError(key_id, old.status(now))
            ends_at = old.expires_at and now + (old.expires_at - old.created_at)
            key = new_key(old.environment, new_ids)
            new = await unit.api_keys.insert(
                _new_record(key, old.account_id, old.environment, old.scopes, (now, ends_at))
            )
            old_ends_at = min(overlap_end, old.expires_at or overlap_end)
            if not await unit.api_keys.replace(key_id, new.id, expires_at=old_ends_at):
                raise ApiKeyNotRotatableError(key_id, "changed meanwhile")
            if overlap_hours == 0:
                await unit.api_keys.revoke(key_id, now)
            return IssuedKey(key=key, record=new)

        issued = await self._units.write(SYSTEM, rotate)
        self._revocations.announce()
        return issued


async def bootstrap_demo(units: AccountsUnits, clock: Clock, ids: IdSource) -> IssuedKey | None:
    """Make the account ``demo`` with a sandbox key on a database without accounts.

    Returns None, and changes nothing, if there is an account.
    """
    now = clock.now()
    key = new_key(Environment.SANDBOX, ids)

    async def make(unit: AccountsWriteUnit) -> IssuedKey | None:
        if await unit.accounts.list():
            return None
        account = await unit.accounts.insert(
            DEMO_ACCOUNT_NAME, fold(DEMO_ACCOUNT_NAME), AccountType.DEVELOPER, now
        )
        if account is None:  # another process that starts now was first
            return None
        record = await unit.api_keys.insert(
            _new_record(key, account.id, Environment.SANDBOX, ALL_SCOPES, (now, None))
        )
        return IssuedKey(key=key, record=record)

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


async def _insert_account(
    unit: AccountsWriteUnit, name: str, account_type: AccountType, now: datetime
) -> Account:
    account = await unit.accounts.insert(name, fold(name), account_type, now)
    if account is None:
        raise InvalidAccountParameterError(
            "name", f"There is an account {name!r} already. Choose another name."
        )
    return account


async def _get_account(unit: AccountsReadUnit, name: str) -> Account:
    account = await unit.accounts.find(fold(name))
    if account is None:
        raise AccountNotFoundError(name)
    return account


async def _get_key(unit: AccountsReadUnit, key_id: ApiKeyId) -> ApiKey:
    record = await unit.api_keys.find(key_id) if 1 <= key_id <= _LARGEST_ID else None
    if record is None:
        raise ApiKeyNotFoundError(key_id)
    return record


def _new_record(
    key: str,
    account_id: AccountId,
    environment: Environment,
    scopes: AbstractSet[KeyScope],
    life: tuple[datetime, datetime | None],
) -> NewApiKey:
    """Return what is stored of ``key``; ``life`` is when it was made and when it ends."""
    created_at, expires_at = life
    return NewApiKey(
        account_id=account_id,
        environment=environment,
        digest=digest(key),
        prefix=key[:SHOWN_PREFIX_CHARS],
        last_four=key[-4:],
        scopes=frozenset(scopes),
        created_at=created_at,
        expires_at=expires_at,
    )
