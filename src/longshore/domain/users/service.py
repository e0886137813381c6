"""Users of an account, as its owner manages them, and their sessions.

Whoever loses a password, a role or everything loses it in running sessions too: the shared counter
(``Revocations``) empties the caches of all servers on this database.
"""

from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from longshore.domain.ports import NotUniqueError, RequestContext, Revocations, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.users.authentication import has_ended
from longshore.domain.users.changes import (
    CREATE,
    END_SESSION,
    ISSUE_LINK,
    REMOVE,
    SET_EMAIL,
    SET_PASSWORD,
    actor_of,
    end_sessions,
    insert_user,
    new_link,
    new_user,
    record_changes,
    replace_password,
    set_role,
)
from longshore.domain.users.errors import (
    EmailTakenError,
    InvalidUserParameterError,
    LastOwnerError,
    SessionNotFoundError,
    TooManyUsersError,
    UserNotFoundError,
)
from longshore.domain.users.model import (
    IssuedLink,
    Session,
    SessionId,
    SessionUser,
    User,
    UserId,
    UserRole,
)
from longshore.domain.users.passwords import (
    PasswordHasher,
    check_email,
    fold,
    hash_new_password,
    new_secret,
)
from longshore.kit.clock import Clock
from longshore.kit.ids import IdSource

T = TypeVar("T")

MAX_USERS: Final = 1_000  # of one account; a list is one answer


@dataclass(frozen=True, slots=True, kw_only=True)
class UserFacts:
    """The decisions of an owner about a user; without ``password`` none is set or changed."""

    email: str
    role: UserRole
    password: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedUser:
    """A new user, and the link to set a password if none was given."""

    user: User
    link: IssuedLink | None


class UserService:
    """The users of one account; who may call what is for the edge to check."""

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

    async def list(self, scope: Scope) -> Sequence[User]:
        """Return the users of the scope's account, in the order they were made."""

        async def users(unit: ReadUnit) -> Sequence[User]:
            return await unit.users.list()

        return await self._units.read(scope, users)

    async def create(self, context: RequestContext, facts: UserFacts) -> CreatedUser:
        """Store a new user; without a password with a link to set one.

        Raises:
            InvalidUserParameterError: The address or the password cannot be used.
            EmailTakenError: Somebody, of this account or another, has the address.
            TooManyUsersError: The account is full.
            TooManyLoginsError: Too many passwords are being hashed.
        """
        account_id = context.account_id
        check_email(facts.email)
        password_hash = await self._hash(facts)
        now = self._clock.now()
        token = new_secret(self._ids)

        async def store(unit: WriteUnit) -> CreatedUser:
            if len(await unit.users.lock(account_id)) >= MAX_USERS:
                raise TooManyUsersError(MAX_USERS)
            new = new_user(account_id, facts.email, facts.role, password_hash, now)
            user = await insert_user(unit, new)
            issued = None
            if password_hash is None:
                link = new_link(account_id, user.id, token, now)
                await unit.links.insert(link)
                issued = IssuedLink(token=token, account_id=account_id, expires_at=link.expires_at)
            done = (CREATE, set_role(user.role), ISSUE_LINK if issued else SET_PASSWORD)
            await record_changes(unit, context, user.id, done, now)
            return CreatedUser(user=user, link=issued)

        return await self._kept(context.scope, store)

    async def change(self, context: RequestContext, user_id: UserId, facts: UserFacts) -> User:
        """Set address and role of a user, and the password if one is given.

        Raises:
            InvalidUserParameterError: The address or the password cannot be used, or it is the
                caller's own password.
            EmailTakenError: Somebody else, of this account or another, has the address.
            UserNotFoundError: The account has no such user.
            LastOwnerError: Nobody would be owner.
            TooManyLoginsError: Too many passwords are being hashed.
        """
        check_email(facts.email)
        if facts.password is not None and context.actor == actor_of(user_id):
            raise InvalidUserParameterError(
                "password", "Change your own password with POST /api/account/password."
            )
        password_hash = await self._hash(facts)
        now = self._clock.now()

        async def change(unit: WriteUnit) -> User:
            users = await unit.users.lock(context.account_id)
            before = _get(users, user_id)
            if facts.role is not UserRole.OWNER:
                _refuse_to_lose_last_owner(users, user_id)
            replaced: tuple[str, ...] = ()
            if password_hash is not None:
                replaced = await replace_password(unit, user_id, password_hash, now)
            user = await unit.users.change(user_id, facts.email, fold(facts.email), facts.role)
            assert user is not None
            done = (*_changes(before, user), *replaced)
            await record_changes(unit, context, user_id, done, now)
            return user

        user = await self._kept(context.scope, change)
        self._revocations.announce()
        return user

    async def remove(self, context: RequestContext, user_id: UserId) -> None:
        """Delete a user and end their sessions.

        Raises:
            UserNotFoundError: The account has no such user.
            LastOwnerError: Nobody would be owner.
        """
        now = self._clock.now()

        async def delete(unit: WriteUnit) -> None:
            users = await unit.users.lock(context.account_id)
            _get(users, user_id)
            _refuse_to_lose_last_owner(users, user_id)
            ended = await end_sessions(unit, user_id, now)
            await unit.links.delete_all(user_id)
            await unit.users.delete(user_id)
            await record_changes(unit, context, user_id, (*ended, REMOVE), now)

        await self._units.write(context.scope, delete)
        self._revocations.announce()

    async def sessions(self, caller: SessionUser) -> Sequence[Session]:
        """Return the caller's own sessions that have not ended, in the order they were begun."""
        now = self._clock.now()

        async def sessions(unit: ReadUnit) -> Sequence[Session]:
            return await unit.sessions.list(caller.user_id)

        found = await self._units.read(caller.scope, sessions)
        # Of the one that asks, the use may not be written down yet.
        return [
            each
            for each in found
            if each.id == caller.session_id or not has_ended(each, each.last_seen_at, now)
        ]

    async def end_session(
        self, context: RequestContext, caller: SessionUser, session_id: SessionId
    ) -> None:
        """End one of the caller's own sessions; it may be the one that asks.

        Raises:
            SessionNotFoundError: The caller has no such session.
        """
        if not await self._end(context, caller.user_id, session_id):
            raise SessionNotFoundError

    async def log_out(self, context: RequestContext, caller: SessionUser) -> None:
        """End the session that asks; it may have been ended meanwhile."""
        await self._end(context, caller.user_id, caller.session_id)

    async def _end(self, context: RequestContext, user_id: UserId, session_id: SessionId) -> bool:
        now = self._clock.now()

        async def delete(unit: WriteUnit) -> bool:
            was_there = await unit.sessions.delete(session_id, user_id)
            if was_there:
                await record_changes(unit, context, user_id, (END_SESSION,), now)
            return was_there

        was_there = await self._units.write(context.scope, delete)
        self._revocations.announce()
        return was_there

    async def _hash(self, facts: UserFacts) -> str | None:
        if facts.password is None:
            return None
        return await hash_new_password(self._hasher, facts.password, facts.email)

    async def _kept(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        try:
            return await self._units.write(scope, work)
        except NotUniqueError as error:
            raise EmailTakenError from error


def _get(users: Sequence[User], user_id: UserId) -> User:
    for user in users:
        if user.id == user_id:
            return user
    raise UserNotFoundError


def _changes(before: User, after: User) -> Iterator[str]:
    """Yield what the audit log is reported a change; what stayed as it was is none."""
    if after.email != before.email:
        yield SET_EMAIL
    if after.role is not before.role:
        yield set_role(after.role)


def _refuse_to_lose_last_owner(users: Sequence[User], user_id: UserId) -> None:
    if {user.id for user in users if user.role is UserRole.OWNER} == {user_id}:
        raise LastOwnerError
