"""JSON output: nesting, arrays with gaps, duplicates, literals, limits, explain."""

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats.keys import escape_name
from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.targets_json import build_json, build_straight, skeleton_of
from longshore.mapping.writes import NULL, JsonLiteral
from tests.unit.mapping.written_rules import rules_of


def text(*rules: tuple[object, ...]) -> str:
    return build_json(rules_of("json", *rules)).text


def refused(*rules: tuple[object, ...]) -> tuple[str, ErrorDetail]:
    with pytest.raises(LongshoreError) as caught:
        text(*rules)
    (detail,) = caught.value.details
    return caught.value.code, detail


def test_dots_nest_and_members_stand_as_first_written() -> None:
    rules = [("a.b.c", "1"), ("d", "2"), ("a.e", "3"), ("a.b.f", "4")]
    assert text(*rules) == '{"a":{"b":{"c":"1","f":"4"},"e":"3"},"d":"2"}'


def test_bindings_index_arrays_and_gaps_stay() -> None:
    lines = [("lines[*].qty", ["10", "4", "1"]), ("lines[*].desc", ["Blue widget", None, "Red"])]
    assert text(*lines) == (
        '{"lines":[{"qty":"10","desc":"Blue widget"},{"qty":"4"},{"qty":"1","desc":"Red"}]}'
    )
    assert text(("lines[*].qty", [None, "4"])) == '{"lines":[{},{"qty":"4"}]}'
    assert text(("n[*]", [None, "4"])) == '{"n":[null,"4"]}'
    assert text(("n[*][*]", {(1, 0): "4"})) == '{"n":[[],["4"]]}'


def test_nested_wildcards_take_the_ordinals_in_turn() -> None:
    upcs = {(0, 0, 0): "05", (0, 1, 0): "12", (1, 0, 0): "29"}
    assert text(("orders[*].packs[*].items[*].upc", upcs)) == (
        '{"orders":[{"packs":[{"items":[{"upc":"05"}]},{"items":[{"upc":"12"}]}]},'
        '{"packs":[{"items":[{"upc":"29"}]}]}]}'
    )


def test_an_array_nothing_was_written_to_is_absent_and_one_item_stays_an_array() -> None:
    assert text(("lines[*].qty", [])) == "{}"
    assert text(("[*].qty", [])) == "[]"
    assert text() == "{}"
    assert text(("lines[*].qty", ["1"])) == '{"lines":[{"qty":"1"}]}'
    assert text(("[*].qty", ["1", "2"])) == '[{"qty":"1"},{"qty":"2"}]'


def test_explicit_indexes_count_from_0() -> None:
    assert text(("l[1].a", "x"), ("l[0].a", "y")) == '{"l":[{"a":"y"},{"a":"x"}]}'


def test_names_and_values_are_escaped_and_not_in_ascii() -> None:
    assert text((r"a\.b", 'é"\n')) == '{"a.b":"é\\"\\n"}'


def test_literals_have_no_quotes() -> None:
    rules = [("n", JsonLiteral("9.250")), ("t", JsonLiteral("true")), ("s", "true")]
    assert text(*rules) == '{"n":9.250,"t":true,"s":"true"}'


def test_the_last_present_value_wins_unless_the_rule_says_otherwise() -> None:
    first = ("x", "Acme")
    assert text(first, ("x", "Store")) == '{"x":"Store"}'
    assert text(first, ("x", [])) == '{"x":"Acme"}'
    assert text(first, ("x", "Store", "first")) == '{"x":"Acme"}'
    assert text(("x", [], "first"), ("x", "Store", "first")) == '{"x":"Store"}'
    assert text(first, ("x", "Store", "append")) == '{"x":["Acme","Store"]}'
    assert text(first, ("x", "Store", "join:, ")) == '{"x":"Acme, Store"}'


def test_many_values_for_one_place() -> None:
    assert text(("qty", ["10", "4", "1"], "append")) == '{"qty":["10","4","1"]}'
    assert text(("qty", ["10"], "append")) == '{"qty":["10"]}'
    assert text(("qty", ["10", "4"], "join:/")) == '{"qty":"10/4"}'
    assert text(("qty", ["10", "4"])) == '{"qty":"4"}'
    assert text(("qty", ["10", "4"], "first")) == '{"qty":"10"}'
    assert text(("q", ["1", "2"], "append"), ("q", "3", "join:;")) == '{"q":["1","2;3"]}'
    assert text(("q", ["1"], "append"), ("q", "3")) == '{"q":"3"}'


def test_a_second_value_where_none_may_be() -> None:
    code, detail = refused(("x", "1"), ("x", "2", "error"))
    assert (code, detail.code, detail.param) == (
        "conversion_failed",
        "duplicate_target",
        "field_map[1]",
    )
    assert text(("x", []), ("x", "2", "error")) == '{"x":"2"}'


def test_fillers_give_way_to_values_before_and_after_them() -> None:
    null = ("x", NULL, "last", "filler")
    assert text(null) == '{"x":null}'
    assert text(null, ("x", "1", "error")) == '{"x":"1"}'
    assert text(("x", "1"), null) == '{"x":"1"}'
    assert text(null, ("x", "", "last", "filler")) == '{"x":null}'
    assert text(("l[*].x", {(1,): NULL}, "append", "filler")) == '{"l":[{},{"x":null}]}'
    assert text(null, ("x", "1", "append")) == '{"x":["1"]}'


def test_an_index_at_most_1000_beyond_the_end() -> None:
    assert len(json.loads(text(("l[1000].a", "x")))["l"]) == 1001
    code, detail = refused(("l[1001].a", "x"))
    assert (code, detail.limit, detail.max) == ("limit_exceeded", "array_index", 1000)
    assert detail.param == "field_map[0].tgt"
    assert len(json.loads(text(("l[1000]", "x"), ("l[2001]", "y")))["l"]) == 2002
    assert refused(("l[1000]", "x"), ("l[2002]", "y"))[1].limit == "array_index"
    assert len(json.loads(text(("l[*]", {(5000,): "x"})))["l"]) == 5001


def test_a_lone_surrogate_is_refused_with_its_rule() -> None:
    code, detail = refused(("a", "x"), ("b", "\ud800"))
    assert (code, detail.code, detail.param) == (
        "conversion_failed",
        "character_not_allowed",
        "field_map[1]",
    )
    assert refused(("\ud800", "x"))[1].param is None


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        ([("a", "x" * 10)], 18),
        ([("a", "é" * 10)], 28),
        ([("a", ["x" * 5, "x" * 4], "join:-")], 18),
        ([("l[*].a", ["x"] * 3)], 37),
        ([("l[*]", {(5,): "1"})], 36),
    ],
)
def test_the_output_has_a_limit(
    rules: list[tuple[object, ...]], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("cells", "output"):
        monkeypatch.setattr(f"longshore.mapping.{module}.MAX_OUTPUT_BYTES", size)
    assert len(text(*rules).encode()) == size
    for most in range(1, size):
        for module in ("cells", "output"):
            monkeypatch.setattr(f"longshore.mapping.{module}.MAX_OUTPUT_BYTES", most)
        code, detail = refused(*rules)
        assert (code, detail.limit, detail.max) == ("limit_exceeded", "output_bytes", most)


def test_explain_lists_what_stands_in_output_order() -> None:
    rules = rules_of(
        "json",
        ("l[*].q", ["10", "4"]),
        ("x", "gone"),
        ("all", ["1", "2"], "append"),
        ("j", ["1", "2"], "join:;"),
        ("x", "stays"),
        (r"l[*].a\.b", ["z"]),
    )
    built = build_json(rules, is_traced=True)
    assert [(each.tgt, each.rule, each.after) for each in built.written] == [
        ("l[0].q", 0, "10"),
        ("l[0].a\\.b", 5, "z"),
        ("l[1].q", 0, "4"),
        ("x", 4, "stays"),
        ("all[0]", 2, "1"),
        ("all[1]", 2, "2"),
        ("j", 3, "1"),
        ("j", 3, "2"),
    ]
    assert {each.origin for each in built.written} <= {
        origin for writes in rules for origin in writes.origins
    }
    assert built.text == build_json(rules).text


_PATHS = ["a", "b.c", "b.d", "l[*].x", "l[*].y", "m[*][*]", "n[0]", "n[2]"]


@given(st.lists(st.tuples(st.sampled_from(_PATHS), st.text(max_size=3)), max_size=12))
def test_explain_and_the_slow_path_change_no_output(found: list[tuple[str, str]]) -> None:
    rules = []
    for tgt, value in found:
        bindings = product(range(3), repeat=tgt.count("*"))
        rules.append((tgt, {binding: value for binding in bindings if sum(binding) % 2 == 0}))
    try:
        plain = build_json(rules_of("json", *rules)).text
    except LongshoreError:
        return  # a lone surrogate
    assert build_json(rules_of("json", *rules), is_traced=True).text == plain
    json.loads(plain)


# ---- values at names, each at its own ----------------------------------------------------------

NAMES = st.text(alphabet=st.sampled_from('a%s"\\\0é.'), min_size=1, max_size=3)
VALUES = st.none() | st.text(max_size=3) | st.sampled_from(["%s", "\0", JsonLiteral("1.50")])
WRITTEN = st.dictionaries(st.lists(NAMES, min_size=1, max_size=3).map(tuple), VALUES, max_size=6)


@given(WRITTEN)
def test_what_is_written_straight_is_what_the_general_way_writes(
    found: dict[tuple[str, ...], str | None],
) -> None:
    # No target is a scalar and a parent.
    places = [each for each in found if not any(each[:at] in found for at in range(1, len(each)))]
    values = [(steps, value) for steps in places if (value := found[steps]) is not None]
    straight = build_straight(values, skeleton_of(places))
    rules = [(".".join(map(escape_name, steps)), {(): value}) for steps, value in values]
    try:
        assert straight == build_json(rules_of("json", *rules)).text
    except LongshoreError:  # a lone surrogate
        assert straight is None


def test_missing_values_leave_no_trace_and_the_order_is_that_of_the_objects() -> None:
    places = [("a", "b"), ("c",), ("a", "d"), ("%",)]
    skeleton = skeleton_of(places)
    assert skeleton.text == '{"a":{"b":%s,"d":%s},"c":%s,"%%":%s}'
    assert skeleton.order == (0, 2, 1, 3)
    whole = build_straight([(steps, f"{at}") for at, steps in enumerate(places)], skeleton)
    assert whole == '{"a":{"b":"0","d":"2"},"c":"1","%":"3"}'
    assert build_straight([(("c",), "1")], skeleton) == '{"c":"1"}'
    assert build_straight([], skeleton) == build_straight([], skeleton_of([])) == "{}"
