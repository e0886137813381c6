"""Definitions by set, release and guide, and which of them validates a document."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.library import SetEntry
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.model import Definition, ValueCondition
from longshore.x12.dictionary.release import is_guide_id
from tests.unit.x12.dictionary.texts import (
    ELEMENTS,
    GUIDE,
    ORDER,
    defined,
    faults,
    loop_at,
    order,
    outline,
    small,
    use_at,
)


def test_contents() -> None:
    known = small()
    assert known.contents == (
        SetEntry("837", "Claim", "HC", ("005010",), ("005010X999",)),
        SetEntry("850", "Purchase order", "PO", ("004010", "005010"), ()),
    )
    assert known.functional_ids == {"837": "HC", "850": "PO"}
    assert known.guides() == ("005010X999",)
    assert [known.releases(each) for each in ("850", "999")] == [("004010", "005010"), ()]
    assert known.guide_release("837", "005010X999") == "005010"
    assert known.guide_release("850", "005010X999") == ""


def test_a_set_in_each_release() -> None:
    assert outline(order("004010").body)[:5] == [
        "BEG M1 as header",
        "CUR O1",
        "REF O3 as references",
        "DTM O* as dates",
        "loop N1 O200 as parties",
    ]
    newer = order("005010")
    assert outline(newer.body) == [
        *("BEG M1 as header", "CUR O2", "REF O3 as references", "DTM O* as dates", "NTE O1"),
        *("loop N1 O200 as parties", ["N1 M1", "N3 O2", "REF O*"]),
        "loop PO1 M100000 as lines",
        ["PO1 M1", "loop PID O1000 as descriptions", ["PID M1", "NTE O1"], "DTM O10"],
        *("loop CTT O1", ["CTT M1"]),
    ]
    assert (newer.tx_set, newer.functional_id, newer.title) == ("850", "PO", "Purchase order")
    assert (newer.layer, newer.guide, newer.base, newer.extensions) == ("standard", None, None, ())
    assert (use_at(newer, "CUR").base_requirement, use_at(newer, "CUR").base_maximum) == ("O", 2)
    assert (loop_at(newer, "lines").base_requirement, loop_at(newer, "lines").is_required) == (
        "M",
        True,
    )


def test_positions_come_in_table_order_with_their_loops() -> None:
    paths = [
        "/".join([*(loop.id for loop in around), use.segment.id])
        for around, use in order().positions()
    ]
    assert paths == [
        *("BEG", "CUR", "REF", "DTM", "N1/N1", "N1/N3", "N1/REF"),
        *("PO1/PO1", "PO1/PID/PID", "PO1/DTM", "CTT/CTT"),
    ]


def test_a_definition_is_made_once_and_equal_when_made_again() -> None:
    known = small()
    first = known.definition("850", "004010")
    assert known.definition("850", "004010") is first
    again = order()
    assert again == first
    assert hash(again) == hash(first)
    assert hash(use_at(again, "BEG")) == hash(use_at(order(), "BEG"))
    assert hash(loop_at(again, "lines")) == hash(loop_at(order(), "lines"))
    assert use_at(again, "BEG").is_required
    assert not use_at(again, "CUR").is_required


@pytest.mark.parametrize(
    ("tx_set", "release", "guide"),
    [
        ("999", "004010", None),
        ("850", "004020", None),
        ("850", "003060", None),
        ("850", "005010", "005010X999"),
        ("837", "005010", "005010X000"),
        ("837", "004010", "005010X999"),
    ],
)
def test_what_is_not_known_is_none(tx_set: str, release: str, guide: str | None) -> None:
    assert small().definition(tx_set, release, guide) is None


def test_a_set_answers_for_the_ends_of_its_span() -> None:
    elements = ELEMENTS.replace("@..004010", "@..004030")
    text = ORDER.replace("004010..005010", "004030")
    known = small({"sets/850.xd": text, "elements.xd": elements})
    assert known.releases("850") == ("004030",)
    assert defined("850", "004030", None, known).release == "004030"


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        (("004010", "00401"), ("850", "004010", "exact", "004010")),
        (("004010VICS", "00401"), ("850", "004010", "exact", "004010")),
        (("005010", "00401"), ("850", "005010", "exact", "005010")),
        (("004060", "00401"), ("850", "004010", "nearest", "004060")),
        (("006020", "00501"), ("850", "005010", "nearest", "006020")),
        (("T", "00401"), ("850", "004010", "exact", "004010")),
        (("21", "00403"), ("850", "004010", "nearest", "004030")),
        (("5010", "00501"), ("850", "005010", "exact", "005010")),
        (("006030", "00401"), (None, None, "none", "006030")),
        (("008060", "00401"), (None, None, "none", "008060")),
        (("003060", "00401"), ("850", "004010", "nearest", "003060")),
        (("003010", "00301"), ("850", "004010", "nearest", "003010")),
        (("002040", "00204"), (None, None, "none", "002040")),
        (("003999", "00401"), (None, None, "none", "003999")),
        (("004999", "00401"), (None, None, "none", "004999")),
        (("009010", "00401"), (None, None, "none", "009010")),
        (("T", "U"), (None, None, "none", "")),
        (("005010X999", "00501"), ("850", "005010", "exact", "005010")),
    ],
)
def test_which_definition_validates(
    versions: tuple[str, str], expected: tuple[object, ...]
) -> None:
    definition, exactness, release = small().resolve("850", *versions)
    name = (definition.tx_set, definition.release) if definition else (None, None)
    assert (*name, exactness, release) == expected


@pytest.mark.parametrize(
    ("group_version", "reference", "guide"),
    [
        ("005010X999", "", "005010X999"),
        ("005010", "005010X999", "005010X999"),
        ("005010X999", "005010X000", "005010X999"),
        ("005010X000", "", None),
    ],
)
def test_a_guide_validates_where_it_is_named(
    group_version: str, reference: str, guide: str | None
) -> None:
    found = small().resolve("837", group_version, "00501", reference)
    assert found.definition is not None
    assert (found.definition.guide, found.exactness) == (guide, "exact")


def test_an_unknown_set_has_no_definition() -> None:
    assert small().resolve("123", "004010") == (None, "none", "004010")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("005010X222A1", True), ("005010X279", True), ("005010", False), ("005010X22", False)],
)
def test_the_form_of_a_guide_id(text: str, *, expected: bool) -> None:
    assert is_guide_id(text) is expected


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"sets/851.xd": ORDER}, "the set 850 exists twice"),
        ({"sets/851.xd": GUIDE}, "this is no set"),
        ({"guides/g.xd": ORDER}, "this is no guide"),
        ({"guides/g.xd": GUIDE}, "the guide 005010X999 on 837 exists twice"),
    ],
)
def test_a_table_of_contents_that_contradicts_itself(changes: dict[str, str], reason: str) -> None:
    with pytest.raises(DictionaryError) as raised:
        assert small(changes).contents
    assert faults(raised) == [(2, reason)]


HEAD = 'set 850 PO 004010..005010 "x"\n'


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            "  ZZZ O1\n  YYY O1\n",
            [
                (2, "segment ZZZ is not defined in 004010"),
                (3, "segment YYY is not defined in 004010"),
            ],
        ),
        ("  REF O1 when REF.09=A\n", [(2, "REF has no element 09")]),
        ("  REF O1 when REF.00=A\n", [(2, "REF has no element 00")]),
        ("  REF O1 when REF.01.01=A\n", [(2, "REF.01 has no component 01")]),
        ("  REF O1 when REF.04.05=A\n", [(2, "REF.04 has no component 05")]),
        (
            "  REF O1 when REF.04=AA\n",
            [(2, "REF.04 is a composite: the condition must name a component")],
        ),
        ("  REF O1 when REF.01=A\n", [(2, "the code A does not fit element 128 of 2 to 3")]),
        ("  loop N1 O1 when N1.09=AA\n    N1 M1\n", [(2, "N1 has no element 09")]),
        ("  loop N1 O1\n    N1 M1 @005010\n    N3 O1\n", [(2, "loop N1 has no trigger in 004010")]),
        ("  loop N1 O1\n    N1 M1\n    ZZZ O1\n", [(4, "segment ZZZ is not defined in 004010")]),
    ],
)
def test_a_set_that_does_not_fit_its_segments(lines: str, expected: list[tuple[int, str]]) -> None:
    known = small({"sets/850.xd": HEAD + lines})
    with pytest.raises(DictionaryError) as raised:
        known.definition("850", "004010")
    assert faults(raised) == expected


def test_a_condition_on_a_component() -> None:
    known = small({"sets/850.xd": f"{HEAD}  REF O1 when REF.04.01=ABC|DE\n"})
    found: Definition = defined("850", "004010", None, known)
    assert use_at(found, "REF").when == ValueCondition(4, 1, ("ABC", "DE"))


def test_a_further_file_replaces_a_set_in_its_own_releases_alone() -> None:
    mine = '# sources: mine\nset 850 PO 004010 "Ours"\n  BEG M1\n'
    found, before = small({"sets/own.xd": mine}), small()
    old = found.definition("850", "004010")
    assert old is not None
    assert (old.title, len(old.body)) == ("Ours", 1)
    assert found.definition("850", "005010") == before.definition("850", "005010")
    assert found.releases("850") == before.releases("850")
    assert found.resolve("850", "004010").definition == old
