"""An entry of the audit log. Source: reliability.md section 8."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.domain.ports import AccountId, AssociatedData

ROW_KIND: Final = "audit_entry"
SEPARATION: Final = "separation"
"""The first word of actions in which test and live were kept apart: what was asked for or sent is
refused, rewritten or stored as test on account of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """A new entry: the user or key, the action and its object."""

    actor: str
    """``key 3``, ``user 5``, ``operator``."""
    action: str
    """``document.read``."""
    object: str
    """``document 17``. All three hold ids and words of ours alone, and lie in the open; ``detail``
    is a text for people, sealed.
    """
    ip: str = ""
    request_id: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedEntry:
    """An entry as it lies in its row; without a detail ``facts`` and key are empty."""

    account_id: AccountId
    position: int
    """From 1 within the account, without a gap."""
    actor: str
    action: str
    object: str
    ip: str
    request_id: str
    created_at: datetime
    wrapped_key: bytes
    facts: bytes


@dataclass(frozen=True, slots=True)
class ChainedEntry:
    """An entry with the hash that was stored with it."""

    entry: SealedEntry
    hash: bytes


def associated_data_of(account_id: AccountId, position: int) -> AssociatedData:
    """Return where the key of an entry is bound to."""
    return AssociatedData(account_id=account_id, environment=None, kind=ROW_KIND, id=position)
