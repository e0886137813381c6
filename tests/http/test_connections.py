"""A flood of connections replaces its own, and nobody else notices."""

import re
import resource
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from longshore.http.api_v1.parse import PARSE
from longshore.http.connections import (
    RESERVED_DESCRIPTORS,
    ConnectionLimit,
    ConnectionLimits,
    OpenConnections,
    fitting_descriptors,
)
from longshore.http.services import HttpServices
from tests.support.http_service import Keys, bearer
from tests.support.live_server import Wire, a_request, live_within

LIMITS = ConnectionLimits(max_connections=4, connections_per_client=3)
FLOODER = "127.0.0.2"


@dataclass(eq=False)
class Fake:
    """A connection that records what becomes of it."""

    peer: str
    is_waiting: bool = True
    fate: str = "open"

    def end_for_another(self) -> None:
        self.fate = "closed"

    def refuse(self) -> None:
        self.fate = "refused"


def opened(connections: OpenConnections, *fakes: Fake) -> list[str]:
    """Open connections and return what has become of each."""
    for each in fakes:
        connections.add(each)
    return [each.fate for each in fakes]


def test_at_its_limit_a_client_loses_its_newest_idle_connection() -> None:
    closed: list[ConnectionLimit] = []
    connections = OpenConnections(LIMITS, on_closed=closed.append)
    fates = opened(connections, Fake("a"), Fake("a"), Fake("a", is_waiting=False), Fake("a"))
    assert fates == ["open", "closed", "open", "open"]
    assert (closed, len(connections)) == ([ConnectionLimit.CLIENT], 3)


def test_at_the_total_limit_the_greediest_client_loses_its_newest_idle() -> None:
    closed: list[ConnectionLimit] = []
    connections = OpenConnections(LIMITS, on_closed=closed.append)
    fates = opened(connections, Fake("a"), Fake("a"), Fake("b"), Fake("c"), Fake("d"))
    assert fates == ["open", "closed", "open", "open", "open"]
    assert (closed, len(connections)) == ([ConnectionLimit.TOTAL], 4)


@pytest.mark.parametrize("peers", ["aaaa", "abcde"])
def test_where_none_waits_the_new_connection_is_refused(peers: str) -> None:
    connections = OpenConnections(LIMITS)
    fakes = [Fake(peer, is_waiting=False) for peer in peers]
    assert opened(connections, *fakes) == ["open"] * (len(peers) - 1) + ["refused"]
    for each in fakes:
        connections.remove(each)
    assert len(connections) == 0
    assert opened(connections, Fake("e")) == ["open"]


def test_a_trusted_proxy_has_no_limit_of_its_own() -> None:
    connections = OpenConnections(LIMITS, is_shared=lambda peer: peer == "proxy")
    assert opened(connections, *(Fake("proxy") for _ in range(4))) == ["open"] * 4


def test_an_ipv6_network_is_one_client() -> None:
    connections = OpenConnections(LIMITS)
    peers = ["2001:db8::1", "2001:db8::2", "2001:db8::3%eth0", "2001:db8::4"]
    assert opened(connections, *map(Fake, peers))[2] == "closed"
    connections = OpenConnections(LIMITS)
    peers = ["::ffff:192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1"]
    assert opened(connections, *map(Fake, peers))[2] == "closed"


@pytest.mark.parametrize(
    ("soft", "hard", "raised_to", "total"),
    [
        (256, 10_000, 4_096 + RESERVED_DESCRIPTORS, 4_096),
        (256, 1_024, 1_024, 1_024 - RESERVED_DESCRIPTORS),
        (256, resource.RLIM_INFINITY, 4_096 + RESERVED_DESCRIPTORS, 4_096),
        (9_000, 9_000, None, 4_096),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None, 4_096),
    ],
)
def test_the_process_gets_the_descriptors_it_needs_as_far_as_the_system_allows(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised_to: int | None, total: int
) -> None:
    raised: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: raised.append(new[0]))
    fitting = fitting_descriptors(ConnectionLimits(connections_per_client=7))
    assert fitting == ConnectionLimits(max_connections=total, connections_per_client=7)
    assert raised == ([] if raised_to is None else [raised_to])


@pytest.mark.full("a server and dozens of connections")
def test_a_flood_of_connections_keeps_nobody_out(services: HttpServices, keys: Keys) -> None:
    authorization = f"Authorization: {bearer(keys.sandbox)['Authorization']}"
    ping = a_request("GET", "/api/v1/ping", authorization)
    limits = ConnectionLimits(max_connections=20, connections_per_client=10)
    with live_within(services, limits, {}) as server, ExitStack() as stack:
        modest = stack.enter_context(server.connect())
        crowd = [stack.enter_context(Wire(server.port, FLOODER)) for _ in range(40)]
        modest.send(ping)
        assert modest.answer("GET", "/api/v1/ping").status == 200
        assert [server.ask(ping, "GET", "/api/v1/ping").status for _ in range(5)] == [200] * 5
        assert (
            sum(wire.is_ended() for wire in crowd[9:39]) == 30
        )  # the first nine and the last live
        metrics = server.ask(a_request("GET", "/metrics"), "GET", "/metrics").body.decode()
    values = dict(re.findall(r"^(longshore_http_connections\S*) (\S+)", metrics, re.MULTILINE))
    assert values['longshore_http_connections_closed_total{limit="client"}'] == "30.0"
    assert float(values["longshore_http_connections"]) <= 20


def test_without_an_idle_connection_the_next_one_gets_503(
    services: HttpServices, keys: Keys
) -> None:
    authorization = f"Authorization: {bearer(keys.sandbox)['Authorization']}"
    limits = ConnectionLimits(max_connections=20, connections_per_client=1)
    with live_within(services, limits, {}) as server, Wire(server.port, FLOODER) as busy:
        busy.send(
            a_request(
                "POST", PARSE.path, authorization, "Content-Length: 9", "Expect: 100-continue"
            )
        )
        assert busy.line().startswith(b"HTTP/1.1 100 ")
        with Wire(server.port, FLOODER) as refused:
            answer = refused.answer("GET", "/api/v1/ping")
            assert refused.is_ended()
        assert server.ask(a_request(), "GET", "/healthz").status == 200
    assert (answer.status, answer.json()["code"]) == (503, "overloaded")
    assert answer.headers["retry-after"] == "5"
