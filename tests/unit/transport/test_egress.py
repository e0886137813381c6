"""What leaves the house, and to whom (S9): a name decides nothing, its addresses do."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from longshore.domain.delivery.outcome import FailureKind
from longshore.transport.egress import (
    MAX_KEPT_BYTES,
    Egress,
    EgressError,
    EgressRequest,
    Resolve,
    resolve_by_system,
)
from tests.support.destinations import Canary, destination, make_certificate, reply

LOOPBACK = ("127.0.0.0/8",)
NAME = "partner.example"


@pytest.fixture
async def canary() -> AsyncIterator[Canary]:
    async with destination(reply("200 OK\nContent-Length: 0")) as canary:
        yield canary


def naming(*answers: Sequence[str]) -> Resolve:
    """Return a resolver that gives these answers, one after the other."""
    left = list(answers)

    async def resolve(name: str, port: int) -> Sequence[str]:
        assert (name, port > 0) == (NAME, True)
        return left.pop(0)

    return resolve


def outgoing(url: str, **members: object) -> EgressRequest:
    usual: dict[str, object] = {"headers": {}, "content": b"ISA", "may_be_plain": True}
    return EgressRequest(url=url, **{**usual, **members})  # type: ignore[arg-type]  # each as its field


async def refused(egress: Egress, sent: EgressRequest) -> FailureKind:
    with pytest.raises(EgressError) as caught:
        await egress.post(sent)
    return caught.value.kind


@pytest.mark.parametrize(
    ("_case", "addresses"),
    [
        ("loopback", ["127.0.0.1"]),
        ("a public one and loopback", ["8.8.8.8", "127.0.0.1"]),
        ("a mapped one", ["::ffff:127.0.0.1"]),
        ("link-local with a zone", ["fe80::1%1"]),
    ],
)
async def test_a_name_with_any_refused_address_is_refused(
    canary: Canary, _case: str, addresses: list[str]
) -> None:
    egress = Egress(resolve=naming(addresses))
    url = f"http://{NAME}:{canary.port}/"
    assert await refused(egress, outgoing(url)) is FailureKind.ADDRESS_REFUSED
    assert canary.connections == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "127.1", "2130706433", "localhost"])
async def test_loopback_is_refused_in_every_spelling(canary: Canary, host: str) -> None:
    url = f"http://{host}:{canary.port}/"
    assert await refused(Egress(), outgoing(url)) is FailureKind.ADDRESS_REFUSED
    assert canary.connections == 0


async def test_a_redirect_to_loopback_is_not_followed(canary: Canary) -> None:
    there = f"http://127.0.0.1:{canary.port}/"
    async with destination(reply(f"302 Found\nLocation: {there}\nContent-Length: 0")) as first:
        answer = await Egress(LOOPBACK).post(outgoing(f"http://{first.host}/"))
    assert (answer.status, len(first.requests), canary.connections) == (302, 1, 0)


async def test_a_name_is_resolved_once_and_only_its_judged_address_is_used(
    canary: Canary,
) -> None:
    resolve = naming(["127.0.0.1"], ["8.8.8.8"])
    egress = Egress(LOOPBACK, resolve=resolve)
    answer = await egress.post(outgoing(f"http://{NAME}:{canary.port}/in?a=b%20c"))
    (request,) = canary.requests
    assert (answer.status, request.line) == (200, "POST /in?a=b%20c HTTP/1.1")
    assert request.headers["host"] == f"{NAME}:{canary.port}"
    assert await resolve(NAME, 1) == ["8.8.8.8"]


async def test_a_name_that_changes_is_judged_at_each_attempt(canary: Canary) -> None:
    resolve = naming(["127.0.0.1"], ["127.0.0.1"], ["169.254.169.254"])
    egress, url = Egress(LOOPBACK, resolve=resolve), f"http://{NAME}:{canary.port}/"
    await egress.post(outgoing(url))
    await egress.post(outgoing(url))
    assert await refused(egress, outgoing(url)) is FailureKind.ADDRESS_REFUSED
    assert canary.connections == 2


async def test_no_proxy_of_the_environment_is_asked(
    canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with destination(reply("200 OK\nContent-Length: 0")) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://{proxy.host}")
        await Egress(LOOPBACK).post(outgoing(f"http://{canary.host}/"))
        assert (proxy.connections, canary.connections) == (0, 1)


async def test_live_documents_go_by_https_except_in_networks_of_the_operator(
    canary: Canary,
) -> None:
    public = Egress(resolve=naming(["8.8.8.8"]))
    live = outgoing(f"http://{NAME}:{canary.port}/", may_be_plain=False)
    with pytest.raises(EgressError, match="needs https") as caught:
        await public.post(live)
    assert caught.value.kind is FailureKind.ADDRESS_REFUSED
    own = await Egress(LOOPBACK, resolve=naming(["127.0.0.1"])).post(live)
    assert own.status == 200


@pytest.mark.parametrize(
    ("_case", "addresses", "kind"),
    [("no address", [], FailureKind.NAME_NOT_FOUND)],
)
async def test_a_name_without_address_is_not_found(
    _case: str, addresses: list[str], kind: FailureKind
) -> None:
    egress = Egress(resolve=naming(addresses))
    assert await refused(egress, outgoing(f"https://{NAME}/")) is kind


async def test_a_name_that_nobody_knows_is_not_found() -> None:
    sent = outgoing("https://nobody.invalid/")
    assert await refused(Egress(), sent) is FailureKind.NAME_NOT_FOUND


async def test_the_system_knows_the_names_of_the_machine() -> None:
    assert "127.0.0.1" in await resolve_by_system("localhost", 80)


async def test_the_deadline_holds_for_the_name_as_well() -> None:
    async def hang(name: str, port: int) -> Sequence[str]:
        del name, port
        await asyncio.Event().wait()
        return []

    egress = Egress(resolve=hang, deadline_seconds=0.05)
    assert await refused(egress, outgoing(f"https://{NAME}/")) is FailureKind.TIMED_OUT


@pytest.mark.parametrize(
    ("_case", "encoding", "kept"),
    [
        ("plain", "", "x" * MAX_KEPT_BYTES),
        ("encoded", "\nContent-Encoding: gzip", ""),
    ],
)
async def test_of_an_answer_a_part_is_kept_and_nothing_is_decompressed(
    _case: str, encoding: str, kept: str
) -> None:
    body = b"x" * 1_000_000
    script = reply(f"500 No\nContent-Length: {len(body)}{encoding}", body)
    async with destination(script) as canary:
        answer = await Egress(LOOPBACK).post(outgoing(f"http://{canary.host}/"))
    assert (answer.status, answer.text) == (500, kept)


@pytest.mark.parametrize(
    ("_case", "names", "is_trusted", "kind"),
    [
        ("trusted", [NAME], "yes", None),
        ("made by itself", [NAME], "", FailureKind.CERTIFICATE_INVALID),
        ("of another name", ["other.example"], "yes", FailureKind.CERTIFICATE_INVALID),
    ],
)
async def test_the_certificate_is_for_the_name_and_trusted(
    tmp_path: Path, _case: str, names: list[str], is_trusted: str, kind: FailureKind | None
) -> None:
    server, client = make_certificate(tmp_path, *names)
    trust = client if is_trusted else None
    async with destination(reply("200 OK\nContent-Length: 0"), server) as canary:
        egress = Egress(LOOPBACK, resolve=naming(["127.0.0.1"]), trust=trust)
        sent = outgoing(f"https://{NAME}:{canary.port}/", may_be_plain=False)
        if kind is None:
            assert (await egress.post(sent)).status == 200
        else:
            assert await refused(egress, sent) is kind
        assert len(canary.requests) == (kind is None)


async def test_a_port_without_tls_breaks_the_handshake() -> None:
    async with destination(reply("400 Bad Request"), reads=False) as plain:
        kind = await refused(Egress(LOOPBACK), outgoing(f"https://{plain.host}/"))
    assert (kind, plain.connections) == (FailureKind.CONNECTION_LOST, 1)


async def test_a_probe_sends_no_body_and_a_long_body_goes_whole() -> None:
    async with destination(reply("200 OK\nContent-Length: 0")) as canary:
        egress = Egress(("127.0.0.0/8",))
        url = f"http://{canary.host}/as2"
        answer = await egress.probe(url, may_be_plain=True)
        content = bytes(range(256)) * 2_000
        await egress.post(EgressRequest(url=url, headers={}, content=content, may_be_plain=True))
    probe, long = canary.requests
    assert (answer.status, probe.line, probe.body) == (200, "HEAD /as2 HTTP/1.1", b"")
    assert (long.headers["content-length"], long.body) == ("512000", content)
