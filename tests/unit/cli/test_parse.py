"""``longshore parse``: what is printed, for people and for programs, and how it ends."""

import json
from pathlib import Path

import pytest

from longshore.cli.first_request import purchase_order
from longshore.engine import parse
from tests.unit.cli.conftest import CommandLine

SAMPLES = Path(__file__).parents[3] / "samples"
PURCHASE_ORDER = purchase_order()
WRONG_COUNT = PURCHASE_ORDER.replace("SE*28*", "SE*27*")


def a_file(run: CommandLine, content: str | bytes) -> str:
    path = run.folder / "document"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


@pytest.mark.parametrize(
    "sample", ["850_purchase_order", "837p_claim", "json_order", "xml_order", "csv_order"]
)
def test_json_is_the_engines_bytes_and_a_newline(run: CommandLine, sample: str) -> None:
    [path] = (SAMPLES / sample).glob("input.*")
    name = path.suffix[1:].replace("edi", "x12")
    ran = run("parse", str(path), "--format", name, "--json")
    parsed = parse(path.read_bytes(), format=name)
    assert (ran.code, ran.out.encode(), ran.err) == (0, parsed.result_json() + b"\n", "")
    expected = (SAMPLES / sample / "fields.json").read_text(encoding="utf-8")
    assert ran.json["fields"] == json.loads(expected)


def test_options_reach_the_engine(run: CommandLine) -> None:
    document = a_file(run, "a;b\n1;2\n")
    ran = run("parse", document, "--format", "csv", "--no-csv-header", "--json")
    assert ran.json == json.loads(parse("a;b\n1;2\n", format="csv", csv_header=False).result_json())
    fragment = a_file(run, "ST+850+0001|BEG+00+SA+PO-1++20240115|SE+3+0001|")
    ran = run("parse", fragment, "--elem-sep", "+", "--seg-term", "|", "--json")
    assert (ran.json["elem_sep"], ran.json["fields"]["BEG.03"]) == ("+", "PO-1")


def test_octets_are_decoded_by_the_engine(run: CommandLine) -> None:
    document = PURCHASE_ORDER.replace("Tea towels", "Spültücher").encode("latin-1")
    ran = run("parse", a_file(run, document), "--json")
    assert (ran.json["charset"], ran.json["fields"]["PID[3].05"]) == (
        "iso-8859-1",
        "Spültücher, case of 6",
    )


def test_people_see_the_frame_and_every_field(run: CommandLine) -> None:
    ran = run("parse", a_file(run, PURCHASE_ORDER))
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[:6] == [
        "format      x12 004010",
        "set         850",
        "separators  element *  segment ~  component >",
        "charset     utf-8",
        "counts      32 segments  116 fields",
        "",
    ]
    shown = dict(line.split(maxsplit=1) for line in lines[6:])
    assert shown == parse(PURCHASE_ORDER).fields
    assert ran.code == 0


def test_people_see_findings_with_their_place(run: CommandLine) -> None:
    ran = run("parse", a_file(run, WRONG_COUNT))
    [finding] = parse(WRONG_COUNT).errors
    [line] = [line for line in ran.out.splitlines() if finding.code in line]
    assert line.split()[:5] == ["error", "line", "1", "offset", str(finding.offset)]
    assert finding.message in line
    assert (ran.code, ran.err) == (1, "")


def test_more_findings_than_a_person_reads_are_counted(run: CommandLine) -> None:
    one_set = PURCHASE_ORDER[PURCHASE_ORDER.index("ST*") : PURCHASE_ORDER.index("GE*")]
    ran = run("parse", a_file(run, PURCHASE_ORDER.replace(one_set, one_set * 100)))
    hidden = len(parse(PURCHASE_ORDER.replace(one_set, one_set * 100)).errors) - 50
    assert f"… and {hidden} more; parse with --json has them all" in ran.out


def test_a_document_cannot_steer_the_terminal(run: CommandLine) -> None:
    ran = run("parse", a_file(run, PURCHASE_ORDER.replace("Desk lamp", "\x1b[2J[red]lamp")))
    assert "\\x1b[2J[red]lamp, brass" in ran.out
    assert "\x1b" not in ran.out


def test_errors_in_the_document_are_exit_code_1_with_json_too(run: CommandLine) -> None:
    ran = run("parse", a_file(run, WRONG_COUNT), "--json")
    assert (ran.code, [finding["path"] for finding in ran.json["errors"]]) == (1, ["SE.01"])


def test_segments_are_json_lines_and_findings_go_to_stderr(run: CommandLine) -> None:
    ran = run("parse", a_file(run, WRONG_COUNT), "--view", "segments")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    view = json.loads(parse(WRONG_COUNT, include=["segments"]).result_json())["segments"]
    assert rows == view
    assert (ran.code, ran.err.split()[4:6]) == (1, ["error", "line"])


def test_the_tree_of_a_json_document_is_a_view_beside_the_fields(run: CommandLine) -> None:
    ran = run(
        "parse", a_file(run, '{"a":{"b":[1,2]}}'), "--format", "json", "--view", "tree", "--json"
    )
    expected = parse('{"a":{"b":[1,2]}}', format="json", include=["tree"]).result_json()
    assert (ran.code, ran.out.encode()) == (0, expected + b"\n")


def test_people_see_the_tree_they_ask_for_in_place_of_the_fields(run: CommandLine) -> None:
    document = a_file(run, '{"a":{"b":[1,"\x9b"]}}')
    ran = run("parse", document, "--format", "json", "--view", "tree")
    tree = json.loads(
        parse('{"a":{"b":[1,"\x9b"]}}', format="json", include=["tree"]).result_json()
    )
    shown = ran.out.partition("\n\n")[2]
    assert shown == json.dumps(tree["tree"], indent=2).replace("\\u009b", "\\x9b") + "\n"


@pytest.mark.parametrize(
    ("content", "code", "details"),
    [("", "document_empty", ["document_empty"]), ("hello", "document_unparseable", ["not_x12"])],
)
@pytest.mark.parametrize("view", ["fields", "segments"])
def test_what_cannot_be_read_is_refused(
    run: CommandLine, view: str, content: str, code: str, details: list[str]
) -> None:
    ran = run("parse", a_file(run, content), "--view", view, "--json")
    assert (ran.code, ran.json["ok"], ran.json["code"]) == (2, False, code)
    assert [detail["code"] for detail in ran.json["details"]] == details
    assert ran.err == f"longshore: {ran.json['error']} ({code})\n"


def test_without_json_a_refusal_is_one_line_on_stderr(run: CommandLine) -> None:
    ran = run("parse", a_file(run, "hello"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "longshore: Document is not X12: no ISA or segment found (document_unparseable)\n"
    )


def test_a_file_that_is_not_there_is_bad_usage(run: CommandLine) -> None:
    ran = run("parse", "no.edi", "--json")
    assert (ran.code, ran.json["code"]) == (2, "invalid_parameter")
    assert "'no.edi' does not exist" in ran.json["error"]
