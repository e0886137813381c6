"""Changes to users inside a write unit, and their audit entries.

Entries have no encrypted detail, so that the operator's commands, which read no master key, can
write them too: a role is part of the action. No entry holds an address or a name.

Source: reliability.md section 8.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from longshore.domain.accounts.model import AccountId
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.ports import RequestContext
from longshore.domain.units import WriteUnit
from longshore.domain.users.authentication import IDLE_LIFE
from longshore.domain.users.model import User, UserId, UserRole
from longshore.domain.users.passwords import digest, fold
from longshore.domain.users.store import NewLink, NewUser

LOG_IN: Final = "session.begin"
END_SESSION: Final = "session.end"
REFUSE_LOGIN: Final = "session.refuse"
REFUSE_CONFIRMATION: Final = "user.refuse_confirmation"
"""Somebody who is logged in gave a wrong password where it is asked for once more."""
THROTTLE: Final = "session.throttle"
"""The address that failed so often is refused for a while."""
VISITOR: Final = "visitor"
"""The actor who may be anybody: the password was wrong."""
CREATE: Final = "user.create"
REMOVE: Final = "user.remove"
SET_EMAIL: Final = "user.set_email"
SET_PASSWORD: Final = "user.set_password"  # noqa: S105 - what is done, not a password
ISSUE_LINK: Final = "user.issue_link"


def actor_of(user_id: UserId) -> str:
    """Return how the log names a user, as who acts and as what is acted upon: ``user 5``."""
    return f"user {user_id}"


def set_role(role: UserRole) -> str:
    """Return the action by which somebody has a role from then on: ``user.make_editor``."""
    return f"user.make_{role}"


async def record_changes(
    unit: WriteUnit,
    context: RequestContext,
    user_id: UserId,
    actions: Iterable[str],
    now: datetime,
) -> None:
    """Add what somebody did to a user, in this order; the last thing a unit does."""
    entries = [entry_of(context, action, actor_of(user_id)) for action in actions]
    await AuditWriter(unit, None, context.account_id).record(entries, now)


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
    """Set a password and take away what the old one gave: sessions, and open links.

    Returns what the audit log is reported it.
    """
    await unit.users.set_password(user_id, password_hash)
    ended = await end_sessions(unit, user_id, now)
    await unit.links.delete_all(user_id)
    return SET_PASSWORD, *ended


async def end_sessions(unit: WriteUnit, user_id: UserId, now: datetime) -> tuple[str, ...]:
    """End all sessions of a user; return one action for the audit log for each.

    Those that were over before are not recorded.
    """
    await unit.sessions.delete_ended(user_id, now, now - IDLE_LIFE)
    return (END_SESSION,) * await unit.sessions.delete_all(user_id)
