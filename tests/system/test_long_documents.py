"""Documents longer than what is worked on at once go through the processes of a real server."""

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.system.server import DEADLINE_SECONDS, Server, serving
from tests.system.trading_kills import OURS

LINES = 30_000


def an_order(number: str, lines: int) -> str:
    body = "".join(f"PO1*{line}*{line}*EA*1.25**VP*A{line}~" for line in range(1, lines + 1))
    return f"ST*850*0001~BEG*00*SA*{number}**20260115~{body}CTT*{lines}~SE*{lines + 4}*0001~"


def from_simulator(order: str) -> bytes:
    isa = (
        f"ISA*00*{'':10}*00*{'':10}*ZZ*{'SIMULATOR':15}*{OURS[0]}*{OURS[1]:15}"
        "*260115*1405*U*00401*000000007*0*T*>~"
    )
    group = f"GS*PO*SIMULATOR*{OURS[1]}*20260115*1405*7*X*004010~"
    return f"{isa}{group}{order}GE*1*7~IEA*1*000000007~".encode()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, is_measured=False) as server:
        yield server


def key_of(server: Server) -> str:
    return next(word for word in server.printed.split() if word.startswith("svc_test_"))


def found(server: Server, business_key: str, status: str) -> dict[str, object]:
    """Return the record of a document, as soon as it has come so far."""
    path = f"/api/v1/transactions?business_key={business_key}&status={status}"
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        _, answer = server.call("GET", path, key_of(server))
        if answer["total"]:
            record: dict[str, object] = answer["transactions"][0]
            return record
        time.sleep(0.1)
    raise AssertionError(server.call("GET", "/api/v1/transactions", key_of(server)))


@pytest.mark.timeout(120)
def test_a_long_document_is_received_and_judged(server: Server) -> None:
    _, answer = server.call("GET", "/api/v1/partners", key_of(server))
    inbound = urlsplit(answer["partners"][0]["inbound_url_test"])
    content = from_simulator(an_order("PO-LONG", LINES))
    assert len(content) > 500_000
    body = {"document": content.decode()}
    status, receipt = server.call("POST", f"{inbound.path}?{inbound.query}", "", body)
    assert (status, receipt["bytes"]) == (200, len(content))
    record = found(server, "PO-LONG", "processed")
    assert (record["segment_count"], record["file_size"]) == (LINES + 4, len(content))
    status, sent = server.call_raw(
        "GET", f"/api/v1/transactions/{record['id']}/content", key_of(server)
    )
    assert (status, sent) == (200, content)


@pytest.mark.timeout(120)
def test_a_long_document_is_sent_and_acknowledged(server: Server) -> None:
    body = {
        "partner_id": 1,
        "tx_set": "850",
        "direction": "outbound",
        "content": an_order("PO-OUT", LINES),
    }
    status, answer = server.call("POST", "/api/v1/transactions/submit", key_of(server), body)
    assert status == 200, answer
    assert found(server, "PO-OUT", "acknowledged")["ack_status"] == "accepted"
