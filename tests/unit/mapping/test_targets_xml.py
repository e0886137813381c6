"""XML output: elements, attributes, the root, names and characters, explain."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats.xmldoc import parse
from longshore.kit.errors import ErrorDetail, LongshoreError
from longshore.mapping.targets_xml import build_xml
from longshore.mapping.writes import NULL
from tests.unit.mapping.written_rules import rules_of

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def text(*rules: tuple[object, ...]) -> str:
    return build_xml(rules_of("xml", *rules)).text.removeprefix(DECLARATION)


def refused(*rules: tuple[object, ...]) -> tuple[str, ErrorDetail]:
    with pytest.raises(LongshoreError) as caught:
        text(*rules)
    return caught.value.code, caught.value.details[0]


def test_the_root_is_the_first_step_that_all_share() -> None:
    assert text(("Order.PO", "1"), ("Order.@v", "2")) == '<Order v="2"><PO>1</PO></Order>'
    assert text(("Order", "1")) == "<Order>1</Order>"
    assert text(("Order.PO", "1"), ("Date", "2")) == (
        "<document><Order><PO>1</PO></Order><Date>2</Date></document>"
    )
    assert text(("Line[*].Qty", ["1"])) == "<document><Line><Qty>1</Qty></Line></document>"
    assert text(("Order.PO", []), ("Order.Date", "1")) == "<Order><Date>1</Date></Order>"
    assert text(("Order.PO", [])) == "<Order/>"
    assert text() == "<document/>"


def test_the_declaration_names_the_encoding() -> None:
    assert build_xml(rules_of("xml", ("a", "é"))).text == f"{DECLARATION}<a>é</a>"


def test_siblings_stand_together_by_occurrence_and_gaps_are_empty() -> None:
    rules = [
        ("Order.Line[*].Qty", ["10", None, "1"]),
        ("Order.PO", "7"),
        ("Order.Line[*].@unit", [None, None, "EA"]),
    ]
    assert text(*rules) == (
        '<Order><Line><Qty>10</Qty></Line><Line/><Line unit="EA"><Qty>1</Qty></Line>'
        "<PO>7</PO></Order>"
    )
    assert text(("o.n[2]", "b"), ("o.n", "a")) == "<o><n>a</n><n>b</n></o>"


def test_an_occurrence_at_most_1000_beyond_the_last() -> None:
    assert text(("o.n[1000]", "x")).count("<n/>") == 999
    code, detail = refused(("o.n[1001]", "x"))
    assert (code, detail.limit, detail.max, detail.param) == (
        "limit_exceeded",
        "array_index",
        1000,
        "field_map[0].tgt",
    )
    assert text(("o.n[*]", {(1500,): "x"})).count("<n/>") == 1500


def test_text_and_attributes_are_escaped() -> None:
    assert text(("a", "<&>\"'\r\n]]>")) == "<a>&lt;&amp;&gt;\"'&#13;\n]]&gt;</a>"
    assert text(("a.@b", "<&>\"'\t\r\n")) == '<a b="&lt;&amp;>&quot;\'&#9;&#13;&#10;"/>'


def test_null_is_not_written_and_the_empty_text_is_an_empty_element() -> None:
    assert text(("o.a", NULL), ("o.b", NULL, "last", "filler"), ("o.c", "")) == "<o><c/></o>"


def test_the_last_present_value_wins_unless_the_rule_says_otherwise() -> None:
    assert text(("o.x", "1"), ("o.x", "2")) == "<o><x>2</x></o>"
    assert text(("o.x", "1"), ("o.x", "2", "first")) == "<o><x>1</x></o>"
    assert text(("o.x", ["1", "2"], "join:-")) == "<o><x>1-2</x></o>"
    assert text(("o.x", ["1", "2"])) == "<o><x>2</x></o>"
    assert refused(("o.x", "1"), ("o.x", "2", "error"))[1].code == "duplicate_target"
    code, detail = refused(("o.x", "1", "append"))
    assert (code, detail.param) == ("invalid_mapping_rule", "field_map[0].on_duplicate")


@pytest.mark.parametrize("tgt", ["1a", "a.b c", "a.x:y", "a.@1", r"a.\{u", "a.-"])
def test_what_is_no_name_is_refused(tgt: str) -> None:
    code, detail = refused(("a.b", "1"), (tgt, "2"))
    assert (code, detail.param) == ("invalid_mapping_rule", "field_map[1].tgt")


@pytest.mark.parametrize("character", ["\0", "\x1f", "\x0b", "\ufffe", "\ud800"])
def test_a_character_that_xml_does_not_have_is_refused(character: str) -> None:
    code, detail = refused(("o.a", "1"), ("o.b", f"x{character}"))
    assert (code, detail.code, detail.param) == (
        "conversion_failed",
        "character_not_allowed",
        "field_map[1]",
    )


def test_the_output_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(DECLARATION) + len("<a><b>1</b></a>")
    monkeypatch.setattr("longshore.mapping.output.MAX_OUTPUT_BYTES", size)
    assert text(("a.b", "1")) == "<a><b>1</b></a>"
    code, detail = refused(("a.b", "12"))
    assert (code, detail.limit, detail.max) == ("limit_exceeded", "output_bytes", size)
    assert refused(("a.b", "1" * size))[1].limit == "output_bytes"


def test_explain_names_places_as_keys_do() -> None:
    rules = [("o.l[*].q", ["1", "2"]), ("o", ["x", "y"], "join:;"), ("o.@v", "3"), ("o.a\\.b", "4")]
    built = build_xml(rules_of("xml", *rules), is_traced=True)
    assert [(each.tgt, each.rule, each.after) for each in built.written] == [
        ("o.@v", 2, "3"),
        ("o", 1, "x"),
        ("o", 1, "y"),
        ("o.l.q", 0, "1"),
        ("o.l[2].q", 0, "2"),
        ("o.a\\.b", 3, "4"),
    ]


_TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\t\n\r"))


@given(st.lists(_TEXTS.filter(bool), min_size=1, max_size=3), _TEXTS)
def test_what_is_written_is_read_again(lines: list[str], attribute: str) -> None:
    lines = [line.replace("\ufffe", "").replace("\uffff", "") or "x" for line in lines]
    attribute = attribute.replace("\ufffe", "").replace("\uffff", "")
    written = build_xml(rules_of("xml", ("o.@v", attribute), ("o.l[*]", [*lines]))).text
    expected = {"o.@v": attribute} | {
        "o.l" if number == 1 else f"o.l[{number}]": line for number, line in enumerate(lines, 1)
    }
    assert json.loads(parse(written).fields_json) == expected
