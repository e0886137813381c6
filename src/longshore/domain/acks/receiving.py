"""Received acknowledgements on their way to what we had sent."""

from __future__ import annotations

from dataclasses import dataclass, field

from longshore.domain.acks.rows import Errors
from longshore.domain.acks.sent import AckOrigin
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId
from longshore.kit.environment import Environment
from longshore.x12.acks.read import GroupAck, ReceivedTa1


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedAck:
    """An acknowledgement as it was read: a 997 or 999, or a TA1.

    ``digest``: its ``reconcile.content_digest``: of the segments from ST to SE, or of the TA1.
    """

    ack: GroupAck | ReceivedTa1
    origin: AckOrigin
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedAck:
    """An acknowledgement, and what took long to find out about it.

    ``received.digest`` is keyed by now. ``expected``: the interchange that it answered when that
    was looked up, None for none. ``errors``: brought back to our document, by transaction.
    """

    received: ReceivedAck
    expected: InterchangeId | None = None
    errors: Errors = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedAcks:
    """The acknowledgements of one interchange, in its order. ``owner``: whose it is, and where."""

    owner: tuple[AccountId, Environment]
    acks: tuple[PreparedAck, ...]
