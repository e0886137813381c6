"""Documents of other formats are recognised, and what could be X12 is not taken for one."""

import pytest

from longshore.engine import parse
from longshore.kit.errors import LongshoreError
from longshore.x12.other_formats import RECOGNISED_CHARS, recognise
from tests.support.other_formats import DOCUMENTS
from tests.unit.x12.documents import isa

ORDER = "ST*850*0001~BEG*00*SA*PO-1**20240115~SE*3*0001~"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("UNB+UNOA:1+A+B'", "edifact"),
        ("UNA\x1f\x1d.? \x1cUNB\x1dUNOA", "edifact"),
        ("UNH+1+ORDERS:D:96A:UN'", "edifact"),
        ("FHS|^~\\&|A\rBHS|^~\\&|B\r", "hl7"),
        ("BHS|^~\\&|A", "hl7"),
        ("MSH$%~\\&$LAB$", "hl7"),
        ("{}", "json"),
        ("[1, 2]", "json"),
        ('["a"]', "json"),
        ("<order/>", "xml"),
        ("<!DOCTYPE order []>", "xml"),
        ("a;b\r\n1;2\r\n", "csv"),
        ("a\tb\r1\t2", "csv"),
        ('name,note\n"Doe, Jane","two\n\nlines"\n', "csv"),
        ("SKU,QTY\nABC,1\nXYZ,2", "csv"),
        ("PO1,QTY\nABC,1\nXYZ,2", "csv"),
        ("a,b\n" * RECOGNISED_CHARS, "csv"),
    ],
)
def test_a_format_is_recognised_by_its_beginning(text: str, found: str) -> None:
    assert recognise(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Dear Sir, please\nfind the order, attached",
        "Dear Sir,\nthe order follows, as agreed,\nyours",
        "a,b,c",
        "a,b\n1,2,3\n",
        "a" * RECOGNISED_CHARS + ",b",
        "[10:30] started\n[10:31] done",
        "[1] See the appendix",
        "<html><body>Bad gateway</body></html>",
        "<!doctype html><title>x</title>",
        "UNABLE TO DELIVER",
        "MSHELL|1",
        "ST|850|0001\nBEG|00|SA\nSE|3|0001\n",
        "ST,850,0001\nZZ9,1,2\nYY9,1,2\n",
        "BEG,00,SA\nREF,DP,1\nXX9,1,2\n",
        "GS*PO*A*B~",
    ],
)
def test_what_could_be_x12_or_is_prose_is_not_recognised(text: str) -> None:
    assert recognise(text) is None


@pytest.mark.parametrize("before", DOCUMENTS.values(), ids=DOCUMENTS)
def test_an_isa_further_on_makes_it_x12(before: str) -> None:
    text = f"{before}\n{isa()}~GS*PO*A*B*20240115*0930*1*X*004010~{ORDER}GE*1*1~IEA*1*000000001~"
    parsed = parse(text)
    assert parsed.fields["BEG.03"] == "PO-1"
    assert [each.code for each in parsed.warnings][:1] == ["leading_garbage"]


def test_what_stands_in_front_is_skipped_and_counted() -> None:
    with pytest.raises(LongshoreError) as caught:
        parse("\ufeff \r\n\x0b" + DOCUMENTS["edifact"])
    [detail] = caught.value.details
    assert (detail.found, detail.offset, detail.line) == ("edifact", 5, 2)


def test_columns_are_read_as_segments_by_separators_that_were_chosen() -> None:
    parsed = parse("AB,1\nCD,2\n", elem_sep=",", seg_term="\n")
    assert parsed.fields == {"AB.01": "1", "CD.01": "2"}
    with pytest.raises(LongshoreError, match=r"This is EDIFACT; Longshore reads"):
        parse(DOCUMENTS["edifact"], elem_sep="+", seg_term="'")
