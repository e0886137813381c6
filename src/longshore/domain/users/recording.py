"""What the audit log is told of people: who came in, and what was done to whom.

Entries have no detail, so that the operator's commands, which open no master key, tell of
themselves too: a role is part of the action. An address or a name is in none.

Source: reliability.md section 8.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from longshore.domain.acting import RequestContext
from longshore.domain.audit.recording import AuditWriter, entry_of
from longshore.domain.units import WriteUnit
from longshore.domain.users.model import UserId, UserRole

LOG_IN: Final = "session.begin"
END_SESSION: Final = "session.end"
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
    acting: RequestContext,
    user_id: UserId,
    actions: Iterable[str],
    now: datetime,
) -> None:
    """Add what somebody did to a user, in this order; the last thing a unit does."""
    entries = [entry_of(acting, action, actor_of(user_id)) for action in actions]
    await AuditWriter(unit, None, acting.account_id).record(entries, now)
