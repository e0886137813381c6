"""SEF: what is taken over, what is a warning, what is refused with line and reason."""

import pytest

from longshore.x12.dictionary.importing.importer import import_schema
from longshore.x12.dictionary.importing.schema import ImportSource
from longshore.x12.dictionary.importing.sef import read_sef
from longshore.x12.dictionary.lines import DictionaryError
from tests.unit.x12.dictionary.texts import small

FILE = """.VER 1.6
.INI
OURS,,004 010 OUR,X,X12-4010,Our "order"
* a comment

.SETS
850=^[ST,M][BEG,M][REF,,3]^{:>1[N1,M][N3]{N4LOOP:2[REF][N3,O,2]}}^[SE,M]
.SEGS
ST=[143,M][329,M]
BEG=[353,M][0324,M]
REF=[128,M][127][352][C040]+R0203
N1=[98,M][93]+R0102P0102
N3=[166,M][166,,2]
.COMS
C040=[128,M][127,M]
.ELMS
353=ID,2,2
324=AN,1,22
98=ID,2,3
.CODES
353=00,05,"A"
98=BY, ST
"""
SET = """# sources: ours.sef, imported
set 850 PO 004010 "Our 'order'"
  BEG M1
  REF O3
  loop N1 M*
    N1 M1
    N3 O1
    loop N4LOOP O2
      REF M1
      N3 O2
"""


def source(text: str, **names: str) -> ImportSource:
    return ImportSource(file="ours.sef", text=text, known=small(), **names)


def reasons(text: str, **names: str) -> list[str]:
    with pytest.raises(DictionaryError) as caught:
        read_sef(source(text, **names))
    return [str(each) for each in caught.value.faults]


def test_a_file_becomes_text_that_passes_the_lint() -> None:
    imported = import_schema("sef", source(FILE.replace(',"A"', "")))
    assert imported.warnings == ()
    assert imported.texts == {
        "850.xd": SET,
        "segments.xd": (
            "# sources: ours.sef, imported\n"
            "N1 98!:role 93:name ; R0102 P0102 @004010\n"
            "N3 166! 166x2 @004010\n"
        ),
        "composites.xd": "# sources: ours.sef, imported\nC040 128! 127! @004010\n",
        "elements.xd": (
            "# sources: ours.sef, imported\n"
            "353 ID 2/2 codes=imported_353_004010 @004010\n"
            "98 ID 2/3 codes=imported_98_004010 @004010\n"
        ),
        "codes.xd": (
            "# sources: ours.sef, imported\n"
            "list imported_353_004010 strict\n  00 00\n  05 05\n"
            "list imported_98_004010 strict\n  BY BY\n  ST ST\n"
        ),
    }


def test_what_the_dictionary_lacks_is_refused_by_the_lint() -> None:
    text = ".SETS\n850=[BEG,M][ZZZ]\n"
    with pytest.raises(DictionaryError) as caught:
        import_schema("sef", source(text, release="004010"))
    assert str(caught.value) == "850.xd:4: segment ZZZ is not defined in 004010"


def test_what_is_not_taken_over_is_a_warning_with_its_line() -> None:
    text = (
        ".INI\nA,,005010,X,B,\n.SETS\n850=[.BEG*1@10,M][REF,F]{N1:2+30[N1,M]}\n"
        ".SEGS\nREF=[128]+R01-02\n.ELMS\n66=N,1,2,9\n.TEXT,SETS\n850,1\n"
    )
    schema = read_sef(source(text))
    assert [str(each) for each in schema.warnings] == [
        "ours.sef:9: the section .TEXT,SETS is not taken over",
        "ours.sef:8: more than lengths of 66 is not taken over",
        "ours.sef:6: a note of REF is not taken over",
        "ours.sef:4: marks of BEG are not taken over: .*1@10",
        "ours.sef:4: the requirement F of REF is read as optional",
        "ours.sef:4: marks of a loop are not taken over: +30",
    ]
    assert (schema.elements[0].kind, schema.sets[0].title) == ("N0", "Set 850")


def test_every_fault_is_reported_with_line_and_reason() -> None:
    text = (
        ".SEGS\nnonsense\nBEG=[353,M]{x}\nXX=[]\nref=[128]\nREF=[128\nN1=[1234567]\n"
        ".ELMS\n353=XX,1,2\n353=ID,1,x\nA=ID,1,2\n"
        '.CODES\n353=A"B\n.COMS\nC1=[128]\n'
    )
    assert reasons(text) == [
        "ours.sef:2: a line of .SEGS is a name, = and a value",
        'ours.sef:13: A"B is not a code that a list can have',
        "ours.sef:9: 353 is not a type and lengths such as ID,2,2",
        "ours.sef:10: x is not a number of at most fifteen digits",
        "ours.sef:11: A is not an id that the dictionary can have",
        "ours.sef:15: C1 is not an id that the dictionary can have",
        "ours.sef:3: BEG is not a list of elements",
        "ours.sef:4: [] is not an id, a requirement and a maximum",
        "ours.sef:5: ref is not an id that the dictionary can have",
        "ours.sef:6: REF: unreadable from [128",
        "ours.sef:7: 1234567 is not an id that the dictionary can have",
        "ours.sef:0: the file has no set in a section .SETS",
    ]


@pytest.mark.parametrize(
    ("sets", "reason"),
    [
        ("ORDER=[BEG]", "ours.sef:2: ORD is not a set such as 850: use --set"),
        ("850=[BEG]}", "ours.sef:2: } without {"),
        ("850={:2[BEG]", "ours.sef:2: { without }"),
        ("850={:2}", "ours.sef:2: a loop must begin with a segment"),
        ("850={:2{:2[N1]}}", "ours.sef:2: a loop must begin with a segment"),
        ("850={a:2[N1]}", "ours.sef:2: a is not an id that the dictionary can have"),
        (
            "850={ABCDEFGHIJKL:2[N1]}",
            "ours.sef:2: ABCDEFGHIJKL is not an id that the dictionary can have",
        ),
        ("850=[LONG]", "ours.sef:2: LONG is not an id that the dictionary can have"),
        ("850=" + "{" * 70, "ours.sef:2: loops are nested deeper than 64 levels"),
        ("999=[N1]", "ours.sef:0: the functional group of 999 is unknown: name it with --group"),
    ],
    ids=range(10),
)
def test_a_set_that_cannot_be_read_is_refused(sets: str, reason: str) -> None:
    assert reasons(f".SETS\n{sets}\n", release="004010") == [reason]


def test_what_the_file_does_not_name_is_given() -> None:
    assert reasons(".SETS\n850=[N1]\n") == [
        "ours.sef:0: the release is unknown: name it with --release"
    ]
    names = {"tx_set": "999", "functional_id": "FA", "release": "005010"}
    (found,) = read_sef(source(".SETS\nORDER=[N1,M]\n", **names)).sets
    assert (found.tx_set, found.functional_id, found.release) == ("999", "FA", "005010")


def test_a_file_that_is_too_long_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    text = ".SETS\n850=[N1][N3]\n"
    monkeypatch.setattr("longshore.x12.dictionary.importing.schema_reader.MAX_POSITIONS", 1)
    reason = "ours.sef:2: the file has more than 1 positions"
    assert reasons(text, release="004010") == [reason]
    monkeypatch.setattr("longshore.x12.dictionary.importing.schema.MAX_CHARS", 10)
    assert reasons(text) == ["ours.sef:0: the file has more than 10 characters"]
