"""What has to hold of a trade that was disturbed: one effect of each document, sound numbers."""

import os
import time
from pathlib import Path
from typing import Final

from tests.system.partner_stub import Stub
from tests.system.server import Server, longshore
from tests.system.trading_kills import Market, Trade, find, lost, waiting

# Each kill leaves deliveries behind, and those to one partner are made one after another.
SETTLING_SECONDS: Final = 120 + 10 * int(os.environ.get("KILLS", "8"))
ISA13: Final = slice(90, 99)


def settled(server: Server, market: Market) -> None:
    """Wait until nothing waits any more."""
    deadline = time.monotonic() + SETTLING_SECONDS
    while waiting(server, market.key):
        assert time.monotonic() < deadline, "something waits for ever"
        time.sleep(0.1)


def insist_on_one_effect_each(server: Server, market: Market, trade: Trade) -> None:
    """Check that each document that was answered is there once, and at its end."""
    assert (trade.submits.contradictions, trade.receipts.contradictions) == ([], [])
    assert (trade.submits.unanswered, trade.receipts.unanswered) == ([], [])
    assert lost(server, market.key, trade.submits) == []
    statuses = {find(server, market.key, f"OUT-{name}").status for name in trade.submits.ids}
    assert statuses == {"delivered"}
    received = [find(server, market.key, f"IN-{name}") for name in trade.receipts.ids]
    assert {(each.total, each.status) for each in received} == {(1, "processed")}


def insist_on_sound_deliveries(stub: Stub, trade: Trade, faults: int) -> None:
    """Check numbers, order and copies of what the partner got despite so many faults."""
    copies = stub.copies()
    assert all(len(set(each)) == 1 for each in copies.values()), "copies that differ"
    assert max(map(len, copies.values())) <= 1 + faults
    firsts = stub.first_copies()
    numbers = [int(content[ISA13]) for content in firsts]
    assert sorted(numbers) == [*range(1, len(numbers) + 1)], "a number twice, or a gap"
    assert len(numbers) <= len(trade.submits.ids) + len(trade.receipts.ids)
    orders = [int(content[ISA13]) for content in firsts if b"GS*PO*" in content]
    assert orders == sorted(orders), "a later order came before an earlier one"


def insist_on_sound_storage(folder: Path, market: Market) -> None:
    """Check the database and the audit trail by their commands."""
    for command in (("db", "check"), ("audit", "verify")):
        checked = longshore(*command, "--data-dir", "data", *market.arguments, cwd=folder)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def summary(trade: Trade, stub: Stub) -> str:
    """Return the figures of a trade, for people."""
    return (
        f"{len(trade.submits.ids)} submits and {len(trade.receipts.ids)} receipts answered,"
        f" {len(stub.arrived)} deliveries of {len(stub.copies())} interchanges,"
        " none lost, doubled or misnumbered"
    )


def report(text: str) -> None:
    """Print a figure that was measured."""
    print(f"\n{text}")  # noqa: T201 - what such a test measures
