"""Which source paths and conditions parse, and what the others are reported."""

import pytest

from longshore.mapping.paths import PathReader, SourcePathError, read_source, read_when
from longshore.mapping.paths_fields import (
    FieldPath,
    read_csv_path,
    read_json_path,
    read_xml_path,
)
from longshore.mapping.paths_x12 import X12Path, read_x12_path

X12 = "a path is like BEG.03, PO1[*].02, N1[01=ST]>N4.01 or SV1.01.02"
COUNTED = "occurrences, elements, repetitions and components are numbered from 1"
FRAME = "a segment of the envelope stands in no set and begins no loop"
END = "something follows the end of the path"
FROM_1 = "occurrences are numbered from 1"


def x12(text: str) -> X12Path:
    path = read_source(read_x12_path, text)
    assert isinstance(path, X12Path)
    return path


def fault_of(read: PathReader, text: str) -> str:
    with pytest.raises(SourcePathError) as caught:
        read_source(read, text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", X12),
        ("BEG", X12),
        ("BEG.", X12),
        ("BEG.3", X12),
        ("BEG.0003", X12),
        ("B.03", X12),
        ("BEGI.03", X12),
        ("1EG.03", X12),
        ("é1.03", X12),
        ("BEG.03.", X12),
        ("BEG.03.1", X12),
        ("BEG.03x", X12),
        ("BEG03x", X12),
        ("BEG.03 ", END),
        ("BEG.03=x", END),
        ("N1[*][*].01", X12),
        ("N1[].01", X12),
        ("N1[01].01", X12),
        ("N1[01=a*b].01", X12),
        ("N1[01=a'b].01", X12),
        ("N1[01='a].01", X12),
        ("N1[1=a].01", X12),
        ("N1>.01", X12),
        (">N1.01", X12),
        ("::N1.01", X12),
        ("N1:.01", X12),
        (":ISA.06", FRAME),
        ("N1>>>N4.01", X12),
        ("ST[x]/BEG.03", X12),
        ("ST[*]BEG.03", X12),
        ("BEG.00", COUNTED),
        ("BEG00", COUNTED),
        ("BEG.03.00", COUNTED),
        ("N1[0].01", COUNTED),
        ("N1[00=a].01", COUNTED),
        ("N1[01.00=a].01", COUNTED),
        ("HI.01[0]", COUNTED),
        ("HI.01[-1]", COUNTED),
        ("ISA>GS.01", FRAME),
        ("ST[2]/GS.01", FRAME),
    ],
)
def test_x12_paths_that_do_not_parse(text: str, fault: str) -> None:
    assert fault_of(read_x12_path, text) == fault


def test_an_x12_path_knows_its_wildcards_and_what_leads_to_its_segment() -> None:
    path = x12("ST[*]/HL[03=O][*]>>N1[01='a''b|]'|c][-2]>N4.01[*].02")
    assert path.prefixes == (
        "ST[*]/",
        "ST[*]/HL[03=O][*]",
        "ST[*]/HL[03=O][*]>>N1[01='a''b|]'|c][-2]>N4.01[*]",
    )
    assert path.head == "ST[*]/HL[03=O][*]>>N1[01='a''b|]'|c][-2]>N4"
    assert [step.is_deep for step in path.steps] == [False, True, False]
    (condition,) = path.steps[1].conditions
    assert condition.comparison.values == {"a'b|]", "c"}
    assert (path.position, path.component, path.steps[1].index) == (1, 2, -2)


@pytest.mark.parametrize(
    ("alias", "path"), [("BEG03", "BEG.03"), ("N104", "N1.04"), ("PO102", "PO1.02")]
)
def test_an_alias_leads_to_the_same_element(alias: str, path: str) -> None:
    one, other = x12(alias), x12(path)
    assert (one.head, one.position) == (other.head, other.position)


JSON, XML, CSV = (fault_of(read, "") for read in (read_json_path, read_xml_path, read_csv_path))


@pytest.mark.parametrize(
    ("read", "text", "fault"),
    [
        (read_json_path, "a[", JSON),
        (read_json_path, "a[x]", JSON),
        (read_json_path, "a[0]b", JSON),
        (read_json_path, "a[01]", JSON),
        (read_json_path, "a[x=1]b", JSON),
        (read_json_path, "a]", END),
        (read_json_path, "a@b", END),
        (read_json_path, "a/b", END),
        (read_json_path, "a\\b", END),
        (read_xml_path, "A[0]", FROM_1),
        (read_xml_path, "A[1][2]", END),
        (read_xml_path, "A.@b.c", END),
        (read_xml_path, "@a", XML),
        (read_xml_path, "A[", XML),
        (read_xml_path, "{u", XML),
        (read_csv_path, "row[0]/a", FROM_1),
        (read_csv_path, "a/b", END),
        (read_csv_path, "row[*]", END),
        (read_csv_path, "name[0]", END),
    ],
)
def test_other_paths_that_do_not_parse(read: PathReader, text: str, fault: str) -> None:
    assert fault_of(read, text) == fault


@pytest.mark.parametrize(
    ("read", "text", "prefixes"),
    [
        (read_json_path, "a[*].b[0][*].c", ("a[*]", "a[*].b[0][*]")),
        (read_json_path, "[*][x=1,y!='a]'][*]", ("[*]", "[*][x=1,y!='a]'][*]")),
        (read_xml_path, "A.B[@x=1][*].@y", ("A.B[@x=1][*]",)),
        (read_csv_path, "row[*]/a", ("row[*]",)),
        (read_csv_path, "row[2]/a", ()),
        (read_csv_path, "rowing", ()),
        (read_csv_path, "a[2]", ()),
    ],
)
def test_other_paths_know_their_wildcards(
    read: PathReader, text: str, prefixes: tuple[str, ...]
) -> None:
    path = read_source(read, text)
    assert isinstance(path, FieldPath)
    assert (path.text, path.prefixes) == (text, prefixes)


@pytest.mark.parametrize(
    ("text", "path", "is_negated", "values"),
    [
        ("BEG.03", "BEG.03", False, None),
        ("!N1[01=ST]", "N1[01=ST]", True, None),
        ("BEG.02=SA|'N E'|", "BEG.02", False, {"SA", "N E", ""}),
        ("BEG.02!=", "BEG.02", False, {""}),
        ("BEG02=SA", "BEG02", False, {"SA"}),
        ("N1", "N1", False, None),
    ],
)
def test_conditions_parse(
    text: str, path: str, is_negated: object, values: set[str] | None
) -> None:
    when = read_when(read_x12_path, text)
    assert (when.path.text, when.is_negated) == (path, is_negated)
    assert (None if when.comparison is None else set(when.comparison.values)) == values


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_x12_path, "BEG.03=a*b"),
        (read_x12_path, "BEG.03 = x"),
        (read_x12_path, "N1=ST,BT"),
        (read_json_path, "a.b=1*"),
    ],
)
def test_conditions_that_do_not_parse(read: PathReader, text: str) -> None:
    with pytest.raises(SourcePathError) as caught:
        read_when(read, text)
    assert str(caught.value) == "a condition is a path, alone or with = or != and values"


def test_a_json_name_ends_at_the_comparison() -> None:
    when = read_when(read_json_path, "a.b[c=1].d!=x")
    assert when.path.text == "a.b[c=1].d"
    assert when.comparison is not None
    assert not when.comparison.is_equal
