"""StAEDI schemas: what is taken over, what is a warning, what is refused with line and reason."""

import pytest

from longshore.x12.dictionary.importing.importer import import_schema
from longshore.x12.dictionary.importing.schema import ImportSource
from longshore.x12.dictionary.importing.staedi import read_staedi
from longshore.x12.dictionary.lines import DictionaryError
from tests.unit.x12.dictionary.texts import small

FILE = """<?xml version="1.0" encoding="UTF-8"?>
<schema xmlns="http://xlate.io/EDISchema/v4">
  <transaction>
    <description>Ours</description>
    <sequence>
      <description/>
      <segment type="BEG" minOccurs="1"/>
      <segment type="REF" maxOccurs="99999"/>
      <loop code="N1" maxOccurs="200">
        <description/>
        <sequence><segment type="N1"/><segment type="N3" maxOccurs="2"/></sequence>
      </loop>
      <segment type="SE" minOccurs="1"/>
    </sequence>
  </transaction>
  <elementType name="E0353" code="353" base="identifier" minLength="2" maxLength="2">
    <description/><enumeration><value>00</value><value>A B</value></enumeration>
  </elementType>
  <elementType name="E0330" base="numeric" scale="2" maxLength="9"/>
  <compositeType name="C040">
    <sequence><element type="E128" minOccurs="1"/></sequence>
  </compositeType>
  <segmentType name="SE"><sequence><element type="E96"/></sequence></segmentType>
  <segmentType name="REF">
    <description/>
    <sequence>
      <element type="E0128" minOccurs="1"/><element type="E0330" maxOccurs="3"/>
      <composite type="C040"/>
    </sequence>
    <syntax type="required"><position>2</position><position>3</position></syntax>
  </segmentType>
</schema>
"""


def source(text: str, **names: str) -> ImportSource:
    given = {"tx_set": "850", "release": "004010"} | names
    return ImportSource(file="ours.xml", text=text, known=small(), **given)


def schema(inner: str, version: str = "v4") -> str:
    return f'<schema xmlns="http://xlate.io/EDISchema/{version}">\n{inner}\n</schema>'


def reasons(text: str, **names: str) -> list[str]:
    with pytest.raises(DictionaryError) as caught:
        read_staedi(source(text, **names))
    return [str(each) for each in caught.value.faults]


def test_a_schema_becomes_text_that_passes_the_lint() -> None:
    imported = import_schema("staedi", source(FILE))
    assert imported.warnings == ()
    head = "# sources: ours.xml, imported\n"
    assert imported.texts == {
        "850.xd": (
            f'{head}set 850 PO 004010 "Set 850"\n  BEG M1\n  REF O*\n'
            "  loop N1 O200\n    N1 M1\n    N3 O2\n"
        ),
        "segments.xd": f"{head}REF 128!:kind 330x3 C040 ; R0203 @004010\n",
        "composites.xd": f"{head}C040 128! @004010\n",
        "elements.xd": f"{head}353 ID 2/2 codes=imported_353_004010 @004010\n330 N2 1/9 @004010\n",
        "codes.xd": f'{head}list imported_353_004010 strict\n  00 00\n  "A B" "A B"\n',
    }


def test_what_is_not_taken_over_is_a_warning_with_its_line() -> None:
    text = schema(
        '<include schemaLocation="x"/>\n<implementation/>\n'
        "<transaction><standard/><sequence><any/></sequence></transaction>\n"
        '<elementType name="E1" base="string"><version/></elementType>\n'
        '<segmentType name="REF"><syntax type="single"/></segmentType>'
    )
    found = read_staedi(source(text)).warnings
    assert [str(each) for each in found] == [
        "ours.xml:5: <version> is not taken over",
        "ours.xml:2: <include> is not taken over",
        "ours.xml:3: <implementation> is not taken over",
        "ours.xml:4: <standard> is not taken over",
        "ours.xml:4: <any> is not taken over",
        "ours.xml:6: <syntax> is not taken over",
    ]


def test_every_fault_is_reported_with_line_and_reason() -> None:
    text = schema(
        '<elementType base="string"/>\n<elementType name="X" base="string"/>\n'
        '<elementType name="E1" base="odd"/>\n'
        '<elementType name="E2" base="string" minLength="x"/>\n'
        '<elementType name="E3" base="numeric" scale="10"/>\n'
        '<segmentType name="toolong"/>\n'
        '<segmentType name="N1"><sequence><any type="E1"/></sequence></segmentType>\n'
        "<transaction><sequence><loop code='L'><sequence/></loop></sequence></transaction>\n"
    )
    assert reasons(text) == [
        "ours.xml:2: <elementType> has no name",
        "ours.xml:3:  is not an id that the dictionary can have",
        "ours.xml:4: E1 has the unknown base odd",
        "ours.xml:5: x is not a number of at most fifteen digits",
        "ours.xml:6: 10 is not an id that the dictionary can have",
        "ours.xml:7: toolong is not an id that the dictionary can have",
        "ours.xml:8: <any> cannot be imported",
        "ours.xml:9: a loop must begin with a segment",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<schema", "ours.xml:1: the XML is not well-formed: unclosed token"),
        ("<schema/>", "ours.xml:1: the file is no schema of StAEDI, version 2 to 4"),
        (schema("", "v9"), "ours.xml:1: the file is no schema of StAEDI, version 2 to 4"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a/>', "ours.xml:1: DOCTYPE is not accepted; remove it"),
        (f"<a>{'x' * 65_537}</a>", "ours.xml:1: a text has more than 65536 characters"),
        ("<a>" * 130, "ours.xml:1: elements are nested deeper than 128 levels"),
    ],
    ids=range(6),
)
def test_what_is_no_schema_is_refused(text: str, reason: str) -> None:
    assert reasons(text) == [reason]


def test_a_set_has_to_be_named() -> None:
    text = schema("<transaction/>")
    reason = "a schema does not name its set: use --set and --release"
    assert reasons(text, tx_set="") == [f"ours.xml:2: {reason}"]
    assert reasons(schema("")) == ["ours.xml:1: the schema has no transaction"]


def test_too_many_elements_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("longshore.x12.dictionary.importing.xml_elements.MAX_ELEMENTS", 1)
    assert reasons(schema("<a/>")) == ["ours.xml:2: the file has more than 1 elements"]
