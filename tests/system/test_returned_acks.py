"""A partner that takes our acknowledgement in the answer to its request gets it once."""

import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.system.partner_stub import partner_stub
from tests.system.server import DEADLINE_SECONDS, Server, serving
from tests.system.trading_kills import Market, an_interchange, an_order, prepare


def posted(server: Server, market: Market, control: int, accept: str) -> bytes:
    """Post an order as the partner does; return the body of the answer."""
    (partner,) = market.partners
    where = urlsplit(server.address)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=DEADLINE_SECONDS)
    document = an_interchange(an_order(f"PO-{control}"), control, partner)
    headers = {"Content-Type": "application/edi-x12", "Accept": accept}
    connection.request("POST", f"{partner.inbound_path}&wait=1", document, headers)
    try:
        return connection.getresponse().read()
    finally:
        connection.close()


def acks(server: Server, key: str, query: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = server.call("GET", f"/api/v1/acks?{query}", key)[1]["acks"]
    return found


def wait_for_sent(server: Server, key: str, count: int) -> None:
    until = time.monotonic() + DEADLINE_SECONDS
    while len(acks(server, key, "status=sent")) < count:
        assert time.monotonic() < until


@pytest.mark.timeout(120)
def test_an_acknowledgement_that_was_taken_in_the_answer_is_not_posted_again(
    tmp_path: Path,
) -> None:
    (tmp_path / "longshore.toml").write_text('allowed_networks = ["127.0.0.0/8"]\n')
    with partner_stub() as stub:
        market = prepare(tmp_path, stub.address)
        with serving(tmp_path, is_measured=False) as server:
            taken = posted(server, market, 1, "application/edi-x12")
            assert b"~AK1*PO*1~AK2*850*0001~AK5*A~AK9*A*1*1*1~" in taken
            wait_for_sent(server, market.key, 1)
            # The next one is delivered in its turn, so the first would have come before it.
            plain = posted(server, market, 2, "application/json")
            assert b'"ack":"ISA*' in plain
            wait_for_sent(server, market.key, 2)
            ((_, delivered),) = stub.arrived
            assert b"~AK1*PO*2~" in delivered
            (second, first) = acks(server, market.key, "direction=outbound")
            assert [each["status"] for each in (first, second)] == ["sent", "sent"]
            assert first["sent_at"] is not None
            assert acks(server, market.key, "status=pending") == []
            assert acks(server, market.key, "status=queued") == []
