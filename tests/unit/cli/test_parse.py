"""``longshore parse``: what is printed, for people and for programs, and how it ends."""

import json
import os
import pty
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from longshore.cli.first_request import purchase_order
from longshore.engine import parse
from longshore.engine.listing import DocumentListing
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


def test_people_see_what_it_is_and_every_field_with_its_name(run: CommandLine) -> None:
    ran = run("parse", a_file(run, PURCHASE_ORDER))
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert lines[:7] == [
        "format      x12 004010",
        "set         850",
        "separators  element *  segment ~  component >",
        "charset     utf-8",
        f"size        {len(PURCHASE_ORDER)} bytes",
        "counts      1 interchange  1 group  1 set  32 segments",
        "",
    ]
    shown = [re.split(" {2,}", line, maxsplit=2) for line in lines[7:] if line]
    assert {key: value for key, _, value in shown} == parse(PURCHASE_ORDER).fields
    names = {key: name for key, name, _ in shown}
    assert (names["BEG.03"], names["ISA.13"]) == ("Number", "Control number")
    assert (ran.code, ran.err) == (0, "")


def many_sets(count: int) -> str:
    """Return an interchange of purchase orders, each of 28 segments."""
    start, end = PURCHASE_ORDER.index("ST*"), PURCHASE_ORDER.index("GE*")
    one = PURCHASE_ORDER[start:end]
    sets = [one.replace("*0001", f"*{number:04d}") for number in range(1, count + 1)]
    tail = PURCHASE_ORDER[end:].replace("GE*1*", f"GE*{count}*")
    return PURCHASE_ORDER[:start] + "".join(sets) + tail


def test_of_a_large_document_people_see_the_beginning_and_how_much_there_is(
    run: CommandLine,
) -> None:
    document = many_sets(1_000)
    ran = run("parse", a_file(run, document))
    assert "counts      1 interchange  1 group  1,000 sets  28,004 segments" in ran.out
    assert ran.out.endswith("\n\n… and 27,804 more segments; --all shows them\n")
    # ISA, GS, seven sets of 28 segments, and two of the eighth
    assert ran.out.count(" Transaction set ") == 8
    assert len(re.findall(r"^ST\[8\]/BEG\.", ran.out, re.MULTILINE)) == 4
    assert "ST[8]/CUR" not in ran.out
    whole = run("parse", a_file(run, document), "--all").out
    assert whole.count(" Transaction set ") == 1_000
    assert whole[len(whole) - len(whole.rpartition("ST[1000]/")[2]) :].count("IEA.02") == 1


def test_memory_does_not_grow_with_the_document(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.edi"
        path.write_text(many_sets(count))

        def chunks() -> Iterator[bytes]:
            with path.open("rb") as file:
                while chunk := file.read(65_536):
                    yield chunk

        tracemalloc.start()
        listing = DocumentListing(chunks)
        assert listing.summary().sets == count
        assert sum(len(fields) for fields in listing.fields()) > 80 * count
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(100)  # what is made once
    assert peak(4_000) < 3 * peak(400)


def test_files_and_folders_are_shown_one_after_another(run: CommandLine) -> None:
    for name in ("in/b.edi", "in/a/c.edi", "in/.hidden", "in/a/.git/x"):
        path = run.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PURCHASE_ORDER)
    (run.folder / "in/bad.edi").write_text("Dear partner")
    (run.folder / "wrong.edi").write_text(WRONG_COUNT)
    ran = run("parse", "wrong.edi", "in")
    headings = [line for line in ran.out.splitlines() if line.endswith("edi:")]
    assert headings == ["wrong.edi:", "in/a/c.edi:", "in/b.edi:", "in/bad.edi:"]
    assert ran.code == 2
    assert ran.err == (
        "longshore: in/bad.edi: Document is not X12: no ISA or segment found"
        " (document_unparseable)\n"
    )
    answers = run("parse", "wrong.edi", "in", "--json").json["files"]
    assert [each["file"] for each in answers] == [heading[:-1] for heading in headings]
    assert {**answers[1], "file": ""} == {
        "file": "",
        **json.loads(parse(PURCHASE_ORDER).result_json()),
    }
    assert (answers[3]["code"], "fields" in answers[3]) == ("document_unparseable", False)
    assert run("parse", "wrong.edi", "in/b.edi").code == 1
    assert run("parse", "in/a", "--json").json["files"][0]["file"] == "in/a/c.edi"
    assert run("parse", "in/a", "in/b.edi", "--view", "segments").code == 2
    (run.folder / "empty").mkdir()
    assert "There is no file in the folder empty." in run("parse", "empty").err


def test_on_a_terminal_the_report_is_paged(tmp_path: Path) -> None:
    (tmp_path / "document").write_text(PURCHASE_ORDER)
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\nsed 's/^/paged: /'\n")
    pager.chmod(0o755)

    def typed(*options: str) -> str:
        own, other = pty.openpty()
        command = [sys.executable, "-m", "longshore", "parse", "document", *options]
        with subprocess.Popen(
            command,
            cwd=tmp_path,
            stdin=other,
            stdout=other,
            env={**os.environ, "PAGER": str(pager), "TERM": "xterm"},
        ) as running:
            os.close(other)
            text = b""
            while chunk := read_terminal(own):
                text += chunk
            assert running.wait() == 0
        os.close(own)
        return text.decode()

    assert "paged: BEG.03" in typed()
    assert "paged" not in typed("--no-pager")


def read_terminal(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # Linux, at the end
        return b""


def test_other_formats_are_limited_too(run: CommandLine) -> None:
    document = "sku,qty\n" + "A,1\n" * 600
    ran = run("parse", a_file(run, document), "--format", "csv")
    assert "counts      1,200 fields\n" in ran.out
    assert ran.out.endswith("… and 200 more lines; --all shows them\n")
    whole = run("parse", a_file(run, document), "--format", "csv", "--all").out
    assert whole.count("row[") == 1_198


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
    document = '{"a":{"b":[1,"\x9b"],"é \\"{},: ":[],"d":{},"e":[null,true,-1.5,["\\\\"]]}}'
    ran = run("parse", a_file(run, document), "--format", "json", "--view", "tree")
    tree = json.loads(parse(document, format="json", include=["tree"]).result_json())["tree"]
    shown = ran.out.partition("\n\n")[2]
    as_json = json.dumps(tree, indent=2, ensure_ascii=False)
    assert shown == as_json.replace("\x9b", "\\x9b") + "\n"


@pytest.mark.parametrize(
    "document",
    [many_sets(10), many_sets(10).partition("~GS")[2].partition("~")[2]],
    ids=["an interchange", "sets alone"],
)
def test_of_a_large_document_people_see_the_tree_of_the_beginning(
    run: CommandLine, document: str
) -> None:
    segments = document.split("~")[:-1]
    ran = run("parse", a_file(run, document), "--view", "tree")
    shown, _, rest = ran.out[ran.out.index("\n[") :].rpartition("\n\n")
    beginning = "".join(f"{segment}~" for segment in segments[:200])
    tree = json.loads(parse(beginning, include=["tree"]).result_json())["tree"]
    assert json.loads(shown) == tree
    assert rest == f"… and {len(segments) - 200:,} more segments; --all shows them\n"
    whole = run("parse", a_file(run, document), "--view", "tree", "--all").out
    tree = json.loads(parse(document, include=["tree"]).result_json())["tree"]
    assert json.loads(whole[whole.index("\n[") :]) == tree


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
