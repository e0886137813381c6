"""Every fault of a rule is refused before any data is read, with its exact place."""

from collections.abc import Mapping
from decimal import Decimal

import pytest

from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.rule_texts import read_lookups
from longshore.mapping.rules import compile_rules
from longshore.mapping.values import TRANSFORMS
from longshore.mapping.writes import JsonLiteral, OnDuplicate

GOOD = {"src": "BEG.03", "tgt": "po"}


def refusal_of(
    *rules: object, source_format: str = "x12", target_format: str = "json"
) -> LongshoreError:
    with pytest.raises(LongshoreError) as caught:
        compile_rules(
            rules,
            source_format=source_format,
            target_format=target_format,
            lookups={"units": {"EA": "each"}},
        )
    return caught.value


def places_of(*rules: object, **formats: str) -> list[str | None]:
    """Return the places of all faults, each of which is an invalid rule."""
    error = refusal_of(*rules, **formats)
    assert {detail.code for detail in error.details} == {"invalid_mapping_rule"} == {error.code}
    return [detail.param for detail in error.details]


def fault_of(more: Mapping[str, object]) -> tuple[str | None, str]:
    """Return place and text of the only fault of a good rule with these members."""
    (detail,) = refusal_of({**GOOD, **more}).details
    assert detail.code == "invalid_mapping_rule"
    return detail.param, detail.message


JSON_TARGET = (
    "a JSON target is like lines[*].qty: names and indexes from 0, joined by points; "
    r"in names a backslash stands before each of \ . [ ] / * > @ {"
)
PATH = "a path is like BEG.03, PO1[*].02, N1[01=ST]>N4.01 or SV1.01.02"


@pytest.mark.parametrize(
    ("more", "member", "message"),
    [
        ({"srcs": 1}, "srcs", "this is not a member of a rule; did you mean src?"),
        ({"q" * 50: 1}, "(a long name)", "this is not a member of a rule"),
        ({"expr": "a"}, "expr", "this name is reserved"),
        ({"lang": "jsonata"}, "lang", "this name is reserved"),
        ({"src": "BEG"}, "src", PATH),
        ({"src": ["BEG.03", "BEG"]}, "src", PATH),
        (
            {"src": 3},
            "src",
            "it must be a path or a list of paths; a rule has src, formula or const",
        ),
        (
            {"src": []},
            "src",
            "it must be a path or a list of paths; a rule has src, formula or const",
        ),
        (
            {"src": [1]},
            "src",
            "it must be a path or a list of paths; a rule has src, formula or const",
        ),
        (
            {"src": None},
            "src",
            "it must be a path or a list of paths; a rule has src, formula or const",
        ),
        ({"const": "a"}, "src", "a rule has src or const, not both"),
        ({"tgt": None}, "tgt", "it is required"),
        ({"tgt": 3}, "tgt", "it must be a text"),
        ({"tgt": ""}, "tgt", JSON_TARGET),
        ({"note": 3}, "note", "it must be a text"),
        ({"join": 3}, "join", "it must be a text"),
        ({"transform": 3}, "transform", "it must be a text"),
        ({"required": "yes"}, "required", "it must be true or false"),
        ({"on_missing": "x"}, "on_missing", "it must be one of: omit, null, empty, error"),
        ({"type": []}, "type", "it must be one of: string, number, integer, boolean, raw"),
        (
            {"on_duplicate": "join"},
            "on_duplicate",
            "it must be one of: last, first, append, error, join:<separator>",
        ),
        ({"when": 3}, "when", "it must be a text"),
        ({"when": "BEG.3"}, "when", "a condition is a path, alone or with = or != and values"),
        ({"when": "=3"}, "when", PATH),
        (
            {"default": 1.5},
            "default",
            "it must be a text, true, false, null or a number; best as text, such as 9.50",
        ),
        ({"default": "x", "type": "number"}, "default", "the value is not a number"),
        (
            {"lookup": "x"},
            "lookup",
            "it must be an object with table, table_id, default, on_miss",
        ),
        ({"lookup": {}}, "lookup.table", "a lookup has table or table_id"),
        (
            {"lookup": {"table": {}, "table_id": "units"}},
            "lookup.table",
            "a lookup has table or table_id",
        ),
        (
            {"lookup": {"table": {"a": [1]}}},
            "lookup.table",
            'it must be an object of texts, such as {"EA": "each"}',
        ),
        (
            {"lookup": {"table": []}},
            "lookup.table",
            'it must be an object of texts, such as {"EA": "each"}',
        ),
        (
            {"lookup": {"table_id": "x"}},
            "lookup.table_id",
            "the map has no lookup table of this name",
        ),
        (
            {"lookup": {"table_id": "units", "on_miss": "x"}},
            "lookup.on_miss",
            "it must be one of: keep, omit, error",
        ),
        (
            {"lookup": {"table_id": "units", "default": []}},
            "lookup.default",
            "it must be a text",
        ),
        (
            {"lookup": {"table_id": "units", "on_mis": "keep"}},
            "lookup.on_mis",
            "this is not a member of a rule; did you mean on_miss?",
        ),
        ({"then": "x"}, "then", "it must be a list of at most 100 operations"),
        (
            {"then": [{"op": "default", "value": ""}] * 101},
            "then",
            "it must be a list of at most 100 operations",
        ),
        ({"then": ["x"]}, "then[0]", "an operation is an object with op"),
        ({"then": [{}]}, "then[0].op", "it is required"),
    ],
)
def test_a_faulty_member_is_named(more: dict[str, object], member: str, message: str) -> None:
    assert fault_of(more) == (f"field_map[0].{member}", message)


@pytest.mark.parametrize(
    ("operation", "member", "message"),
    [
        ({"op": "eval"}, "op", None),
        ({"op": "substring"}, "start", "it is required"),
        ({"op": "substring", "start": 1.5}, "start", None),
        ({"op": "substring", "start": True}, "start", None),
        ({"op": "substring", "start": 0, "len": -1}, "len", None),
        ({"op": "substring", "start": 0, "length": 1}, "length", None),
        ({"op": "pad"}, "len", "it is required"),
        ({"op": "pad", "len": 1_048_577}, "len", None),
        ({"op": "pad", "len": 3, "char": "ab"}, "char", "it must be one character"),
        ({"op": "pad", "len": 3, "side": "up"}, "side", "it must be one of: left, right"),
        ({"op": "replace", "find": "", "with": "x"}, "find", "it must not be empty"),
        ({"op": "replace", "find": "x"}, "with", "it is required"),
        ({"op": "split", "on": "", "index": 0}, "on", "it must not be empty"),
        ({"op": "split", "on": "x"}, "index", "it is required"),
        ({"op": "number"}, "scale", "it is required"),
        ({"op": "number", "scale": 31}, "scale", "it must be a whole number from 0 to 30"),
        ({"op": "number", "scale": 2, "dir": "x"}, "dir", None),
        ({"op": "multiply"}, "by", "it is required"),
        (
            {"op": "multiply", "by": 0.5},
            "by",
            'it must be a number, best as a text such as "0.45"',
        ),
        ({"op": "multiply", "by": True}, "by", None),
        ({"op": "multiply", "by": "1" * 1001}, "by", None),
        ({"op": "multiply", "by": Decimal("1e999999")}, "by", None),
        ({"op": "multiply", "by": Decimal("Infinity")}, "by", None),
        ({"op": "round"}, "digits", "it is required"),
        ({"op": "date", "in": "CCYYMMDD"}, "out", "it is required"),
        (
            {"op": "date", "in": "x", "out": "YY"},
            "in",
            "it must hold tokens of CCYY YY MM DD HH MI SS, each at most once",
        ),
        ({"op": "date", "in": "MMMM", "out": "MM"}, "in", None),
        (
            {"op": "time", "in": "HHMI", "out": "HH:MI:SS"},
            "out",
            "it holds a token that in does not give",
        ),
        ({"op": "default"}, "value", "it is required"),
    ],
)
def test_a_faulty_operation_is_named(
    operation: dict[str, object], member: str, message: str | None
) -> None:
    good = {"op": "default", "value": "x"}
    param, said = fault_of({"then": [good, operation]})
    assert param == f"field_map[0].then[1].{member}"
    assert message in {None, said}


def test_an_unknown_transform_lists_those_there_are() -> None:
    error = refusal_of(GOOD, GOOD | {"transform": "titlecase"})
    assert error.code == "unsupported_transform"
    assert error.details == (
        ErrorDetail(
            code="unsupported_transform",
            param="field_map[1].transform",
            message="'titlecase' is not a transform",
            allowed=("none", "uppercase", "lowercase", "trim", "date_iso"),
        ),
    )
    assert error.message == (
        "'titlecase' is not a transform (field_map[1].transform). "
        "Use one of: none, uppercase, lowercase, trim, date_iso."
    )


def test_all_faults_of_all_rules_are_reported_in_order_of_rules() -> None:
    error = refusal_of(
        GOOD | {"tgt": "a"},
        GOOD | {"tgt": "a.b"},
        "x",
        {"tgt": "c", "srcc": "BEG.03", "type": "x"},
        GOOD | {"transform": "x"},
    )
    assert [(detail.param, detail.code) for detail in error.details] == [
        ("field_map[1].tgt", "invalid_mapping_rule"),
        ("field_map[2]", "invalid_mapping_rule"),
        ("field_map[3].srcc", "invalid_mapping_rule"),
        ("field_map[3].src", "invalid_mapping_rule"),
        ("field_map[3].type", "invalid_mapping_rule"),
        ("field_map[4].transform", "unsupported_transform"),
    ]
    assert error.code == "invalid_mapping_rule"
    assert error.message.endswith("There are 5 more: see details.")


def test_no_more_faults_are_listed_than_anybody_reads() -> None:
    unknown = {f"u{at}": 1 for at in range(600)}
    error = refusal_of({**GOOD, **unknown}, {**GOOD, **unknown}, {**GOOD, **unknown}, {"tgt": "a"})
    assert len(error.details) == 1_000
    assert error.details[-1].param == "field_map[1].u399"


def targets(*paths: str, target_format: str = "json") -> list[str | None]:
    rules = [{"const": "x", "tgt": path} for path in paths]
    return places_of(*rules, target_format=target_format)


@pytest.mark.parametrize(
    ("target_format", "one", "other"),
    [
        ("json", "a", "a.b"),
        ("json", "a.b", "a"),
        ("json", "a", "a[0]"),
        ("json", "a[*]", "a[*].b"),
        ("json", "a[0]", "a[*]"),
        ("json", "a[*].x", "a[0].y"),
        ("json", "a.b", "a[0]"),
        ("json", "a[*].x", "a.x"),
        ("xml", "A.B", "A.B.C"),
        ("xml", "A.B.C", "A.B"),
        ("xml", "A.B[*]", "A.B"),
        ("x12", "BEG.03", "BEG.03.01"),
        ("x12", "BEG.03.01", "BEG.03"),
        ("x12", "PO1[*].01", "PO1.02"),
        ("x12", "PO1[*]>PID[*].01", "PO1[*]>PID.02"),
        ("x12", "HI.01[*]", "HI.01[2]"),
    ],
)
def test_targets_that_exclude_each_other(target_format: str, one: str, other: str) -> None:
    assert targets(one, other, target_format=target_format) == ["field_map[1].tgt"]


def test_what_excludes_a_target_is_said() -> None:
    def messages(*paths: str) -> list[str]:
        rules = [{"const": "x", "tgt": path} for path in paths]
        return [detail.message for detail in refusal_of(*rules).details]

    assert messages("a", "b", "a.b") == [
        "nothing can stand below the value that field_map[0] writes"
    ]
    assert messages("c.d", "c") == ["a value cannot stand where field_map[0] writes below"]
    assert messages("a[0]", "a[*]") == [
        "field_map[0] counts here otherwise: use [*] or numbers, not both"
    ]
    assert messages("a[0]", "a.b") == [
        "field_map[0] writes an array where this is an object, or the reverse"
    ]


@pytest.mark.parametrize(
    ("target_format", "paths"),
    [
        ("json", ("a", "a")),
        ("json", ("a[*].b", "a[*].c", "b.a")),
        ("json", ("a[0]", "a[1]")),
        ("xml", ("A.B", "A.B.@c", "A.@d")),
        ("xml", ("A.@d", "A.B", "A.B.@c")),
        ("csv", ("a", "a.b", "a")),
        ("x12", ("PO1[*].01", "PO1[*]>PID.05", "PID.05", "N1.01", "N1[2].01", "HI.01", "HI.01[2]")),
    ],
)
def test_targets_that_may_stand_side_by_side(target_format: str, paths: tuple[str, ...]) -> None:
    rules = [{"const": "x", "tgt": path} for path in paths]
    compiled = compile_rules(rules, source_format="x12", target_format=target_format)
    assert [rule.tgt for rule in compiled.rules] == list(paths)


MANY = "src has several values and tgt one place: say in on_duplicate what to do"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"src": "PO1[*].02", "tgt": "qty"}, MANY),
        ({"src": "HI.01[*]", "tgt": "qty"}, MANY),
        ({"src": "ST[*]/BEG.03", "tgt": "qty", "on_duplicate": None}, MANY),
        (
            {"src": "BEG.03", "tgt": "a[*]"},
            "src has 0 wildcards and tgt 1: they must be as many",
        ),
        (
            {"src": ["PO1[*]>PID[*].05", "BEG.03"], "tgt": "a[*]", "on_duplicate": "append"},
            "src has 2 wildcards and tgt 1: they must be as many",
        ),
    ],
)
def test_wildcards_must_match(given: dict[str, object], message: str) -> None:
    (detail,) = refusal_of(given).details
    assert (detail.param, detail.message) == ("field_map[0].tgt", message)


def test_wildcards_need_not_match_where_the_rule_says_what_to_do_or_rows_come_of_them() -> None:
    rules = [
        {"src": "PO1[*].02", "tgt": "qty", "on_duplicate": "append"},
        {"src": ["PO1[*].02", "BEG.03"], "tgt": "a[*]"},
    ]
    assert len(compile_rules(rules, source_format="x12", target_format="json").rules) == 2
    rules = [{"src": "PO1[*]>PID[*].05", "tgt": "qty"}]
    assert len(compile_rules(rules, source_format="x12", target_format="csv").rules) == 1


def test_limits() -> None:
    too_many = refusal_of(*[GOOD] * 10_001)
    assert (too_many.code, too_many.details[0].limit, too_many.details[0].max) == (
        "limit_exceeded",
        "rules",
        10_000,
    )
    (deep,) = refusal_of(GOOD | {"tgt": ".".join("a" * 33)}).details
    assert (deep.code, deep.param, deep.limit, deep.max) == (
        "limit_exceeded",
        "field_map[0].tgt",
        "target_depth",
        32,
    )
    compiled = compile_rules([GOOD] * 10_000, source_format="x12", target_format="json")
    assert len(compiled.rules) == 10_000


def test_what_is_null_counts_as_absent_and_extensions_are_nobodys_business() -> None:
    names = ("transform", "note", "join", "required", "on_missing", "when", "lookup", "then")
    given = GOOD | dict.fromkeys((*names, "type", "on_duplicate")) | {"x_color": [1]}
    (rule,) = compile_rules([given], source_format="x12", target_format="json").rules
    assert (rule.values.default, rule.when, rule.on_duplicate) == (None, None, OnDuplicate.LAST)
    assert (rule.single, rule.is_plain) == (rule.sources[0], True)


@pytest.mark.parametrize(
    ("const", "type_name", "value", "kind"),
    [
        ("EA", "string", "EA", str),
        (5, "string", "5", str),
        (True, "string", "true", str),
        (Decimal("1.10"), "string", "1.10", str),
        ("007", "integer", "7", JsonLiteral),
        (Decimal("1.10"), "raw", "1.10", JsonLiteral),
        (False, "raw", "false", JsonLiteral),
        ("x", "raw", "x", str),
        (None, "number", "null", JsonLiteral),
        ("Y", "boolean", "true", JsonLiteral),
    ],
)
def test_constants_and_defaults_take_the_type(
    const: object, type_name: str, value: str, kind: type
) -> None:
    rules = [
        {"const": const, "tgt": "a", "type": type_name, "transform": "uppercase"},
        GOOD | {"default": const, "type": type_name},
    ]
    one, other = compile_rules(rules, source_format="x12", target_format="json").rules
    assert one.values.const == other.values.default == value
    assert type(one.values.const) is type(other.values.default) is kind


@pytest.mark.parametrize(
    ("given", "is_about_one"),
    [
        ({"src": "BEG.03"}, True),
        ({"src": ["ST.02", "GS.02", "ISA.06", "SE.01"]}, True),
        ({"const": "x"}, True),
        ({"const": "x", "when": "PO1[*]>PID"}, True),
        ({"src": "GE.01"}, False),
        ({"src": "ST[2].02"}, False),
        ({"src": "ST[1]/BEG.03"}, False),
        ({"src": "BEG.03", "when": "ST[2]/BEG"}, False),
    ],
)
def test_rules_know_whether_one_set_is_enough(
    given: dict[str, object], *, is_about_one: bool
) -> None:
    rules = [given | {"tgt": "a"}]
    compiled = compile_rules(rules, source_format="x12", target_format="json")
    assert compiled.is_about_one_set is is_about_one


def test_there_are_five_transforms() -> None:
    assert tuple(TRANSFORMS) == ("none", "uppercase", "lowercase", "trim", "date_iso")


def test_a_lookup_table_says_one_thing_of_a_value() -> None:
    rows = '[{"from":"EA","to":"each"},{"from":"EA","to":"%s"}]'
    assert read_lookups(f'[{{"name":"u","rows":{rows % "each"}}}]') == {"u": {"EA": "each"}}
    with pytest.raises(LongshoreError) as refused:
        read_lookups(f'[{{"name":"u","rows":{rows % "piece"}}}]')
    assert refused.value.details[0].param == "lookups[0].rows[1].from"
