"""Issue 4: a set outside every group is judged by ISA12, in the views as in validation."""

import json

import pytest

from longshore.engine import parse, validate
from tests.unit.x12.documents import an_850


def loops(document: str) -> list[str | None]:
    segments = json.loads(parse(document, include=["segments"]).result_json())["segments"]
    return [each["loop"] for each in segments if each["id"] == "BEG"]


@pytest.mark.parametrize(
    ("document", "definition", "loop"),
    [
        ("GS*PO*A*B*20260115*0930*1*X*005010~GE*0*1~ST*850*0001~BEG*00~", "none", None),
        (an_850("BEG*00").replace("ST*850*0001", "GE*0*101~ST*850*0001"), "exact", "heading"),
    ],
)
def test_a_group_that_has_ended_lends_no_release(
    document: str, definition: str, loop: str | None
) -> None:
    assert json.loads(validate(document).result_json())["definition"] == definition
    assert loops(document) == [loop]


def test_a_segment_of_another_set_is_known_though_no_set_here_uses_it() -> None:
    findings = validate(an_850("BEG*00*SA*PO-1**20260115", "BGN*00*1*20260115")).findings
    codes = [each.code for each in findings if each.segment_id == "BGN"]
    assert codes == ["segment_not_in_set"]
