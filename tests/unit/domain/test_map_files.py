"""Maps as files: what is read keeps its text, and what is wrong is named with its place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.domain.maps.files import (
    MAX_FAULTS,
    definition_text,
    raw_items,
    raw_members,
    read_definition,
)
from longshore.domain.maps.model import MapDefinition, SampleDocument
from longshore.engine.trials import MapTest
from longshore.kit.errors import LongshoreError
from tests.support.maps import UNITS, a_map

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def a_file(**members: object) -> str:
    return json.dumps({"name": "Orders", "field_map": [], **members})


def faults(text: str) -> list[tuple[str, str | None, str]]:
    with pytest.raises(LongshoreError) as refusal:
        read_definition(text)
    return [(each.code, each.param, each.message) for each in refusal.value.details]


def test_the_least_that_a_map_needs() -> None:
    assert read_definition(a_file()) == MapDefinition(
        name="Orders",
        description="",
        source_fmt="x12",
        target_fmt="json",
        tx_set="",
        direction="inbound",
        field_map="[]",
        lookups="[]",
        sample=None,
        target_sample="",
        tests=(),
    )


def test_a_map_that_is_written_reads_the_same() -> None:
    definition = a_map(
        lookups=UNITS,
        sample=SampleDocument(document="ST*850~\n", format="x12"),
        tests=(
            MapTest(name="one", document="a", expected="ü"),
            MapTest(name="two", document="b", expected="c"),
        ),
    )
    assert read_definition(definition_text(definition)) == definition
    assert definition_text(definition) == definition_text(
        read_definition(definition_text(definition))
    )


def test_a_file_has_a_rule_a_line() -> None:
    lines = definition_text(a_map('[{"src":"A.01","tgt":"a"},{"src":"B.01","tgt":"b"}]')).split(
        "\n"
    )
    assert lines[:10] == [
        "{",
        '"name": "Orders",',
        '"description": "what the shop reads",',
        '"source_fmt": "x12",',
        '"target_fmt": "json",',
        '"tx_set": "850",',
        '"direction": "inbound",',
        '"field_map": [',
        '  {"src":"A.01","tgt":"a"},',
        '  {"src":"B.01","tgt":"b"}',
    ]


def test_numbers_in_rules_stay_as_they_are_written() -> None:
    rule = '{"const": 1.10, "tgt": "a", "then": [{"op": "multiply", "by": 1e2}]}'
    read = read_definition(f'{{"field_map": [ {rule} ,\n{rule}], "name": "Orders"}}')
    assert read.field_map == f"[{rule},{rule}]"


def test_what_only_the_service_says_is_skipped() -> None:
    detail = {"id": 7, "version": 2, "rule_count": 0, "locked": False, "updated_at": "Jan 1, 2026"}
    assert read_definition(a_file(**detail)) == read_definition(a_file())


def test_the_answer_of_the_service_is_read() -> None:
    text = f'{{"ok": true, "map": {a_file(tx_set="850")}}}'
    assert read_definition(text).tx_set == "850"


def test_null_is_absent() -> None:
    nulls = dict.fromkeys(("description", "lookups", "sample", "tests", "tx_set"))
    assert read_definition(a_file(**nulls)) == read_definition(a_file())


@pytest.mark.parametrize(
    ("members", "param", "message"),
    [
        ({"name": 1}, "name", 'Parameter "name" must be a text.'),
        ({"field_map": {}}, "field_map", 'Parameter "field_map" must be an array of rules.'),
        ({"lookups": "x"}, "lookups", 'Parameter "lookups" must be an array of tables.'),
        (
            {"lookups": [1]},
            "lookups[0]",
            'Parameter "lookups[0]" must be an object with name, rows.',
        ),
        (
            {"lookups": [{"name": "t"}]},
            "lookups[0].rows",
            'Parameter "lookups[0].rows" must be an array of rows.',
        ),
        (
            {"lookups": [{"name": "t", "rows": [{"from": "a", "to": 1}]}]},
            "lookups[0].rows[0].to",
            'Parameter "lookups[0].rows[0].to" must be a text.',
        ),
        (
            {"sample": {"document": "x"}},
            "sample.format",
            'Parameter "sample.format" must be a text.',
        ),
        ({"sample": []}, "sample", 'Parameter "sample" must be an object with document, format.'),
        ({"tests": {}}, "tests", 'Parameter "tests" must be an array of tests.'),
    ],
)
def test_a_member_of_another_type_is_named(
    members: dict[str, object], param: str, message: str
) -> None:
    assert ("invalid_parameter", param, message) in faults(a_file(**members))


def test_all_faults_are_told_at_once() -> None:
    text = '{"names": "x", "tests": [{"name": "a", "document": "b", "expect": "c"}], "zz": 1}'
    assert [(code, param) for code, param, _ in faults(text)] == [
        ("unknown_parameter", "names"),
        ("unknown_parameter", "zz"),
        ("missing_parameter", "name"),
        ("missing_parameter", "field_map"),
        ("unknown_parameter", "tests[0].expect"),
        ("invalid_parameter", "tests[0].expected"),
    ]
    assert faults(text)[0][2] == 'Unknown parameter "names". Did you mean "name"?'
    assert faults(text)[1][2] == 'Unknown parameter "zz".'


def test_a_list_is_no_map() -> None:
    [(code, param, message)] = faults("[]")
    assert (code, param) == ("invalid_parameter", "map")
    assert message.startswith('Parameter "map" must be an object with name, description, ')


@pytest.mark.parametrize("text", ["", "{", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    assert [code for code, _, _ in faults(text)] == ["invalid_json"]


def test_a_thousand_faults_are_told_in_part() -> None:
    many = {f"name{at}": 1 for at in range(1_000)}
    assert len(faults(a_file(**many, tests=[{}] * 1_000))) == MAX_FAULTS


@given(content=st.dictionaries(st.text(), JSON), indent=st.sampled_from((None, 0, 2)))
def test_members_are_cut_out_as_they_are_written(content: dict[str, object], indent: int) -> None:
    members = raw_members(json.dumps(content, indent=indent))
    assert {name: json.loads(text) for name, text in members.items()} == content


@given(content=st.lists(JSON), indent=st.sampled_from((None, 0, 2)))
def test_items_are_cut_out_as_they_are_written(content: list[object], indent: int) -> None:
    assert [json.loads(text) for text in raw_items(json.dumps(content, indent=indent))] == content


def test_long_numbers_are_cut_out_quickly_and_whole() -> None:
    digits = "9" * 1_000_000
    assert raw_items(f"[{digits}, 1.10 ]") == [digits, "1.10"]
