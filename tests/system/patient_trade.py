"""Clients of a service that loses its database: they ask again until they are answered."""

import http.client
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tests.system.server import DEADLINE_SECONDS
from tests.system.trading_kills import Trade

AGAIN_SECONDS: Final = 0.1
"""Sooner than ``Retry-After`` allows: impatient clients are the harder load."""


@dataclass
class PatientTrade(Trade):
    """Four writers and two senders that ask for each document, under one key, until an answer.

    ``pace_seconds``: between an answer and the next document; so long that no queue grows, which
    would hide how soon deliveries go on. ``answers``: by the client, which is the path and the
    beginning of the keys. ``others`` has, in place of a status, 0 for a connection that broke.
    """

    submitters: int = 4
    senders: int = 2
    pace_seconds: float = 0.8
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)

    def _post(
        self,
        connection: http.client.HTTPConnection,
        path: str,
        content: bytes,
        headers: dict[str, str],
    ) -> dict[str, object] | None:
        while True:
            try:
                answer = super()._post(connection, path, content, headers)
            except (OSError, http.client.HTTPException) as error:
                self.others[0, type(error).__name__] += 1
                raise
            if answer:
                self.answers[path, headers["Idempotency-Key"].rpartition("-")[0]] += 1
            if self.is_over.wait(self.pace_seconds if answer else AGAIN_SECONDS) or answer:
                return answer

    def _refused(self, response: http.client.HTTPResponse, code: str) -> None:
        if not re.fullmatch("[0-9]+", response.headers.get("Retry-After", "")):
            code = f"{code} without Retry-After"
        super()._refused(response, code)

    @property
    def refused(self) -> int:
        """Return how many requests were refused so far."""
        return self.others.total()

    def full_service(self) -> float:
        """Wait until each client was answered and a delivery arrived; return the seconds."""
        began, answers, deliveries = time.monotonic(), Counter(self.answers), len(self.stub.arrived)
        clients = self.submitters + self.senders
        wait_until(lambda: len(self.answers - answers) == clients)
        wait_until(lambda: len(self.stub.arrived) > deliveries)
        return time.monotonic() - began


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; it has to be within the deadline of the tests."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "the service is not full again"
        time.sleep(0.01)
