"""``longshore validate`` and ``longshore ack``: what people and programs are told, and the end."""

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from longshore.cli.first_request import purchase_order
from longshore.engine import acknowledge, validate
from tests.unit.cli.conftest import CommandLine

SAMPLES = Path(__file__).parents[3] / "samples"
PURCHASE_ORDER = purchase_order()
WRONG_COUNT = PURCHASE_ORDER.replace("SE*28*", "SE*27*")


def a_file(run: CommandLine, content: str | bytes) -> str:
    path = run.folder / "document"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


@pytest.mark.parametrize(
    "sample", ["850_purchase_order", "837p_claim", "997_functional_acknowledgment"]
)
def test_json_is_the_engines_bytes_and_a_newline(run: CommandLine, sample: str) -> None:
    path = SAMPLES / sample / "input.edi"
    ran = run("validate", str(path), "--json")
    assert (ran.code, ran.out.encode(), ran.err) == (
        0,
        validate(path.read_bytes()).result_json() + b"\n",
        "",
    )


def test_people_see_the_definition_and_the_outcome(run: CommandLine) -> None:
    ran = run("validate", str(SAMPLES / "837p_claim" / "input.edi"))
    elements = "116, 156, 1034, 1250, 1325, 1362, 1715"
    assert [line.rstrip() for line in ran.out.splitlines()] == [
        "set         837 005010X222A1",
        "definition  exact, 005010X222A1",
        "checked     SNIP level 3",
        f"codes       50 of 57 lists; not elements {elements}",
        "outcome     valid",
        "answer      999; `longshore ack` prints it",
    ]
    assert (ran.code, ran.err) == (0, "")


def test_people_see_the_segment_with_a_mark_below_the_element(run: CommandLine) -> None:
    ran = run("validate", a_file(run, WRONG_COUNT))
    offset = WRONG_COUNT.index("SE*27*") + 3
    assert [line.rstrip() for line in ran.out.splitlines()][4:] == [
        "outcome     invalid, 1 error",
        "answer      997; `longshore ack` prints it",
        "",
        f"error  segment_count_wrong  line 1 offset {offset} SE.01  AK502 4",
        "    SE01 is wrong: the set has 28 segments",
        "    SE*27*0001",
        "       ^",
    ]
    assert ran.code == 1


def test_errors_stand_before_other_findings_and_all_are_counted(run: CommandLine) -> None:
    document = PURCHASE_ORDER.replace("REF*", "~REF*").replace("SE*28*", "SE*27*")
    ran = run("validate", a_file(run, document))
    findings = validate(document).findings
    heads = [line for line in ran.out.splitlines() if line.startswith(("error ", "warning "))]
    severities = [line.split()[0] for line in heads]
    assert severities == sorted(each.severity for each in findings)
    warnings = len(findings) - 1
    assert f"invalid, 1 error, {warnings} other finding{'s' * (warnings > 1)}" in ran.out


def test_more_findings_than_a_person_reads_are_counted(run: CommandLine) -> None:
    document = PURCHASE_ORDER.replace("~SE*28*", f"{'~QQQ' * 60}~SE*88*")
    count = validate(document).validation.finding_count
    ran = run("validate", a_file(run, document))
    assert count >= 60
    assert ran.out.count("^\n") == 50
    assert ran.out.endswith(f"\n… and {count - 50} more; --json lists up to 1,000\n")


def test_guide_only_codes_are_those_of_a_999(run: CommandLine) -> None:
    document = (SAMPLES / "837p_claim" / "input.edi").read_text(encoding="utf-8")
    ran = run("validate", a_file(run, document.replace("BHT*0019*00*", "BHT*0019*01*")))
    assert "BHT.02  AK304 8 IK403 I6" in ran.out
    assert ran.code == 1


def test_a_finding_without_a_place_is_said_without_quotation(run: CommandLine) -> None:
    """A document with more warnings than are kept has such a one."""
    document = PURCHASE_ORDER.replace("~REF*", f"{'~REF*DP*038*' * 500}~REF*", 1)
    ran = run("validate", a_file(run, document.replace("SE*28*", "SE*528*")))
    assert (
        "\n\nwarning  findings_truncated\n    only 400 errors and as many warnings are listed; "
        "more: trailing_separators 100\n\nwarning  trailing_separators  line "
    ) in ran.out
    assert ran.code == 0


def test_options_reach_the_engine(run: CommandLine) -> None:
    fragment = "ST+850+0001|BEG+00+SA+PO-1++20240115|PO1+1|SE+4+0001|"
    given = ("--elem-sep", "+", "--seg-term", "|", "--release", "005010", "--guide", "G")
    ran = run("validate", a_file(run, fragment), *given, "--json")
    expected = validate(fragment, elem_sep="+", seg_term="|", release="005010", guide="G")
    assert ran.out.encode() == expected.result_json() + b"\n"
    assert [each["code"] for each in ran.json["findings"]] == ["no_envelope", "guide_unknown"]
    shown = run("validate", a_file(run, fragment), *given)
    assert "definition  standard" in shown.out
    assert "    guide G is not known; checked against 850 005010 only\n" in shown.out
    assert "answer" not in shown.out
    assert (ran.code, shown.code) == (3, 3)


def test_a_document_cannot_steer_the_terminal(run: CommandLine) -> None:
    ran = run("validate", a_file(run, WRONG_COUNT.replace("SE*27*", "SE*\x1b[2J[red]*")))
    assert "    SE*\\x1b[2J[red]*0001\n       ^" in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("command", ["validate", "ack"])
@pytest.mark.parametrize(
    ("content", "code"), [("", "document_empty"), ("hello", "document_unparseable")]
)
def test_what_cannot_be_read_is_refused(
    run: CommandLine, command: str, content: str, code: str
) -> None:
    ran = run(command, a_file(run, content))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f" ({code})\n")


def test_a_bad_release_is_refused_with_json_too(run: CommandLine) -> None:
    ran = run("validate", a_file(run, PURCHASE_ORDER), "--release", "4010", "--json")
    assert (ran.code, ran.json["code"]) == (2, "invalid_parameter")
    assert ran.json["details"][0]["param"] == "release"


@pytest.mark.parametrize("kind", ["auto", "997", "999", "TA1", "824"])
def test_the_acknowledgement_and_nothing_else_is_printed(run: CommandLine, kind: str) -> None:
    ran = run("ack", a_file(run, WRONG_COUNT), "--type", kind)
    expected = acknowledge(WRONG_COUNT, ack_type=kind)
    assert expected.text
    assert (ran.code, ran.out, ran.err) == (0, expected.text, "")


def test_programs_get_the_acknowledgement_with_its_kind(run: CommandLine) -> None:
    ran = run("ack", a_file(run, WRONG_COUNT), "--json")
    text = acknowledge(WRONG_COUNT).text
    assert ran.json == {"ack_type": "997", "ack": text, "truncated": False, "withheld": []}
    empty = run("ack", str(SAMPLES / "997_functional_acknowledgment" / "input.edi"), "--json")
    assert empty.json == {"ack_type": "", "ack": "", "truncated": False, "withheld": []}
    assert (ran.code, ran.err, empty.code, empty.err) == (0, "", 0, "")


def test_nothing_to_acknowledge_is_said_beside_an_empty_output(run: CommandLine) -> None:
    ran = run("ack", str(SAMPLES / "997_functional_acknowledgment" / "input.edi"))
    assert (ran.code, ran.out, ran.err) == (0, "", "nothing to acknowledge\n")


def test_notes_that_were_left_out_are_said_beside_the_output(run: CommandLine) -> None:
    document = PURCHASE_ORDER.replace("~SE*28*", f"{'~QQQ' * 10_001}~SE*10029*")
    ran = run("ack", a_file(run, document))
    assert ran.out == acknowledge(document).text
    assert ran.err == "there are more errors than an acknowledgement can name\n"


def test_an_unknown_type_is_bad_usage(run: CommandLine) -> None:
    ran = run("ack", a_file(run, PURCHASE_ORDER), "--type", "855")
    assert (ran.code, ran.out) == (2, "")
    assert "'855' is not one of" in ran.err


@pytest.mark.parametrize("command", ["validate", "ack"])
def test_a_dash_is_standard_input(
    run: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(PURCHASE_ORDER.encode())))
    ran = run(command, "-")
    assert ran.code == 0
    assert ran.out == (
        acknowledge(PURCHASE_ORDER).text
        if command == "ack"
        else run("validate", a_file(run, PURCHASE_ORDER)).out
    )
