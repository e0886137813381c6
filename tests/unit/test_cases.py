"""The cases: what parsing the raw bytes of each answers, member by member, exact and in order."""

import json
from pathlib import Path
from typing import Final

import pytest

from longshore.engine import parse
from longshore.kit.errors import LongshoreError

CASES: Final = Path(__file__).resolve().parents[1] / "cases"
EXPECTED: Final[dict[str, dict[str, object]]] = json.loads((CASES / "expected.json").read_bytes())
REFUSED: Final = sorted(name for name, expected in EXPECTED.items() if "status" in expected)
READ: Final = sorted(EXPECTED.keys() - set(REFUSED))
SHORTHAND: Final = {"interchange": "ta105", "group": "ak905", "set": "ak502"}


def shorthand(findings: list[dict[str, dict[str, str]]]) -> list[str]:
    """Return the acknowledgement codes as the cases write them: ``ak502_4``."""
    codes = [pair for finding in findings for pair in finding["ack_code"].items()]
    return [f"{SHORTHAND[level]}_{code}" for level, code in codes]


def test_each_document_has_an_expectation_and_the_other_way_round() -> None:
    documents = {each.name for each in CASES.iterdir()} - {"expected.json", "README.md"}
    assert documents == EXPECTED.keys()
    assert (len(READ), REFUSED) == (39, ["40_not_x12.txt"])


@pytest.mark.parametrize("name", READ)
def test_each_case_answers_every_member_as_expected(name: str) -> None:
    expected = EXPECTED[name]
    result = json.loads(parse((CASES / name).read_bytes()).result_json())
    result["errors"] = shorthand(result["errors"])
    result["warnings"] = list(dict.fromkeys(each["code"] for each in result["warnings"]))
    assert {member: result[member] for member in expected} == expected
    assert list(result["fields"].items()) == list(expected["fields"].items())  # type: ignore[attr-defined]  # an object


@pytest.mark.parametrize("name", READ)
def test_each_utf_8_case_answers_the_same_as_text(name: str) -> None:
    data = (CASES / name).read_bytes()
    parsed = parse(data)
    if parsed.document.charset == "utf-8":
        assert parse(data.decode()).document.fields_json == parsed.document.fields_json


@pytest.mark.parametrize("name", REFUSED)
def test_each_refused_case_says_why(name: str) -> None:
    expected = EXPECTED[name]
    with pytest.raises(LongshoreError) as caught:
        parse((CASES / name).read_bytes())
    refused = caught.value
    assert (refused.code, refused.details[0].code) == (expected["code"], expected["detail_code"])
    assert (refused.message, expected["status"]) == (expected["error"], 400)
