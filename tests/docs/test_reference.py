"""The reference pages and the code say the same, as far as the code has come.

What a page promises and the code does not do yet stands in a set here, by name; each set shrinks
as issues are closed and must be empty in the end.
"""

import re
from pathlib import Path

import click

from longshore.cli.main import COMMANDS, longshore
from longshore.formats.flatmap import MAX_DEPTH, MAX_FIELDS
from longshore.http.errors import STATUS_BY_CODE
from longshore.kit.errors import ErrorCode
from longshore.settings import Settings
from longshore.x12.findings import ACK_CODES, FindingCode
from longshore.x12.refusals import MAX_SEGMENT_CHARS
from tests.docs.pages import ROOT
from tools.gen_docs import PAGES, main, stale_pages
from tools.library_pages import undescribed_names

COMMANDS_NOT_YET: frozenset[str] = frozenset()


def section(page: str, heading: str) -> str:
    """Return the text of a reference page from a heading to the next of its level."""
    text = (ROOT / "docs/reference" / page).read_text(encoding="utf-8")
    level = heading.split(maxsplit=1)[0]
    return re.split(rf"^{level} ", text.split(f"{heading}", 1)[1], flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """Return the cells of the table rows in ``text``, heads and rules left out."""
    lines = re.findall(r"^\|(.*)\|$", text, re.MULTILINE)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines][2:]


def statuses_of_the_contract() -> dict[str, int]:
    """Map each code of the contract's table to its status, in a row of several by position."""
    found: dict[str, int] = {}
    for statuses, codes, *_ in rows(section("contract.md", "## 2. Errors")):
        names = re.findall(r"`([a-z][a-z0-9_]+)`", codes)
        numbers = [int(number) for number in statuses.split(", ")]
        numbers = numbers if len(numbers) > 1 else numbers * len(names)
        found.update(zip(names, numbers, strict=True))
    return found


def test_the_error_codes_and_their_statuses_are_those_of_the_contract() -> None:
    codes = {code.value: STATUS_BY_CODE[code] for code in ErrorCode}
    assert codes == statuses_of_the_contract()


def test_the_limits_of_the_page_are_those_of_the_code() -> None:
    limits = {row[0]: row[1] for row in rows(section("fields-and-mapping.md", "## 10. Limits"))}
    document = next(value for name, value in limits.items() if name.startswith("document"))
    fields = next(value for name, value in limits.items() if name.startswith("fields"))
    assert f"{Settings().max_body_bytes:,}" in document
    assert f"{MAX_FIELDS:,}" == fields
    assert limits["nesting, JSON and XML"] == str(MAX_DEPTH)
    assert (limits["X12 segment"], MAX_SEGMENT_CHARS) == ("1 MiB", 1024 * 1024)


def test_every_warning_of_the_reading_rules_can_be_given() -> None:
    reading = section("x12.md", "## 1. Interchange syntax")
    named = set(re.findall(r"warn(?:ing)? `([a-z0-9_]+)`", reading))
    assert named - set(FindingCode) == set()


def test_every_acknowledgement_code_of_a_finding_stands_in_the_tables() -> None:
    interchange = set(re.findall(r"\b0[0-3][0-9]\b", section("x12.md", "### 2.1 TA1")))
    codes = section("x12.md", "### 2.3 Codes")
    listed = {"interchange": interchange}
    titles = {
        "set": "Set errors, AK502",
        "group": "Group errors, AK905",
        "segment": "Segment, AK304",
        "element": "Element, AK403",
    }
    for member, title in titles.items():
        text = codes.split(title, 1)[1].split("\n\n", 1)[0]
        listed[member] = set(re.findall(r"(?:; |: |adds )(I?[0-9]{1,2}) ", text))
    for ack_code in ACK_CODES.values():
        assert {code for member, code in ack_code.items() if code not in listed[member]} == set()


def test_the_commands_of_the_contract_exist_or_are_known_to_be_missing() -> None:
    text = section("contract.md", "## 14. Command line").split("```")[1]
    words = set(re.findall(r"^longshore ([a-z0-9]+)", text, re.MULTILINE))
    words |= set(re.findall(r"· ([a-z0-9-]+) (?:create|list|keygen|verify)", text))
    words |= set(re.findall(r"· (backup|restore|doctor|openapi|demo|completion)\b", text))
    assert words - set(COMMANDS) == COMMANDS_NOT_YET
    assert set(COMMANDS) <= words


def test_commands_have_the_options_of_the_contract() -> None:
    context = click.Context(longshore)
    options = {
        name: {flag for parameter in command.params for flag in parameter.opts}
        for name in ("serve", "parse", "validate", "ack")
        if (command := longshore.get_command(context, name))
    }
    assert {"--host", "--port", "--data-dir", "--database-url"} <= options["serve"]
    assert {"--format", "--view", "--json"} <= options["parse"]
    assert {"--guide", "--json"} <= options["validate"]
    assert "--type" in options["ack"]


def test_the_generated_pages_are_those_the_code_would_write() -> None:
    assert stale_pages() == []
    assert main(["--check"]) == 0


def test_a_changed_page_is_noticed(tmp_path: Path) -> None:
    for name, page in PAGES.items():
        (tmp_path / name).write_text(page(), encoding="utf-8")
    assert stale_pages(tmp_path) == []
    (tmp_path / "errors.md").write_text("# Error codes\n", encoding="utf-8")
    (tmp_path / "settings.md").unlink()
    assert stale_pages(tmp_path) == ["errors.md", "settings.md"]


def test_the_page_of_the_library_has_every_name_that_does_something() -> None:
    assert undescribed_names() == set()
