"""The fast path for usual small documents: it answers what the general way answers, or nothing."""

from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longshore.formats import x12doc
from longshore.formats.document import ParsedDocument
from longshore.kit.errors import LongshoreError
from longshore.x12 import occurrences
from longshore.x12.clean_document import MAX_CHARS
from longshore.x12.fast_path import read_fast_path
from tests.unit.x12.documents import GS, a_group, a_set, an_850, interchange, isa

IEA = "IEA*1*000000101"
LATER = isa(e11="^", e12="00501", e16=":")
TWO_SETS = (*a_set("N1*A", "N1*B"), *a_set("N1*C", "N1*D", number="0002"))


def both_ways(text: str) -> tuple[ParsedDocument | None, ParsedDocument | None]:
    """Return what the quick and what the general way make of a document."""
    try:
        fast = x12doc.parse(text)
    except LongshoreError:
        fast = None
    with mock.patch.object(x12doc, "read_fast_path", return_value=None):
        try:
            return fast, x12doc.parse(text)
        except LongshoreError:
            return fast, None


USUAL = {
    "one set": an_850(),
    "an empty element": an_850("N1**B", "N1*A**C", "LE"),
    "line feeds": an_850(break_="\n"),
    "carriage returns and line feeds": an_850(break_="\r\n"),
    "no line break at the end": an_850(break_="\n").rstrip("\n"),
    "a repetition separator": an_850(head=LATER),
    "information in the ISA": an_850(head=isa(e2="A B", e4="C")),
    "two sets": interchange(*a_group(*TWO_SETS, sets=2), IEA),
    "three sets": interchange(*a_group(*TWO_SETS, *a_set(number="0003"), sets=3), IEA),
    "other separators": an_850().replace("*", "|").replace("~", "'"),
    "control characters": an_850().replace("*", "\x1d").replace("~", "\x1c"),
}
OTHERWISE = {
    "nothing": "",
    "an ISA alone": isa() + "~",
    "filler in front": " " + an_850(),
    "filler at the end": an_850() + " ",
    "a trimmed ISA": an_850(head=isa(padded=False)),
    "no final terminator": an_850()[:-1],
    "changing line breaks": an_850(break_="\n").replace("~\nSE", "~\r\nSE"),
    "a missing line break": an_850(break_="\n").replace("~\nSE", "~SE"),
    "a line break too many": an_850(break_="\n") + "\n",
    "a blank before an id": an_850(break_="\n").replace("\nSE", "\n SE"),
    "a line break in data": an_850("MSG*a\nb", break_="\n"),
    "a carriage return in data": an_850("MSG*a\rb", break_="\r\n"),
    "a line terminator": an_850(segment="\n"),
    "a quote": an_850('MSG*"'),
    "a backslash": an_850("MSG*\\"),
    "a quote in the ISA": an_850(head=isa(e6='"')),
    "a line break in the ISA": an_850(head=isa(e6="a\nb"), break_="\n"),
    "a terminator in the ISA": an_850(head=isa(e2="a~b")),
    "a control character": an_850("MSG*\x01"),
    "a character above ASCII": an_850("MSG*é"),
    "a circumflex": an_850("MSG*^"),
    "a circumflex in the ISA": an_850(head=isa(e6="A^")),
    "a circumflex that is no separator": an_850(head=isa(e11="^")),
    "a control character as ISA11": an_850(head=isa(e11="\x1e", e12="00501")),
    "a quote as ISA16": an_850(head=isa(e16='"')),
    "a control character as ISA16": an_850(head=isa(e16="\x1f")),
    "components": an_850("MSG*A>B"),
    "repetitions": an_850("MSG*A^B", head=LATER),
    "a trailing separator": an_850("N1*A*"),
    "an empty segment": an_850("N1*A", ""),
    "an unknown segment": an_850("ZZZ*A"),
    "binary data": an_850("BIN*1*A"),
    "many elements": an_850("ZA" + "*A" * 60),
    "many elements in one of two sets": interchange(
        *a_group(*a_set("ZA" + "*A" * 60), *a_set(number="0002"), sets=2), IEA
    ),
    "an element separator as ISA16": an_850(head=isa(e16="*")),
    "a letter as ISA16": an_850(head=isa(e16="A")),
    "a backslash as ISA11": an_850(head=isa(e11="\\", e12="00501")),
    "an ISA cut off": isa()[:50],
    "a long document": an_850(*["N1*ST*NAME"] * (MAX_CHARS // 10)),
    "an odd qualifier": an_850(head=isa(e5="99")),
    "a bad date": an_850(head=isa(e9="249999")),
    "a TA1": interchange("TA1*1", *a_group(*a_set()), IEA),
    "an ISX": interchange("ISX*?", *a_group(*a_set()), IEA),
    "no group": interchange("IEA*0*000000101"),
    "no set": interchange(*a_group(sets=0), IEA),
    "two groups": interchange(*a_group(*a_set()), *a_group(*a_set(), number="8"), IEA),
    "two interchanges": an_850() + an_850(),
    "no GS08": an_850().replace("*X*004010", "*X"),
    "an empty GS02": an_850().replace("SENDER*RECEIVER*2", "*RECEIVER*2"),
    "a bad GS06": interchange(*a_group(*a_set(), number="A"), IEA),
    "GE01 wrong": interchange(*a_group(*a_set(), sets=2), IEA),
    "GE02 padded": interchange(GS, *a_set(), "GE*1*07", IEA),
    "a GE too long": interchange(GS, *a_set(), "GE*1*7*8", IEA),
    "GE missing": interchange(GS, *a_set(), IEA),
    "IEA01 wrong": an_850().replace(IEA, "IEA*2*000000101"),
    "IEA02 wrong": an_850().replace(IEA, "IEA*1*000000102"),
    "an IEA too short": an_850().replace(IEA, "IEA*1"),
    "SE01 wrong": an_850().replace("SE*3", "SE*4"),
    "SE01 padded": an_850().replace("SE*3", "SE*03"),
    "SE02 wrong": an_850().replace("SE*3*0001", "SE*3*0002"),
    "SE missing": an_850().replace("SE*3*0001~", ""),
    "ST missing": an_850().replace("ST*850*0001~", ""),
    "ST01 bad": an_850().replace("ST*850", "ST*85"),
    "ST02 bad": an_850().replace("850*0001", "850*001").replace("3*0001", "3*001"),
    "an ST too short": an_850().replace("ST*850*0001", "ST*850"),
    "ST02 twice": interchange(*a_group(*a_set(), *a_set(), sets=2), IEA),
    "a segment between sets": interchange(*a_group(*a_set(), "N1*A", *a_set(number="0002")), IEA),
    "a GS in a set": an_850("GS*A"),
    "an SE in a set": an_850("SE*A"),
}


@pytest.mark.parametrize("case", USUAL)
def test_a_common_document_takes_the_fast_way_to_the_same_answer(case: str) -> None:
    text = USUAL[case]
    assert read_fast_path(text) is not None
    fast, general = both_ways(text)
    assert fast == general
    assert fast is not None
    assert (fast.warnings, fast.errors) == ((), ())


@pytest.mark.parametrize("case", OTHERWISE)
def test_any_other_document_is_left_to_the_general_way(case: str) -> None:
    text = OTHERWISE[case]
    assert read_fast_path(text) is None
    fast, general = both_ways(text)
    assert fast == general


@st.composite
def nearly_common(draw: st.DrawFn) -> str:
    """A usual document, now and then with one small thing changed."""
    text = draw(st.sampled_from(sorted(USUAL.values())))
    if draw(st.booleans()):
        at = draw(st.integers(0, len(text)))
        new = draw(
            st.sampled_from([
                *'*~\n\r ^>:A0"\\\x1c',
                "",
                "~~",
                "*~",
                "SE",
                "GS*",
                "N1*A~",
                "~N1*%s*{}",
            ])
        )
        text = text[:at] + new + text[at + draw(st.integers(0, 2)) :]
    return text


@given(text=nearly_common())
def test_both_ways_answer_the_same_for_documents_that_are_nearly_common(text: str) -> None:
    fast, general = both_ways(text)
    assert fast == general


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    remembered: dict[object, object] = {}
    monkeypatch.setattr(occurrences, "_BETWEEN", remembered)
    monkeypatch.setattr(occurrences, "_MAX_REMEMBERED", 10)
    text = an_850(*["N1*A"] * 100)
    fast, general = both_ways(text)
    assert fast == general
    assert 0 < len(remembered) <= 10
