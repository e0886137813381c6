"""How keys are issued and rotated within a write unit, whoever asks for it.

Callers announce (``Revocations``) after the commit what took a right away.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.errors import (
    ApiKeyNotRotatableError,
    InvalidAccountParameterError,
    PlanRequiredError,
)
from longshore.domain.accounts.keys import SHOWN_PREFIX_CHARS, digest, new_key
from longshore.domain.accounts.model import (
    ALL_SCOPES,
    AccountId,
    AccountType,
    ApiKey,
    ApiKeyId,
    IssuedKey,
    KeyScope,
    KeyStatus,
    RotatedKey,
)
from longshore.domain.accounts.store import NewApiKey
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource

KEY_NAME_MAX_CHARS: Final = 64
LONGEST_LIFE_DAYS: Final = 3_650  # ten years
OVERLAP_MAX_HOURS: Final = 168  # seven days
OVERLAP_DEFAULT_HOURS: Final = 24

CREATE_KEY: Final = "key.create"
ROTATE_KEY: Final = "key.rotate"
REVOKE_KEY: Final = "key.revoke"
"""What the audit log is told of keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFacts:
    """What somebody decides about a new key. ``expires_at`` None: it works until it is revoked."""

    environment: Environment
    name: str = ""
    scopes: AbstractSet[KeyScope] = ALL_SCOPES
    expires_at: datetime | None = None

    def check(self, now: datetime) -> None:
        """Refuse what no key can be.

        Raises:
            InvalidAccountParameterError: The name is too long, has outer spaces or characters that
                do not print; there is no scope; the expiry is past or too far in the future.
        """
        _check_name(self.name)
        if not self.scopes:
            raise InvalidAccountParameterError("scopes", "A key needs at least one scope.")
        if self.expires_at is None:
            return
        if self.expires_at <= now:
            raise InvalidAccountParameterError(
                "expires_at", "The expiry of a key lies in the future; this one has passed."
            )
        if self.expires_at - now > timedelta(days=LONGEST_LIFE_DAYS):
            raise InvalidAccountParameterError(
                "expires_at",
                f"A key that expires does so within {LONGEST_LIFE_DAYS:,} days; without an expiry "
                "it works until it is revoked.",
            )


def check_plan(account_type: AccountType, environment: Environment) -> None:
    """Refuse a production key for an account whose plan has no production.

    Raises:
        PlanRequiredError: The account is of type developer.
    """
    if environment is Environment.PRODUCTION and account_type is AccountType.DEVELOPER:
        raise PlanRequiredError


def key_name(key_id: ApiKeyId) -> str:
    """Return how the audit log names a key: ``key 3``."""
    return f"key {key_id}"


def check_overlap(overlap_hours: int) -> None:
    """Refuse an overlap of a rotation outside 0..168 hours.

    Raises:
        InvalidAccountParameterError: It is outside.
    """
    if not 0 <= overlap_hours <= OVERLAP_MAX_HOURS:
        raise InvalidAccountParameterError(
            "overlap_hours",
            f"The overlap of a rotation is 0 to {OVERLAP_MAX_HOURS} hours (seven days).",
        )


async def issue(
    unit: WriteUnit, ids: IdSource, account_id: AccountId, facts: KeyFacts, now: datetime
) -> IssuedKey:
    """Store a new key of an account; what comes back is all that ever holds its text."""
    key = new_key(facts.environment, ids)
    record = await unit.api_keys.insert(
        NewApiKey(
            account_id=account_id,
            environment=facts.environment,
            digest=digest(key),
            prefix=key[:SHOWN_PREFIX_CHARS],
            last_four=key[-4:],
            scopes=frozenset(facts.scopes),
            created_at=now,
            expires_at=facts.expires_at,
            name=facts.name,
        )
    )
    return IssuedKey(key=key, record=record)


async def rotate(
    unit: WriteUnit, ids: IdSource, old: ApiKey, overlap_hours: int, now: datetime
) -> RotatedKey:
    """Issue a key in place of ``old``, which works for ``overlap_hours`` more (0: not at all).

    The new key has the name, account, environment and scopes of the old one. A key that was made to
    live for 90 days is replaced by one that lives for 90 days; rotation never lengthens the life of
    the old key.

    Raises:
        ApiKeyNotRotatableError: The key is revoked, expired or was rotated before.
    """
    if old.status(now) is not KeyStatus.ACTIVE:
        raise ApiKeyNotRotatableError(old.id, old.status(now))
    facts = KeyFacts(
        environment=old.environment,
        name=old.name,
        scopes=old.scopes,
        expires_at=old.expires_at and now + (old.expires_at - old.created_at),
    )
    new = await issue(unit, ids, old.account_id, facts, now)
    overlap_end = now + timedelta(hours=overlap_hours)
    old_expires_at = min(overlap_end, old.expires_at or overlap_end)
    if not await unit.api_keys.replace(old.id, new.record.id, expires_at=old_expires_at):
        raise ApiKeyNotRotatableError(old.id, "changed meanwhile")
    if overlap_hours == 0:
        await unit.api_keys.revoke(old.id, now)
    return RotatedKey(key=new.key, record=new.record, old_expires_at=old_expires_at)


def _check_name(name: str) -> None:
    if len(name) > KEY_NAME_MAX_CHARS:
        raise InvalidAccountParameterError(
            "name",
            f"The name of a key has at most {KEY_NAME_MAX_CHARS} characters, not {len(name)}.",
        )
    if not name.isprintable() or name != name.strip():
        raise InvalidAccountParameterError(
            "name", "The name of a key has no control characters and no spaces at its ends."
        )
