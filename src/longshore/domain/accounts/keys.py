"""API keys: ``svc_test_`` or ``svc_live_``, 30 base62 characters, 6 of checksum.

30 base62 characters are about 178 bits, so the plain SHA-256 is safe to store. The checksum is the
CRC32 of everything before it: typing errors and random guesses are refused without a database read.
Keys are issued and rotated inside a write unit; callers announce a revocation after the commit.

Source: reliability.md section 4.
"""

import re
import zlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from longshore.domain.accounts.errors import (
    ApiKeyNotRotatableError,
    InvalidAccountParameterError,
    PlanRequiredError,
)
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
    needs_plan,
)
from longshore.domain.accounts.store import NewApiKey
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource

PREFIX_BY_ENVIRONMENT: Final[Mapping[Environment, str]] = MappingProxyType({
    Environment.SANDBOX: "svc_test_",
    Environment.PRODUCTION: "svc_live_",
})
SECRET_CHARS: Final = 30
CHECKSUM_CHARS: Final = 6  # 62**6 > 2**32
KEY_CHARS: Final = 45
SHOWN_PREFIX_CHARS: Final = 13  # the environment and four characters to recognise the key by

_BASE62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SECRET_BYTES: Final = 32  # 256 bits taken modulo 62**30 (179 bits): no bias worth naming
_KEY: Final = re.compile(r"svc_(?:test|live)_[0-9A-Za-z]{36}")


def new_key(environment: Environment, ids: IdSource) -> str:
    """Return a new key for ``environment``; it is a secret."""
    number = int.from_bytes(ids.token_bytes(_SECRET_BYTES)) % 62**SECRET_CHARS
    body = PREFIX_BY_ENVIRONMENT[environment] + _base62(number, SECRET_CHARS)
    return body + _checksum(body)


def looks_genuine(text: str) -> bool:
    """Return whether ``text`` has the shape and the checksum of a key; asks no database."""
    if _KEY.fullmatch(text) is None:
        return False
    return text[-CHECKSUM_CHARS:] == _checksum(text[:-CHECKSUM_CHARS])


def digest(key: str) -> bytes:
    """Return the 32 bytes that are stored and looked up instead of the key."""
    return sha256(key.encode()).digest()


def _checksum(body: str) -> str:
    return _base62(zlib.crc32(body.encode("ascii")), CHECKSUM_CHARS)


def _base62(number: int, width: int) -> str:
    """Return ``number`` in exactly ``width`` digits, most significant first."""
    digits = []
    for _ in range(width):
        number, digit = divmod(number, 62)
        digits.append(_BASE62[digit])
    return "".join(reversed(digits))


KEY_NAME_MAX_CHARS: Final = 64
LONGEST_LIFE_DAYS: Final = 3_650  # ten years
OVERLAP_MAX_HOURS: Final = 168  # seven days
OVERLAP_DEFAULT_HOURS: Final = 24

# Actions on keys in the audit log.
CREATE_KEY: Final = "key.create"
ROTATE_KEY: Final = "key.rotate"
REVOKE_KEY: Final = "key.revoke"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFacts:
    """The decisions about a new key."""

    environment: Environment
    name: str = ""
    scopes: AbstractSet[KeyScope] = ALL_SCOPES
    expires_at: datetime | None = None
    """None: the key works until it is revoked."""

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
    if needs_plan(environment, account_type):
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
