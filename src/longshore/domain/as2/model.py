"""Our identities in AS2: a name, and the keys that we sign with and that partners encrypt for.

An identity belongs to one environment of one account, and its name to one identity of the whole
installation, because a message names nothing else. It has one key, or two during a roll-over: the
first signs, and messages may be encrypted for either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NewType

from longshore.as2.algorithms import Mic
from longshore.as2.certificates import PemKeyPair
from longshore.domain.ports import AccountId, Scope
from longshore.kit.environment import Environment

As2IdentityId = NewType("As2IdentityId", int)
As2ReceiptId = NewType("As2ReceiptId", int)

MAX_KEYS: Final = 2
"""The one that signs, and during a roll-over the one before or after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class As2Identity:
    """One of our identities. Times are aware UTC."""

    id: As2IdentityId
    account_id: AccountId
    environment: Environment
    name: str
    """The AS2 name; it is compared with its case."""
    certificates: tuple[str, ...]
    """In PEM, one or two; that of the key that signs comes first."""
    created_at: datetime

    @property
    def scope(self) -> Scope:
        """The scope of every unit that runs for what is sent to it."""
        return Scope(account_id=self.account_id, environment=self.environment)


@dataclass(frozen=True, slots=True, kw_only=True)
class As2Keys:
    """An identity with its private keys."""

    name: str
    pairs: tuple[PemKeyPair, ...] = field(repr=False)
    """The first signs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptResult:
    """The meaning of a partner's receipt for what was sent."""

    code: str
    """Of the failure, ``""`` if the partner has the message."""
    message: str
    """A sentence for people, ``""`` if it has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitedReceipt:
    """A receipt that a partner sends in a connection of its own."""

    mics: tuple[Mic, ...]
    """The MICs of what was sent; the receipt has to name one of them."""
    result: ReceiptResult | None = None
    """None until it comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptToSend:
    """A receipt of ours that is sent in a connection of its own."""

    url: str
    """As the partner's message names it."""
    sender: str
    """Our AS2 name."""
    receiver: str
    """That of the partner."""
    message_id: str
    """Its own, with angle brackets; the same in each attempt."""
    entity: bytes = field(repr=False)
    """The receipt with its Content-Type in front."""
