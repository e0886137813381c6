"""A definition written as text is read back equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.x12.dictionary.library import Dictionary, shipped
from longshore.x12.dictionary.render import render
from tests.unit.x12.dictionary.texts import SOURCES, defined, order, small


def test_a_set_as_text() -> None:
    assert render(order()) == (
        'set 850 PO 004010 "Purchase order"\n'
        "  BEG M1 as header\n"
        "  CUR O1\n"
        "  REF O3 as references\n"
        "  DTM O* as dates\n"
        "  loop N1 O200 as parties\n"
        "    N1 M1\n"
        "    N3 O2\n"
        "    REF O*\n"
        "  loop PO1 M100000 as lines\n"
        "    PO1 M1\n"
        "    loop PID O1000 as descriptions\n"
        "      PID M1\n"
        "    DTM O10\n"
        "  loop CTT O1\n"
        "    CTT M1\n"
    )


def test_a_guide_as_text() -> None:
    text = render(defined("837", "005010", "005010X999"))
    assert text.startswith('guide 005010X999 on 837@005010 "Claim as we like it"\n')
    assert "  REF S1 as version when REF.01=87 : 01R=87 02R:5/20\n" in text
    assert '  CLM R1 : 01R 02S(01R=11|"1 2" 02S)\n' in text
    assert "  HI S2 as others when HI.01.01=ABF : 01R(01R=ABF 02R) 02Sx2(01R 02R)\n" in text
    again = small({"guides/005010X999.xd": text})
    assert defined("837", "005010", "005010X999", again) == defined("837", "005010", "005010X999")


CODES = st.lists(st.text("AB 1|#@:;()", min_size=2, max_size=3), min_size=1, unique=True)


@given(CODES)
def test_any_code_survives(codes: list[str]) -> None:
    quoted = "|".join(f'"{code}"' for code in codes)
    line = f"  REF O1 as x when REF.01={quoted}\n"
    known = small({"sets/850.xd": f'{SOURCES}\nset 850 PO 004010 "x"\n{line}'})
    found = defined("850", "004010", None, known)
    again = small({"sets/850.xd": render(found)})
    assert defined("850", "004010", None, again) == found
    assert found.body[0].when is not None
    assert found.body[0].when.values == tuple(codes)


@given(CODES)
def test_any_code_of_a_rule_survives(codes: list[str]) -> None:
    quoted = "|".join(f'"{code}"' for code in codes)
    head = f'{SOURCES}\nguide 005010X999 on 837@005010 "x"\n'
    known = small({"guides/005010X999.xd": f"{head}  REF S1 : 01R={quoted} 02S\n"})
    found = defined("837", "005010", "005010X999", known)
    again = small({"guides/005010X999.xd": render(found)})
    assert defined("837", "005010", "005010X999", again) == found


SHIPPED = [
    (entry.tx_set, release, guide)
    for entry in shipped().contents
    for release in entry.releases
    for guide in (None, *entry.guides)
    if guide is None or shipped().guide_release(entry.tx_set, guide) == release
]


@pytest.mark.parametrize(("tx_set", "release", "guide"), SHIPPED)
def test_every_shipped_definition_survives(tx_set: str, release: str, guide: str | None) -> None:
    known = shipped()
    found = defined(tx_set, release, guide, known)
    name = f"sets/{tx_set}.xd"
    if guide:  # which may describe two sets, each in a file of its own
        names = (f"guides/{guide}_{tx_set}.xd", f"guides/{guide}.xd")
        name = next(each for each in names if each in known.texts)
    again = Dictionary({**known.texts, name: render(found)})
    assert defined(tx_set, release, guide, again) == found
