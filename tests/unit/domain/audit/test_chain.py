"""The chain of hashes, on values that may never change."""

from dataclasses import replace
from hashlib import sha256

from longshore.domain.audit.chain import START, chained_hash, first_break
from longshore.domain.audit.model import ChainedEntry, SealedEntry
from longshore.domain.ports import AccountId
from tests.support import clock

ENTRY = SealedEntry(
    account_id=AccountId(1),
    position=1,
    actor="user 5",
    action="document.read",
    object="document 17",
    ip="192.0.2.7",
    request_id="req_1",
    created_at=clock.START,
    wrapped_key=b"\x01",
    facts=b"\xff",
)
CANONICAL = (
    b'[1,1,"user 5","document.read","document 17","192.0.2.7","req_1",'
    b'"2026-01-15T14:05:09.000000+00:00","01","ff"]'
)


def chained(count: int) -> list[ChainedEntry]:
    found, previous = [], START
    for position in range(1, count + 1):
        entry = replace(ENTRY, position=position)
        previous = chained_hash(previous, entry)
        found.append(ChainedEntry(entry, previous))
    return found


def test_a_hash_is_that_of_the_one_before_and_the_canonical_row() -> None:
    assert chained_hash(START, ENTRY) == sha256(bytes(32) + CANONICAL).digest()
    assert chained_hash(b"p" * 32, ENTRY) == sha256(b"p" * 32 + CANONICAL).digest()


def test_a_chain_holds_from_any_place() -> None:
    entries = chained(4)
    assert first_break(START, 0, entries) is None
    assert first_break(entries[1].hash, 2, entries[2:]) is None
    assert first_break(START, 0, []) is None


def test_a_chain_is_broken_where_it_differs_first() -> None:
    entries = chained(4)
    changed = replace(entries[2].entry, actor="nobody")
    assert first_break(START, 0, [*entries[:2], ChainedEntry(changed, entries[2].hash)]) == 3
    assert first_break(START, 0, [entries[0], *entries[2:]]) == 2
    assert first_break(START, 0, entries[1:]) == 1
    moved = ChainedEntry(
        replace(ENTRY, position=9), chained_hash(START, replace(ENTRY, position=9))
    )
    assert first_break(START, 0, [moved]) == 1
