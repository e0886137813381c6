"""Issue 4: empty segments beyond the list of findings are counted before an IEA too."""

import json

import pytest

from longshore.engine import parse
from tests.unit.x12.documents import an_850


def test_they_are_counted_at_the_end_of_a_fragment_too() -> None:
    fragment = "ST*850*0001~BEG*00*SA*PO-1**20260115~" + "~" * 500
    *_, last = json.loads(parse(fragment).result_json())["warnings"]
    assert last["message"].endswith("more: empty_segment 101")


@pytest.mark.parametrize("line_break", ["", "\n"])
def test_every_empty_segment_is_listed_or_counted(line_break: str) -> None:
    document = an_850("BEG*00*SA*PO-1**20260115", *[""] * 300, "REF*DP*1", *[""] * 250)
    document = document.replace("~", f"~{line_break}")
    warnings = json.loads(parse(document).result_json())["warnings"]
    listed = sum(each["code"] == "empty_segment" for each in warnings)
    assert (listed, warnings[-1]["code"]) == (400, "findings_truncated")
    assert warnings[-1]["message"].endswith("more: empty_segment 150")
