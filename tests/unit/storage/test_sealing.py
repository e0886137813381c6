"""Sealing: what was sealed comes back in its place, and nowhere else, and not if it was changed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.ports import AccountId, AssociatedData, DataKey, SealBrokenError
from longshore.kit.environment import Environment
from longshore.kit.ids import SystemIdSource
from longshore.storage.master_key import MasterKey
from longshore.storage.sealing import WRAPPED_BYTES, AesSealer

MASTER_KEY = MasterKey(secret=bytes(range(32)))
SEALER = AesSealer(MASTER_KEY, SystemIdSource())
PLACE = AssociatedData(
    account_id=AccountId(1), environment=Environment.SANDBOX, kind="vault_document", id=7
)


@given(content=st.binary(max_size=2000))
def test_what_is_sealed_comes_back_and_does_not_show(content: bytes) -> None:
    key = SEALER.new_key()
    sealed = SEALER.seal(key, content)
    assert SEALER.open(key, sealed) == content
    assert len(sealed) == len(content) + 28
    assert len(content) < 8 or content not in sealed


def test_the_same_content_is_sealed_differently_each_time() -> None:
    key = SEALER.new_key()
    assert len({SEALER.seal(key, b"PO-1") for _ in range(100)}) == 100
    assert len({SEALER.new_key().secret for _ in range(100)}) == 100
    assert len({SEALER.wrap(key, PLACE) for _ in range(100)}) == 100


def test_a_wrapped_key_has_a_fixed_length_and_opens_in_its_place() -> None:
    key = SEALER.new_key()
    wrapped = SEALER.wrap(key, PLACE)
    assert len(wrapped) == WRAPPED_BYTES
    assert wrapped[:5] == b"\x01" + MASTER_KEY.id
    assert key.secret not in wrapped
    assert SEALER.unwrap(wrapped, PLACE) == key


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(PLACE, account_id=AccountId(2)), id="account"),
        pytest.param(replace(PLACE, environment=Environment.PRODUCTION), id="environment"),
        pytest.param(replace(PLACE, environment=None), id="no environment"),
        pytest.param(replace(PLACE, kind="map_version"), id="kind"),
        pytest.param(replace(PLACE, id=8), id="row"),
        pytest.param(replace(PLACE, version=2), id="version"),
        # The same characters, cut elsewhere.
        pytest.param(replace(PLACE, account_id=AccountId(17), id=7), id="digits"),
    ],
)
def test_a_wrapped_key_opens_in_no_other_place(other: AssociatedData) -> None:
    wrapped = SEALER.wrap(SEALER.new_key(), PLACE)
    with pytest.raises(SealBrokenError):
        SEALER.unwrap(wrapped, other)


def test_another_master_key_opens_nothing() -> None:
    other = AesSealer(MasterKey(secret=bytes(32)), SystemIdSource())
    wrapped = SEALER.wrap(SEALER.new_key(), PLACE)
    with pytest.raises(SealBrokenError):
        other.unwrap(wrapped, PLACE)
    relabelled = b"\x01" + MasterKey(secret=bytes(32)).id + wrapped[5:]
    with pytest.raises(SealBrokenError):
        other.unwrap(relabelled, PLACE)


def test_every_changed_bit_is_noticed() -> None:
    key = SEALER.new_key()
    for sealed, opening in (
        (SEALER.seal(key, b"PO-1"), lambda changed: SEALER.open(key, changed)),
        (SEALER.wrap(key, PLACE), lambda changed: SEALER.unwrap(changed, PLACE)),
    ):
        for bit in range(len(sealed) * 8):
            changed = bytearray(sealed)
            changed[bit // 8] ^= 1 << bit % 8
            with pytest.raises(SealBrokenError):
                opening(bytes(changed))


@pytest.mark.parametrize("length", [0, 1, 11, 12, 27, 28, 64, 66])
def test_what_is_cut_or_lengthened_is_noticed(length: int) -> None:
    key = SEALER.new_key()
    with pytest.raises(SealBrokenError):
        SEALER.open(key, SEALER.seal(key, b"PO-1" * 30)[:length])
    with pytest.raises(SealBrokenError):
        SEALER.unwrap((SEALER.wrap(key, PLACE) + b"\0")[:length], PLACE)


def test_no_key_shows_itself() -> None:
    assert repr(DataKey(b"secret")) == "DataKey()"
    assert repr(MASTER_KEY) == "MasterKey(is_new=False)"
