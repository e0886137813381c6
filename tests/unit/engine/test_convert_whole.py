"""Convert names what of a document is not in the output: sets, rows, everything."""

import json
from typing import Any

import pytest

from longshore.engine import Converted, Stamp, convert
from longshore.engine.trials import MapTest, MapTrial, replay, run_tests
from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.document_x12 import MAX_PASSED
from longshore.mapping.rule_texts import RuleText
from longshore.mapping.writes import MappingWarning, SetPlace
from longshore.x12.findings import MAX_FINDINGS
from tests.unit.engine.conversion_examples import rule

STAMP = Stamp(date="20260115", time="1405")
PO = [rule("BEG.03", "po")]
ISA = (
    "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       "
    "*240115*0930*U*00401*000000001*0*P*>~"
)
SECOND_AND_THIRD = (SetPlace(2, "850", "0002"), SetPlace(3, "850", "0003"))


def orders(*numbers: str, tx_set: str = "850") -> str:
    """Return an interchange with an order for each control number; its PO number ends with it."""
    sets = "".join(
        f"ST*{tx_set}*{number}~BEG*00*SA*PO-{number}**20240115~SE*3*{number}~" for number in numbers
    )
    group = f"GS*PO*S*R*20240115*0930*1*X*004010~{sets}GE*{len(numbers)}*1~"
    return f"{ISA}{group}IEA*1*000000001~"


THREE = orders("0001", "0002", "0003")
# What is read in the two ways that a document is read.
SMALL_AND_LARGE = pytest.mark.parametrize("tail", ["", "\n" * 9000], ids=["small", "large"])


def converted(rules: list[Any], document: str, **options: object) -> Converted:
    return convert(document, rules, stamp=STAMP, **options)  # type: ignore[arg-type]  # any


def codes(made: Converted) -> list[str]:
    return [each.code for each in made.warnings]


def refusal(rules: list[Any], document: str, **options: object) -> LongshoreError:
    with pytest.raises(LongshoreError) as caught:
        converted(rules, document, **options)
    return caught.value


# ---- sets ---------------------------------------------------------------------------------------


@SMALL_AND_LARGE
def test_sets_that_no_rule_reads_are_named(tail: str) -> None:
    made = converted(PO, THREE + tail)
    assert made.output == '{"po":"PO-0001"}'
    assert made.is_partial
    assert made.warnings == (
        MappingWarning(
            "sets_not_converted",
            "2 of 3 transaction sets were not converted: the rules read only the others; split "
            "makes an output of each set",
            count=2,
            sets=SECOND_AND_THIRD,
        ),
    )
    assert json.loads(made.result_json())["warnings"][0]["sets"] == [
        {"index": 2, "tx_set": "850", "control_number": "0002"},
        {"index": 3, "tx_set": "850", "control_number": "0003"},
    ]


@SMALL_AND_LARGE
def test_sets_of_further_interchanges_count(tail: str) -> None:
    (warning,) = converted(PO, THREE + orders("0009") + tail).warnings
    assert (warning.count, warning.sets) == (3, (*SECOND_AND_THIRD, SetPlace(4, "850", "0009")))


def test_a_thousand_sets_are_counted_and_the_first_ones_named() -> None:
    numbers = [f"{number:04}" for number in range(1, 1001)]
    (warning,) = converted(PO, orders(*numbers)).warnings
    assert (warning.count, len(warning.sets)) == (999, MAX_PASSED)
    assert (warning.sets[0].index, warning.sets[-1].index) == (2, MAX_PASSED + 1)


@pytest.mark.parametrize(
    ("rules", "left_out"),
    [
        ([rule("ST[*]/BEG.03", "po[*]")], []),
        ([*PO, rule("ST[*]/BEG.03", "all[*]")], []),
        ([rule("ST[*].02", "numbers[*]")], []),
        ([rule("ST[2].02", "second")], [1, 3]),
        ([rule("ST[2]/BEG.03", "po")], [1, 3]),
        ([*PO, rule("ST[2]/BEG.03", "second")], [3]),
        ([*PO, rule("ST[*].02", "numbers[*]")], [2, 3]),
        ([rule("ISA.06", "sender")], [2, 3]),
        ([{"src": "BEG.03", "tgt": "po", "when": "ST[*]/BEG.01=00"}], [2, 3]),
        ([{"const": "x", "tgt": "c"}], [2, 3]),
    ],
)
def test_the_paths_of_the_rules_say_which_sets_are_read(
    rules: list[Any], left_out: list[int]
) -> None:
    sets = [place.index for each in converted(rules, THREE).warnings for place in each.sets]
    assert sets == left_out


def test_split_and_a_single_set_leave_nothing_out() -> None:
    made = converted(PO, THREE, is_split=True)
    assert [each.text for each in made.outputs] == [f'{{"po":"PO-000{n}"}}' for n in (1, 2, 3)]
    assert (made.warnings, made.is_partial) == ((), False)
    assert converted(PO, orders("0001")).warnings == ()


def test_split_with_rules_for_one_set_leaves_the_others_out() -> None:
    (warning,) = converted([rule("ST[1]/BEG.03", "po")], THREE, is_split=True).warnings
    assert (warning.code, warning.sets) == ("sets_not_converted", SECOND_AND_THIRD)


# ---- the set of the map -------------------------------------------------------------------------


def test_a_map_of_another_set_is_refused() -> None:
    refused = refusal(PO, THREE, tx_set="810")
    text = "the map is for transaction set 810, but ST[1] of the document is 850"
    assert (
        refused.message == f"T{text[1:]}. Use another map, or convert it with force all the same."
    )
    assert refused.details == (
        ErrorDetail(code="map_tx_set_mismatch", param="document", message=text, allowed=("810",)),
    )


def test_by_force_it_is_a_warning() -> None:
    made = converted(PO, orders("0001"), tx_set="810", is_forced=True)
    (warning,) = made.warnings
    assert (warning.code, warning.count, warning.sets) == (
        "map_tx_set_mismatch", 1, (SetPlace(1, "850", "0001"),),
    )  # fmt: skip
    assert (made.output, made.is_partial) == ('{"po":"PO-0001"}', False)


MIXED = orders("0001") + orders("0002", tx_set="810")


def test_every_set_that_is_converted_has_to_match() -> None:
    assert codes(converted(PO, MIXED, tx_set="850")) == ["sets_not_converted"]
    assert "ST[2] of the document is 810" in refusal(PO, MIXED, tx_set="850", is_split=True).message
    all_sets = [rule("ST[*]/BEG.03", "po[*]")]
    assert refusal(all_sets, MIXED, tx_set="850").code == "map_tx_set_mismatch"


def test_what_is_no_set_identifier_is_not_repeated() -> None:
    refused = refusal(PO, orders("0001", tx_set="<b>secret</b>"), tx_set="850")
    assert "is a set without a valid code" in refused.message


def test_segments_without_st_have_no_set_that_could_differ() -> None:
    assert converted(PO, "BEG*00*SA*PO-1~", tx_set="850").output == '{"po":"PO-1"}'


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ([rule("BEG.03", "BAK.03"), {"const": "855", "tgt": "ST.01"}], {}),
        ([rule("BEG.03", "BAK.03"), rule("BEG.02", "ST.01")], {}),
        ([rule("BEG.03", "BAK.03")], {"envelope": {"tx_set": "855"}}),
    ],
)
def test_a_map_that_makes_its_set_may_read_another(
    rules: list[Any], options: dict[str, object]
) -> None:
    document = orders("0001").replace("*SA*", "*855*")
    made = converted(rules, document, tx_set="855", target_format="x12", **options)
    assert "ST*855*" in made.output


def test_an_x12_target_of_the_sources_own_set_is_no_excuse() -> None:
    assert refusal(PO_TO_X12, THREE, tx_set="855", target_format="x12").code == (
        "map_tx_set_mismatch"
    )


PO_TO_X12 = [rule("BEG.03", "BEG.03"), {"const": "850", "tgt": "ST.01"}]


# ---- rules without a value ----------------------------------------------------------------------


def test_rules_that_found_nothing_are_counted_and_explained() -> None:
    rules = [
        *PO,
        rule("REF.02", "ref"),
        rule(["N1.02", "N1.04"], "name", join=" "),
        rule("PO1[*].02", "lines[*].qty"),
        rule("CTT.01", "count", default="0"),
        rule("BEG.03", "piece", then=[{"op": "split", "on": "-", "index": 9}]),
        rule("REF.02", "other", when="BEG.01=01"),
        {"const": "x", "tgt": "c"},
    ]
    made = converted(rules, orders("0001"), is_explained=True)
    assert (made.rules_without_value, made.warnings) == (5, ())
    assert made.explain["rules_without_value"] == [
        {"rule": 1, "src": ["REF.02"], "tgt": "ref"},
        {"rule": 2, "src": ["N1.02", "N1.04"], "tgt": "name"},
        {"rule": 3, "src": ["PO1[*].02"], "tgt": "lines[*].qty"},
        {"rule": 4, "src": ["CTT.01"], "tgt": "count"},
        {"rule": 5, "src": ["BEG.03"], "tgt": "piece"},
    ]
    assert converted(rules, orders("0001")).rules_without_value == 5
    assert json.loads(made.result_json())["rules_without_value"] == 5


def test_the_short_way_counts_alike() -> None:
    rules = [*PO, rule("REF.02", "ref"), rule("CTT.01", "n", default="0")]
    short, long = (converted(rules, orders("0001"), is_explained=it) for it in (False, True))
    assert (short.rules_without_value, long.rules_without_value) == (2, 2)
    in_json = converted([rule("a", "x"), rule("b", "y")], '{"a":"1"}', source_format="json")
    assert (in_json.output, in_json.rules_without_value) == ('{"x":"1"}', 1)


@pytest.mark.parametrize("target", ["json", "csv", "xml", "x12"])
def test_an_output_of_nothing_says_so(target: str) -> None:
    rules = [rule("REF.02", {"xml": "o.ref", "x12": "REF.02"}.get(target, "ref"))]
    made = converted([*rules], orders("0001"), target_format=target)
    assert made.warnings == (
        MappingWarning(
            "nothing_converted",
            "no rule found a value in the document: nothing of it is in the output",
            count=1,
            sets=(SetPlace(1, "850", "0001"),),
        ),
    )
    assert (made.is_partial, made.rules_without_value) == (True, 1)


def test_constants_next_to_nothing_are_still_nothing_of_the_document() -> None:
    constant = {"const": "order", "tgt": "type"}
    assert codes(converted([constant, rule("REF.02", "ref")], orders("0001"))) == [
        "nothing_converted"
    ]
    assert converted([constant], orders("0001")).warnings == ()
    unfulfilled = {"const": "order", "tgt": "type", "when": "REF.01"}
    assert codes(converted([unfulfilled], orders("0001"))) == ["nothing_converted"]


def test_split_names_the_sets_of_which_nothing_was_converted() -> None:
    (warning,) = converted(
        PO, orders("0001") + MIXED.replace("BEG*", "BIG*"), is_split=True
    ).warnings
    assert warning.message == "no rule found a value in 2 of 3 transaction sets"
    assert (warning.count, [place.index for place in warning.sets]) == (2, [2, 3])


@pytest.mark.parametrize("source_format", ["x12", "json"])
def test_no_rules_are_refused(source_format: str) -> None:
    refused = refusal([], THREE, source_format=source_format)
    assert (refused.code, refused.message) == (
        "invalid_mapping_rule",
        "There are no rules: field_map is empty. Give at least one rule.",
    )
    assert refused.details[0].param == "field_map"


# ---- rows ---------------------------------------------------------------------------------------

CSV = "po,sku,qty\n1,A,5\n1,B,7\n1,C,5\n"
JSON = '{"po":"1","lines":[{"sku":"A","tags":["x","y"]},{"sku":"B","tags":["z"]}]}'
XML = "<o><po>1</po><l><sku>A</sku></l><l><sku>B</sku></l></o>"


def rows(rules: list[Any], document: str, source_format: str) -> list[tuple[str, str, int]]:
    """Return rule, path and number of the rows that were not converted."""
    made = converted(rules, document, source_format=source_format)
    assert made.is_partial is bool(made.warnings)
    found = [each for each in made.warnings if each.code == "rows_not_converted"]
    return [(each.param, each.src, each.count) for each in found]


@pytest.mark.parametrize(
    ("source_format", "document", "rules", "found"),
    [
        ("csv", CSV, [rule("row[1]/po", "a"), rule("po", "b"), rule("sku", "c")],
         [("field_map[1]", "po", 2), ("field_map[2]", "sku", 2)]),
        ("csv", CSV, [rule("row[*]/sku", "l[*].sku"), rule("po", "po")], []),
        ("csv", CSV, [rule("row[*]/sku", "l[*].sku"), rule("qty", "qty")],
         [("field_map[1]", "qty", 2)]),
        ("csv", CSV, [rule("row[qty=5]/sku", "a"), rule("row[-1]/sku", "b")], []),
        ("csv", "po,sku\n1,A\n", [rule("sku", "a")], []),
        ("csv", "po,sku\n", [rule("sku", "a")], []),
        ("json", JSON, [rule("po", "po"), rule("lines[*].sku", "l[*]")], []),
        ("json", JSON, [rule("lines.sku", "sku")], [("field_map[0]", "lines.sku", 2)]),
        ("json", JSON, [rule("lines[*].sku", "l[*]"), rule("lines.sku", "sku")],
         [("field_map[1]", "lines.sku", 2)]),
        ("json", JSON, [rule("lines[0].sku", "a"), rule("lines[sku=B].sku", "b")], []),
        ("json", JSON, [rule("lines[*].tags", "tags[*]")], [("field_map[0]", "lines[*].tags", 3)]),
        ("json", JSON, [rule("lines", "lines")], [("field_map[0]", "lines", 2)]),
        ("json", '[{"sku":"A"},{"sku":"B"}]', [rule("sku", "a")], [("field_map[0]", "sku", 2)]),
        ("json", '{"lines":[]}', [rule("lines.sku", "a")], []),
        ("xml", XML, [rule("o.po", "po"), rule("o.l.sku", "s")], [("field_map[1]", "o.l.sku", 1)]),
        ("xml", XML, [rule("o.l[*].sku", "l[*]"), rule("o.l[1].sku", "sku")], []),
    ],
)  # fmt: skip
def test_rows_that_a_path_leaves_out_are_counted(
    source_format: str, document: str, rules: list[Any], found: list[tuple[str, str, int]]
) -> None:
    assert rows(rules, document, source_format) == found


def test_the_warning_says_what_to_write() -> None:
    made = converted([rule("sku", "x")], "sku\nA\nB\n", source_format="csv")
    assert made.warnings == (
        MappingWarning(
            "rows_not_converted",
            "1 row was not converted: sku does not say which rows it means; [*] stands for all of "
            "them, an index for one",
            "field_map[0]",
            "x",
            "sku",
            1,
        ),
    )


# ---- tests and replay of maps -------------------------------------------------------------------


def test_a_test_of_a_map_says_what_its_document_lost() -> None:
    run = MapTrial(rules=RuleText(json.dumps(PO)), tx_set="850")
    expected = '{"po":"PO-0001"}'
    tests = [
        MapTest(name=name, document=document, expected=expected)
        for name, document in (("three", THREE), ("other", orders("0001", tx_set="810")))
    ]
    three, other = run_tests(run, tests).results
    assert (three.has_passed, [each.sets for each in three.warnings]) == (True, [SECOND_AND_THIRD])
    assert "the map is for transaction set 850" in other.error.lower()


def test_a_replay_says_what_it_did_not_compare() -> None:
    run = MapTrial(rules=RuleText(json.dumps(PO)), tx_set="850")
    replayed = replay(run, run, THREE)
    assert (replayed.outcome, [each.count for each in replayed.warnings]) == ("identical", [2])


# ---- documents that are not complete -------------------------------------------------------------


def test_a_document_that_ends_early_is_not_called_converted() -> None:
    cut = THREE[: THREE.index("SE*3*0002")]
    made = converted([rule("ST[*]/BEG.03", "po[*]")], cut)
    (warning,) = made.warnings
    assert (made.output, made.is_partial) == ('{"po":["PO-0001","PO-0002"]}', True)
    assert (warning.code, warning.count) == ("document_incomplete", 3)
    assert warning.message == (
        "the document is not complete: the interchange that begins here has no IEA (line 1, "
        "character 0), and 2 more"
    )
    split = converted(PO, cut, is_split=True)
    assert (codes(split), len(split.outputs)) == (["document_incomplete"], 2)


@pytest.mark.parametrize(
    "around",
    [("", "UNB+UNOC:3+1+2+260302:0915+77'"), (THREE[1:], ""), ("", THREE[1:]), ("", "ISA*00*")],
    ids=["EDIFACT behind", "damaged before", "damaged behind", "cut off"],
)
def test_a_part_that_was_not_read_is_named(around: tuple[str, str]) -> None:
    before, behind = around
    made = converted(PO, f"{before}{orders('0001')}{behind}")
    assert (codes(made), made.is_partial) == (["document_incomplete"], True)
    assert "not read" in made.warnings[0].message


def test_a_document_that_ends_early_is_noticed_among_hundreds_of_other_faults() -> None:
    """Wrong counts and too long ids are more than a list of findings takes."""
    wrong = orders(*(f"{number:04}" for number in range(MAX_FINDINGS + 2))).replace("*3*", "*9*")
    document = wrong.replace("~BEG", f"~{'TOOLONG*1~' * (MAX_FINDINGS + 1)}BEG", 1)
    cut = document[: document.rindex("SE*9*")]
    made = converted([rule("ST[*]/BEG.03", "po[*]")], cut)
    assert [(each.code, each.count) for each in made.warnings] == [
        ("document_incomplete", 3),
        ("counts_wrong", MAX_FINDINGS + 1),
    ]


def test_a_part_that_was_not_read_is_noticed_among_hundreds_of_other_lines() -> None:
    lines = f"{ISA}IEA*0*000000001~## a line of the network\n" * MAX_FINDINGS
    made = converted(PO, f"{lines}{orders('0001')}UNB+UNOC:3+1+2+260302:0915+77'")
    assert [(each.code, each.count) for each in made.warnings] == [("document_incomplete", 1)]


def test_lines_of_a_network_around_an_interchange_are_no_part_of_it() -> None:
    made = converted(PO, f"##HDR\n{orders('0001')}##TRL\n")
    assert (codes(made), made.is_partial) == ([], False)


def test_counts_that_are_wrong_are_said_and_leave_nothing_out() -> None:
    made = converted(PO, orders("0001").replace("SE*3*", "SE*9*").replace("GE*1*", "GE*2*"))
    (warning,) = made.warnings
    assert (warning.code, warning.count, made.is_partial) == ("counts_wrong", 2, False)
    assert warning.message == (
        "the document does not have what it counts: SE01 is wrong: the set has 3 segments (line 1, "
        "character 184), and 1 more"
    )
    assert made.output == '{"po":"PO-0001"}'


def test_nothing_converted_names_places_of_x12_alone() -> None:
    made = converted([rule("a", "b")], '{"c": 1}', source_format="json")
    assert [each.to_members() for each in made.warnings] == [
        {
            "code": "nothing_converted",
            "message": "no rule found a value in the document: nothing of it is in the output",
            "count": 1,
        }
    ]
