"""Accounts, API keys and the caller that a genuine key stands for.

Status of a key, first row that holds (contract.md section 15):

    revoked_at is set               revoked
    expires_at is reached           expired
    replaced by a rotation          grace: works until expires_at
    else                            active
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum, unique
from typing import NewType

from longshore.domain.ports import AccountId as AccountId  # noqa: PLC0414 - part of this model
from longshore.domain.ports import Scope
from longshore.kit.environment import Environment

ApiKeyId = NewType("ApiKeyId", int)


@unique
class AccountType(StrEnum):
    """Plan of an account; only developer-pro and enterprise may use production keys."""

    DEVELOPER = "developer"
    DEVELOPER_PRO = "developer-pro"
    ENTERPRISE = "enterprise"


def needs_plan(environment: Environment, plan: AccountType) -> bool:
    """Return whether this environment needs another plan."""
    return environment is Environment.PRODUCTION and plan is AccountType.DEVELOPER


@unique
class AccountStatus(StrEnum):
    """State of an account; keys work only while it is active."""

    ACTIVE = "active"
    SUSPENDED = "suspended"


@unique
class KeyScope(StrEnum):
    """A right of a key: read, parse and validate; convert; submit, retry, cancel and replay."""

    READ = "read"
    CONVERT = "convert"
    SUBMIT = "submit"


ALL_SCOPES = frozenset(KeyScope)


@unique
class KeyStatus(StrEnum):
    """State of a key at a moment; ``active`` and ``grace`` are let in."""

    ACTIVE = "active"
    GRACE = "grace"
    REVOKED = "revoked"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A customer: owner of keys, partners, maps and documents. Times are aware UTC."""

    id: AccountId
    name: str
    account_type: AccountType
    status: AccountStatus
    created_at: datetime
    retention_days: int | None = None
    """The days for which stored documents are kept; None: for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """Everything that is stored of an API key; the key itself is not. Times are aware UTC.

    ``prefix`` and ``last_four`` are the first and last characters of the key, to recognise it by;
    ``name`` is what people call it, ``""`` if nothing. ``replaced_by`` is the key that a rotation
    made in its place. ``last_used_at`` is exact to a minute.
    """

    id: ApiKeyId
    account_id: AccountId
    environment: Environment
    prefix: str
    last_four: str
    scopes: frozenset[KeyScope]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    replaced_by: ApiKeyId | None = None
    last_used_at: datetime | None = None
    name: str = ""

    def status(self, now: datetime) -> KeyStatus:
        """Return the status at ``now``; a key has expired from ``expires_at`` on."""
        if self.revoked_at is not None:
            return KeyStatus.REVOKED
        if self.expires_at is not None and self.expires_at <= now:
            return KeyStatus.EXPIRED
        return KeyStatus.ACTIVE if self.replaced_by is None else KeyStatus.GRACE

    def is_beyond(self, plan: AccountType, now: datetime) -> bool:
        """Return whether the key would be let in at ``now`` under a plan with production alone."""
        is_in_force = self.status(now) in {KeyStatus.ACTIVE, KeyStatus.GRACE}
        return is_in_force and needs_plan(self.environment, plan)


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A key at the one moment it can be shown. ``key`` is a secret and stays out of ``repr``."""

    key: str = field(repr=False)
    record: ApiKey


@dataclass(frozen=True, slots=True, kw_only=True)
class RotatedKey(IssuedKey):
    """A key that a rotation made; the one in whose place it stands works until a moment."""

    old_expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiCaller:
    """The caller that a key identifies; made by the authenticator alone."""

    account_id: AccountId
    account_name: str
    account_type: AccountType
    environment: Environment
    key_id: ApiKeyId
    scopes: frozenset[KeyScope]

    @property
    def may_submit(self) -> bool:
        """Return whether the caller may send documents."""
        return KeyScope.SUBMIT in self.scopes

    @property
    def scope(self) -> Scope:
        """Return the scope of every unit that runs for this caller."""
        return Scope(account_id=self.account_id, environment=self.environment)
