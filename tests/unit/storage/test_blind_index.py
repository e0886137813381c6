"""Keyed hashes: equal in one place alone, and of no use without the master key."""

from longshore.domain.ports import AccountId, BlindPurpose
from longshore.kit.environment import Environment
from longshore.storage.blind_index import HmacBlindIndex
from longshore.storage.master_key import MasterKey

OWNERS = [(AccountId(each), environment) for each in (1, 2, 12) for environment in Environment]
INDEX = HmacBlindIndex(MasterKey(secret=bytes(range(32))))


def test_a_value_has_one_digest_in_one_place() -> None:
    first, second = [INDEX.digest(BlindPurpose.REFERENCE, OWNERS[0], b"PO-1") for _ in range(2)]
    assert first == second
    assert first.hex() == KNOWN


def test_no_two_places_share_a_digest() -> None:
    digests = {
        index.digest(purpose, owner, value)
        for index in (INDEX, HmacBlindIndex(MasterKey(secret=bytes(32))))
        for purpose in BlindPurpose
        for owner in OWNERS
        for value in (b"", b"PO-1", b"PO-2")
    }
    assert len(digests) == 2 * len(BlindPurpose) * len(OWNERS) * 3
    assert {len(each) for each in digests} == {32}


# What rows are found by: it may never change.
KNOWN = "27d75d267f2a918d52cd39c27842184d1df3176b66c4e6f00d6414ac787ee507"
