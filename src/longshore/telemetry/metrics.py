"""Metrics of requests and documents, as Prometheus text. No label holds content or ids.

Labels are route templates, known methods, statuses and outcomes, so their number is bounded.
Everything is counted on the event loop alone, in plain numbers: the client library's own counters
take a lock each, together a good part of a ping (performance.md section 3). They become the
library's shapes when somebody asks.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Final, Literal, NamedTuple

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_BYTES: Final = tuple(4.0**power for power in range(4, 14))  # 256 bytes to 64 MiB


class _Histogram:
    """Counts of values by their upper bound, and their sum."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """Count one value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def add_to(self, family: HistogramMetricFamily, labels: Sequence[str]) -> None:
        """Write this histogram into ``family``."""
        names = [*map(str, self._bounds), "+Inf"]
        buckets = list(zip(names, map(float, accumulate(self._counts)), strict=True))
        family.add_metric(labels, buckets, self._sum)


class SharedFigures(NamedTuple):
    """Figures that all processes of a database share."""

    oldest_due_seconds: float
    """Age of the oldest due outbox entry."""
    stored_bytes: int
    stored_records: int

    def collect(self) -> Iterator[Metric]:
        """Yield them; called by the client library."""
        yield GaugeMetricFamily(
            "longshore_outbox_oldest_due_seconds",
            "For how long the longest waiting document has been due; 0 if none is",
            value=self.oldest_due_seconds,
        )
        yield GaugeMetricFamily(
            "longshore_stored_bytes",
            "Bytes of documents that all accounts store",
            value=self.stored_bytes,
        )
        yield GaugeMetricFamily(
            "longshore_stored_records",
            "Records of documents that all accounts store",
            value=self.stored_records,
        )


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.in_flight = 0
        self.count_connections: Callable[[], int] = int
        """Returns how many connections are open."""
        self.count_waiting_documents: Callable[[], int] = int
        """Returns how many documents wait to be stored."""
        self._refused_documents: Counter[str] = Counter()
        self._closed_connections: Counter[str] = Counter()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: dict[str, _Histogram] = {}
        self._documents = _Histogram(_BYTES)
        self._exchanged: Counter[str] = Counter()
        self._deliveries: Counter[str] = Counter()
        self._overdue_acks = 0
        self._bytes_received = 0
        self._bytes_sent = 0
        self._refused: Counter[str] = Counter()
        self._malformed: Counter[str] = Counter()

    def request_done(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        self._requests[route, method, status] += 1
        histogram = self._seconds.get(route)
        if histogram is None:
            histogram = self._seconds[route] = _Histogram(_SECONDS)
        histogram.observe(seconds)

    def bytes_moved(self, received: int, sent: int) -> None:
        """Count the body bytes of one request and its answer."""
        self._bytes_received += received
        self._bytes_sent += sent

    def caller_refused(self, code: str) -> None:
        """Count one caller who was turned away."""
        self._refused[code] += 1

    def malformed_request(self, code: str) -> None:
        """Count one request that never became one: broken, too slow, too large."""
        self._malformed[code] += 1

    def connection_closed(self, limit: str) -> None:
        """Count one connection that was closed or refused because of a limit."""
        self._closed_connections[limit] += 1

    def document_received(self, size_bytes: int) -> None:
        """Note the size of one request body that carried a document."""
        self._documents.observe(size_bytes)

    def documents_stored(self, kind: Literal["submitted", "received"], count: int = 1) -> None:
        """Count documents that were stored for good, repeats left out."""
        self._exchanged[kind] += count

    def document_refused(self, moment: str) -> None:
        """Count one document that was refused because too many waited to be stored."""
        self._refused_documents[moment] += 1

    def delivery_attempted(self, outcome: str) -> None:
        """Count one attempt to deliver, by what came of it."""
        self._deliveries[outcome] += 1

    def acks_overdue(self, count: int) -> None:
        """Count acknowledgements that did not come in time, each once."""
        self._overdue_acks += count

    def render(self, shared: SharedFigures | None = None) -> bytes:
        """Return everything in the Prometheus text format.

        Args:
            shared: Figures of the database; None if they are unknown.
        """
        registry = CollectorRegistry(auto_describe=False)
        registry.register(self)
        text = generate_latest(registry)
        if shared is None:
            return text
        of_database = CollectorRegistry(auto_describe=False)
        of_database.register(shared)
        return text + generate_latest(of_database)

    def collect(self) -> Iterator[Metric]:
        """Yield the present numbers; called by the client library."""
        requests = CounterMetricFamily(
            "longshore_http_requests", "Answered requests", labels=("route", "method", "status")
        )
        for (route, method, status), count in self._requests.items():
            requests.add_metric((route, method, str(status)), count)
        yield requests
        seconds = HistogramMetricFamily(
            "longshore_http_request_seconds",
            "Time from a request's headers to the end of its answer",
            labels=("route",),
        )
        for route, histogram in self._seconds.items():
            histogram.add_to(seconds, (route,))
        yield seconds
        documents = HistogramMetricFamily(
            "longshore_document_bytes", "Size of the request bodies that carried a document"
        )
        self._documents.add_to(documents, ())
        yield documents
        yield from self._of_trading()
        yield GaugeMetricFamily(
            "longshore_http_requests_in_flight", "Requests now running", value=self.in_flight
        )
        yield GaugeMetricFamily(
            "longshore_http_connections", "Connections now open", value=self.count_connections()
        )
        closed = CounterMetricFamily(
            "longshore_http_connections_closed",
            "Connections closed or refused because there were too many",
            labels=("limit",),
        )
        for limit, count in self._closed_connections.items():
            closed.add_metric((limit,), count)
        yield closed
        yield CounterMetricFamily(
            "longshore_http_received_bytes", "Bytes of request bodies", value=self._bytes_received
        )
        yield CounterMetricFamily(
            "longshore_http_sent_bytes", "Bytes of answer bodies", value=self._bytes_sent
        )
        yield _by_code("auth_failures", "Callers turned away", self._refused)
        yield _by_code("malformed", "Requests ended by the server", self._malformed)

    def _of_trading(self) -> Iterator[Metric]:
        exchanged = CounterMetricFamily(
            "longshore_documents", "Documents submitted and received", labels=("kind",)
        )
        for kind, count in self._exchanged.items():
            exchanged.add_metric((kind,), count)
        yield exchanged
        refused = CounterMetricFamily(
            "longshore_documents_refused",
            "Documents refused because too many waited to be stored",
            labels=("moment",),
        )
        for moment, count in self._refused_documents.items():
            refused.add_metric((moment,), count)
        yield refused
        yield GaugeMetricFamily(
            "longshore_documents_waiting",
            "Documents that wait to be stored",
            value=self.count_waiting_documents(),
        )
        deliveries = CounterMetricFamily(
            "longshore_delivery_attempts", "Attempts to deliver", labels=("outcome",)
        )
        for outcome, count in self._deliveries.items():
            deliveries.add_metric((outcome,), count)
        yield deliveries
        yield CounterMetricFamily(
            "longshore_acks_overdue",
            "Acknowledgements that did not come in time",
            value=self._overdue_acks,
        )


def _by_code(name: str, text: str, counts: Counter[str]) -> Metric:
    family = CounterMetricFamily(f"longshore_http_{name}", text, labels=("code",))
    for code, count in counts.items():
        family.add_metric((code,), count)
    return family
