"""What rules do with values: the pipeline, what is missing, conditions, constants, lineage."""

import pytest

from longshore.mapping import run as run_module
from longshore.mapping import scopes as scopes_module
from longshore.mapping import sources_fields as fields_module
from longshore.mapping import sources_x12 as x12_module
from longshore.mapping.writes import NULL, JsonLiteral, MappingWarning, OnDuplicate, ValueOrigin
from tests.unit.mapping.outcomes import (
    case,
    entries_of,
    failure_of,
    outcome_of,
    refusal_of,
    rule,
    values_of,
)
from tests.unit.mapping.test_sources_x12 import interchange


def test_transforms_run_on_each_value() -> None:
    assert values_of(rule("N1[01=ST]>N4.01", transform="uppercase")) == ["PEORIA"]
    assert values_of(rule("N1[01=ST]>N4.01", transform="lowercase")) == ["peoria"]
    assert values_of(rule("BEG.05", transform="date_iso")) == ["2024-01-15"]
    assert values_of(rule("BEG.05", transform="none", note="x")) == ["20240115"]


def test_several_sources_are_joined_where_present() -> None:
    join_parts = rule(["PO1[*].06", "PO1[*].07"], "l[*].id", join=":")
    assert values_of(join_parts) == ["UP:012345678905", "UP:012345678912", "UP:012345678929"]
    assert values_of(rule(["PO1[*].09", "BEG.03"], "l[*]", join="/")) == [
        "SKU-A/PO-4711",
        "PO-4711",
        "SKU-C/PO-4711",
    ]
    assert values_of(rule(["BEG.04", "BEG.06"], default="none")) == ["none"]
    assert values_of(rule(["BEG.01", "BEG.02"])) == ["00SA"]
    assert values_of(rule(["BEG.03"])) == ["PO-4711"]


def test_a_missing_value_leaves_the_target_alone() -> None:
    assert outcome_of([rule("N1[01=ST]>N3.01")]).writes[0].entries == []
    assert values_of(rule("N1[01=ST]>N3.01", default="")) == [""]
    assert values_of(rule("N1[01=ST]>N3.01", default=None)) == ["null"]
    assert values_of(rule("PO1[*].09", "t[*]", default="-")) == ["SKU-A", "-", "SKU-C"]


@pytest.mark.parametrize(("on_missing", "filler"), [("null", NULL), ("empty", "")])
def test_a_filler_is_written_apart(on_missing: str, filler: str) -> None:
    (made,) = outcome_of([rule("PO1[*].09", "t[*]", on_missing=on_missing)]).writes
    assert made.entries == [((0,), "SKU-A"), ((2,), "SKU-C")]
    assert made.fillers == [((1,), filler)]


@pytest.mark.parametrize(
    "given",
    [
        rule("N1[01=ST]>N3.01", required=True),
        rule("N1[01=ST]>N3.01", on_missing="error"),
        rule("PO1[*].09", "t[*]", required=True),
        rule("ZZZ[*].01", "t[*]", required=True),
        rule("BEG.03", required=True, then=[{"op": "split", "on": "-", "index": 5}]),
        rule("BEG.03", required=True, lookup={"table": {"a": "b"}, "on_miss": "omit"}),
    ],
)
def test_what_is_required_must_be_there(given: dict[str, object]) -> None:
    assert failure_of(given) == ("required_missing", "field_map[0]")


def test_a_default_or_a_condition_settles_what_is_required() -> None:
    assert values_of(rule("BEG.04", required=True, default="x")) == ["x"]
    assert values_of(rule("ZZZ[*].01", "t[*]", required=True, default="x")) == []
    assert values_of(rule("ZZZ[*].01", "t[*]", required=True, when="ZZZ")) == []


LOOKUP = {"table": {"EA": "each"}}


@pytest.mark.parametrize(
    ("more", "values"),
    [
        ({}, ["each", "CA", "each"]),
        ({"on_miss": "keep"}, ["each", "CA", "each"]),
        ({"on_miss": "omit"}, ["each", "each"]),
        ({"default": "?"}, ["each", "?", "each"]),
        ({"default": "?", "on_miss": "error"}, ["each", "?", "each"]),
    ],
)
def test_lookups(more: dict[str, object], values: list[str]) -> None:
    assert values_of(rule("PO1[*].03", "t[*]", lookup=LOOKUP | more)) == values


def test_a_lookup_may_demand_a_hit_and_may_name_a_table_of_the_map() -> None:
    given = rule("PO1[*].03", "t[*]", lookup=LOOKUP | {"on_miss": "error"})
    assert failure_of(given) == ("lookup_miss", "field_map[0]")
    given = rule("PO1[*].03", "t[*]", lookup={"table_id": "units"})
    (made,) = outcome_of([given], lookups={"units": {"CA": "case"}}).writes
    assert [value for _, value in made.entries] == ["EA", "case", "EA"]


def test_the_pipeline_is_transform_lookup_operations_type() -> None:
    given = rule(
        "PO1.03",
        transform="lowercase",
        lookup={"table": {"ea": "0012.50"}},
        then=[{"op": "replace", "find": "00", "with": "0"}],
        type="number",
    )
    (value,) = values_of(given)
    assert (value, type(value)) == ("12.50", JsonLiteral)


def test_raw_values_may_be_transformed_too() -> None:
    assert values_of(rule("PO1.03", transform="lowercase", type="raw")) == ["ea"]
    lookup = {"table": {"ea": "each"}}
    named = rule("PO1.03", transform="lowercase", lookup=lookup, type="raw")
    assert values_of(named) == ["each"]


def test_an_unknown_date_stays_and_is_warned_of() -> None:
    outcome = outcome_of([rule("PO1[*].07", "lines[*].d", transform="date_iso")])
    assert outcome.writes[0].entries[0] == ((0,), "012345678905")
    assert outcome.warnings == [
        MappingWarning(
            "date_iso",
            "3 of 3 values are not as date_iso expects; left unchanged",
            "field_map[0]",
            "lines[*].d",
        )
    ]
    given = rule("PO1.07", transform="date_iso", required=True)
    assert failure_of(given) == ("date_invalid", "field_map[0]")


def test_a_date_operation_that_does_not_fit_is_warned_of() -> None:
    then = [{"op": "date", "in": "MMDDCCYY", "out": "CCYY-MM-DD"}]
    outcome = outcome_of([rule("BEG.05", then=then, required=True)])
    assert outcome.writes[0].entries == [((), "20240115")]
    assert [(each.code, each.param) for each in outcome.warnings] == [("date", "field_map[0]")]


def test_a_failed_type_refuses() -> None:
    assert failure_of(rule("BEG.03", type="integer")) == ("type_mismatch", "field_map[0]")


def test_a_value_cannot_grow_without_end() -> None:
    double = [{"op": "replace", "find": "E", "with": "EE"}] * 30
    code, (detail,) = refusal_of([rule("PO1.03", then=double)])
    assert (code, detail.limit, detail.max) == ("limit_exceeded", "value_chars", 1_048_576)
    assert detail.param == "field_map[0].then"


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("BEG.02=SA", True),
        ("BEG.02=NE|SA", True),
        ("BEG.02=NE", False),
        ("BEG.02!=NE", True),
        ("!BEG.02=SA", False),
        ("BEG.04", False),
        ("!BEG.04", True),
        ("BEG.04=", True),
        ("BEG.04!=X", True),
        ("N1[01=ST]", True),
        ("N1[01=ZZ]", False),
        ("!N1[01=ZZ]", True),
        ("PO1[*].03=CA", True),
        ("PO1[*].03=XX", False),
        ("PO1[*]>PID", True),
        ("ZZZ[*].01!=X", False),
    ],
)
def test_conditions(when: str, *, holds: bool) -> None:
    assert values_of(rule("BEG.03", when=when)) == ["PO-4711"] * holds


def test_a_condition_that_begins_like_the_source_is_about_the_same_occurrence() -> None:
    rules = [
        rule("PO1[*].07", "a[*]", when="PO1[*].03=EA"),
        rule("PO1[*].07", "b[*]", when="!PO1[*].03=EA"),
        rule("PO1[*].07", "c[*]", when="PO1[*]>PID"),
        rule("PO1[*]>PID[*].05", "d[*].e[*]", when="PO1[*].09=SKU-C"),
        rule("PO1[*]>PID[*].05", "g[*].h[*]", when="PO1[*]>PID[01=X][*].05"),
        rule(["PO1[*].01", "BEG.03"], "f[*]", when="PO1[*].03=CA"),
    ]
    assert [[binding for binding, _ in entries] for entries in entries_of(rules)] == [
        [(0,), (2,)],
        [(1,)],
        [(0,), (2,)],
        [(2, 0)],
        [],
        [(1,)],
    ]


def test_a_condition_on_repetitions_is_about_the_same_repetition() -> None:
    given = rule("HI.01[*].02", "dx[*]", when="HI.01[*].01=ABF")
    assert entries_of([given], case("21_837_composite_repetition.edi")) == [[((1,), "R05")]]


def test_constants() -> None:
    rules = [{"const": "EA", "tgt": "u"}, {"const": None, "tgt": "n"}]
    assert entries_of(rules) == [[((), "EA")], [((), "null")]]
    assert entries_of([{"const": "EA", "tgt": "u", "when": "BEG.03=X"}]) == [[]]
    assert entries_of([{"const": "EA", "tgt": "u", "when": "BEG.03"}]) == [[((), "EA")]]


def test_a_constant_with_wildcards_stands_wherever_sources_of_its_prefix_do() -> None:
    rules = [
        {"const": "x", "tgt": "l[*].u"},
        rule("PO1[*]>PID.05", "l[*].d"),
        {"const": "y", "tgt": "m[*].u"},
        rule("PO1[*].03", "k[*].d", when="PO1[*].03=CA"),
        {"const": "z", "tgt": "k[*].u"},
    ]
    made = entries_of(rules)
    assert made[0] == [((0,), "x"), ((1,), "x"), ((2,), "x")]
    assert made[2] == []
    assert made[4] == [((1,), "z")]


def test_a_constant_takes_as_many_ordinals_as_it_has_wildcards() -> None:
    path = "HL[03=O][*]>HL[03=P][*]>HL[03=I][*]>LIN.03"
    rules = [
        rule(path, "orders[*].packs[*].items[*].upc"),
        {"const": "pack", "tgt": "orders[*].packs[*].kind"},
    ]
    assert entries_of(rules, case("22_856_hl.edi"))[1] == [
        ((0, 0), "pack"),
        ((0, 1), "pack"),
        ((1, 0), "pack"),
    ]


def test_writes_carry_what_targets_need() -> None:
    rules = [rule("N1[*].02", "x", on_duplicate="join:; "), {"const": "1", "tgt": "y"}]
    join_parts, const = outcome_of(rules).writes
    assert (join_parts.rule, join_parts.on_duplicate, join_parts.separator) == (
        0,
        OnDuplicate.JOIN,
        "; ",
    )
    assert (join_parts.has_source, const.has_source, const.rule) == (True, False, 1)
    assert join_parts.entries == [((0,), "Acme Retail"), ((1,), "Acme Store 12")]
    assert (join_parts.origins, join_parts.fillers) == ([], [])


def test_explanations_name_key_and_raw_text() -> None:
    text = case()
    rules = [
        rule("BEG.03", "a"),
        rule(["DTM.02", "REF.02"], "b"),
        {"const": "k", "tgt": "c"},
        rule("BEG.04", "d", default="x"),
        rule("BEG.04", "e", on_missing="null"),
        rule("ISA.06", "f", transform="lowercase"),
    ]
    origins = [made.origins for made in outcome_of(rules, is_explained=True).writes]
    ((first,), (second,), const, default, filler, (padded,)) = origins
    assert first.sources[0].src == "BEG.03"
    assert text[slice(*first.sources[0].span or ())] == "PO-4711"
    assert (second.before, [each.src for each in second.sources]) == (
        "20240201038",
        ["DTM.02", "REF.02"],
    )
    assert const == [ValueOrigin("const", (), "k")]
    assert default == [ValueOrigin("default", (), "x")]
    assert filler == [ValueOrigin("default", (), "null")]
    assert text[slice(*padded.sources[0].span or ())] == padded.before == "ACMERETAIL"


def test_explanations_name_parts_and_further_sets() -> None:
    text = interchange("837 HI*A:B^C:D~SV1*X~", "837 REF*1*2~HI*E:F~")
    rules = [rule("ST[*]/HI.01[*].02", "a[*].b[*]"), rule("SV1.01.01", "c")]
    outcome = outcome_of(rules, text, is_explained=True)
    reads = [read for made in outcome.writes for each in made.origins for read in each.sources]
    assert [(read.src, text[slice(*read.span or ())]) for read in reads] == [
        ("HI.01.02", "B"),
        ("HI.01[2].02", "D"),
        ("ST[2]/HI.01.02", "F"),
        ("SV1.01", "X"),
    ]


def test_spans_hold_in_wrapped_lines_unless_a_line_ends_within() -> None:
    line = case("03_single_line.edi").strip()
    wrapped = "".join(f"{line[at : at + 80]}\n" for at in range(0, len(line), 80))
    rules = [rule(f"PO1[*].{at:02}", f"t{at}", on_duplicate="last") for at in range(1, 10)]
    spans, whole = (
        [
            (each.value, each.span)
            for made in outcome_of(rules, text, is_explained=True).writes
            for origin in made.origins
            for each in origin.sources
        ]
        for text in (wrapped, line)
    )
    expected = []
    for value, span in whole:
        assert span is not None  # nothing is broken in one line
        first, last = span[0] + span[0] // 80, span[1] + (span[1] - 1) // 80
        expected.append((value, (first, last) if last - first == len(value) else None))
    assert spans == expected
    assert None in [span for _, span in spans]


def test_conditions_that_hold_count_as_read() -> None:
    rules = [
        rule("N1[01=ST].02", "a", when="N1[01=BT]"),
        rule("BEG.03", "b", when="REF[02=X]"),
        rule("PO1[01=1]>PID[01=F].05", "c", when="!DTM.02=1"),
    ]
    reads = outcome_of(rules, is_explained=True).reads
    assert reads == {"N1[2].01", "N1[2].02", "N1.01", "PO1.01", "PID.01", "PID.05"}


def test_a_condition_on_a_component_counts_as_read() -> None:
    outcome = outcome_of([rule("HI[01.01=A].01.02")], interchange("837 HI*A:B~"), is_explained=True)
    assert outcome.reads == {"HI.01.01", "HI.01.02"}


def test_rules_that_look_up_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (run_module, x12_module, scopes_module, fields_module):
        monkeypatch.setattr(module, "MAX_VALUES", 2)
    code, (detail,) = refusal_of([rule("PO1[*].01", "t[*]")])
    assert (code, detail.limit, detail.max) == ("limit_exceeded", "values", 4_000_000)
    assert refusal_of([rule("PO1[*]>PID.01", "t[*]")])[1][0].limit == "values"
    assert refusal_of([rule("a[*]", "t[*]")], '{"a":[1,2,3]}', "json")[1][0].limit == "values"
    deep = refusal_of([rule("HL>>LIN.01")], case("22_856_hl.edi"))
    assert deep[1][0].limit == "values"
