"""Ways to a new session: a password, a one-time link, a changed password.

The password is checked outside any unit, since that takes long. What was checked is looked at once
more in the unit that begins the session: whoever lost the password meanwhile gets none.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from longshore.domain.accounts.errors import AccountSuspendedError
from longshore.domain.accounts.model import Account, AccountStatus
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.ports import SYSTEM, NotUniqueError, Revocations, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.users.authentication import ABSOLUTE_LIFE, IDLE_LIFE
from longshore.domain.users.changes import (
    CREATE,
    END_SESSION,
    LOG_IN,
    REFUSE_CONFIRMATION,
    REFUSE_LOGIN,
    SET_PASSWORD,
    THROTTLE,
    VISITOR,
    actor_of,
    new_user,
    replace_password,
    set_role,
)
from longshore.domain.users.errors import (
    EmailTakenError,
    InvalidLoginError,
    InvalidUserParameterError,
    LinkNotFoundError,
    PasswordRequiredError,
)
from longshore.domain.users.model import (
    Confirmation,
    LiveSession,
    LoggedIn,
    OneTimeLink,
    User,
    UserId,
    UserRole,
)
from longshore.domain.users.passwords import (
    PASSWORD_MAX_BYTES,
    PasswordHasher,
    check_email,
    check_password,
    csrf_token,
    digest,
    fold,
    hash_new_password,
    is_email,
    looks_genuine,
    new_secret,
    same_text,
    size,
)
from longshore.domain.users.store import Credentials, NewSession
from longshore.domain.users.throttle import LoginOutcome, LoginThrottle
from longshore.kit.clock import Clock
from longshore.kit.ids import IdSource

FRESH_LOGIN: Final = timedelta(minutes=10)
MAX_SESSIONS: Final = 20
"""Of one user at a time: more are no browsers, and nobody looks through a longer list."""

_LINKS = "one-time links"  # under which wrong tokens are counted: no e-mail address has spaces


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """The choices of a person with a one-time link; ``email`` is only needed by the first user."""

    token: str
    email: str | None
    password: str


class LoginService:
    """Lets people in. One per process, on its event loop."""

    def __init__(
        self,
        units: Units,
        clock: Clock,
        ids: IdSource,
        revocations: Revocations,
        hasher: PasswordHasher,
    ) -> None:
        self._units = units
        self._clock = clock
        self._ids = ids
        self._revocations = revocations
        self._hasher = hasher
        self._throttle = LoginThrottle(clock)

    async def log_in(self, email: str, password: str, ip: str, request_id: str = "") -> LoggedIn:
        """Begin a session for whoever has this password.

        Raises:
            InvalidLoginError: There is no such user, or the password is another.
            TooManyLoginsError: Too many attempts failed, or too many are under way.
            AccountSuspendedError: The password is right, the account is suspended.
            LongshoreError: ``storage_unavailable``.
        """
        found = await self._checked(email, password, ip, request_id)
        if found.account.status is not AccountStatus.ACTIVE:
            raise AccountSuspendedError

        async def nothing_else(_: WriteUnit, __: _Start) -> _Admitted:
            return _Admitted(found, ())

        return await self._begin(found.account, self._start(ip, request_id), nothing_else)

    async def change_password(
        self, live: LiveSession, old: str, new: str, ip: str, request_id: str = ""
    ) -> LoggedIn:
        """Set a new password, end all sessions of the user and begin another one.

        Raises:
            InvalidUserParameterError: The new password is the old one, too short, too long, or can
                be guessed.
            InvalidLoginError: The old password is another.
            TooManyLoginsError: Too many attempts failed, or too many are under way.
            LongshoreError: ``storage_unavailable``.
        """
        if same_text(old, new):
            raise InvalidUserParameterError("new", "The new password is the old one.")
        check_password(new, "new")
        found = await self._checked(live.user.email, old, ip, request_id, REFUSE_CONFIRMATION)
        new_hash = await hash_new_password(self._hasher, new, live.user.email, "new")

        async def change(unit: WriteUnit, start: _Start) -> _Admitted:
            await _confirm(unit, found, start.now)
            done = await replace_password(unit, found.user.id, new_hash, start.now)
            return _Admitted(replace(found, password_hash=new_hash), done)

        logged_in = await self._begin(found.account, self._start(ip, request_id), change)
        self._revocations.announce()
        return logged_in

    async def confirm(self, who: Confirmation) -> None:
        """Verify that the user is present: the login is recent, or the password is given again.

        Raises:
            PasswordRequiredError: The login is over 10 minutes old, and there is no password.
            InvalidLoginError: The password is wrong, or that of another user.
            TooManyLoginsError: Too many attempts failed, or too many are under way.
            LongshoreError: ``storage_unavailable``.
        """
        if self._clock.now() - who.user.logged_in_at <= FRESH_LOGIN:
            return
        if who.password is None:
            raise PasswordRequiredError
        found = await self._checked(
            who.user.email, who.password, who.ip, who.request_id, REFUSE_CONFIRMATION
        )
        if found.user.id != who.user.user_id:  # the address was given to somebody else meanwhile
            raise InvalidLoginError

    async def set_up(self, chosen: SetUp, ip: str, request_id: str = "") -> LoggedIn:
        """Use a one-time link: make the first user, or set the password of the user it is for.

        Raises:
            LinkNotFoundError: The link is unknown, used or expired.
            InvalidUserParameterError: The address or the password cannot be used; the link can
                still be.
            EmailTakenError: Somebody has the address; the link can still be used.
            TooManyLoginsError: Too many attempts failed, or too many are under way.
            AccountSuspendedError: The account is suspended.
            LongshoreError: ``storage_unavailable``.
        """
        link, account, invited = await self._find_link(chosen.token, ip)
        if account.status is not AccountStatus.ACTIVE:
            raise AccountSuspendedError
        email = chosen.email
        if email is not None:
            check_email(email)
        elif link.user_id is None:
            raise InvalidUserParameterError("email", "The first user needs an e-mail address.")
        address = email or (invited.email if invited is not None else "")
        password_hash = await hash_new_password(self._hasher, chosen.password, address)

        async def use(unit: WriteUnit, start: _Start) -> _Admitted:
            user, done = await _user_of_link(unit, link, email, password_hash, start.now)
            found = Credentials(user=user, account=account, password_hash=password_hash)
            return _Admitted(found, done)

        try:
            logged_in = await self._begin(account, self._start(ip, request_id), use)
        except NotUniqueError as error:
            raise EmailTakenError from error
        if link.user_id is not None:
            self._revocations.announce()
        return logged_in

    async def _checked(
        self,
        email: str,
        password: str,
        ip: str,
        request_id: str,
        refusal: str = REFUSE_LOGIN,
    ) -> Credentials:
        """Return the user with this address and password; a stranger takes as long to refuse.

        ``refusal`` is the action that the audit log of the user's account gets for a wrong
        password.

        Raises:
            InvalidLoginError: There is no such user, or the password is another.
        """
        with self._throttle.attempt(fold(email), ip) as attempt:
            found = await self._find(email)
            password_hash = None if found is None else found.password_hash
            # Longer than any can be: of nobody, and not worth the time it takes to hash.
            is_possible = size(password) <= PASSWORD_MAX_BYTES
            is_right = is_possible and await self._hasher.verify(password, password_hash)
            if found is None or not is_right:
                attempt.outcome = LoginOutcome.FAILED
                if found is not None:
                    actions = (refusal, THROTTLE) if attempt.is_last else (refusal,)
                    self._note(found, actions, ip, request_id)
                raise InvalidLoginError
            attempt.outcome = LoginOutcome.SUCCEEDED
            return found

    def _note(self, found: Credentials, actions: Sequence[str], ip: str, request_id: str) -> None:
        """Add to the audit log of the account, without a wait that tells who has a password."""
        now, user = self._clock.now(), actor_of(found.user.id)
        actor = user if REFUSE_CONFIRMATION in actions else VISITOR
        entries = [
            NewEntry(actor=actor, action=each, object=user, ip=ip, request_id=request_id)
            for each in actions
        ]

        async def note(unit: WriteUnit) -> None:
            await AuditWriter(unit, None, found.account.id).record(entries, now)

        self._units.defer(Scope(account_id=found.account.id, environment=None), note)

    async def _find(self, email: str) -> Credentials | None:
        if not is_email(email):
            return None

        async def find(unit: ReadUnit) -> Credentials | None:
            return await unit.users.find_credentials(fold(email))

        return await self._units.read(SYSTEM, find)

    async def _find_link(self, token: str, ip: str) -> tuple[OneTimeLink, Account, User | None]:
        """Return an open link, its account, and the user it is for, who may be yet to be created.

        Raises:
            LinkNotFoundError: The link is unknown, used or expired.
        """

        async def find(unit: ReadUnit) -> tuple[OneTimeLink, Account, User | None] | None:
            found = await unit.links.find_with_account(digest(token))
            if found is None:
                return None
            link, account = found
            user_id = link.user_id
            return link, account, None if user_id is None else await unit.users.find(user_id)

        with self._throttle.attempt(_LINKS, ip) as attempt:
            found = await self._units.read(SYSTEM, find) if looks_genuine(token) else None
            if found is None or not found[0].is_open(self._clock.now()):
                attempt.outcome = LoginOutcome.FAILED
                raise LinkNotFoundError
            attempt.outcome = LoginOutcome.SUCCEEDED
            return found

    def _start(self, ip: str, request_id: str) -> "_Start":
        return _Start(new_secret(self._ids), ip, request_id, self._clock.now())

    async def _begin(
        self,
        account: Account,
        start: "_Start",
        work: Callable[[WriteUnit, "_Start"], Coroutine[object, None, "_Admitted"]],
    ) -> LoggedIn:
        """Begin a session for whom ``work`` lets in, in the same unit."""

        async def begin(unit: WriteUnit) -> tuple[LiveSession, bool]:
            found, done = await work(unit, start)
            await _confirm(unit, found, start.now)
            await unit.sessions.delete_ended(found.user.id, start.now, start.now - IDLE_LIFE)
            ended = await _make_room(unit, found.user.id)
            session = await unit.sessions.insert(start.session_of(found.user))
            entries = [start.entry(found.user, each) for each in (*done, *ended, LOG_IN)]
            await AuditWriter(unit, None, account.id).record(entries, start.now)
            live = LiveSession(
                session=session,
                user=found.user,
                account=found.account,
                csrf_token=csrf_token(start.secret),
            )
            return live, bool(ended)

        scope = Scope(account_id=account.id, environment=None)
        live, has_ended = await self._units.write(scope, begin)
        if has_ended:
            self._revocations.announce()
        return LoggedIn(secret=start.secret, live=live)


class _Admitted(NamedTuple):
    """The user who is let in, and the changes to them that the audit log records."""

    found: Credentials
    done: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Start:
    """The initial values of a new session."""

    secret: str
    ip: str
    request_id: str
    now: datetime

    def session_of(self, user: User) -> NewSession:
        return NewSession(
            account_id=user.account_id,
            user_id=user.id,
            digest=digest(self.secret),
            ip=self.ip,
            created_at=self.now,
            expires_at=self.now + ABSOLUTE_LIFE,
        )

    def entry(self, user: User, action: str) -> NewEntry:
        """Return what the audit log is reported somebody who acts on themselves."""
        return NewEntry(
            actor=actor_of(user.id),
            action=action,
            object=actor_of(user.id),
            ip=self.ip,
            request_id=self.request_id,
        )


async def _confirm(unit: WriteUnit, found: Credentials, now: datetime) -> None:
    """Note the login and hold the user's row, if the checked password still is the user's.

    Raises:
        InvalidLoginError: It was changed, or the user removed, after it was checked.
    """
    assert found.password_hash is not None
    if not await unit.users.record_login(found.user.id, found.password_hash, now):
        raise InvalidLoginError


async def _make_room(unit: WriteUnit, user_id: UserId) -> Sequence[str]:
    """End the oldest sessions of a user who has as many as allowed.

    Returns one action for the audit log for each that was open until now.
    """
    sessions = await unit.sessions.list(user_id)
    oldest = sessions[: max(len(sessions) - MAX_SESSIONS + 1, 0)]
    return [END_SESSION for each in oldest if await unit.sessions.delete(each.id, user_id)]


async def _user_of_link(
    unit: WriteUnit, link: OneTimeLink, email: str | None, password_hash: str, now: datetime
) -> tuple[User, Sequence[str]]:
    """Use the link up; return the user who has the password now, and what the log is reported it.

    Raises:
        LinkNotFoundError: Somebody else used it first.
        InvalidUserParameterError: It is of another address.
    """
    if link.user_id is None:
        assert email is not None
        if link.id not in await unit.links.use_setup(link.account_id, now):
            raise LinkNotFoundError
        owner = UserRole.OWNER
        new = new_user(link.account_id, email, owner, password_hash, now)
        return await unit.users.insert(new), (CREATE, set_role(owner), SET_PASSWORD)
    if not await unit.links.use(link.id, now):
        raise LinkNotFoundError
    user = await unit.users.find(link.user_id)
    assert user is not None  # a link goes with its user
    if email is not None and fold(email) != fold(user.email):
        raise InvalidUserParameterError("email", "This link is for another e-mail address.")
    return user, await replace_password(unit, user.id, password_hash, now)
