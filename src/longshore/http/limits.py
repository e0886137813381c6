"""What a caller may use of this process: requests, documents at a time, bytes in flight.

Production keys have a quota of requests; sandbox keys have none. Bytes in flight are bounded for
everybody. Source: contract.md section 12, reliability.md section 9.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum, unique
from time import monotonic as system_monotonic

from longshore.domain.accounts.model import ApiCaller, ApiKeyId
from longshore.http.admission import Admission
from longshore.http.headers import Header
from longshore.http.quota import Quota, RateLimitedError
from longshore.kit.environment import Environment


@unique
class LimitClass(StrEnum):
    """Which budget a request is charged to."""

    NONE = "none"
    REQUESTS = "requests"
    DOCUMENTS = "documents"
    SUBMITS = "submits"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitValues:
    """The numbers; see the settings of the same names."""

    requests_per_minute: int = 600
    request_burst: int = 60
    submits_per_minute: int = 120
    concurrent_documents: int = 8
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
        self._quotas = {
            LimitClass.REQUESTS: requests,
            LimitClass.DOCUMENTS: requests,
            LimitClass.SUBMITS: submits,
        }
        self._admission = Admission(values.bytes_in_flight, values.queue_seconds)
        self._max_documents = values.concurrent_documents
        self._documents: Counter[ApiKeyId] = Counter()

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

    async def begin_body(self, caller: ApiCaller, limit_class: LimitClass, size: int) -> int:
        """Wait for room for a body of ``size`` bytes; return what ``end_body`` has to be given.

        Raises:
            RateLimitedError: The production key has as many documents under way as it may have.
            LongshoreError: ``overloaded``: there is no room and no place in the queue.
        """
        counts = self._counts(caller, limit_class)
        if counts:
            if self._documents[caller.key_id] >= self._max_documents:
                raise self._too_many_documents()
            self._documents[caller.key_id] += 1
        try:
            return await self._admission.take(caller.account_id, size)
        except BaseException:
            if counts:
                self._document_ended(caller.key_id)
            raise

    def end_body(self, caller: ApiCaller, limit_class: LimitClass, taken: int) -> None:
        """Give back what ``begin_body`` took."""
        self._admission.give_back(caller.account_id, taken)
        if self._counts(caller, limit_class):
            self._document_ended(caller.key_id)

    def _counts(self, caller: ApiCaller, limit_class: LimitClass) -> bool:
        is_production = caller.environment is Environment.PRODUCTION
        return is_production and limit_class is LimitClass.DOCUMENTS

    def _document_ended(self, key_id: ApiKeyId) -> None:
        self._documents[key_id] -= 1
        if not self._documents[key_id]:
            del self._documents[key_id]

    def _too_many_documents(self) -> RateLimitedError:
        text = (
            f"This key may have {self._max_documents} documents worked on at the same time. "
            "Try again when one of them is done."
        )
        return RateLimitedError("concurrent_documents", self._max_documents, text, 1)
