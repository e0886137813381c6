"""From the text of a key to its caller, or to a refusal.

What the database said about a key is kept for a few seconds under the key's digest; another process
that takes a right away changes the shared counter (``Revocations``), which is compared at each call
and empties the cache. The counter is read *before* the database: an entry made while a revocation
commits is gone at the next call. The short life of entries covers a process that died between its
commit and its announcement. Expiry is assessed anew at each call. A key that is not known is asked
for its checksum before the database is: guesses never reach it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeVar

from longshore.domain.accounts.errors import (
    AccountSuspendedError,
    InvalidApiKeyError,
    PlanRequiredError,
)
from longshore.domain.accounts.keys import KEY_CHARS, digest, looks_genuine
from longshore.domain.accounts.model import (
    Account,
    AccountStatus,
    ApiCaller,
    ApiKey,
    ApiKeyId,
    needs_plan,
)
from longshore.domain.ports import SYSTEM, Revocations
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.errors import LongshoreError

K = TypeVar("K")
V = TypeVar("V")

CACHE_LIFETIME: Final = timedelta(seconds=5)
CACHE_MAX_KEYS: Final = 10_000  # about 10 MB
LAST_USE_INTERVAL: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class _Known:
    """A key that was read from the database."""

    caller: ApiCaller
    refusal: Callable[[], LongshoreError] | None
    """Makes the error if the key or its account is refused."""
    expires_at: datetime | None
    read_at: datetime


class Authenticator:
    """Tells who calls. One per process; not for use by several threads."""

    def __init__(self, units: Units, clock: Clock, revocations: Revocations) -> None:
        self._units = units
        self._clock = clock
        self._revocations = revocations
        self._seen_count = revocations.count()
        self._known_by_digest: dict[bytes, _Known] = {}
        self._use_recorded_at: dict[ApiKeyId, datetime] = {}

    async def authenticate(self, key_text: str) -> ApiCaller:
        """Return the caller of a key and note its use, at most once a minute and not waited for.

        Raises:
            InvalidApiKeyError: The key is malformed, unknown, revoked or expired: one text for all.
            AccountSuspendedError: The key is good, its account is not.
            PlanRequiredError: A production key of a developer account.
            LongshoreError: ``storage_unavailable``.
        """
        if len(key_text) != KEY_CHARS:  # a longer text would only be costly to digest
            raise InvalidApiKeyError
        now = self._clock.now()
        known = await self._known(key_text, now)
        if known is None or (known.expires_at is not None and known.expires_at <= now):
            raise InvalidApiKeyError
        if known.refusal is not None:
            raise known.refusal()
        self._note_use(known.caller.key_id, now)
        return known.caller

    async def _known(self, key_text: str, now: datetime) -> _Known | None:
        key_digest = digest(key_text)
        count = self._revocations.count()
        if count != self._seen_count:
            self._known_by_digest.clear()
            self._seen_count = count
        known = self._known_by_digest.get(key_digest)
        # A clock that was set back must not lengthen an entry's life: its age would be negative.
        if known is not None and timedelta(0) <= now - known.read_at < CACHE_LIFETIME:
            return known
        if not looks_genuine(key_text):
            return None
        known = await self._look_up(key_digest, now)
        if count == self._seen_count:
            self._known_by_digest.pop(key_digest, None)
            if known is not None:
                _make_room(self._known_by_digest)
                self._known_by_digest[key_digest] = known
        return known

    async def _look_up(self, key_digest: bytes, now: datetime) -> _Known | None:
        async def find(unit: ReadUnit) -> tuple[ApiKey, Account] | None:
            return await unit.api_keys.find_with_account(key_digest)

        found = await self._units.read(SYSTEM, find)
        if found is None:
            return None
        record, account = found
        caller = ApiCaller(
            account_id=account.id,
            account_name=account.name,
            account_type=account.account_type,
            environment=record.environment,
            key_id=record.id,
            scopes=record.scopes,
        )
        return _Known(caller, _refusal(record, account), record.expires_at, now)

    def _note_use(self, key_id: ApiKeyId, now: datetime) -> None:
        recorded_at = self._use_recorded_at.get(key_id)
        if recorded_at is not None and now - recorded_at < LAST_USE_INTERVAL:
            return
        self._use_recorded_at.pop(key_id, None)
        _make_room(self._use_recorded_at)
        self._use_recorded_at[key_id] = now

        async def record_use(unit: WriteUnit) -> None:
            await unit.api_keys.record_use(key_id, now)

        self._units.defer(SYSTEM, record_use)


def _refusal(record: ApiKey, account: Account) -> Callable[[], LongshoreError] | None:
    """Return what stands against a key but its expiry, the first of several."""
    if record.revoked_at is not None:
        return InvalidApiKeyError
    if account.status is not AccountStatus.ACTIVE:
        return AccountSuspendedError
    if needs_plan(record.environment, account.account_type):
        return PlanRequiredError
    return None


def _make_room(entries: dict[K, V]) -> None:
    """Drop the oldest entry of a full table; dictionaries keep the order of insertion."""
    if len(entries) >= CACHE_MAX_KEYS:
        del entries[next(iter(entries))]
