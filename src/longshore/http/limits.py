"""Limits of a caller in this process: requests, documents and files at a time, bytes in flight.

Production keys, sessions and inbound addresses have a quota of requests; sandbox keys have none.
Documents at a time
are bounded for each key and each session in production and for each account in the sandbox, lists
as files for each account, bytes in flight for everybody.
Source: contract.md section 12, reliability.md section 9.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum, unique
from time import monotonic as system_monotonic
from typing import Final, Generic, NamedTuple, TypeVar

from longshore.domain.accounts.model import ApiCaller
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.ports import AccountId
from longshore.domain.users.model import SessionId, SessionUser
from longshore.http.admission import Admission, Reservation, Sender
from longshore.http.exchange import Caller, Visitor
from longshore.http.headers import Header
from longshore.http.quota import Quota, RateLimitedError
from longshore.kit.environment import Environment

MAX_EXPORTS: Final = 2
"""Lists as files that are made for one account at a time: each lies in memory until it is sent."""

BURSTS_PER_MINUTE: Final = 6
"""A session or an inbound address may ask at once what it may ask in ten seconds."""

_EXPORT_SECONDS: Final = 5

Counted = TypeVar("Counted")


@unique
class LimitClass(StrEnum):
    """The budget that a request is charged to."""

    NONE = "none"
    REQUESTS = "requests"
    DOCUMENTS = "documents"
    SUBMITS = "submits"
    EXPORTS = "exports"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitValues:
    """The numbers; see the settings of the same names."""

    requests_per_minute: int = 600
    request_burst: int = 60
    submits_per_minute: int = 120
    session_requests_per_minute: int = 6_000
    inbound_requests_per_minute: int = 6_000
    concurrent_documents: int = 8
    sandbox_concurrent_documents: int = 32
    concurrent_bodies: int = 256
    bytes_in_flight: int = 268_435_456
    queue_seconds: float = 20


class Limits:
    """Charges requests. One per process, on its event loop."""

    def __init__(
        self,
        values: LimitValues | None = None,
        monotonic: Callable[[], float] = system_monotonic,
    ) -> None:
        values = values or LimitValues()
        requests = Quota("default", values.requests_per_minute, values.request_burst, monotonic)
        submits = Quota("submit", values.submits_per_minute, values.request_burst, monotonic)
        self._sessions, self._channels = (
            Quota(name, per_minute, max(1, per_minute // BURSTS_PER_MINUTE), monotonic, kind)
            for name, kind, per_minute in (
                ("session", "session", values.session_requests_per_minute),
                ("inbound", "inbound address", values.inbound_requests_per_minute),
            )
        )
        self._quotas = {
            LimitClass.REQUESTS: requests,
            LimitClass.DOCUMENTS: requests,
            LimitClass.SUBMITS: submits,
            LimitClass.EXPORTS: requests,
        }
        self._admission = Admission(values.bytes_in_flight, values.queue_seconds)
        self._max_documents = {
            Environment.PRODUCTION: values.concurrent_documents,
            Environment.SANDBOX: values.sandbox_concurrent_documents,
        }
        self._max_bodies = values.concurrent_bodies
        self._bodies: Counter[Sender] = Counter()
        self._documents: Counter[_Counted] = Counter()
        self._exports: Counter[AccountId] = Counter()

    def charge(
        self, caller: ApiCaller, limit_class: LimitClass
    ) -> tuple[tuple[Header, ...], RateLimitedError | None]:
        """Count one request; return headers for its answer, and its refusal if it comes too soon.

        No header for a sandbox key.
        """
        if caller.environment is Environment.SANDBOX:
            return (), None
        quota = self._quotas[limit_class]
        charged = quota.charge(caller.key_id)
        wait = charged.wait_seconds
        return quota.headers(charged), None if wait is None else quota.refusal(wait)

    def charge_session(self, session_id: SessionId) -> None:
        """Count one request of a session.

        Raises:
            RateLimitedError: It has asked too often.
        """
        _charge(self._sessions, session_id)

    def charge_channel(self, channel_id: int) -> None:
        """Count one request to an inbound address that exists.

        ``channel_id`` is the id of its token; of a partner that sends by AS2 its negated id.

        Raises:
            RateLimitedError: It was asked too often.
        """
        _charge(self._channels, channel_id)

    def body(
        self, caller: Caller, limit_class: LimitClass, announced_bytes: int
    ) -> AbstractContextManager[Reservation]:
        """Count a body, and the document it carries, until the block ends.

        Raises:
            _too_many_documents: A RateLimitedError: the key, session or account has as many
                documents under way as it may have.
        """
        counted = _counted(caller, limit_class)
        if counted:
            maximum = self._max_documents[counted.environment]
            if self._documents[counted] >= maximum:
                raise _too_many_documents(counted, maximum)
            self._documents[counted] += 1
        reservation = self._admission.reservation(_sender(caller), announced_bytes)
        return _BodyUnderway(reservation, self._documents, counted) if counted else reservation

    def reading(self, caller: Caller) -> AbstractContextManager[None]:
        """Count a body while it arrives.

        Raises:
            RateLimitedError: As many bodies of the account or client arrive as may at a time.
        """
        sender, maximum = _sender(caller), self._max_bodies
        if self._bodies[sender] >= maximum:
            kind = "client" if isinstance(caller, Visitor) else "account"
            text = (
                f"This {kind} may send {maximum} request bodies at the same time. Try again when "
                "one of them has arrived."
            )
            raise RateLimitedError("concurrent_bodies", maximum, text, 1)
        self._bodies[sender] += 1
        return _Underway(self._bodies, sender)

    @contextmanager
    def exporting(self, caller: Caller | None, limit_class: LimitClass) -> Iterator[None]:
        """Count a list as a file while it is made and sent; whatever else is asked for is not.

        Raises:
            RateLimitedError: The account has as many under way as it may have.
        """
        account_id = account_of(caller)
        if limit_class is not LimitClass.EXPORTS or account_id is None:
            yield
            return
        if self._exports[account_id] >= MAX_EXPORTS:
            text = (
                f"This account may have {MAX_EXPORTS} lists made into files at the same time. Try"
                " again when one of them is done."
            )
            raise RateLimitedError("concurrent_exports", MAX_EXPORTS, text, _EXPORT_SECONDS)
        self._exports[account_id] += 1
        try:
            yield
        finally:
            _one_less(self._exports, account_id)


class _Underway(Generic[Counted]):
    """Counts something for a holder until its block ends.

    Not a generator, because that takes longer to enter and to leave.
    """

    __slots__ = ("_counts", "_holder")

    def __init__(self, counts: Counter[Counted], holder: Counted) -> None:
        self._counts = counts
        self._holder = holder

    def __enter__(self) -> None:
        """Begin; it was counted before."""

    def __exit__(self, *_raised: object) -> None:
        """Count it no more."""
        _one_less(self._counts, self._holder)


class _BodyUnderway(Generic[Counted]):
    """Holds the room of a body, and counts its document, until its block ends."""

    __slots__ = ("_counts", "_holder", "_reservation")

    def __init__(self, reservation: Reservation, counts: Counter[Counted], holder: Counted) -> None:
        self._reservation = reservation
        self._counts = counts
        self._holder = holder

    def __enter__(self) -> Reservation:
        """Return the room."""
        return self._reservation

    def __exit__(self, *_raised: object) -> None:
        """Give the room back, and count the document no more."""
        self._reservation.release()
        _one_less(self._counts, self._holder)


def _charge(quota: Quota, holder_id: int) -> None:
    wait_seconds = quota.charge(holder_id).wait_seconds
    if wait_seconds is not None:
        raise quota.refusal(wait_seconds)


def _too_many_documents(counted: "_Counted", maximum: int) -> RateLimitedError:
    text = (
        f"This {counted.kind} may have {maximum} documents worked on at the same time. Try again "
        "when one of them is done."
    )
    return RateLimitedError("concurrent_documents", maximum, text, 1)


def _one_less(in_progress: Counter[Counted], counted: Counted) -> None:
    in_progress[counted] -= 1
    if not in_progress[counted]:
        del in_progress[counted]


def account_of(caller: Caller | None) -> AccountId | None:
    """Return the account of a caller; None if it is not known."""
    return None if caller is None or isinstance(caller, Visitor) else caller.account_id


def _sender(caller: Caller) -> Sender:
    return caller.ip if isinstance(caller, Visitor) else caller.account_id


class _Counted(NamedTuple):
    """Under what the documents of a caller are counted."""

    environment: Environment
    kind: str
    id: int


def _counted(caller: Caller, limit_class: LimitClass) -> _Counted | None:
    """Return under what the documents of a caller are counted, None if they are not."""
    if limit_class is not LimitClass.DOCUMENTS or isinstance(caller, InboundChannel | Visitor):
        return None
    if caller.environment is Environment.SANDBOX:
        return _Counted(caller.environment, "account", caller.account_id)
    if isinstance(caller, SessionUser):
        return _Counted(caller.environment, "session", caller.session_id)
    return _Counted(caller.environment, "key", caller.key_id)
