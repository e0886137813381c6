"""The table of known segments: its form, and the composites that real documents depend on."""

import re

import pytest

from longshore.x12.segment_table import (
    _DECLARATION,
    KNOWN_SEGMENTS,
    element_count,
    is_composite,
    simple_positions,
)
from longshore.x12.set_names import SET_NAMES, set_name

COMPOSITES = {
    "AK4": {1},
    "CLM": {5, 11},
    "CTP": {5},
    "CTX": {1, 5, 6},
    "DMG": {5},
    "EB": {13, 14},
    "EQ": {2, 5},
    "HI": set(range(1, 13)),
    "IK4": {1},
    "INS": {6},
    "K3": {3},
    "MEA": {4},
    "N9": {7},
    "PLB": {3, 5, 7, 9, 11, 13},
    "PRV": {5},
    "PWK": {8},
    "QTY": {3},
    "RDM": {4, 5},
    "REF": {4},
    "SLN": {5},
    "STC": {1, 10, 11},
    "SV1": {1, 7},
    "SV2": {2},
    "SV3": {1, 4, 11},
    "SVC": {1, 6},
    "SVD": {3},
    "TOO": {3},
    "UM": {4, 5},
}
WITHOUT_COMPOSITE = {
    "MSG": 3,
    "NTE": 2,
    "N1": 6,
    "N2": 2,
    "N3": 2,
    "N4": 7,
    "PID": 9,
    "PER": 9,
    "CUR": 21,
    "SAC": 16,
    "BEG": 12,
    "PO1": 25,
    "IT1": 25,
    "NM1": 12,
    "TD5": 15,
}
CONTROL = {
    "ISA": 16,
    "IEA": 2,
    "GS": 8,
    "GE": 2,
    "ST": 3,
    "SE": 2,
    "TA1": 5,
    "BIN": 2,
    "BDS": 3,
    "LS": 1,
    "LE": 1,
}


@pytest.mark.parametrize("segment_id", COMPOSITES)
def test_composites_of(segment_id: str) -> None:
    count = element_count(segment_id)
    assert count is not None
    found = {position for position in range(1, count + 1) if is_composite(segment_id, position)}
    assert found == COMPOSITES[segment_id]


@pytest.mark.parametrize("segment_id", WITHOUT_COMPOSITE | CONTROL)
def test_every_element_is_simple_in(segment_id: str) -> None:
    count = (WITHOUT_COMPOSITE | CONTROL)[segment_id]
    assert element_count(segment_id) == count
    assert simple_positions(segment_id) == frozenset(range(1, count + 1))


def test_a_position_beyond_the_last_is_split() -> None:
    assert not is_composite("MSG", 3)
    assert is_composite("MSG", 4)


@pytest.mark.parametrize("segment_id", ["QQQ", "ref", "", "M"])
def test_an_unknown_segment_is_split_everywhere(segment_id: str) -> None:
    assert segment_id not in KNOWN_SEGMENTS
    assert element_count(segment_id) is None
    assert simple_positions(segment_id) == frozenset()
    assert is_composite(segment_id, 1)


def test_every_id_is_well_formed_and_declared_once() -> None:
    ids = [word.split(":")[0] for word in _DECLARATION.split()]
    assert [i for i in ids if not re.fullmatch("[A-Z][A-Z0-9]{1,2}", i)] == []
    assert len(ids) == len(set(ids)) == len(KNOWN_SEGMENTS)
    assert len(ids) >= 300


def test_every_word_names_positions_inside_its_segment() -> None:
    words = [word.split(":") for word in _DECLARATION.split()]
    for segment_id, count, *composites in words:
        positions = [int(p) for p in composites[0].split(",")] if composites else []
        assert positions == sorted(set(positions)), segment_id
        assert all(1 <= position <= int(count) for position in positions), segment_id
        assert simple_positions(segment_id) == set(range(1, int(count) + 1)) - set(positions)


def test_set_names() -> None:
    assert set_name("850") == "Purchase order"
    assert set_name("000") == ""
    assert set_name("") == ""
    assert all(re.fullmatch("[0-9]{3}", code) and name for code, name in SET_NAMES.items())
