"""CTT: the number of lines, and the hash total of their quantities."""

import pytest

from longshore.x12.dictionary.library import shipped
from longshore.x12.findings import FindingCode
from longshore.x12.loops.table import table_of
from longshore.x12.validate.amount_balance import BalanceSpan
from longshore.x12.validate.balance import LineBalance
from longshore.x12.validate.cross_checks import CrossChecks
from longshore.x12.validate.line_totals import (
    QUANTITIES,
    TotalsFault,
    hash_total,
    is_hash,
    totals_faults,
)
from longshore.x12.validate.validation import validate
from tests.unit.x12.documents import an_850
from tests.unit.x12.loops.sets import DELIMITERS
from tests.unit.x12.validate.whole import learning_at_once, said, sample_sets, taken

BEG = "BEG*00*SA*PO-1**20240115"
ONE, TWO = "PO1*1*2.5*EA*9.25", "PO1*2*-3*EA*9.25"


def found(*segments: str) -> list[tuple[str, str, str | None]]:
    findings = validate(lambda: (an_850(BEG, *segments),)).findings
    return [(each.code, each.severity, each.path) for each in findings]


@pytest.mark.parametrize("stated", ["-0.5", "28", "28.0", "", "x1"])
def test_the_plain_sum_and_the_sum_of_digits_are_right(stated: str) -> None:
    assert is_hash(stated, ["2.5", "-3", ""])


def test_any_other_sum_is_wrong_unless_a_quantity_is_no_number() -> None:
    assert not is_hash("5.5", ["2.5", "-3"])
    assert is_hash("5.5", ["2.5", "x"])


def test_a_hash_total_is_cut_to_ten_digits() -> None:
    assert hash_total([".18", "-.0018", "1.8", "18.01", ""]) == 1855
    assert hash_total(["9999999999", "2"]) == 1


def test_each_total_has_a_finding_of_its_own() -> None:
    assert [*totals_faults(["CTT", "3", "9"], 2, QUANTITIES["850"], ["1", "2"])] == [
        TotalsFault(FindingCode.LINE_COUNT_WRONG, "CTT01 is wrong: the set has 2 lines", 1),
        TotalsFault(FindingCode.HASH_TOTAL_WRONG, "CTT02 is not the sum of PO102", 2),
    ]


@pytest.mark.parametrize("row", ["CTT*2", "CTT*002", "CTT*2x", "CTT", "CTT*2*3"])
def test_what_is_right_or_no_number_is_no_fault(row: str) -> None:
    assert [*totals_faults(row.split("*"), 2, QUANTITIES["850"], ["1", "2"])] == []


def test_the_hash_total_of_a_set_without_a_certain_quantity_is_not_compared() -> None:
    assert [*totals_faults(["CTT", "1", "9"], 1, None, [])] == []


def test_totals_of_an_order_are_warnings() -> None:
    assert found(ONE, TWO, "CTT*2*28") == []
    assert found(ONE, TWO, "CTT*2*-.5") == []
    assert found(ONE, TWO, "CTT*2*29") == [("hash_total_wrong", "warning", "CTT.02")]
    assert found(ONE, TWO, "CTT*3") == [("line_count_wrong", "warning", "CTT.01")]


def test_quantities_of_earlier_stretches_are_added() -> None:
    def span(*texts: str) -> BalanceSpan:
        rows = [text.split("*") for text in texts]
        return BalanceSpan(None, rows, [row[0] for row in rows], {})

    balance = LineBalance("860")
    balance.take(span("POC*1*CA*7*1*EA", "LIN*1"))
    balance.take(span("POC*2*CA*4*1*EA", "CTT*2*11", "POC*3*CA*1*1*EA", "CTT*3*12"))
    assert balance.faults == []
    balance.take(span("CTT*4*13"))
    assert [fault.code for fault in balance.faults] == ["line_count_wrong", "hash_total_wrong"]


@pytest.mark.parametrize(
    ("folder", "right", "wrong"),
    [
        ("850_purchase_order", "CTT*3*178", "CTT*3*179"),
        ("810_invoice", "CTT*3*176", "CTT*3*177"),
        ("856_ship_notice", "CTT*8*176", "CTT*8*177"),
    ],
)
def test_sets_with_a_wrong_hash_total_are_not_taken_whole(
    folder: str, right: str, wrong: str
) -> None:
    text = sample_sets(folder, 4)
    start, end = text.index("CTT*"), text.index("~", text.index("CTT*"))
    text = text.replace(text[start:end], right)
    third = text.index("ST*", text.index("*0003~") - 8)
    bad = text[:third] + text[third:].replace(right, wrong, 1)
    with learning_at_once():
        validate(lambda: (text,))
        assert (taken(text), taken(bad)) == (4, 3)
        assert said(bad) == said(bad, is_whole=False)
        assert said(text)[0].finding_count == 0  # type: ignore[attr-defined]  # a Validation


def test_lines_of_a_set_with_several_totals_are_not_passed_at_once() -> None:
    definition = shipped().definition("846", "004010")
    assert definition is not None
    checks = CrossChecks(table_of(definition), DELIMITERS)
    assert checks.are_passed("~LIN**UP*1~CTT*1*7~", "~")  # CTT02 is not compared
    assert not checks.are_passed("~LIN**UP*1~CTT*1~CTT*1~", "~")
    assert checks.are_passed("~LIN**UP*1~", "~")
