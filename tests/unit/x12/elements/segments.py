"""Segments to try checks on: hand-made ones by name, and strategies for any."""

from hypothesis import strategies as st

from longshore.x12.delimiters import Delimiters
from longshore.x12.dictionary.library import Dictionary
from longshore.x12.dictionary.model import (
    CodeList,
    CompositeType,
    ElementRule,
    ElementType,
    ElementUse,
    RelationalNote,
    SegmentType,
    SegmentUse,
    ValueCondition,
)
from longshore.x12.elements.faults import ElementFault, SetContext
from longshore.x12.findings import ACK_CODES, FindingCode

PLAIN = Delimiters(element="*", segment="~", component=":", repetition="^")
CONTEXT = SetContext(PLAIN, "005010")
OLD = SetContext(PLAIN._replace(repetition=""), "004010")

ELEMENTS = """
67 AN 2/80
66 ID 1/2
93 AN 1/60
98 ID 2/3
128 ID 2/3
127 AN 1/30
352 AN 1/80
373 DT 8/8
337 TM 4/8
374 ID 3/3
623 ID 2/2
1250 ID 2/3
1251 AN 1/35
350 AN 1/20
330 R 1/15
355 ID 2/2 codes=units
212 R 1/17
639 ID 2/2
235 ID 2/2
234 AN 1/48
782 N2 1/18
100 DT 6/6
101 DT 6/8
102 B 1/9
447 AN 1/6
"""
SEGMENTS = """
LE  447!
N1  98! 93 66 67 706 98 ; R0203 P0304
REF 128! 127 352 C040 ; R0203
DTM 374! 373 337 623 1250 1251 ; R020305 C0403 P0506
DTP 374! 1250! 1251!
PO1 350 330 355 212 639 235 234 235 234 ; C0302 C0504 P0607 P0809
AMT 98! 782! 100 101
MEA 98 98 212 C040 212 212 98 98 98 98 447 98 ; R03050608 E0412 L050412 L060412 L07030506 E0803
HI  C022! C022x2
SV  C003!x3 98x4 1250 C022
BIN 330! 102!
"""
COMPOSITES = """
C040 128! 127! 128 127 128 127 ; P0304 P0506
C022 1270 1271 1250 1251 782 ; P0304 E0105
C003 235! 234! 1339 ; L030201
"""
CODES = """
list units strict
  EA each
  CA case
  "C:" odd
"""


def dictionary() -> Dictionary:
    """Return a dictionary of the segments above, for both releases."""
    extra = "706 ID 2/2\n1270 ID 1/3\n1271 AN 1/30\n1339 AN 2/2\n"
    return Dictionary({
        "segments.xd": SEGMENTS,
        "composites.xd": COMPOSITES,
        "elements.xd": ELEMENTS + extra,
        "codes/units.xd": CODES,
    })


_VOCABULARY = dictionary().vocabulary


def segment(segment_id: str) -> SegmentType:
    """Return one of the segments above."""
    found = _VOCABULARY.segment(segment_id, "005010")
    assert found is not None
    return found


def code_of(fault: ElementFault) -> str:
    """Return AK403 of a fault."""
    return ACK_CODES[FindingCode(fault.kind)]["element"]


def use_of(
    segment_id: str,
    rules: dict[int, ElementRule] | None = None,
    *,
    is_closed: bool = False,
    when: ValueCondition | None = None,
) -> SegmentUse:
    """Return an optional use of one of the segments above."""
    return SegmentUse(
        segment=segment(segment_id),
        requirement="O",
        maximum=1,
        when=when,
        rules=rules or {},
        is_closed=is_closed,
        layer="guide" if is_closed else "standard",
    )


# ---- any segment -------------------------------------------------------------------------------

_KINDS = ("AN", "ID", "N0", "N2", "R", "DT", "TM")
_CODES = ("A", "AB", "ABC", "B", "12", "1", "D8", "", "C:", "x^", "20240229")
_VALUES = (
    *_CODES, " ", "  ", " A", "A ", "-1", "-", "1.5", "-.5", "5.", "0.", ".", "1E2", "-1.0E-3",
    "123456", "1.23456", "20240230", "20230229", "19000229", "00000101", "20000229", "240229",
    "000229", "210229", "990431", "2359", "2400", "235960", "1200001", "12000012", "120",
    "20240101-20240131", "20240101-20240132", "202401011200", "202401012500", "202413",
    "202412", "02292024", "02292023", "20240229120000", "202401011200-202401011201", "é", "a",
    "`", "#", "\n", "A\nB", "²", "٣",
)  # fmt: skip


@st.composite
def _element_types(draw: st.DrawFn) -> ElementType:
    if draw(st.integers(0, 5)) == 0:
        return ElementType("1250", "ID", 2, 3)
    if draw(st.integers(0, 4)) == 0:
        minimum = draw(st.sampled_from((1, 6, 9)))
        return ElementType("1251", "AN", minimum, draw(st.sampled_from((9, 35))))
    kind = draw(st.sampled_from(_KINDS))
    minimum = draw(st.integers(1, 3))
    maximum = draw(st.integers(minimum, 9))
    if kind == "DT":
        minimum, maximum = draw(st.sampled_from(((6, 6), (8, 8), (6, 8), (7, 8))))
    codes = None
    if draw(st.integers(0, 3)) == 0:
        picked = draw(st.lists(st.sampled_from(_CODES), min_size=1, max_size=4))
        codes = CodeList("some", dict.fromkeys(picked, ""), is_strict=draw(st.booleans()))
    return ElementType(draw(st.sampled_from(("1", "1250", "3"))), kind, minimum, maximum, codes)


@st.composite
def _notes(draw: st.DrawFn, count: int) -> tuple[RelationalNote, ...]:
    if count < 2:
        return ()
    numbers = st.lists(st.integers(1, count), min_size=2, max_size=min(4, count), unique=True)
    kinds = st.sampled_from("PRECL")
    found = draw(st.lists(st.tuples(kinds, numbers), max_size=3))
    return tuple(RelationalNote(kind, tuple(positions)) for kind, positions in found)


@st.composite
def _composites(draw: st.DrawFn) -> CompositeType:
    uses = draw(
        st.lists(st.builds(ElementUse, _element_types(), st.booleans()), min_size=1, max_size=5)
    )
    return CompositeType("C001", tuple(uses), draw(_notes(len(uses))))


@st.composite
def _rules(draw: st.DrawFn, uses: tuple[ElementUse, ...]) -> dict[int, ElementRule]:
    rules = {}
    for position, use in enumerate(uses, 1):
        if draw(st.integers(0, 2)) == 0:
            composite = use.type if isinstance(use.type, CompositeType) else None
            rules[position] = ElementRule(
                requirement=draw(st.sampled_from(("", "R", "S", "S", "N", "M"))),
                repeat=draw(st.sampled_from((None, None, 1, 2))),
                minimum=draw(st.sampled_from((None, None, 2, 6))),
                maximum=draw(st.sampled_from((None, None, 3, 8))),
                codes=draw(st.sampled_from((None, None, ("A", "AB"), ("1", "12", "D8", "C:")))),
                components=draw(_rules(composite.uses)) if composite else {},
                layer="guide",
            )
    return rules


@st.composite
def segment_uses(draw: st.DrawFn) -> SegmentUse:
    """Return a use of a made-up segment of up to seven elements."""
    types = st.one_of(_element_types(), _element_types(), _composites())
    repeats = st.sampled_from((1, 1, 1, 2, 0))
    each = st.builds(ElementUse, types, st.sampled_from((False, False, True)), repeats)
    uses = tuple(draw(st.lists(each, min_size=1, max_size=7)))
    when = ValueCondition(draw(st.integers(1, len(uses))), None, ("B", "ZZ"))
    return SegmentUse(
        segment=SegmentType("AB", uses, draw(_notes(len(uses)))),
        requirement="O",
        maximum=1,
        when=draw(st.sampled_from((None, when))),
        rules=draw(st.one_of(st.just({}), _rules(uses))),
        is_closed=draw(st.sampled_from((False, False, True))),
        layer="guide",
    )


CONTEXTS = (
    CONTEXT,
    OLD,
    SetContext(PLAIN, "005010", "basic"),
    SetContext(PLAIN._replace(repetition="!"), "005010", "extended"),
    SetContext(Delimiters("|", "\r\n", "<", "\x1f"), "004010", "extended"),
    SetContext(Delimiters("[", "]", "\\", ""), "004030", "basic"),
)


def _fitting(use: ElementUse, rule: ElementRule | None) -> st.SearchStrategy[str]:
    """Return values that have a chance to be valid."""
    assert isinstance(use.type, ElementType)
    kind, size = use.type.kind, use.type.minimum
    if rule is not None and rule.codes:
        return st.sampled_from(rule.codes)
    if use.type.codes is not None:
        return st.sampled_from(sorted(use.type.codes.meanings))
    if kind == "DT":
        return st.sampled_from(("240229", "20240229", "20241231", "991130"))
    if kind == "TM":
        return st.sampled_from(("0000", "235959", "1200001", "12000012"))
    if use.type.number == "1250":
        return st.sampled_from(("D8", "RD8", "TM", "DT", "XX", "UN"))
    return st.sampled_from(("1" * size, "2" * use.type.maximum))


@st.composite
def texts_for(draw: st.DrawFn, use: SegmentUse, context: SetContext) -> str:
    """Return the text of a segment with ``use``: often valid, often nearly."""
    marks = context.delimiters
    separators = tuple(mark for mark in (marks.component, marks.repetition) if mark)
    odd = st.sampled_from((*_VALUES, *separators, *(f"A{mark}B" for mark in separators)))

    def value(element: ElementUse, rule: ElementRule | None) -> str:
        if rule is not None and rule.requirement == "N":
            return draw(st.sampled_from(("", "", "", "1")))
        if draw(st.integers(0, 3)) == 0 and not element.is_mandatory:
            return ""
        if isinstance(element.type, CompositeType):
            rules = rule.components if rule else {}
            inner = [value(each, rules.get(n)) for n, each in enumerate(element.type.uses, 1)]
            inner += draw(st.sampled_from(([], [], [], ["", ""], ["1"])))
            cut = draw(st.sampled_from((None, None, -1, 1, 2)))
            return marks.component.join(inner[:cut])
        common = draw(st.integers(0, 9)) > 0
        return draw(_fitting(element, rule) if common else odd)

    row = [use.segment.id]
    for position, element in enumerate(use.segment.uses, 1):
        times = draw(st.sampled_from((1, 1, 1, 2, 3))) if element.repeat != 1 else 1
        parts = [value(element, use.rules.get(position)) for _ in range(times)]
        row.append(marks.repetition.join(parts))
    row += draw(st.sampled_from(([], [], [], [], [""], ["", ""], ["1"])))
    cut = draw(st.sampled_from((None, None, None, -1, 1, 2, 3)))
    text = marks.element.join(row[:cut] if cut != 1 else row[:1])
    return "".join(each for each in text if each not in marks.segment)
