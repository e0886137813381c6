"""Schemas of BizTalk: what is taken over, what is a warning, what is refused with its reason."""

import pytest

from longshore.x12.dictionary.importing.biztalk import read_biztalk
from longshore.x12.dictionary.importing.importer import import_schema
from longshore.x12.dictionary.importing.schema import ImportSource
from longshore.x12.dictionary.lines import DictionaryError
from tests.unit.x12.dictionary.texts import small

SIMPLE = '<xs:simpleType><xs:restriction base="{}">{}</xs:restriction></xs:simpleType>'


def field(name: str, base: str = "X12_AN", facets: str = "", more: str = "") -> str:
    return f'<xs:element name="{name}"{more}>{SIMPLE.format(base, facets)}</xs:element>'


def facet(name: str, value: object) -> str:
    return f'<xs:{name} value="{value}"/>'


def record(name: str, *inner: str, more: str = "", before: str = "") -> str:
    content = f"<xs:complexType><xs:sequence>{''.join(inner)}</xs:sequence></xs:complexType>"
    return f'<xs:element name="{name}"{more}>{before}{content}</xs:element>\n'


def schema(*inner: str) -> str:
    return f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n{"".join(inner)}</xs:schema>'


def order(*inner: str) -> str:
    return record("X12_00401_850", *inner)


def rule(kind: str, *names: str) -> str:
    subjects = "".join(f'<Subject name="{each}"/>' for each in names)
    return (
        "<xs:annotation><xs:documentation/><xs:appinfo>"
        f'<Rule subjects="X12ConditionDesignatorX_{kind}">{subjects}</Rule>'
        "</xs:appinfo></xs:annotation>"
    )


DEEP = record("C001", record("C002", field("C00201")))
SELF = record("A", '<xs:element ref="A"/>')
NESTED = record("N3Loop1", record("N3", field("N301")))
CODES = facet("enumeration", "BY") + facet("enumeration", "ST")
COMPOSITE = record("C040", field("C04001", "X12_ID"), field("C04002"), more=' minOccurs="0"')
FILE = schema(
    order(
        '<xs:element ref="ns:ST"/>',
        '<xs:element ref="ns:BEG" maxOccurs="1"/>',
        '<xs:element ref="ns:REF" minOccurs="0" maxOccurs="unbounded"/>',
        record(
            "N1Loop1",
            record(
                "N1",
                field("N101", "X12_ID", CODES),
                field("N102", more=' minOccurs="0"'),
                before=rule("Paired", "N101", "N102"),
            ),
            record("ZZ1_Ours", field("ZZ101", "X12_N2", facet("length", 3)), field("ZZ102", "s")),
            more=' minOccurs="0" maxOccurs="200"',
        ),
    ),
    record("ST", field("ST01")),
    '<xs:element name="BEG" type="ns:BegType"/>\n',
    '<xs:complexType name="BegType"><xs:sequence><xs:element name="BEG01" type="ns:Purpose"/>',
    field("BEG02", facets=facet("minLength", 2) + facet("maxLength", 30)),
    "</xs:sequence></xs:complexType>\n",
    f'<xs:simpleType name="Purpose"><xs:restriction base="ns:Two">{facet("enumeration", "00")}',
    "</xs:restriction></xs:simpleType>\n",
    f'<xs:simpleType name="Two"><xs:restriction base="ns:X12_ID">{facet("length", 2)}',
    "</xs:restriction></xs:simpleType>\n",
    record("REF", field("REF01", "X12_ID"), field("REF03"), COMPOSITE),
)


def source(text: str, **names: str) -> ImportSource:
    return ImportSource(file="ours.xsd", text=text, known=small(), **names)


def reasons(text: str) -> list[str]:
    with pytest.raises(DictionaryError) as caught:
        read_biztalk(source(text))
    return [each.reason for each in caught.value.faults]


def test_a_schema_becomes_text_that_passes_the_lint() -> None:
    imported = import_schema("biztalk", source(FILE.replace('base="s"', 'base="xs:string"')))
    assert [each.reason for each in imported.warnings] == [
        "the dictionary has no element for ZZ101: it becomes 90001",
        "the dictionary has no element for ZZ102: it becomes 90002",
    ]
    head = "# sources: ours.xsd, imported\n"
    assert imported.texts == {
        "850.xd": (
            f'{head}set 850 PO 004010 "Set 850"\n  BEG M1\n  REF O*\n'
            "  loop N1 O200\n    N1 M1\n    ZZ1 M1\n"
        ),
        "segments.xd": (
            f"{head}REF 128!:kind 127:value 352! C040 @004010\n"
            "N1 98!:role 93:name ; P0102 @004010\nZZ1 90001! 90002! @004010\n"
        ),
        "composites.xd": f"{head}C040 128! 127! @004010\n",
        "elements.xd": (
            f"{head}353 ID 2/2 codes=imported_353_004010 @004010\n324 AN 2/30 @004010\n"
            "98 ID 2/3 codes=imported_98_004010 @004010\n90001 N2 3/3 @004010\n"
            "90002 AN 1/80 @004010\n"
        ),
        "codes.xd": (
            f"{head}list imported_353_004010 strict\n  00 00\n"
            "list imported_98_004010 strict\n  BY BY\n  ST ST\n"
        ),
    }


def test_what_is_not_taken_over_is_a_warning() -> None:
    optional = field("N101", more=' minOccurs="0"')
    cyclic = '<xs:simpleType name="Own"><xs:restriction base="Own"/></xs:simpleType>'
    text = schema(
        order(
            record("N1", field("N101", "X12_ID")),
            record("N1", optional),
            record("DTM", field("DTM01"), "<xs:annotation/><xs:any/>", before=rule("Odd", "DTM01")),
            record("CUR", '<xs:element name="CUR01" type="Own"/>', before=rule("Required", "odd")),
        ),
        cyclic,
    )
    found = read_biztalk(source(text))
    assert [str(each) for each in found.warnings] == [
        "ours.xsd:3: element 98 differs from its first use, which counts",
        "ours.xsd:3: N1 differs from its first description, which counts",
        "ours.xsd:4: <any> is not taken over",
        "ours.xsd:4: <Rule> is not taken over",
        "ours.xsd:5: <Rule> is not taken over",
    ]
    assert [each.number for each in found.elements] == ["98", "374"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<a/>", "the file is no XML schema"),
        ('<schema xmlns="x"/>', "the file is no XML schema"),
        (schema(record("Order")), "the schema has no element such as X12_00401_850"),
        (schema(order('<xs:element ref="ns:BEG"/>')), "there is no element BEG"),
        (schema(order(record("toolong", field("X01")))), "toolong is not an id that the dic"),
        (
            schema(order(record("N1Loop1", record("N2", NESTED)))),
            "a loop must begin with a segment",
        ),
        (schema(order(record("ZZ1", field("ZZ103")))), "ZZ101 is not described"),
        (schema(order(record("ZZ1", field("ZZ101"), record("X", field("Y"))))), " is not an id"),
        (schema(order(record("a-b", record("N1", field("N101"))))), "A-B is not an id that the"),
        (schema(order(record("ZZ1", DEEP))), "C002 is a composite in a composite"),
        (schema(record("X12_00401_850", '<xs:element ref="A"/>'), SELF), "loops are nested deeper"),
    ],
    ids=range(11),
)
def test_a_schema_that_cannot_be_read_is_refused(text: str, reason: str) -> None:
    assert reasons(text)[0].startswith(reason)
