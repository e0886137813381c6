"""A submit with direction inbound goes the whole way, and its answer names the records."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.server import Server, serving
from tests.system.trading_kills import an_order


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, is_measured=False) as server:
        yield server


# Any: JSON.
def submitted(server: Server, content: str, **members: Any) -> dict[str, Any]:  # noqa: ANN401 - see above
    key = next(word for word in server.printed.split() if word.startswith("svc_test_"))
    body = {"partner_id": 1, "tx_set": "850", "direction": "inbound", "content": content}
    headers = {"idempotency_key": members.pop("idempotency_key", "")}
    given = {name: text for name, text in headers.items() if text}
    path = "/api/v1/transactions/submit"
    status, answer = server.call("POST", path, key, body | members, **given)
    assert status == 200, answer
    return answer


def test_bare_sets_are_received_and_their_record_is_named(server: Server) -> None:
    answer = submitted(server, an_order("PO-1"), business_key="ours-1", metadata={"batch": "7"})
    assert (answer["status"], answer["transaction_ids"]) == ("received", [answer["transaction_id"]])
    key = next(word for word in server.printed.split() if word.startswith("svc_test_"))
    _, found = server.call("GET", f"/api/v1/transactions/{answer['transaction_id']}", key)
    record = found["transaction"]
    assert (record["status"], record["direction"], record["tx_set"]) == (
        "processed",
        "inbound",
        "850",
    )
    assert (record["business_key"], record["metadata"]) == ("ours-1", {"batch": "7"})
    assert (record["sender_id"], record["receiver_id"]) == ("SIMULATOR", "DEMO")
    assert record["interchange_id"] == answer["interchange_id"]


def test_the_same_again_is_one_record_and_one_answer(server: Server) -> None:
    first = submitted(server, an_order("PO-1"), idempotency_key="k")
    assert submitted(server, an_order("PO-1"), idempotency_key="k") == first
