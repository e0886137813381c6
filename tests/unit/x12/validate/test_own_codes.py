"""Documents are compared with the code lists of the standard and with users' codes."""

import pytest

from longshore.engine import LongshoreError, acknowledge, read_code_lists, validate
from longshore.x12.validate import validation
from longshore.x12.validate.validation import Options
from tests.unit.x12.documents import GS, an_850
from tests.unit.x12.validate.whole import learning_at_once, sample_sets

BODY = ("BEG*00*SA*PO-1**20240115", "PO1*1*1*EA*9.25**VP*A1")
TEXT = an_850(*BODY)


def codes_of(text: str, csv: str) -> list[str | None]:
    found = validate(text, code_lists=read_code_lists(csv))
    return [each.path for each in found.validation.findings if each.code == "element_code_invalid"]


def test_a_code_may_be_added_removed_and_left_alone_on_its_list() -> None:
    assert codes_of(TEXT.replace("BEG*00", "BEG*Q1"), "355,Q1") == ["BEG.01"]
    assert codes_of(TEXT.replace("BEG*00", "BEG*Q1"), "353,Q1") == []
    assert codes_of(TEXT, "353,00,,,,remove") == ["BEG.01"]
    assert codes_of(TEXT, "355,CA,,,,replace") == ["PO1.03"]


def test_the_day_of_the_group_decides_which_codes_hold() -> None:
    removed = "355,EA,,2024-01-15,2024-01-31,remove"
    days = ("20240114", "20240115", "20240131", "20240201")
    texts = [TEXT.replace(GS, GS.replace("20240115", day)) for day in days]
    assert [codes_of(text, removed) for text in texts] == [[], ["PO1.03"], ["PO1.03"], []]


def test_a_group_without_a_day_has_the_codes_of_any_day() -> None:
    text = TEXT.replace(GS, GS.replace("20240115", "240115"))
    assert codes_of(text, "355,EA,,2024-01-15,2024-01-31,remove") == ["PO1.03"]


def test_a_set_without_a_definition_has_no_lists() -> None:
    text = TEXT.replace("ST*850", "ST*199")
    assert codes_of(text, "355,EA,,,,remove") == []


def test_a_code_that_is_refused_is_acknowledged() -> None:
    answer = acknowledge(TEXT, code_lists=read_code_lists("355,EA,,,,remove"))
    assert "AK3*PO1*3**8~AK4*3*355*7*EA~" in answer.text.replace("\n", "")


def test_sets_that_are_taken_whole_are_compared_with_the_same_lists() -> None:
    text = sample_sets("850_purchase_order", 3)
    lists = read_code_lists("355,EA,,,,remove")
    with learning_at_once():
        validation.validate(lambda: (text,))
        found = validation.validate(lambda: (text,), options=Options(code_lists=lists))
        assert validation.validate(lambda: (text,)).finding_count == 0
    assert found.error_count == 6  # two lines in each of three sets


def test_of_a_long_list_findings_name_no_codes() -> None:
    csv = "\n".join(f"127,C{number},,,,replace" for number in range(1_001))
    text = an_850(*BODY, "REF*DP*1")
    [finding] = validate(text, code_lists=read_code_lists(csv)).validation.findings
    assert (finding.path, finding.allowed) == ("REF.02", None)


def test_a_wrong_line_is_refused_with_its_file_and_line() -> None:
    with pytest.raises(LongshoreError) as refused:
        read_code_lists("355,CA\n355,LONG\n", file="own.csv")
    [detail] = refused.value.details
    assert (detail.message, detail.line, detail.param) == (
        "own.csv:2: a code of element 355 has 2 to 2 characters",
        2,
        "file",
    )
