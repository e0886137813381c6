"""``longshore validate`` of several files, and its reports for other programs."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from longshore.cli.first_request import purchase_order
from longshore.engine import validate
from tests.support.unchecked import ORDER as SHORT_ORDER
from tests.support.unchecked import a_document
from tests.unit.cli.conftest import CommandLine

ORDER = purchase_order().replace("~", "~\n")
WRONG = ORDER.replace("SE*28*", "SE*27*")
UNKNOWN = ORDER.replace("ST*850*", "ST*992*").replace("GS*PO*", "GS*ZZ*")
UNREADABLE = "Dear partner"
LEVELS = {"none", "note", "warning", "error"}


@pytest.fixture
def inbox(run: CommandLine) -> CommandLine:
    """A folder with a document of each outcome."""
    documents = {"a.edi": ORDER, "b.edi": UNREADABLE, "c/d.edi": WRONG, "c/e.edi": UNKNOWN}
    for name, document in documents.items():
        path = run.folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document)
    return run


def test_each_file_is_validated_and_named_and_the_worst_is_the_exit_code(
    inbox: CommandLine,
) -> None:
    ran = inbox("validate", "in")
    named = [line for line in ran.out.splitlines() if line.endswith(".edi:")]
    assert named == ["in/a.edi:", "in/b.edi:", "in/c/d.edi:", "in/c/e.edi:"]
    outcomes = re.findall(r"^outcome +(\w+(?: checked)?)", ran.out, re.MULTILINE)
    assert outcomes == ["valid", "invalid", "not checked"]
    assert ran.code == 2
    assert ran.err.startswith("longshore: in/b.edi: Document is not X12")
    assert inbox("validate", "in/a.edi", "in/c").code == 1
    assert inbox("validate", "in/a.edi", "in/c/e.edi").code == 3
    assert inbox("validate", "in/a.edi", "in/a.edi").code == 0


def test_json_of_several_files_holds_the_answer_about_each(inbox: CommandLine) -> None:
    ran = inbox("validate", "in", "--json")
    a, b, d, e = ran.json["files"]
    assert a == {"file": "in/a.edi", **json.loads(validate(ORDER).result_json())}
    assert (b["file"], b["code"], "valid" in b) == ("in/b.edi", "document_unparseable", False)
    assert [each["valid"] for each in (a, d, e)] == [True, False, None]
    assert inbox("validate", "in", "--format", "json").out == ran.out
    one = inbox("validate", "in/a.edi", "--format", "json")
    assert one.out.encode() == validate(ORDER).result_json() + b"\n"
    refused = inbox("validate", "in/a.edi", "--json", "--format", "sarif")
    assert (refused.code, refused.json["error"]) == (
        2,
        "--json and --format sarif contradict each other.",
    )


def sarif(run: CommandLine, *files: str) -> tuple[int, dict[str, Any]]:
    """Return exit code and the one run of a report, after a look at its structure."""
    ran = run("validate", "--format", "sarif", *files)
    log = ran.json
    assert (log["version"], log["$schema"].endswith("sarif-2.1.0.json")) == ("2.1.0", True)
    [only] = log["runs"]
    driver = only["tool"]["driver"]
    assert driver["name"] == "longshore"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(rules) == len(set(rules))
    for result in only["results"]:
        assert result["message"]["text"]
        assert result["level"] in LEVELS
        assert rules[result["ruleIndex"]] == result["ruleId"]
        [location] = result["locations"]
        artifact = location["physicalLocation"]["artifactLocation"]
        assert only["artifacts"][artifact["index"]]["location"]["uri"] == artifact["uri"]
        region = location["physicalLocation"].get("region", {"startLine": 1})
        assert region["startLine"] >= 1
        assert region.get("startColumn", 1) >= 1
        assert region.get("charOffset", 0) >= 0
    return ran.code, only


def test_sarif_has_each_finding_at_its_place(inbox: CommandLine) -> None:
    code, found = sarif(inbox, "in/c/d.edi")
    [finding] = validate(WRONG).findings
    [result] = found["results"]
    assert code == 1
    assert (result["ruleId"], result["level"]) == ("segment_count_wrong", "error")
    assert result["message"]["text"] == finding.message
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "in/c/d.edi", "index": 0}
    assert physical["region"] == {
        "startLine": finding.line,
        "startColumn": 4,
        "charOffset": finding.offset,
    }
    assert WRONG.splitlines()[physical["region"]["startLine"] - 1] == "SE*27*0001~"
    assert result["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "SE.01"}]
    assert found["columnKind"] == "unicodeCodePoints"


def test_sarif_never_passes_what_was_not_checked_or_read(inbox: CommandLine) -> None:
    code, found = sarif(inbox, "in")
    results = {
        (each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], each["ruleId"]): each
        for each in found["results"]
    }
    unchecked = results["in/c/e.edi", "not_checked"]
    assert (unchecked["level"], unchecked["message"]["text"]) == (
        "warning",
        "There is no definition of set 1 (992 004010): only its envelope was checked.",
    )
    region = unchecked["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (3, 1)
    assert results["in/b.edi", "document_unparseable"]["level"] == "error"
    assert [key for key in results if key[0] == "in/a.edi"] == []
    [invocation] = found["invocations"]
    assert (code, invocation["exitCode"], invocation["executionSuccessful"]) == (2, 2, False)
    assert len(invocation["toolExecutionNotifications"]) == 1
    empty = sarif_of_no_set(inbox)
    assert [each["ruleId"] for each in empty["results"]].count("not_checked") == 1


def sarif_of_no_set(run: CommandLine) -> dict[str, Any]:
    (run.folder / "none.edi").write_text(no_set())
    return sarif(run, "none.edi")[1]


def no_set() -> str:
    """Return an interchange with an empty group."""
    start, end = ORDER.index("ST*"), ORDER.index("GE*")
    return (ORDER[:start] + ORDER[end:]).replace("GE*1*", "GE*0*")


def junit(run: CommandLine, *files: str) -> tuple[int, ET.Element]:
    """Return exit code and root of a report, after a look at its structure."""
    ran = run("validate", "--format", "junit", *files)
    root = ET.fromstring(ran.out)
    assert root.tag == "testsuites"
    for group in (root, *root):
        cases = list(group.iter("testcase"))
        assert group.get("tests") == str(len(cases))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert group.get(name) == str(sum(case.find(tag) is not None for case in cases))
    for case in root.iter("testcase"):
        assert case.get("name")
        assert case.get("classname")
        assert {child.tag for child in case} <= {"failure", "error", "skipped", "system-out"}
    return ran.code, root


def test_junit_has_a_case_for_each_set_and_skips_what_was_not_checked(inbox: CommandLine) -> None:
    code, root = junit(inbox, "in")
    assert code == 2
    outcomes = {
        (suite.get("name"), case.get("name")): next(
            (child.tag for child in case if child.tag != "system-out"), "passed"
        )
        for suite in root
        for case in suite
    }
    assert outcomes == {
        ("in/a.edi", "envelope"): "passed",
        ("in/a.edi", "set 1 850 004010 0001"): "passed",
        ("in/b.edi", "envelope"): "error",
        ("in/c/d.edi", "envelope"): "passed",
        ("in/c/d.edi", "set 1 850 004010 0001"): "failure",
        ("in/c/e.edi", "envelope"): "passed",
        ("in/c/e.edi", "set 1 992 004010 0001"): "skipped",
    }
    [failure] = root.iter("failure")
    [finding] = validate(WRONG).findings
    assert failure.attrib == {"message": finding.message, "type": "segment_count_wrong"}
    assert failure.text == f"error segment_count_wrong line 30 SE.01: {finding.message}"
    [skipped] = root.iter("skipped")
    assert skipped.get("message", "").startswith("There is no definition of set 1 (992 004010)")


def test_junit_says_what_is_wrong_with_the_envelope(inbox: CommandLine) -> None:
    (inbox.folder / "envelope.edi").write_text(ORDER.replace("GE*1*", "GE*5*"))
    (inbox.folder / "none.edi").write_text(no_set())
    _, root = junit(inbox, "envelope.edi", "none.edi")
    wrong, empty = (suite[0] for suite in root)
    assert [child.tag for child in wrong] == ["failure"]
    assert "passed" not in {child.tag for child in empty}
    assert empty.find("skipped") is not None or empty.find("failure") is not None


def test_why_a_guide_is_not_used_is_said_alike_in_every_report(inbox: CommandLine) -> None:
    guide = ("a.edi", "--guide", "005010X222A1")
    (inbox.folder / "a.edi").write_text(a_document(SHORT_ORDER))
    fault = "uide 005010X222A1 does not describe 850;"
    said = f"G{fault} set 1 (850 004010) was checked without it."
    _, found = sarif(inbox, *guide)
    texts = {each["ruleId"]: each["message"]["text"] for each in found["results"]}
    assert texts["not_checked"] == said
    assert texts["guide_unknown"] == f"g{fault} checked against 850 005010 only"
    [skipped] = junit(inbox, *guide)[1].iter("skipped")
    assert skipped.get("message") == said
    shown = inbox("validate", "a.edi", "--guide", "<script>")
    assert "    the guide that is named is not known; checked against 850" in shown.out


def test_acknowledgements_of_several_files(inbox: CommandLine) -> None:
    ran = inbox("ack", "in/a.edi", "in/b.edi", "in/c/d.edi", "--json")
    accepted, refused, rejected = ran.json["files"]
    assert (ran.code, accepted["file"], accepted["ack_type"]) == (2, "in/a.edi", "997")
    assert ("AK5*A" in accepted["ack"], "AK5*R*4" in rejected["ack"]) == (True, True)
    assert refused["code"] == "document_unparseable"
    shown = inbox("ack", "in/a.edi", "in/c/d.edi")
    assert (shown.code, shown.out.count("edi:\n")) == (0, 2)
    assert shown.out.index("in/a.edi:") < shown.out.index("AK5*A") < shown.out.index("in/c/d.edi:")


def test_paths_are_written_as_addresses(inbox: CommandLine) -> None:
    path = Path(inbox.folder / "große Datei.edi")
    path.write_text(WRONG)
    _, found = sarif(inbox, path.name)
    assert found["artifacts"] == [{"location": {"uri": "gro%C3%9Fe%20Datei.edi"}}]


def test_text_that_was_not_read_is_never_passed(inbox: CommandLine) -> None:
    """A damaged interchange behind a good one: the file as a whole was not checked."""
    (inbox.folder / "two.edi").write_text(ORDER + ORDER.replace("ISA*", "ISB*", 1))
    code, root = junit(inbox, "two.edi")
    message = (
        f"{len(ORDER):,} characters outside every interchange, which may be documents, were not "
        "read."
    )
    assert (code, [each.get("message") for each in root.iter("skipped")]) == (3, [message])
    _, found = sarif(inbox, "two.edi")
    assert [(each["ruleId"], each["message"]["text"]) for each in found["results"]][1:] == [
        ("not_checked", message)
    ]
    assert inbox("validate", "two.edi", "--json").json["valid"] is None


def test_what_is_not_acknowledged_is_named_with_its_file(inbox: CommandLine) -> None:
    ran = inbox("ack", "in/a.edi", "in/c/e.edi")
    assert (ran.code, ran.out.count("AK5*A")) == (3, 1)
    assert "in/c/e.edi: not acknowledged because not checked: set 1 (992 004010)" in ran.err
    folder = inbox("ack", "in/c")
    assert "in/c/e.edi: not acknowledged" in folder.err
