"""The page about leniency says what the code does."""

import re

import pytest

from longshore.engine import validate
from longshore.x12.findings import ACK_CODES, SEVERITIES, Severity
from longshore.x12.leniency import read_leniency
from tests.docs.pages import ROOT
from tests.unit.x12.documents import a_group, a_set, interchange, isa

PAGE = (ROOT / "docs/reference/leniency.md").read_text(encoding="utf-8")


def section(number: int) -> str:
    """Return the text of a section."""
    found = re.search(rf"^## {number}\. .*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def test_its_table_of_defaults_is_that_of_the_code() -> None:
    named = {
        found[1]: set(re.findall("`([a-z0-9_]+)`", found[2]))
        for found in re.finditer(r"^\| `(\w+)` \| (.*) \|$", section(2), re.MULTILINE)
    }
    assert named.keys() == {severity.value for severity in Severity}
    by_severity = {
        severity: {str(code) for code in SEVERITIES if SEVERITIES[code] == severity}
        for severity in Severity
    }
    assert by_severity[Severity.ERROR] == named["error"] | {str(code) for code in ACK_CODES}
    assert by_severity[Severity.INFO] == named["info"]
    assert named["warning"] == set()


def test_every_code_it_names_exists() -> None:
    codes = set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", PAGE))
    settings = {
        *("finding_count", "ack_code", "invalid_parameter", "reject_level"),
        *("count_mismatch", "accept_with_errors"),
    }
    assert codes - settings - set(SEVERITIES) == set()


def test_its_example_can_be_read() -> None:
    example = re.search(r"```json\n\{(.*)\}\n```", PAGE)
    assert example is not None
    words = dict(re.findall(r'"(\w+)": "(\w+)"', example[1]))
    assert len(read_leniency(words)) == 3


BEG, LINE = "BEG*00*SA*PO-1**20240115", "PO1*1*1*EA*1"
DOCUMENTS = {
    "segment_missing": a_group(*a_set(BEG)),
    "group_time_invalid": tuple(
        each.replace("0930", "2430") for each in a_group(*a_set(BEG, LINE))
    ),
    "group_control_number_mismatch": (*a_group(*a_set(BEG, LINE))[:-1], "GE*1*8"),
}


@pytest.mark.parametrize("code", DOCUMENTS)
def test_its_acknowledgements_are_those_that_are_made(code: str) -> None:
    text = interchange(*DOCUMENTS[code], "IEA*1*000000101", head=isa(e14="1"))
    [(strict, eased)] = re.findall(rf"^\| `{code}`: (.*) \| (.*) \|$", section(4), re.MULTILINE)
    for cell, ack in (
        (strict, validate(text).ack),
        (eased, validate(text, leniency={code: "info"}).ack),
    ):
        said = cell.split("`")[1].replace("…", "000000101*240115*0930")
        assert f"~{said}" in ack
