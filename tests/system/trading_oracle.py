"""What has to hold of a trade that was disturbed: one effect of each document, sound numbers."""

import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from tests.system.partner_stub import Stub
from tests.system.server import Server, longshore
from tests.system.trading_kills import Market, Trade, find, lost, waiting

# What waits is bounded, but a busy machine delivers it slowly.
SETTLING_SECONDS: Final = 300
ISA08: Final = slice(54, 69)
ISA13: Final = slice(90, 99)
GS06: Final = re.compile(rb"GS(?:\*[^*]*){5}\*([0-9]+)\*")
NAME: Final = re.compile(rb"\*OUT-([^*]+)\*")
AK102: Final = re.compile(rb"AK1\*PO\*([0-9]+)")


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
    _wait_for_receipts(server, market, trade)
    received = [find(server, market.key, f"IN-{name}") for name in trade.receipts.ids]
    states = {(each.total, each.status) for each in received}
    assert states == {(1, "processed")}, states


def _wait_for_receipts(server: Server, market: Market, trade: Trade) -> None:
    """Wait until each receipt that was answered is a transaction, which ``settled`` cannot see."""
    deadline = time.monotonic() + SETTLING_SECONDS
    for name in trade.receipts.ids:
        while not find(server, market.key, f"IN-{name}").total:
            assert time.monotonic() < deadline, f"IN-{name} is never processed"
            time.sleep(0.1)


def insist_on_sound_deliveries(stub: Stub, trade: Trade, faults: int) -> None:
    """Check numbers, order and copies of what the partners got despite so many faults."""
    copies = stub.copies()
    assert all(len(set(each)) == 1 for each in copies.values()), "copies that differ"
    assert max(map(len, copies.values())) <= 1 + faults
    firsts = [*stub.firsts.values()]
    assert sorted(found(NAME, firsts)) == sorted(trade.submits.ids), "an order twice, or not at all"
    received = [content[ISA13].lstrip("0") for content in trade.receipts.bodies.values()]
    assert sorted(found(AK102, firsts)) == sorted(received), "acknowledged twice, or not at all"
    for partner in trade.market.partners:
        contents = [each for each in firsts if each[ISA08].decode().strip() == partner.isa_id]
        assert len(contents) == stub.counts[partner.path], "something came to a wrong partner"
        insist_on_sound_numbers(contents)


def insist_on_sound_numbers(contents: Sequence[bytes]) -> None:
    """Check the numbers of what one partner got, in the order he got it."""
    numbers = [int(content[ISA13]) for content in contents]
    assert sorted(numbers) == [*range(1, len(numbers) + 1)], "a number twice, or a gap"
    groups = sorted(map(int, found(GS06, contents)))
    assert groups == sorted(numbers), "a group's number twice, or a gap"
    orders = [int(content[ISA13]) for content in contents if b"GS*PO*" in content]
    assert orders == sorted(orders), "a later order came before an earlier one"


def found(pattern: re.Pattern[bytes], contents: Iterable[bytes]) -> list[str]:
    """Return what a pattern finds, in order."""
    return [each.decode() for content in contents for each in pattern.findall(content)]


def insist_on_sound_storage(folder: Path, market: Market) -> None:
    """Check the database and the audit trail by their commands."""
    for command in (("db", "check"), ("audit", "verify")):
        checked = longshore(*command, "--data-dir", "data", *market.arguments, cwd=folder)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def summary(trade: Trade, stub: Stub) -> str:
    """Return the figures of a trade, for people."""
    return (
        f"{len(trade.submits.ids)} submits and {len(trade.receipts.ids)} receipts answered,"
        f" {len(stub.arrived)} deliveries of {len(stub.firsts)} interchanges,"
        " none lost, doubled or misnumbered"
    )


def report(text: str) -> None:
    """Print a figure that was measured."""
    print(f"\n{text}")  # noqa: T201 - what such a test measures
