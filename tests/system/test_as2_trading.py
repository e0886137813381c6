"""Two instances trade an order and its acknowledgement by AS2, with receipts of both kinds."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.system.server import DEADLINE_SECONDS, Server, longshore, serving

pytestmark = pytest.mark.full("runs two servers")

SAMPLE = Path(__file__).parents[2] / "samples" / "850_purchase_order" / "input.edi"
ALLOWED = {"LONGSHORE_ALLOWED_NETWORKS": "127.0.0.0/8"}


# Any: JSON.
def command(folder: Path, *arguments: str, stdin: object = None) -> dict[str, Any]:
    """Run a command on the data of an instance; return what it prints as JSON."""
    given = b"" if stdin is None else json.dumps(stdin).encode()
    options = ("--json", "--data-dir", "data")
    done = longshore(*arguments, *options, cwd=folder, stdin=given, environment=ALLOWED)
    assert done.returncode == 0, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


@dataclass(frozen=True)
class Instance:
    """A server with one account of its own name, and the certificate of its AS2 identity."""

    server: Server
    certificate: str


@pytest.fixture
def instances(tmp_path: Path) -> Iterator[Mapping[str, Instance]]:
    with ExitStack() as stack:
        found = {}
        for name in ("pier", "harbor"):
            folder = tmp_path / name
            folder.mkdir()
            server = serving(folder, environment=ALLOWED, is_measured=False)
            started = stack.enter_context(server)
            command(folder, "accounts", "create", name)
            made = command(folder, "as2", "create", f"{name}-TEST", "--account", name)
            certificate = made["identity"]["certificates"][0]["certificate"]
            found[name] = Instance(started, certificate)
        yield found


def introduce(instances: Mapping[str, Instance], own: str, other: str, mdn: str) -> None:
    """Create the partner ``other`` in the instance ``own``."""
    there = instances[other]
    connection = {
        "type": "as2",
        "url": f"{there.server.address}/as2",
        "as2_from": f"{own}-TEST",
        "as2_to": f"{other}-TEST",
        "certificates": [there.certificate],
        "mdn": mdn,
    }
    partner = {
        "name": other,
        "isa_qualifier": "ZZ",
        "isa_id": other.upper(),
        "tx_sets": ["850", "997"],
        "connections": {"test": connection},
    }
    folder = instances[own].server.folder
    command(folder, "partners", "create", "-", "--account", own, stdin=partner)


def a_key(server: Server, account: str) -> str:
    options = ("--account", account, "--environment", "sandbox")
    return str(command(server.folder, "keys", "create", *options)["key"])


def an_order(partner_id: int) -> dict[str, object]:
    lines = SAMPLE.read_text("ascii").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("ST"))
    last = next(at for at, line in enumerate(lines) if line.startswith("SE"))
    content = "\n".join(lines[first : last + 1])
    members: dict[str, object] = {"partner_id": partner_id, "content": content}
    return members | {"tx_set": "850", "direction": "outbound"}


def test_an_order_is_delivered_and_acknowledged_with_receipts_of_both_kinds(
    instances: Mapping[str, Instance],
) -> None:
    introduce(instances, "pier", "harbor", "async")
    introduce(instances, "harbor", "pier", "sync")
    pier, harbor = instances["pier"].server, instances["harbor"].server
    key = a_key(pier, "pier")
    _, partners = pier.call("GET", "/api/v1/partners?q=harbor", key)
    order = an_order(partners["partners"][0]["id"])
    _, submitted = pier.call("POST", "/api/v1/transactions/submit", key, order)
    path = f"/api/v1/transactions/{submitted['transaction_id']}"
    until = time.monotonic() + DEADLINE_SECONDS
    while (found := pier.call("GET", path, key)[1]["transaction"])["status"] != "acknowledged":
        assert time.monotonic() < until, found
        time.sleep(0.1)
    assert (found["delivery_status"], found["ack_status"]) == ("delivered", "accepted")
    (delivery,) = pier.call("GET", f"{path}/deliveries", key)[1]["deliveries"]
    assert (delivery["outcome"], delivery["receipt_due_at"]) == ("succeeded", None)
    # What harbor stored is what pier sent, byte for byte.
    other = a_key(harbor, "harbor")
    received = "/api/v1/transactions?tx_set=850&direction=inbound"
    number = harbor.call("GET", received, other)[1]["transactions"][0]["id"]
    _, stored = harbor.call_raw("GET", f"/api/v1/transactions/{number}/content", other)
    assert stored == pier.call_raw("GET", f"{path}/content", key)[1]
