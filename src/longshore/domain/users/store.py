"""Stores of the users slice in a unit; the read stores lack every writing method.

Each store belongs to one unit and its scope. What looks people up before it is known who they are
(e-mail at login, digest of a session or a link) runs in the system scope.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from longshore.domain.accounts.model import Account, AccountId
from longshore.domain.users.model import (
    LinkId,
    OneTimeLink,
    Session,
    SessionId,
    User,
    UserId,
    UserRole,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUser:
    """A user to be stored."""

    account_id: AccountId
    email: str
    folded_email: str
    role: UserRole
    password_hash: str | None
    """None: a link will set the password."""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session to be stored; ``digest`` is the SHA-256 of its secret (32 bytes)."""

    account_id: AccountId
    user_id: UserId
    digest: bytes
    ip: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """A one-time link to be stored; ``digest`` is the SHA-256 of its token (32 bytes)."""

    account_id: AccountId
    user_id: UserId | None
    digest: bytes
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The stored values that a login is checked against."""

    user: User
    account: Account
    password_hash: str | None


class UserReadStore(Protocol):
    """Users, to be read."""

    async def find(self, user_id: UserId) -> User | None:
        """Return the user with this id."""
        ...

    async def list(self) -> Sequence[User]:
        """Return all users of the scope, in the order they were made."""
        ...

    async def find_credentials(self, folded_email: str) -> Credentials | None:
        """Return the user with this folded e-mail address, with hash and account."""
        ...


class UserStore(UserReadStore, Protocol):
    """Users, to be read and changed."""

    async def insert(self, new: NewUser) -> User:
        """Store a user and return it.

        Raises:
            NotUniqueError: Somebody, of this account or another, has the folded address.
        """
        ...

    async def lock(self, account_id: AccountId) -> Sequence[User]:
        """Return the users of an account; until the unit ends nobody else changes them."""
        ...

    async def change(
        self, user_id: UserId, email: str, folded_email: str, role: UserRole
    ) -> User | None:
        """Set address and role and return the user; None if it is absent.

        Raises:
            NotUniqueError: Somebody else, of this account or another, has the folded address.
        """
        ...

    async def set_password(self, user_id: UserId, password_hash: str) -> None:
        """Set the hash of the password."""
        ...

    async def record_login(self, user_id: UserId, password_hash: str, at: datetime) -> bool:
        """Set the time of the last login; False if the hash is no longer the user's."""
        ...

    async def delete(self, user_id: UserId) -> None:
        """Delete a user who has neither sessions nor links."""
        ...


class SessionReadStore(Protocol):
    """Browser sessions, to be read."""

    async def find_with_user(self, digest: bytes) -> tuple[Session, User, Account] | None:
        """Return the session with this SHA-256, its user and their account."""
        ...

    async def list(self, user_id: UserId) -> Sequence[Session]:
        """Return the sessions of a user, in the order they were begun."""
        ...


class SessionStore(SessionReadStore, Protocol):
    """Browser sessions, to be read and changed."""

    async def insert(self, new: NewSession) -> Session:
        """Store a session and return it with its id."""
        ...

    async def record_seen(self, session_id: SessionId, seen_at: datetime) -> None:
        """Set the time of last use unless a later one is set."""
        ...

    async def delete(self, session_id: SessionId, user_id: UserId) -> bool:
        """End a session of this user; False if there is none with this id."""
        ...

    async def delete_all(self, user_id: UserId) -> int:
        """End all sessions of a user; return how many there were."""
        ...

    async def delete_ended(self, user_id: UserId, now: datetime, idle_since: datetime) -> None:
        """Delete sessions of a user that ended at ``now`` or were not used after ``idle_since``."""
        ...


class LinkReadStore(Protocol):
    """One-time links, to be read."""

    async def find_with_account(self, digest: bytes) -> tuple[OneTimeLink, Account] | None:
        """Return the link with this SHA-256, and its account."""
        ...


class LinkStore(LinkReadStore, Protocol):
    """One-time links, to be read and changed."""

    async def insert(self, new: NewLink) -> OneTimeLink:
        """Store a link and return it with its id."""
        ...

    async def use(self, link_id: LinkId, at: datetime) -> bool:
        """Mark a link as used; False if it was used before or has expired."""
        ...

    async def use_setup(self, account_id: AccountId, at: datetime) -> Sequence[LinkId]:
        """Mark all set-up links of an account as used; return those that were still open."""
        ...

    async def delete_all(self, user_id: UserId) -> None:
        """Delete the links of a user."""
        ...

    async def delete_expired(self, now: datetime) -> None:
        """Delete the links that nobody can use any more at ``now``."""
        ...
