"""Received acknowledgements on their way to what we had sent: what is handed over, and to whom.

The processing of a receipt reads acknowledgements; ``domain/reconciliation`` finds what they answer
and changes it. The processing sees it through ``AckReceiver``, so that neither knows the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, TypeVar

from longshore.domain.acks.rows import AckInterchange, Errors
from longshore.domain.acks.sent import AckOrigin
from longshore.domain.events.model import NewEvent
from longshore.domain.ports import AccountId, Scope
from longshore.domain.transactions.model import InterchangeId
from longshore.kit.environment import Environment
from longshore.x12.acks.read import GroupAck, ReceivedTa1

UnitT_contra = TypeVar("UnitT_contra", contravariant=True)


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


class AckReceiver(Protocol[UnitT_contra]):
    """Finds what acknowledgements answer, and changes it."""

    async def prepare(self, scope: Scope, received: Sequence[ReceivedAck]) -> PreparedAcks:
        """Look up and read what may be meant; outside a unit, nothing is changed.

        ``scope``: of the account, in the environment of the interchange.
        """
        ...

    async def apply(
        self, unit: UnitT_contra, prepared: PreparedAcks, arrival: AckInterchange, now: datetime
    ) -> tuple[NewEvent, ...]:
        """Change what is answered, as it stands now; return the events that are to be recorded.

        Awaits nothing but the stores of ``unit``, and may run twice with it.
        """
        ...
