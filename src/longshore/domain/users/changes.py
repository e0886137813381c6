"""Steps inside a write unit that several use cases share."""

from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.model import AccountId
from longshore.domain.users.model import User, UserId, UserRole
from longshore.domain.users.passwords import fold
from longshore.domain.users.secrets import digest
from longshore.domain.users.store import NewLink, NewUser, UsersWriteUnit

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


async def insert_user(unit: UsersWriteUnit, new: NewUser) -> User:
    """Store a user; links to make the first one are used up by it."""
    await unit.links.use_setup(new.account_id, new.created_at)
    return await unit.users.insert(new)


async def replace_password(unit: UsersWriteUnit, user_id: UserId, password_hash: str) -> None:
    """Set a password and take away what the old one gave: sessions, and open links beside it."""
    await unit.users.set_password(user_id, password_hash)
    await unit.sessions.delete_all(user_id)
    await unit.links.delete_all(user_id)
