"""From the secret in a cookie to its session, or to a refusal.

What the database said is kept for a few seconds, as of API keys and for the same reasons
(``accounts.authentication``): logout, a changed password, role or account change the shared
counter, which is compared at each call. The idle time of a session follows from its last use here
and from the stored one, which is written at most once a minute and not waited for, so a session may
end up to a minute early after a restart or on another server, and never late.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.errors import AccountSuspendedError
from longshore.domain.accounts.model import Account, AccountStatus
from longshore.domain.ports import SYSTEM, Revocations, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.users.errors import NotLoggedInError
from longshore.domain.users.model import LiveSession, Session, SessionId, User
from longshore.domain.users.passwords import csrf_token, digest, looks_genuine
from longshore.kit.clock import Clock

IDLE_LIFE: Final = timedelta(minutes=30)
ABSOLUTE_LIFE: Final = timedelta(hours=12)
CACHE_LIFETIME: Final = timedelta(seconds=5)
CACHE_MAX_SESSIONS: Final = 10_000  # about 15 MB
LAST_SEEN_INTERVAL: Final = timedelta(minutes=1)


@dataclass(slots=True)
class _Known:
    """A session that was read from the database."""

    live: LiveSession
    read_at: datetime
    stored_at: datetime
    """The last use that was stored."""
    seen_at: datetime
    """The last use."""


class SessionAuthenticator:
    """Tells who is logged in. One per process; not for use by several threads."""

    def __init__(self, units: Units, clock: Clock, revocations: Revocations) -> None:
        self._units = units
        self._clock = clock
        self._revocations = revocations
        self._seen_count = revocations.count()
        self._known_by_digest: dict[bytes, _Known] = {}

    async def authenticate(self, secret: str) -> LiveSession:
        """Return the session of a secret, and note its use.

        Raises:
            NotLoggedInError: The secret is malformed or unknown, or the session has ended: one
                text for all.
            AccountSuspendedError: The session is good, its account is not.
            LongshoreError: ``storage_unavailable``.
        """
        if not looks_genuine(secret):
            raise NotLoggedInError
        now = self._clock.now()
        known = await self._known(secret, now)
        if known is None or has_ended(known.live.session, known.seen_at, now):
            raise NotLoggedInError
        if known.live.account.status is not AccountStatus.ACTIVE:
            raise AccountSuspendedError
        self._note_use(known, now)
        return known.live

    async def _known(self, secret: str, now: datetime) -> _Known | None:
        secret_digest = digest(secret)
        count = self._revocations.count()
        if count != self._seen_count:
            self._known_by_digest.clear()
            self._seen_count = count
        known = self._known_by_digest.get(secret_digest)
        # A clock that was set back must not lengthen an entry's life: its age would be negative.
        if known is not None and timedelta(0) <= now - known.read_at < CACHE_LIFETIME:
            return known
        found = await self._look_up(secret_digest)
        if found is None:
            self._known_by_digest.pop(secret_digest, None)
            return None
        read = _read(secret, found, now)
        if known is not None:
            read.seen_at = max(read.seen_at, known.seen_at)
            read.stored_at = max(read.stored_at, known.stored_at)
        # Read before a right was taken away, it may serve this request and no other.
        if count == self._seen_count:
            self._keep(secret_digest, read)
        return read

    async def _look_up(self, secret_digest: bytes) -> tuple[Session, User, Account] | None:
        async def find(unit: ReadUnit) -> tuple[Session, User, Account] | None:
            return await unit.sessions.find_with_user(secret_digest)

        return await self._units.read(SYSTEM, find)

    def _keep(self, secret_digest: bytes, known: _Known) -> None:
        self._known_by_digest.pop(secret_digest, None)
        if len(self._known_by_digest) >= CACHE_MAX_SESSIONS:
            del self._known_by_digest[next(iter(self._known_by_digest))]
        self._known_by_digest[secret_digest] = known

    def _note_use(self, known: _Known, now: datetime) -> None:
        known.seen_at = max(known.seen_at, now)
        if now - known.stored_at < LAST_SEEN_INTERVAL:
            return
        known.stored_at = now
        session_id: SessionId = known.live.session.id

        async def record_seen(unit: WriteUnit) -> None:
            await unit.sessions.record_seen(session_id, now)

        scope = Scope(account_id=known.live.account.id, environment=None)
        self._units.defer(scope, record_seen)


def has_ended(session: Session, seen_at: datetime, now: datetime) -> bool:
    """Return whether a session that was last used at ``seen_at`` is over at ``now``."""
    return now >= session.expires_at or now - seen_at >= IDLE_LIFE


def _read(secret: str, found: tuple[Session, User, Account], now: datetime) -> _Known:
    session, user, account = found
    live = LiveSession(session=session, user=user, account=account, csrf_token=csrf_token(secret))
    return _Known(live, now, session.last_seen_at, session.last_seen_at)
