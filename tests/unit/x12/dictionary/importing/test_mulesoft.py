"""ESL: what is taken over, what is a warning, what is refused with line and reason."""

import pytest

from longshore.x12.dictionary.importing.importer import import_schema
from longshore.x12.dictionary.importing.lined_values import LinedValue
from longshore.x12.dictionary.importing.mulesoft import read_mulesoft
from longshore.x12.dictionary.importing.schema import ImportSource
from longshore.x12.dictionary.importing.yaml_text import read_yaml
from longshore.x12.dictionary.lines import DictionaryError
from tests.unit.x12.dictionary.texts import small

FILE = """# ours
---
form: X12
version: '004010'
imports: [ 'basedefs.esl' ]
structures:
- id: '850'
  name: "Our order"  # a comment
  class: PO
  heading:
  - { idRef: 'ST', position: '0100', usage: M }
  - { idRef: BEG, position: '0200', usage: M }
  - { idRef: 'REF', usage: C, count: '>1' }
  - { idRef: 'DTM', usage: U }
  detail:
    - groupId: 'N1'
      usage: O
      count: 200
      items:
        - { idRef: 'N1', usage: M }
        - { idRef: N3, usage: O, count: 2,
            position: '10' }
segments:
- id: 'N3'
  name: 'It''s ours'
  values:
  - { idRef: '166', usage: M }
  - { idRef: '0166', usage: O, count: 2 }
- id: SE
  values:
  - { idRef: '96', usage: M }
composites:
-
  id: C040
  values: [ { idRef: '128', usage: M } ]
elements:
- { id: '324', type: AN, minLength: 1, maxLength: 30, odd: x }
"""


def source(text: str, **names: str) -> ImportSource:
    return ImportSource(file="ours.esl", text=text, known=small(), **names)


def reasons(text: str) -> list[str]:
    with pytest.raises(DictionaryError) as caught:
        read_mulesoft(source(text))
    return [str(each) for each in caught.value.faults]


def plain(of: LinedValue) -> object:
    """Return a value without its lines."""
    if isinstance(of.value, tuple):
        return [plain(each) for each in of.value]
    if isinstance(of.value, dict):
        return {name: plain(each) for name, each in of.value.items()}
    return of.value


def test_a_schema_becomes_text_that_passes_the_lint() -> None:
    imported = import_schema("mulesoft", source(FILE))
    assert [str(each) for each in imported.warnings] == [
        "ours.esl:5: the member imports is not taken over",
        "ours.esl:37: the member odd is not taken over",
        "ours.esl:14: a position with usage U is left out",
    ]
    head = "# sources: ours.esl, imported\n"
    assert imported.texts == {
        "850.xd": (
            f'{head}set 850 PO 004010 "Our order"\n  BEG M1\n  REF O*\n'
            "  loop N1 O200\n    N1 M1\n    N3 O2\n"
        ),
        "segments.xd": f"{head}N3 166! 166x2 @004010\n",
        "composites.xd": f"{head}C040 128! @004010\n",
        "elements.xd": f"{head}324 AN 1/30 @004010\n",
    }


def test_every_fault_is_reported_with_line_and_reason() -> None:
    text = (
        "form: X12\nversion: 4010\nstructures:\n- idRef: '850'\n- id: '850'\n"
        "- id: '85'\n- id: '999'\n"
        "- id: '850'\n  class: PO\n  heading:\n  - { groupIdRef: x }\n  - { idRef: a }\n"
        "  - { groupId: 1000, items: [] }\n  - { idRef: N1, count: x }\n"
        "elements:\n- { id: x, type: AN, minLength: 1, maxLength: 2 }\n- { id: '1', type: Q }\n"
        "segments:\n- id: REF\n  values: [{ idRef: '128', usage: Q }]\ncomposites:\n- id: REF\n"
    )
    assert reasons(text) == [
        "ours.esl:16: x is not an id that the dictionary can have",
        "ours.esl:17: Q is not an id that the dictionary can have",
        "ours.esl:22: REF is not an id that the dictionary can have",
        "ours.esl:20: Q is not an id that the dictionary can have",
        "ours.esl:4: idRef changes another schema: an overlay cannot be imported",
        "ours.esl:5: the release is unknown: name it with --release",
        "ours.esl:6: 85 is not a set such as 850: use --set",
        "ours.esl:7: the release is unknown: name it with --release",
        "ours.esl:8: the release is unknown: name it with --release",
    ]


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("{ groupIdRef: x }", "groupIdRef changes another schema: an overlay cannot be imported"),
        ("{ idRef: a }", "a is not an id that the dictionary can have"),
        ("{ groupId: 1000, items: [] }", "a loop must begin with a segment"),
        ("{ idRef: N1, count: x }", "x is not a number of at most fifteen digits"),
    ],
)
def test_a_position_that_cannot_be_read_is_refused(position: str, reason: str) -> None:
    text = f"form: X12\nversion: '004010'\nstructures:\n- id: '850'\n  heading:\n  - {position}\n"
    assert reasons(text) == [f"ours.esl:6: {reason}"]


def test_what_is_no_schema_is_refused() -> None:
    assert reasons("form: EDIFACT") == ["ours.esl:1: the schema is not of form X12 or HIPAA"]
    assert reasons("form: X12") == ["ours.esl:1: the schema has no structure"]
    text = "form: HIPAA\nstructures:\n- id: '999'\n"
    with pytest.raises(DictionaryError) as caught:
        read_mulesoft(source(text, release="005010"))
    assert str(caught.value) == (
        "ours.esl:0: the functional group of 999 is unknown: name it with --group"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("just a text # note", "just a text"),
        ("a: 'x # y' #z\nb#c: d", None),
        ("a:\nb:\n  c: 1\n", {"a": None, "b": {"c": "1"}}),
        ("- a\n-\n- - b\n  - c\n", ["a", None, ["b", "c"]]),
        ("-\n  - x\n- y", [["x"], "y"]),
        ("a:\n- 1\n-  b: 2\n   c: 3\nd: 4", {"a": ["1", {"b": "2", "c": "3"}], "d": "4"}),
        ("{\"a b\": [], 'c': {}, d: it's, e: x:y}", {"a b": [], "c": {}, "d": "it's", "e": "x:y"}),
        ("[a,\n b, # c\n [d]]", ["a", "b", ["d"]]),
        ("a:\n  b:\n", {"a": {"b": None}}),
    ],
    ids=range(9),
)
def test_the_part_of_yaml_that_is_read(text: str, value: object) -> None:
    if value is None:
        with pytest.raises(DictionaryError, match="the YAML is not read: b#c: d"):
            read_yaml(source(text))
    else:
        assert plain(read_yaml(source(text))) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# only\n", "0: the file is empty"),
        ("a: &b 1", "1: the YAML is not read: a: &b 1"),
        ("a: [*b]", "1: the YAML is not read: a: [*b]"),
        ("a: |\n  text", "1: the YAML is not read: a: |"),
        ("a: 1\n---\nb: 2", "2: the YAML is not read: ---"),
        ("a: 1\na: 2", "2: a stands twice"),
        ("a: 1\n   b: 2", "2: the indentation is not that of a line above"),
        ("  a: 1\nb: 2", "2: the YAML is not read: b: 2"),
        ("\ta: 1", "1: a tab; indent with spaces"),
        ("[a b] c", "1: the YAML is not read: [a b] c"),
        ("[a, {b}]", "1: the YAML is not read: [a, {b}]"),
        ("[a", "1: the YAML is not read: [a"),
        ("{a: 1", "1: the YAML is not read: {a: 1"),
        ("{a: 1, a: 2}", "1: the YAML is not read: {a: 1, a: 2}"),
        ("{a", "1: the YAML is not read: {a"),
        ("{", "1: the YAML is not read: {"),
        ("[ [a] [b] ]", "1: the YAML is not read: [ [a] [b] ]"),
        ("'a", "1: the YAML is not read: 'a"),
        ("[" * 200, "1: values are nested deeper than 128 levels"),
        ("- " * 200 + "a", "1: values are nested deeper than 128 levels"),
    ],
    ids=range(20),
)
def test_what_is_not_read_of_yaml_is_refused(text: str, reason: str) -> None:
    with pytest.raises(DictionaryError) as caught:
        read_yaml(source(text))
    assert str(caught.value) == f"ours.esl:{reason}"
