"""User names of mailboxes.

A user name says account, partner and environment, so it is unique in the installation without a
list that all accounts share, and one account learns nothing of another by choosing a name.

Source: transports.md section 3.
"""

from __future__ import annotations

import re
from typing import Final

from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment

_SIDES: Final = {Environment.SANDBOX: "test", Environment.PRODUCTION: "live"}
_ENVIRONMENTS: Final = {side: environment for environment, side in _SIDES.items()}
_USER: Final = re.compile("a([1-9][0-9]{0,17})-p([1-9][0-9]{0,17})-(test|live)")


def mailbox_user(account_id: AccountId, partner_id: PartnerId, environment: Environment) -> str:
    """Return the user name of a partner's mailbox, such as ``a1-p12-test``."""
    return f"a{account_id}-p{partner_id}-{_SIDES[environment]}"


def read_mailbox_user(user: str) -> tuple[AccountId, PartnerId, Environment] | None:
    """Return what a user name says; None if it is none."""
    named = _USER.fullmatch(user)
    if named is None:
        return None
    return AccountId(int(named[1])), PartnerId(int(named[2])), _ENVIRONMENTS[named[3]]
