"""Whole documents: validation says the same of the redacted ones, and nothing of them is left."""

from pathlib import Path

import pytest

from longshore.formats.charset import decode
from longshore.x12.dictionary.library import shipped
from longshore.x12.redaction.document import redact
from longshore.x12.samples.parts import SampleKind
from longshore.x12.validate.validation import validate
from tests.unit.x12.documents import an_850
from tests.unit.x12.generated import wrapped
from tests.unit.x12.valid_documents import a_document, by_name
from tests.unit.x12.variants import document_of, variants

KEY = b"a key of 16 byte"
TESTS = Path(__file__).parents[3]


def redacted(text: str) -> str:
    return redact(text, KEY, shipped())


def said(text: str) -> list[tuple[object, ...]]:
    return [
        (
            *(each.code, each.severity, each.segment_id, each.segment_position, each.loop_id),
            *(each.element_position, each.component_position, each.repeat, each.ack_code),
            *(each.offset, each.line),
        )
        for each in validate(lambda: (text,)).findings
    ]


def test_a_claim_keeps_its_structure_codes_and_amounts() -> None:
    document, _ = document_of("837_005010X222A1")
    claim = redacted(document)
    lines = dict(zip(document.splitlines(), claim.splitlines(), strict=True))
    for kept in (
        "HL*2*1*22*0~",
        "HI*ABK:Z0000*ABF:R5383~",
        "SV1*HC:G0444:59*35*UN*1***1~",
        "SE*24*0731~",
        "IEA*1*000000731~",
    ):
        assert lines[kept] == kept
    clinic, patient = (
        lines["NM1*85*2*WINTERS LANE CLINIC*****XX*1234567893~"].split("*"),
        lines["NM1*IL*1*SAMPLE*ROWAN****MI*LK000111222~"].split("*"),
    )
    assert (clinic[:3], clinic[4:9]) == (["NM1", "85", "2"], ["", "", "", "", "XX"])
    assert lines["NM1*41*2*WINTERS LANE CLINIC*****46*WINTERSCLINIC~"].split("*")[3] == clinic[3]
    assert (patient[5:8], patient[8]) == (["", "", ""], "MI")
    for gone in ("WINTERS", "LARKFIELD", "SAMPLE", "ROWAN", "LK000111222", "1234567893", "2026"):
        assert gone not in claim
    isa, gs = claim.split("~")[0], lines[document.splitlines()[1]].split("*")
    assert (isa[35:50].strip(), isa[54:69].strip()) == (gs[2], gs[3])
    assert lines["DMG*D8*19710519*F~"].split("*")[2] < "19710519"


def test_validation_says_the_same_of_every_broken_document() -> None:
    for each in variants():
        assert said(redacted(each.text)) == said(each.text), (each.of, each.name)


def test_validation_says_nothing_of_a_redacted_document_of_any_definition() -> None:
    for name, definition in by_name().items():
        text = a_document(definition, SampleKind.VARIED, 1).text()
        changed = redacted(text)
        assert (said(changed), len(changed)) == (said(text), len(text)), name


@pytest.mark.parametrize(
    "path",
    [*(TESTS / "cases").glob("*.edi"), *(TESTS / "corpus" / "x12").glob("*.edi")],
    ids=lambda path: path.name,
)
def test_a_document_of_any_form_stays_as_it_is_but_for_its_values(path: Path) -> None:
    text, _ = decode(path.read_bytes())
    changed = redacted(text)
    assert len(changed) == len(text)
    assert said(changed) == said(text)
    has_binary = "BIN" in text or "BDS" in text
    pairs = [each for each in zip(text, changed, strict=True) if not each[0].isalnum()]
    assert has_binary or all(old == new for old, new in pairs)


def test_lines_of_a_wrapped_document_stay_where_they_are() -> None:
    text = wrapped(an_850(), 40, "\r\n")
    changed = redacted(text)
    assert changed.replace("\r\n", "") == redacted(an_850())
    assert [*map(len, changed.split("\r\n"))] == [*map(len, text.split("\r\n"))]


def test_what_stands_outside_is_replaced_and_makes_no_document() -> None:
    text = f"Mailbox of ACME 17\n{an_850()}\nST*850*X~ thanks, Bob"
    changed = redacted(text)
    before, after = changed.split("\n")[0], changed.split("\n")[2]
    assert (before[7], before[10], before[15]) == (" ", " ", " ")
    assert "ACME" not in before
    assert after.startswith("ST*")
    assert "Bob" not in after
    assert said(changed) == said(text)


def test_a_set_without_a_definition_is_replaced_but_for_short_codes_and_numbers() -> None:
    text = an_850().replace("ST*850", "ST*199").replace("GS*PO", "GS*ZZ")
    text = text.replace("~SE*", "~N1*BY*ACME CORP*92*12345~ZZZ*ACME CORP*AB~SE*")
    changed = redacted(text)
    assert "ACME" not in changed
    [name] = [each for each in changed.split("~") if each.startswith("N1*BY")]
    assert name.split("*")[1:4:2] == ["BY", "92"]
    [unknown] = [each for each in changed.split("~") if each.startswith("ZZZ*")]
    assert unknown != "ZZZ*ACME CORP*AB"
    assert said(changed) == said(text)


def test_a_name_in_the_place_of_a_code_or_number_is_replaced() -> None:
    document, _ = document_of("837_005010X222A1")
    text = document.replace("DMG*D8*19710519*F", "DMG*D8*19x10519*SMITH").replace(
        "SV1*HC:G0438*150*", "SV1*HC:G0438*SMITH*"
    )
    changed = redacted(text)
    assert "SMITH" not in changed
    assert "19x10519" not in changed
    assert said(changed) == said(text)


def test_times_and_periods_keep_their_form() -> None:
    document, _ = document_of("837_005010X223A2")
    lines = dict(zip(document.splitlines(), redacted(document).splitlines(), strict=True))
    admitted = lines["DTP*435*DT*202603201030~"].split("*")[3]
    begun, ended = lines["DTP*434*RD8*20260320-20260322~"].split("*")[3].rstrip("~").split("-")
    assert admitted[8:] == "1030~"
    assert (admitted[:8], int(ended) - int(begun)) == (begun, 2)
