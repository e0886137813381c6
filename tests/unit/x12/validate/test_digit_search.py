"""Wrong check digits are found in every way in which a set may be read."""

import pytest

from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.model import Definition
from longshore.x12.elements.check_digits import IDENTIFIERS, digit_places
from longshore.x12.validate import digit_search as module
from longshore.x12.validate.digit_search import DigitSearch, digit_search
from longshore.x12.validate.reports import MAX_LISTED
from longshore.x12.validate.validation import validate
from tests.unit.x12.documents import an_850
from tests.unit.x12.loops.sets import DELIMITERS
from tests.unit.x12.validate.whole import learning_at_once, said, sample_sets, taken

BEG = "BEG*00*SA*PO-1**20240115"
ABA, NPI = IDENTIFIERS["506", "507"]["01"], IDENTIFIERS["66", "67"]["XX"]


def wrong_in(text: str) -> list[tuple[object, ...]]:
    """Return position and path of the wrong check digits of a document; there is nothing else."""
    findings = validate(lambda: (text,)).findings
    assert {(each.code, each.severity, each.ack_code) for each in findings} <= {
        ("check_digit_wrong", "warning", None)
    }
    return [
        (each.tx_index, each.segment_position, each.path, each.element_ref) for each in findings
    ]


def test_a_wrong_digit_is_a_warning_at_its_place() -> None:
    good, bad = "PO1*1*5*EA*9.25**UP*036000291452", "PO1*2*5*EA*9.25**VP*A*UP*036000291453"
    text = an_850(BEG, good, bad)
    [finding] = validate(lambda: (text,)).findings
    assert (finding.message, finding.layer) == ("check digit of this UPC is wrong", "standard")
    assert finding.offset == text.index("036000291453")
    assert wrong_in(text) == [(1, 4, "PO1[2].09", "234")]
    assert wrong_in(text.replace("291453", "291452")) == []


def test_a_segment_with_an_error_of_its_own_is_searched_as_well() -> None:
    text = an_850(BEG, "PO1*1*x*EA*9.25**UP*036000291453")
    codes = [each.code for each in validate(lambda: (text,)).findings]
    assert codes == ["element_character_invalid", "check_digit_wrong"]


@pytest.mark.parametrize("line_break", ["", "\r\n"], ids=["none", "CRLF"])
def test_sets_with_a_wrong_digit_are_not_taken_whole(line_break: str) -> None:
    text = sample_sets("837p_claim", 4, line_break)
    start = text.index("ST*837*0003")
    bad = text[:start] + text[start:].replace("*XX*1234567893", "*XX*1234567894", 1)
    with learning_at_once():
        assert validate(lambda: (text,)).finding_count == 0
        assert (taken(text), taken(bad)) == (4, 3)
        assert said(bad) == said(bad, is_whole=False)
        assert [place[0] for place in wrong_in(bad)] == [3]


def test_beyond_the_limit_wrong_digits_are_counted() -> None:
    lines = (f"PO1*{at}*5*EA*9.25**UP*036000291453" for at in range(1, MAX_LISTED + 3))
    text = an_850(BEG, *lines)
    found = validate(lambda: (text,))
    assert (found.finding_count, found.error_count) == (MAX_LISTED + 2, 0)


# ---- the search alone --------------------------------------------------------------------------


def search(**identifiers: str) -> DigitSearch:
    """Return a search for the identifiers by qualifier: ``a`` stands for ABA, ``n`` for NPI."""
    kinds = {"a": [ABA], "n": [NPI], "an": [ABA, NPI]}
    return DigitSearch({code: kinds[each] for code, each in identifiers.items()}, DELIMITERS)


@pytest.mark.parametrize("more", [{}, {"QA": "a", "QB": "a", "QCC": "a"}], ids=["few", "many"])
def test_a_wrong_value_after_a_qualifier_is_suspected_anywhere(more: dict[str, str]) -> None:
    find = search(XX="n", **more).are_right
    assert find("N1*ST*A*XX*1234567893~N3*B~")
    assert not find("N1*ST*A*XX*1234567894~N3*B~")
    assert not find("N1*ST*A*XX*1234567894")
    assert not find("QQ*XX*XX*1234567894~")
    assert find("N1*ST*A*92*1234567894~N1*ST*A*XX*123456789~N1*ST*A*XX*1234567894>X~N1*ST*XX~")


def test_one_code_may_stand_for_several_identifiers() -> None:
    find = search(XX="an").are_right
    assert not find("*XX*1234567894~")
    assert not find("*XX*021000022~")
    assert find("*XX*021000021*XX*1234567893~")


def test_what_was_right_is_remembered_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_KNOWN", 1)
    known = search(XX="an")
    assert known.are_right("*XX*021000021~")
    assert known.are_right("*XX*1234567893~")
    assert known._known == {("XX", "1234567893")}  # noqa: SLF001 - the memory is the claim


def test_only_segments_that_a_set_may_have_are_searched() -> None:
    definition = shipped().definition("850", "004010")
    assert isinstance(definition, Definition)
    places = digit_places(definition)
    assert digit_search(places, DELIMITERS, {"BEG"}) is None
    parties = digit_search(places, DELIMITERS, {"BEG", "N1"})
    assert parties is not None
    assert parties.are_right("PO1*1*5*EA*9.25**UP*036000291453~")
    assert not parties.are_right("N1*ST*A*XX*1234567894~")
