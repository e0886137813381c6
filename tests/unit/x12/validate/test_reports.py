"""What is made of findings: everything of those that are listed, little of the others."""

from importlib import import_module

import pytest

from longshore.engine.validate import validate
from longshore.x12.document_positions import DocumentPositions
from longshore.x12.findings import FindingCode, Severity
from longshore.x12.layout import DocumentLayout
from longshore.x12.results import SetResult
from longshore.x12.validate import reports, set_validator
from longshore.x12.validate.reports import MAX_ERRORS, MAX_LISTED
from longshore.x12.validate.validation import Options
from longshore.x12.validate.validation import validate as validate_text
from tests.unit.x12.validate.test_hostile import claim, cycle, order

BAD_LINE = "PO1*1*x*EA*1.5"


def counted(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> list[object]:
    """Return what a function is called with from now on."""
    calls: list[object] = []
    function = getattr(module, name)

    def count(*given: object, **named: object) -> object:
        calls.append(given)
        return function(*given, **named)

    monkeypatch.setattr(module, name, count)
    return calls


@pytest.mark.parametrize("name", ["element_message", "structure_message"])
def test_a_text_is_made_only_of_what_is_listed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = counted(monkeypatch, set_validator, name)
    lines = cycle(4_000, BAD_LINE if name == "element_message" else "QQQ*1")
    validation = validate(order("BEG*00*SA*1**20260115", *lines)).validation
    assert validation.finding_count >= 4_000
    assert 0 < len(texts) <= MAX_LISTED + 1
    assert all(each.message for each in validation.findings)


def test_a_place_is_looked_for_only_of_what_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = counted(monkeypatch, reports, "offset_in")
    validate(order("BEG*00*SA*1**20260115", *cycle(4_000, BAD_LINE)))
    assert len(positions) == MAX_LISTED


def test_what_is_missing_first_is_listed_though_it_is_known_last() -> None:
    validation = validate(order(*cycle(4_000, BAD_LINE))).validation
    assert (validation.findings[0].code, validation.findings[0].segment_id) == (
        FindingCode.SEGMENT_MISSING,
        "BEG",
    )
    assert len(validation.findings) == MAX_LISTED
    positions = [each.offset or 0 for each in validation.findings]
    assert positions == sorted(positions)
    assert min(positions) > 0


def test_an_acknowledgement_names_more_errors_than_are_listed() -> None:
    validated = validate(order("BEG*00*SA*1**20260115", *cycle(4_000, BAD_LINE)))
    assert validated.ack.count("~AK3*PO1*") == 4_000
    assert not validated.acknowledgement.is_truncated


def test_errors_that_are_only_counted_are_counted_by_kind() -> None:
    (result,) = validate(order(*cycle(MAX_ERRORS, "PO1*1*x*EA*y"))).validation.results.values()
    assert len(result.findings) == MAX_ERRORS
    assert {(each.segment, each.element): times for each, times in result.faults.items()} == {
        ("8", "6"): 2 * MAX_ERRORS,
        ("3", ""): 1,
    }


def test_more_warnings_than_are_listed_are_counted_and_acknowledged_by_nobody() -> None:
    leniency: dict[str, Severity] = {FindingCode.CHARACTER_INVALID: Severity.WARNING}
    text = order("BEG*00*SA*1**20260115", *cycle(1_500, BAD_LINE), "CTT*9")
    validation = validate_text(lambda: (text,), options=Options(leniency=leniency))
    assert validation.is_valid
    assert (validation.finding_count, len(validation.findings)) == (1_501, MAX_LISTED)
    assert validation.is_truncated
    assert not validation.results[1].faults


def test_a_document_is_read_again_only_for_surroundings_it_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walks = counted(monkeypatch, import_module("longshore.engine.validate"), "Walk")
    validate(order("BEG*00*SA*1**20260115", BAD_LINE))
    assert walks == []
    validate(order("BEG*00*SA*1**20260115", BAD_LINE, "LS*L1", "LE*L1"))
    assert len(walks) == 1
    validate(claim("CLM*1*x"))
    assert len(walks) == 2


def test_an_error_without_an_acknowledgement_code_is_counted_and_leaves_no_fault() -> None:
    content = reports.ContentReport(
        positions=DocumentPositions(DocumentLayout(filler_chars=0, start=0)),
        leniency={},
        error_count=MAX_ERRORS,
    )
    result = SetResult()
    assert content.has_counted(FindingCode.ELEMENT_TOO_LONG, "standard", result)
    assert content.has_counted(FindingCode.PAYMENT_OUT_OF_BALANCE, "standard", result)
    assert content.error_count == MAX_ERRORS + 2
    assert result.error_count == 1
