"""Steps inside a write unit that several use cases share."""

from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.model import AccountId
from longshore.domain.units import WriteUnit
from longshore.domain.users.authentication import IDLE_LIFE
from longshore.domain.users.model import User, UserId, UserRole
from longshore.domain.users.passwords import fold
from longshore.domain.users.recording import END_SESSION, SET_PASSWORD
from longshore.domain.users.secrets import digest
from longshore.domain.users.store import NewLink, NewUser

LINK_LIFE: Final = timedelta(hours=24)


def new_user(
    account_id: AccountId, email: str, role: UserRole, password_hash: str | None, now: datetime
) -> NewUser:
    """Return what is stored of a new user."""
    return NewUser(
        account_id=account_id,
        email=email,
        folded_email=fold(email),
        role=role,
        password_hash=password_hash,
        created_at=now,
    )


def new_link(account_id: AccountId, user_id: UserId | None, token: str, now: datetime) -> NewLink:
    """Return what is stored of a new one-time link."""
    return NewLink(
        account_id=account_id,
        user_id=user_id,
        digest=digest(token),
        created_at=now,
        expires_at=now + LINK_LIFE,
    )


async def insert_user(unit: WriteUnit, new: NewUser) -> User:
    """Store a user; links to make the first one are used up by it."""
    await unit.links.use_setup(new.account_id, new.created_at)
    return await unit.users.insert(new)


async def replace_password(
    unit: WriteUnit, user_id: UserId, password_hash: str, now: datetime
) -> tuple[str, ...]:
    """Set a password and take away what the old one gave: sessions, and open links beside it.

    Returns what the audit log is told of it.
    """
    await unit.users.set_password(user_id, password_hash)
    ended = await end_sessions(unit, user_id, now)
    await unit.links.delete_all(user_id)
    return SET_PASSWORD, *ended


async def end_sessions(unit: WriteUnit, user_id: UserId, now: datetime) -> tuple[str, ...]:
    """End all sessions of a user; return what the audit log is told: one action for each.

    Of those that were over before it is told nothing.
    """
    await unit.sessions.delete_ended(user_id, now, now - IDLE_LIFE)
    return (END_SESSION,) * await unit.sessions.delete_all(user_id)
