"""Imports for a server: formats by content, limits, and faults with their line."""

import json

import pytest

from longshore.engine import definitions, inspect, parse, validate
from longshore.engine.definitions import DefinitionFile, ImportedFile, import_definitions
from longshore.kit.errors import ErrorCode
from longshore.x12.dictionary.export import whole_export
from longshore.x12.dictionary.importing.importer import detect_format
from longshore.x12.dictionary.importing.schema import ImportSource
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.own_definitions import OwnDefinitions
from longshore.x12.dictionary.refusals import FileRefusedError
from tests.support.definitions import AN_ESL, AN_ORDER

FILE = DefinitionFile("order.esl")


def imported(text: str = AN_ESL, names: DefinitionFile = FILE) -> ImportedFile:
    return import_definitions(text, names)


def refused(text: str, names: DefinitionFile = FILE) -> list[tuple[str, int | None]]:
    with pytest.raises(FileRefusedError) as caught:
        imported(text, names)
    assert caught.value.code is ErrorCode.INVALID_PARAMETER
    return [(each.message, each.line) for each in caught.value.details]


def own(text: str = AN_ESL) -> OwnDefinitions:
    return OwnDefinitions(each.definition for each in imported(text).definitions)


def test_each_set_of_a_file_is_complete_with_what_the_file_shares() -> None:
    second = AN_ESL.partition("structures:\n")[2].replace("850", "855").replace("PO", "PR")
    done = imported(f"{AN_ESL}{second}segments:\n- id: BEG\n  values:\n  - {{ idRef: '353' }}\n")
    assert done.form == "mulesoft"
    assert [(each.title, *each.definition.key) for each in done.definitions] == [
        ("Order of ours", "850", "004010", ""),
        ("Order of ours", "855", "004010", ""),
    ]
    assert [list(each.definition.texts) for each in done.definitions] == [
        ["850.xd", "segments.xd"],
        ["855.xd", "segments.xd"],
    ]


def test_a_guide_is_imported_over_the_set_of_longshore() -> None:
    guide = shipped().definition("837", "005010", "005010X222A1")
    assert guide is not None
    exported = {**whole_export(guide), "name": "Our claims"}
    (found,) = imported(json.dumps(exported)).definitions
    assert (found.title, found.definition.key) == (
        "Our claims",
        ("837", "005010", "005010X222A1"),
    )


def test_validation_tree_and_inspection_use_the_imported_definition() -> None:
    answer = validate(AN_ORDER, release="004010", definitions=own())
    assert [each.code for each in answer.findings] == ["no_envelope"]
    checked = json.loads(answer.result_json())
    assert (checked["own_definition"], checked["sets"][0]["own_definition"]) == (True, True)
    shipped_answer = validate(AN_ORDER, release="004010")
    assert "segment_missing" in {each.code for each in shipped_answer.findings}
    assert json.loads(shipped_answer.result_json())["own_definition"] is False
    seen = json.loads(inspect.inspect(AN_ORDER, release="004010", definitions=own()))
    assert (seen["own_definition"], seen["valid"]) == (True, True)
    views = ["tree", "validation"]
    parsed = parse(AN_ORDER, release="004010", include=views, definitions=own()).document
    assert b'"own_definition":true' in parsed.views["validation"]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('\ufeff {"set": "850"}', "json"),
        ('<?xml version="1.0"?>\n<schema xmlns="http://xlate.io/EDISchema/v4">', "staedi"),
        ('<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">', "biztalk"),
        ('<?xml version="1.0"?><transaction xid="837">', "pyx12"),
        (".INI\n850,,004010", "sef"),
        ("# ours\n---\nform: X12", "mulesoft"),
    ],
)
def test_a_format_is_recognised_by_how_the_file_begins(text: str, form: str) -> None:
    assert detect_format(ImportSource(file="f", text=text, known=shipped())) == form


def test_another_beginning_is_refused() -> None:
    with pytest.raises(DictionaryError, match=r"^f:0: the format is not recognised: name it$"):
        detect_format(ImportSource(file="f", text="ISA*00", known=shipped()))


def test_faults_have_file_line_and_reason() -> None:
    named = DefinitionFile("order.esl", form="mulesoft")
    assert refused(AN_ESL.replace("BEG", "beg!"), named) == [
        ("file:8: beg! is not an id that the dictionary can have", 8)
    ]


def test_of_many_faults_a_hundred_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions, "MAX_FAULTS", 1)
    text = AN_ESL.replace("BEG", "beg!").replace("REF", "ref!")
    assert refused(text) == [
        ("file:8: beg! is not an id that the dictionary can have", 8),
        ("file:0: 1 more faults are not listed", None),
    ]


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("MAX_FILE_CHARS", "the file has more than 1 characters"),
        ("MAX_TEXT_CHARS", "850 takes more than 1 characters"),
        ("MAX_POSITIONS", "850 has 2 positions, more than 1"),
    ],
)
def test_what_is_larger_than_a_server_takes_is_refused(
    limit: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(definitions, limit, 1)
    assert refused(AN_ESL) == [(f"file:0: {reason}", None)]
