"""Interfaces that the worker needs: transports, and the services that do its other jobs.

A transport sends bytes over one kind of connection and says what came of it; it never raises for
what a destination does. It decides about addresses itself, at each attempt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Protocol

from longshore.as2.algorithms import Mic
from longshore.domain.as2.model import As2Keys
from longshore.domain.delivery.model import OutboxEntry
from longshore.domain.delivery.outcome import (
    AttemptOutcome,
    AttemptVerdict,
    FailureKind,
    error_code,
    verdict_of_failure,
    verdict_of_status,
)
from longshore.domain.partners.connections import Connection, ConnectionType
from longshore.domain.partners.targets import NOT_PERMITTED
from longshore.kit.environment import Environment

OnComposed = Callable[[Sequence[Mic]], Awaitable[None]]
"""Called before an AS2 message is sent whose receipt comes later; the receipt names one MIC."""


async def _is_not_awaited(mics: Sequence[Mic]) -> None:
    """Store nothing: for messages that no receipt of its own connection is awaited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundMessage:
    """An interchange to be sent, byte for byte the same in each attempt."""

    connection: Connection = field(repr=False)
    """Where it is sent, with the secrets."""
    environment: Environment
    content: bytes = field(repr=False)
    message_id: str
    """The same in each attempt, so that the destination recognises a repeat."""
    file_name: str = ""
    """The name of the file that holds the interchange, the same in each attempt."""
    simulate: str = ""
    """The behaviour that the sender asks of the simulator; ``""`` if none."""
    as2_keys: As2Keys | None = field(default=None, repr=False)
    """The identity that an AS2 connection sends as; None for others, and if there is none."""
    simulator_keys: As2Keys | None = field(default=None, repr=False)
    """The identity that the simulator receives as, if it is the AS2 partner; else None."""
    on_composed: OnComposed = field(default=_is_not_awaited, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Bytes that the destination sends in return, ``delay`` after it took the message."""

    content: bytes = field(repr=False)
    delay: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The result of an attempt."""

    verdict: AttemptVerdict
    http_status: int | None = None
    error_code: str | None = None
    """The code of ``last_error``; None if it succeeded."""
    message: str = ""
    """A sentence for people, without document content."""
    answer: str = field(default="", repr=False)
    """The text of the destination's answer, cut."""
    retry_after: timedelta | None = None
    replies: tuple[Reply, ...] = ()
    awaits_receipt: bool = False
    """True if the destination has taken it, and its receipt says later what came of it."""
    awaits_fetch: bool = False
    """True if it lies in the mailbox of the partner, who fetches it later."""
    is_fetched: bool = False
    """True if the partner has fetched it from its mailbox now."""


class Transport(Protocol):
    """A way to send."""

    async def send(self, message: OutboundMessage) -> Sent:
        """Send a message over a connection of the transport's type; return what came of it."""
        ...


Transports = Mapping[ConnectionType, Transport]


class JobHandler(Protocol):
    """Does what is no delivery: it processes what was received."""

    async def run(self, entry: OutboxEntry) -> None:
        """Do an entry and end it, in one unit that is fenced by its lease."""
        ...

    async def give_up(self, entry: OutboxEntry, code: str) -> None:
        """End an entry that cannot be done as ``dead``; ``code`` says why."""
        ...


class JobHandlers:
    """One handler for each kind of job, and one for all other kinds."""

    def __init__(self, by_kind: Mapping[str, JobHandler], default: JobHandler) -> None:
        self._by_kind = by_kind
        self._default = default

    async def run(self, entry: OutboxEntry) -> None:
        """Have an entry done by the handler of its kind."""
        await self._of(entry).run(entry)

    async def give_up(self, entry: OutboxEntry, code: str) -> None:
        """Have an entry ended by the handler of its kind."""
        await self._of(entry).give_up(entry, code)

    def _of(self, entry: OutboxEntry) -> JobHandler:
        return self._by_kind.get(entry.new.kind, self._default)


_MESSAGES: Final[Mapping[FailureKind, str]] = {
    FailureKind.CONNECTION_REFUSED: "The destination does not accept connections.",
    FailureKind.CONNECTION_LOST: "The connection broke before there was an answer.",
    FailureKind.NAME_NOT_FOUND: "The name of the destination is not known.",
    FailureKind.TIMED_OUT: "There was no answer in time.",
    FailureKind.ANSWER_INVALID: "What the destination answered is not HTTP.",
    FailureKind.ADDRESS_REFUSED: NOT_PERMITTED,
    FailureKind.CERTIFICATE_INVALID: "The certificate of the destination is not valid.",
    FailureKind.AUTHENTICATION_FAILED: "The destination does not accept the login.",
    FailureKind.PERMISSION_DENIED: "The destination does not permit it.",
    FailureKind.HOST_KEY_CHANGED: "The server showed another host key than the confirmed one.",
    FailureKind.FOLDER_NOT_FOUND: "The folder of the connection does not exist on the server.",
    FailureKind.FILE_EXISTS: "The folder has a file of this name with another content.",
    FailureKind.TRANSFER_FAILED: "The server could not store the file.",
    FailureKind.MIC_MISMATCH: "The destination received something else than was sent.",
    FailureKind.RECEIPT_NEGATIVE: "The destination sent a negative receipt.",
    FailureKind.RECEIPT_OVERDUE: "The destination took it, and its receipt did not come in time.",
    FailureKind.NOT_FETCHED: "The partner did not fetch it from its mailbox in time.",
    FailureKind.NOT_CONFIGURED: "The connection lacks what is needed to send.",
    FailureKind.LEASE_LOST: "The worker ended before it could say what came of it.",
}


def failure_message(kind: FailureKind) -> str:
    """Return the usual text of a failure."""
    return _MESSAGES[kind]


def failed(kind: FailureKind, message: str = "") -> Sent:
    """Return the result of an attempt without an answer, with a message of its own if given."""
    return Sent(
        verdict=verdict_of_failure(kind),
        error_code=kind.value,
        message=message or failure_message(kind),
    )


def answered(status: int, answer: str, retry_after: timedelta | None) -> Sent:
    """Return what an attempt that was answered with an HTTP status means."""
    verdict = verdict_of_status(status)
    if verdict.outcome is AttemptOutcome.SUCCEEDED:
        return Sent(verdict=verdict, http_status=status)
    return Sent(
        verdict=verdict,
        http_status=status,
        error_code=error_code(status),
        message=f"The destination answered with status {status}.",
        answer=answer,
        retry_after=retry_after,
    )
