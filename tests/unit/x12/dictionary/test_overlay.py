"""Partner overlays: what each edit does, and what is refused."""

from __future__ import annotations

import pytest

from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.model import Definition, ElementRule, ValueCondition
from longshore.x12.dictionary.overlay import OverlayHead, apply, read_overlay_head
from tests.unit.x12.dictionary.texts import (
    CODES,
    defined,
    faults,
    loop_at,
    order,
    outline,
    small,
    use_at,
)

HEAD = 'overlay acme.850 on 850@004010 "ACME retail order"\n'
ON_CLAIM = 'overlay acme.837 on 837@005010 "ACME claim"\n'


def applied(lines: str, to: Definition | None = None) -> Definition:
    definition = to or order()
    head = HEAD if definition.tx_set == "850" else ON_CLAIM
    return apply(definition, head + lines, "acme.xd", small().vocabulary.segment)


def refused(lines: str, to: Definition | None = None) -> list[tuple[int, str]]:
    with pytest.raises(DictionaryError) as raised:
        applied(lines, to)
    return faults(raised)


def guide() -> Definition:
    return defined("837", "005010", "005010X999")


def test_an_overlay_without_edits_changes_its_name_alone() -> None:
    found = applied("# nothing yet\n")
    assert found.body == order().body
    assert (found.layer, found.base, found.extensions) == ("acme.850", order(), ())
    assert (found.tx_set, found.guide, found.title) == ("850", None, "Purchase order")
    assert read_overlay_head("a.xd", HEAD) == OverlayHead(
        "acme.850", "850", "004010", "ACME retail order"
    )


def test_segments_and_loops_are_dropped_required_and_limited() -> None:
    found = applied(
        "CUR drop\nREF M2\nDTM O9\nlines M500\nlines.descriptions O1\nlines DTM drop\nparties M\n"
    )
    assert outline(found.body) == [
        *("BEG M1 as header", "REF M2 as references", "DTM O9 as dates"),
        *("loop N1 M200 as parties", ["N1 M1", "N3 O2", "REF O*"]),
        *("loop PO1 M500 as lines", ["PO1 M1", "loop PID O1 as descriptions", ["PID M1"]]),
        *("loop CTT O1", ["CTT M1"]),
    ]
    references = use_at(found, "references")
    assert (references.layer, references.base_requirement, references.base_maximum) == (
        "acme.850",
        "O",
        3,
    )
    lines = loop_at(found, "lines")
    assert (lines.layer, lines.base_maximum) == ("acme.850", 100000)
    assert use_at(found, "BEG").layer == "standard"
    assert found.extensions == ()


def test_elements_are_required_dropped_shortened_and_given_codes() -> None:
    found = applied(
        "BEG.01 codes 00\nBEG.02 len 5/10\nREF.02 M\nREF.03 drop\nlines PO1.03 M codes EA CA\n"
    )
    layer = "acme.850"
    assert use_at(found, "BEG").rules == {
        1: ElementRule(codes=("00",), layer=layer),
        2: ElementRule(minimum=5, maximum=10, layer=layer),
    }
    assert use_at(found, "references").rules == {
        2: ElementRule(requirement="R", layer=layer),
        3: ElementRule(requirement="N", layer=layer),
    }
    assert use_at(found, "lines", "PO1").rules == {
        3: ElementRule(requirement="R", codes=("EA", "CA"), layer=layer)
    }
    assert not use_at(found, "BEG").is_closed
    assert found.extensions == ()


def test_components_and_repetitions() -> None:
    found = applied("REF.04.02 len 1/5\nREF.04.03 codes AA BB\nREF.04 M1\n")
    assert use_at(found, "references").rules == {
        4: ElementRule(
            requirement="R",
            repeat=1,
            components={
                2: ElementRule(minimum=1, maximum=5, layer="acme.850"),
                3: ElementRule(codes=("AA", "BB"), layer="acme.850"),
            },
            layer="acme.850",
        )
    }


@pytest.mark.parametrize(
    "path", ["lines PO1.03", "lines.PO1.03", "PO1.PO1.03", "lines.03", "PO1.03", "lines[1].PO1.03"]
)
def test_ways_to_name_one_element(path: str) -> None:
    found = applied(f"{path} codes EA\n")
    assert use_at(found, "lines", "PO1").rules[3].codes == ("EA",)


def test_a_loop_is_split_by_a_qualifier_and_its_variants_are_edited() -> None:
    found = applied(
        "parties split N1.01 ST as ship_to M1 | BT|BS as bill_to O2\n"
        "parties[ship_to] N1.03 M codes 92\n"
        "ship_to.N3 M1\n"
        "parties[bill_to].REF drop\n"
    )
    assert outline(found.body)[4:8] == [
        *("loop N1 M1 as ship_to", ["N1 M1", "N3 M1", "REF O*"]),
        *("loop N1 O2 as bill_to", ["N1 M1", "N3 O2"]),
    ]
    ship_to, bill_to = loop_at(found, "ship_to"), loop_at(found, "bill_to")
    assert (ship_to.when, bill_to.when) == (
        ValueCondition(1, None, ("ST",)),
        ValueCondition(1, None, ("BT", "BS")),
    )
    assert (ship_to.base_requirement, ship_to.base_maximum, ship_to.layer) == ("O", 200, "acme.850")
    assert use_at(found, "ship_to", "N1").rules[3] == ElementRule(
        requirement="R", codes=("92",), layer="acme.850"
    )
    assert use_at(found, "bill_to", "N1").rules == {}


def test_a_segment_is_split_by_an_element_or_a_component() -> None:
    found = applied("REF split 01 DP as department M1 | IA as vendor O1\nREF[vendor].02 M\n")
    assert outline(found.body)[2:4] == ["REF M1 as department", "REF O1 as vendor"]
    assert use_at(found, "vendor").rules == {2: ElementRule(requirement="R", layer="acme.850")}
    deep = applied('REF split REF.04.01 "A B" as spaced O1\n')
    assert use_at(deep, "spaced").when == ValueCondition(4, 1, ("A B",))


def test_each_variant_may_stand_as_often_as_what_was_split() -> None:
    found = applied("dates split 01 AAA as first O1 | BBB as rest O*\n")
    assert outline(found.body)[3:5] == ["DTM O1 as first", "DTM O* as rest"]


def test_a_mandatory_loop_split_in_two_is_demanded_by_the_overlay_alone() -> None:
    two = applied("lines split PO1.03 EA as each M5 | CA as cases O5\n")
    assert [loop_at(two, name).base_requirement for name in ("each", "cases")] == ["O", "O"]
    one = applied("lines split PO1.03 EA as each M5\n")
    assert loop_at(one, "each").base_requirement == "M"


def test_one_of_several_alike_is_named_by_its_number() -> None:
    text = 'set 850 PO 004010 "x"\n  REF O1\n  CUR O1\n  REF O5\n'
    twice = defined("850", "004010", None, small({"sets/850.xd": text}))
    assert refused("REF drop\n", twice) == [
        (2, "REF stands here 2 times: name one by label or as [2]")
    ]
    assert outline(applied("REF[2] M3\n", twice).body) == ["REF O1", "CUR O1", "REF M3"]
    assert refused("REF[3] drop\n", twice) == [(2, "REF[3] names nothing here")]


def test_a_tag_limits_an_edit_to_releases() -> None:
    found = applied("CUR drop @005010..\nREF M1 @..004010\n")
    assert outline(found.body)[1:3] == ["CUR O1", "REF M1 as references"]


def test_what_is_wider_on_purpose_is_listed() -> None:
    found = applied(
        "BEG extend drop\nCUR extend O5\nlines extend O*\nREF extend M*\nREF.02 extend len 1/60\n"
        "REF.01 extend O\nlines.descriptions.PID.01 codes F extend X\n"
    )
    assert found.extensions == (
        "BEG: not used",
        "CUR: 5 times",
        "lines: not required",
        "lines: any number of times",
        "REF: any number of times",
        "REF.02: length 1/60",
        "REF.01: not required",
        "lines.descriptions.PID.01: codes X",
    )
    assert use_at(found, "lines", "descriptions", "PID").rules[1].codes == ("F", "X")
    assert use_at(found, "references").maximum == 0


def test_codes_are_added_to_those_allowed() -> None:
    found = applied(
        "lines.descriptions PID.01 codes extend X\nBEG.01 codes 00\nBEG.01 codes extend 05\n"
    )
    assert use_at(found, "lines", "descriptions", "PID").rules[1].codes == ("F", "S", "X")
    assert use_at(found, "BEG").rules[1].codes == ("00", "05")
    assert found.extensions == ("lines.descriptions.PID.01: codes X", "BEG.01: codes 05")


def test_positions_and_loops_are_added() -> None:
    found = applied(
        "extend header PID O2 as remarks\n"
        "extend lines.PO1 loop N1 O5 as places\n"
        "  N1 M1\n"
        "  N3 O1\n"
        "lines.places.N3 M1\n"
    )
    assert outline(found.body)[:2] == ["BEG M1 as header", "PID O2 as remarks"]
    assert outline(loop_at(found, "lines").body)[:3] == [
        "PO1 M1",
        "loop N1 O5 as places",
        ["N1 M1", "N3 M1"],
    ]
    added = use_at(found, "remarks")
    assert (added.base_requirement, added.base_maximum, added.layer) == ("N", 0, "acme.850")
    assert use_at(found, "lines", "places", "N1").base_requirement == "N"
    assert found.extensions == (
        "header: PID O2 as remarks",
        "lines.PO1: loop N1 O5 as places",
    )


def test_overlays_stack_and_keep_the_base_of_the_first() -> None:
    first = applied("REF M2\nBEG.01 codes 00 extend 99\n")
    second = apply(
        first, 'overlay two on 850@004010 "x"\nREF M1\nBEG.01 codes 99\n', "b.xd",
        small().vocabulary.segment,
    )  # fmt: skip
    assert (second.layer, second.base) == ("two", order())
    assert second.extensions == ("BEG.01: codes 99",)
    assert use_at(second, "BEG").rules[1] == ElementRule(codes=("99",), layer="two")
    assert (use_at(second, "references").maximum, use_at(second, "references").base_maximum) == (
        1,
        3,
    )


def test_an_overlay_on_a_guide_speaks_the_letters_of_guides() -> None:
    found = applied("version M1\nproviders.subscribers M9\n", guide())
    assert (use_at(found, "version").requirement, found.base) == ("R", guide().base)
    assert loop_at(found, "providers", "subscribers").requirement == "R"
    assert found.guide == "005010X999"


def test_the_rules_of_a_guide_are_narrowed() -> None:
    path = "providers.subscribers.claims.CLM"
    found = applied(f"version.02 len 6/20\n{path}.02.01 codes 11\n{path}.02 M\n", guide())
    layer = "acme.837"
    assert use_at(found, "version").rules[2] == ElementRule(
        requirement="R", minimum=6, maximum=20, layer=layer
    )
    rule = use_at(found, "providers", "subscribers", "claims", "CLM").rules[2]
    assert (rule.requirement, rule.layer) == ("R", layer)
    assert rule.components[1] == ElementRule(requirement="R", codes=("11",), layer=layer)
    assert rule.components[2].layer == "005010X999"


OTHERS = "providers.subscribers.claims.others.02"


@pytest.mark.parametrize(
    ("path", "change", "what"),
    [
        ("version.03", "O", "used"),
        ("version.01", "codes 88", "codes 88"),
        ("version.02", "len 4/20", "length 4/20"),
        ("version.01", "drop", "not used"),
        ("BHT", "O1", "not required"),
        (OTHERS, "M3", "3 times"),
        ("providers.provider", "split 01 82 as one M1", "codes 82"),
    ],
)
def test_what_a_guide_forbids_stays_forbidden(path: str, change: str, what: str) -> None:
    reason = f"{path} would allow more than before ({what}): say extend"
    assert refused(f"{path} {change}\n", guide()) == [(2, reason)]


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ("version.04.01 M", "REF.04 is not used"),
        ("submitter split 01 41 as one M1", "what is split has a condition already"),
    ],
)
def test_what_a_guide_has_settled(edit: str, reason: str) -> None:
    assert refused(f"{edit}\n", guide()) == [(2, reason)]


def test_a_rule_that_was_not_used_can_be_extended() -> None:
    found = applied("version.03 extend M len 1/9\nversion.03 codes ABC\n", guide())
    assert use_at(found, "version").rules[3] == ElementRule(
        requirement="R", minimum=1, maximum=9, codes=("ABC",), layer="acme.837"
    )
    assert found.extensions == ("version.03: used",)
    still = applied("version.03 len 1/9\n", guide())
    assert use_at(still, "version").rules[3].requirement == "N"


def test_a_strict_list_narrows_an_added_code_too() -> None:
    known = small({"codes/lists.xd": CODES.replace("list purpose", "list purpose strict")})
    found = defined("850", "004010", None, known)
    assert refused("BEG.01 codes 00 01\n", found) == [
        (2, "BEG.01 would allow more than before (codes 01): say extend")
    ]
    assert applied("BEG.01 extend codes 00 01\n", found).extensions == ("BEG.01: codes 01",)


def test_a_block_of_codes_narrows_and_cannot_be_added_to_as_a_whole() -> None:
    lists = CODES.replace("list purpose", "list purpose strict\n  also 1[0-9]")
    found = defined("850", "004010", None, small({"codes/lists.xd": lists}))
    assert use_at(applied("BEG.01 codes 00 17\n", found), "header").rules[1].codes == ("00", "17")
    assert refused("BEG.01 codes 17 20\n", found) == [
        (2, "BEG.01 would allow more than before (codes 20): say extend")
    ]
    assert refused("BEG.01 codes extend 20\n", found) == [
        (2, "more codes are allowed here than are listed; name those to allow")
    ]


def test_a_strict_list_can_be_added_to() -> None:
    found = applied("lines.descriptions.01 codes extend Q\n")
    assert use_at(found, "lines", "descriptions", "PID").rules[1].codes == ("F", "S", "Q")
