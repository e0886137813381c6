"""AS2 round trips as a ratio to HTTP pushes: ``python -m tests.bench.as2``.

One account sends the same order by both ways to another account of the same server. A push ends
with the answer 200, an AS2 round trip with the receipt that was verified: signed and encrypted
message, signed receipt, MICs compared. The figures are deliveries per second from the first submit
to the last delivery, in rounds that take turns.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from tests.system.server import Server, longshore, serving

MIN_RATIO: Final = 0.3
PATIENCE_SECONDS: Final = 300
SAMPLE: Final = Path(__file__).parents[2] / "samples" / "850_purchase_order" / "input.edi"
ALLOWED: Final = {"LONGSHORE_ALLOWED_NETWORKS": "127.0.0.0/8"}


# Any: JSON.
def command(folder: Path, *arguments: str, stdin: object = None) -> dict[str, Any]:
    """Run a command on the data of the server; return what it prints as JSON."""
    given = b"" if stdin is None else json.dumps(stdin).encode()
    options = ("--json", "--data-dir", "data")
    done = longshore(*arguments, *options, cwd=folder, stdin=given, environment=ALLOWED)
    assert done.returncode == 0, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def partner_of(folder: Path, account: str, name: str, connection: object) -> dict[str, Any]:
    """Create a partner; return it."""
    given = {
        "name": name,
        "isa_qualifier": "ZZ",
        "isa_id": name.upper(),
        "tx_sets": ["850"],
        "ack_type": "none",
        "connections": {"test": connection},
    }
    found: dict[str, Any] = command(
        folder, "partners", "create", "-", "--account", account, stdin=given
    )["partner"]
    return found


def introduce(server: Server) -> dict[str, int]:
    """Create two accounts that trade both ways; return the partners of the first by their way."""
    folder, certificates = server.folder, {}
    for name in ("pier", "harbor"):
        command(folder, "accounts", "create", name)
        made = command(folder, "as2", "create", f"{name}-TEST", "--account", name)
        certificates[name] = made["identity"]["certificates"][0]["certificate"]

    def by_as2(own: str, other: str) -> dict[str, object]:
        return {
            "type": "as2",
            "url": f"{server.address}/as2",
            "as2_from": f"{own}-TEST",
            "as2_to": f"{other}-TEST",
            "certificates": [certificates[other]],
        }

    there = partner_of(folder, "harbor", "pier", by_as2("harbor", "pier"))
    pushed = {"type": "http", "url": there["inbound_url_test"]}
    return {
        "as2": partner_of(folder, "pier", "harbor", by_as2("pier", "harbor"))["id"],
        "http": partner_of(folder, "pier", "quay", pushed)["id"],
    }


def per_second(server: Server, key: str, partner_id: int, count: int) -> float:
    """Send orders to a partner; return how many were delivered in a second."""
    lines = SAMPLE.read_text("ascii").splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("ST"))
    last = next(at for at, line in enumerate(lines) if line.startswith("SE"))
    order = {
        "partner_id": partner_id,
        "tx_set": "850",
        "direction": "outbound",
        "content": "\n".join(lines[first : last + 1]),
    }
    waiting = f"/api/v1/transactions?partner_id={partner_id}&limit=1&delivery_status="
    begun = time.perf_counter()
    for _ in range(count):
        status, answer = server.call("POST", "/api/v1/transactions/submit", key, order)
        assert status == 200, answer
    while any(
        server.call("GET", f"{waiting}{state}", key)[1]["total"] for state in ("pending", "sending")
    ):
        assert time.perf_counter() - begun < PATIENCE_SECONDS
        time.sleep(0.05)
    failed = server.call("GET", f"{waiting}failed", key)[1]["total"]
    assert failed == 0, failed
    return count / (time.perf_counter() - begun)


def main() -> int:
    reader = argparse.ArgumentParser(prog="python -m tests.bench.as2", description=__doc__)
    reader.add_argument("--rounds", type=int, default=5)
    reader.add_argument("--documents", type=int, default=100, help="of a round, each way")
    options = reader.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(folder, environment=ALLOWED, is_measured=False) as server:
            partners = introduce(server)
            key = command(
                folder, "keys", "create", "--account", "pier", "--environment", "sandbox"
            )["key"]
            ratios = []
            for number in range(options.rounds):
                rates = {
                    way: per_second(server, key, partner_id, options.documents)
                    for way, partner_id in partners.items()
                }
                ratios.append(rates["as2"] / rates["http"])
                shown = ", ".join(f"{way} {rate:.1f}/s" for way, rate in rates.items())
                print(f"round {number + 1}: {shown}, ratio {ratios[-1]:.2f}")  # noqa: T201 - a command that prints its figures
    ratio = statistics.median(ratios)
    print(f"median ratio {ratio:.2f}, at least {MIN_RATIO}")  # noqa: T201 - the same
    return int(ratio < MIN_RATIO)


if __name__ == "__main__":
    sys.exit(main())
