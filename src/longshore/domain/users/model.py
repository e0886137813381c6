"""Users, their browser sessions, and the links by which a first password is set.

Roles, each with all rights of those below it (contract.md section 15):

    owner       everything
    editor      not users, the account, production keys
    viewer      reads
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum, unique
from types import MappingProxyType
from typing import Final, NewType

from longshore.domain.accounts.model import Account, AccountId, AccountType
from longshore.domain.ports import Scope
from longshore.kit.environment import Environment

UserId = NewType("UserId", int)
SessionId = NewType("SessionId", int)
LinkId = NewType("LinkId", int)


@unique
class UserRole(StrEnum):
    """The role of a user in the account."""

    OWNER = "owner"
    EDITOR = "editor"
    VIEWER = "viewer"

    def includes(self, other: "UserRole") -> bool:
        """Return whether this role may do all that ``other`` may."""
        return _RANK[self] >= _RANK[other]


_RANK: Final[Mapping[UserRole, int]] = MappingProxyType({
    UserRole.VIEWER: 1,
    UserRole.EDITOR: 2,
    UserRole.OWNER: 3,
})


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person who may log in, once there is a password. Times are aware UTC."""

    id: UserId
    account_id: AccountId
    email: str
    role: UserRole
    has_password: bool
    created_at: datetime
    last_login_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A browser that is logged in. Times are aware UTC."""

    id: SessionId
    account_id: AccountId
    user_id: UserId
    ip: str
    """The address it was begun from, ``""`` if unknown. ``last_seen_at`` is exact to a minute."""
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    """The end at the latest, however busy it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionUser:
    """The caller that a session identifies; made by the session authenticator alone."""

    account_id: AccountId
    account_name: str
    account_type: AccountType
    user_id: UserId
    email: str
    role: UserRole
    session_id: SessionId
    environment: Environment
    """The environment that the page shows, chosen by each request."""
    logged_in_at: datetime

    @property
    def may_submit(self) -> bool:
        """Return whether the caller may send documents."""
        return self.role is not UserRole.VIEWER

    @property
    def scope(self) -> Scope:
        """Return the scope of every unit that runs for this caller."""
        return Scope(account_id=self.account_id, environment=self.environment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """Confirmation of what an open browser alone must not do, with the password if given."""

    user: SessionUser
    password: str | None = field(repr=False)
    ip: str
    """The client address, ``""`` if unknown."""
    request_id: str = ""
    """Of the request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSession:
    """A session that is let in. ``csrf_token`` is a secret and stays out of ``repr``."""

    session: Session
    user: User
    account: Account
    csrf_token: str = field(repr=False)

    def caller(self, environment: Environment) -> SessionUser:
        """Return the caller who asks for ``environment``."""
        return SessionUser(
            account_id=self.account.id,
            account_name=self.account.name,
            account_type=self.account.account_type,
            user_id=self.user.id,
            email=self.user.email,
            role=self.user.role,
            session_id=self.session.id,
            environment=environment,
            logged_in_at=self.session.created_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedIn:
    """A new session at the one moment its secret can be handed out."""

    secret: str = field(repr=False)
    live: LiveSession


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTimeLink:
    """A right to set a password once."""

    id: LinkId
    account_id: AccountId
    user_id: UserId | None
    """None: the first user, the owner, who does not exist yet."""
    expires_at: datetime
    used_at: datetime | None

    def is_open(self, now: datetime) -> bool:
        """Return whether the link can be used at ``now``."""
        return self.used_at is None and now < self.expires_at


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedLink:
    """A link at the one moment its token can be shown; the token is a secret."""

    token: str = field(repr=False)
    account_id: AccountId
    expires_at: datetime
