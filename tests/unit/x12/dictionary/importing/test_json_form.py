"""Our own JSON: an export reads back as an equal definition; the rest is refused with its line."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from longshore.x12.dictionary.export import whole_export
from longshore.x12.dictionary.importing.importer import import_schema
from longshore.x12.dictionary.importing.json_form import read_json_form
from longshore.x12.dictionary.importing.known_parts import fitted
from longshore.x12.dictionary.importing.schema import ImportSource, texts_of
from longshore.x12.dictionary.library import Dictionary, shipped
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.lint import name_below_data
from longshore.x12.dictionary.model import Definition
from tests.unit.x12.dictionary.texts import defined, order, small

POSITION = {"path": "BEG", "segment": "BEG", "requirement": "M", "max": 1}
ORDER = {"set": "850", "release": "004010", "positions": [POSITION]}
LOOP = {"id": "N1", "requirement": "O", "max": 2}
N1 = {"path": "N1/N1", "segment": "N1", "requirement": "M", "max": 1, "loop": LOOP}


def source(text: str, known: Dictionary | None = None) -> ImportSource:
    return ImportSource(file="ours.json", text=text, known=known or small())


def added(text: str, known: Dictionary) -> tuple[Dictionary, dict[str, str]]:
    """Return a dictionary with the import of a text, and what was written for that."""
    written = import_schema("json", source(text, known))
    assert written.warnings == ()
    return with_files(known, written.texts), dict(written.texts)


def with_files(known: Dictionary, files: Mapping[str, str]) -> Dictionary:
    texts = dict(known.texts)
    for name, each in files.items():
        texts[name_below_data(name, each, texts)] = each
    return Dictionary(texts)


def read_back(definition: Definition, known: Dictionary) -> Definition | None:
    found, written = added(json.dumps(whole_export(definition), indent=1), known)
    assert len(written) == 1  # what the dictionary has is not written again
    return found.definition(definition.tx_set, definition.release, definition.guide)


def reasons(*parts: dict[str, Any], text: str = "") -> list[str]:
    whole: dict[str, Any] = {}
    for part in parts:
        whole |= part
    with pytest.raises(DictionaryError) as caught:
        read_json_form(source(text or json.dumps(whole)))
    return [each.reason for each in caught.value.faults]


@pytest.mark.parametrize(
    "definition",
    [order(), order("005010"), defined("837", "005010"), defined("837", "005010", "005010X999")],
    ids=range(4),
)
def test_an_export_reads_back_as_an_equal_definition(definition: Definition) -> None:
    assert read_back(definition, small()) == definition


@pytest.mark.parametrize(
    ("tx_set", "release", "guide"),
    [("990", "004010", None), ("999", "005010", "005010X231A1")],
)
def test_a_shipped_definition_reads_back_as_an_equal_one(
    tx_set: str, release: str, guide: str | None
) -> None:
    known = shipped()
    definition = known.definition(tx_set, release, guide)
    assert definition is not None
    text = json.dumps(whole_export(definition))
    schema = fitted(read_json_form(source(text, known)), known.vocabulary)
    files = texts_of(schema, "ours.json")  # without a lint of all sets, which takes seconds
    assert len(files) == 1
    assert with_files(known, files).definition(tx_set, release, guide) == definition


def test_what_differs_from_the_dictionary_is_written_for_its_release() -> None:
    whole = json.loads(json.dumps(whole_export(order())))
    of = {each["element"]: each for each in whole["elements"]}
    of["353"]["max"] = 3
    whole["code_lists"]["pid_kind"] = {
        "strict": False,
        "codes": {"F": 'free "form"', "S": " "},
        "blocks": ["0[12]"],
    }
    known = small()
    found, written = added(json.dumps(whole), known)
    head = "# sources: ours.json, imported\n"
    assert {name: text for name, text in written.items() if name != "850.xd"} == {
        "elements.xd": (
            f"{head}349 ID 1/1 codes=imported_349_004010 @004010\n"
            "353 ID 2/3 codes=purpose @004010\n"
        ),
        "codes.xd": f"{head}list imported_349_004010\n  F \"free 'form'\"\n  S S\n  also 0[12]\n",
    }
    beg = found.vocabulary.segment("BEG", "004010")
    assert beg is not None
    assert beg.uses[0].label == "purpose"
    assert found.vocabulary.segment("BEG", "005010") == known.vocabulary.segment("BEG", "005010")
    assert found.definition("850", "005010") == known.definition("850", "005010")


def test_members_that_the_form_does_not_have_are_warnings() -> None:
    whole = {**ORDER, "note": 1, "positions": [POSITION | {"x": 2}], "code_lists": {"y": {}}}
    text = json.dumps(whole, indent=0)
    schema = read_json_form(source(text))
    assert [str(each) for each in schema.warnings] == [
        "ours.json:13: the member note is not taken over",
        "ours.json:10: the member x is not taken over",
    ]
    assert (schema.sets[0].title, schema.sets[0].functional_id) == ("Set 850", "PO")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"set": "85"}, "85 is not a set such as 850: use --set"),
        ({"release": None}, "the release is unknown: name it with --release"),
        ({"guide": "005010-X"}, "005010-X is not an id that the dictionary can have"),
        ({"positions": [POSITION, N1 | {"path": "N2/N1"}]}, "N2/N1 is no path of the loops"),
        ({"positions": [N1 | {"loop": LOOP | {"id": "a"}}]}, "a is not an id"),
        ({"positions": [POSITION | {"max": True}]}, "max must be a whole number"),
        ({"positions": [POSITION | {"max": None}]}, "the member max is missing"),
        ({"positions": [POSITION | {"segment": 1}]}, "segment must be a text"),
        ({"positions": [{"path": "BEG"}]}, "the member segment is missing"),
        ({"positions": {}}, "positions must be a list"),
        ({"positions": [1]}, "an object is expected here"),
        ({"positions": [POSITION | {"label": "A"}]}, "A is not an id"),
        ({"positions": [POSITION | {"when": {"element": "1", "codes": []}}]}, "element must be a"),
        ({"positions": [POSITION | {"when": {"element": "01", "codes": 1}}]}, "codes must be a li"),
        ({"positions": [POSITION | {"when": {"element": "01", "codes": [1]}}]}, "codes must be a"),
        ({"elements": [{"element": "1", "code_list": "x"}]}, "the file has no code list x"),
        ({"code_lists": {"x": {"strict": 1}}}, "strict must be true or false"),
        ({"code_lists": {"x": {"blocks": ["a"]}}}, "a is not an id that the dictionary can have"),
        ({"segments": [{"segment": "N1", "notes": ["X01"]}]}, "X01 is not an id"),
        ({"composites": [{"composite": "N1"}]}, "N1 is not an id that the dictionary can have"),
    ],
    ids=range(20),
)
def test_a_member_that_cannot_be_read_is_refused(change: dict[str, Any], reason: str) -> None:
    (found,) = reasons(ORDER, change)
    assert found.startswith(reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "1: the JSON is unreadable from its end"),
        ('{"a": 1\n,', "2: the JSON is unreadable from its end"),
        ("[1 2]", "1: the JSON is unreadable from 2]"),
        ('{"a" 1}', "1: the JSON is unreadable from 1}"),
        ("\n\n{1: 2}", "3: the name of a member must be a text"),
        ("{}x", "1: the JSON is unreadable from x"),
        ("1.5", "1: the JSON is unreadable from 1.5"),
        ('{"a": 1, "a": 2}', "1: a stands twice"),
        ('{"a": "\\ud800"}', "1: half of a surrogate pair stands alone"),
        ("[" * 200, "1: values are nested deeper than 128 levels"),
    ],
    ids=range(10),
)
def test_what_is_no_json_is_refused(text: str, reason: str) -> None:
    with pytest.raises(DictionaryError) as caught:
        read_json_form(source(text))
    assert str(caught.value) == f"ours.json:{reason}"


def test_a_text_in_a_line_below_is_refused_with_that_line() -> None:
    text = '{"set": "850", "release": "004010",\n "positions": [\n{"path": 1}]}'
    with pytest.raises(DictionaryError) as caught:
        read_json_form(source(text))
    assert str(caught.value) == "ours.json:3: path must be a text"
