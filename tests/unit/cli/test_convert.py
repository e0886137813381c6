"""``longshore convert``: one document to stdout, many to a folder, and what is refused."""

import json
import os
import pty
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from longshore.cli import convert as convert_module
from longshore.cli.new_files import FileExistsAlreadyError, write_new_file
from longshore.compute.documents import convert_result
from longshore.engine import RuleText
from tests.support.clock import StoppedClock
from tests.unit.cli.conftest import CommandLine
from tests.unit.engine.conversion_examples import EXAMPLES, Example, case, rule

PO = [rule("BEG.03", "po")]


@pytest.fixture(autouse=True)
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert_module, "SystemClock", StoppedClock)


def a_file(run: CommandLine, name: str, content: object) -> str:
    text = content if isinstance(content, str) else json.dumps(content)
    path = run.folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return name


def rules_file(run: CommandLine, rules: object = PO) -> str:
    return a_file(run, "rules.json", rules)


def names_in(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def inbox(run: CommandLine, *names: str, content: str = "") -> None:
    for name in names:
        a_file(run, f"inbox/{name}", content or case())


@pytest.mark.parametrize(
    "example", [each for each in EXAMPLES if not each.refusal], ids=lambda each: each.row
)
def test_the_output_is_that_of_the_http_service(run: CommandLine, example: Example) -> None:
    options = dict(example.options)
    arguments = [
        *("convert", a_file(run, "document", example.document)),
        *("--rules", rules_file(run, example.rules)),
        *("--from", str(options.get("source_format", "x12"))),
        *("--to", str(options.get("target_format", "json"))),
    ]
    if "envelope" in options:
        arguments += ["--envelope", a_file(run, "envelope.json", options["envelope"])]
    ran = run(*arguments)
    is_empty = example.output == "{}"  # of which exit code 1 and a warning tell
    assert (ran.code, ran.out) == (int(is_empty), example.output)
    assert ran.err.count("warning: ") == len(example.warnings)


def test_json_is_the_http_answer_without_its_envelope(run: CommandLine) -> None:
    a_file(run, "order.edi", case())
    ran = run("convert", "order.edi", "--rules", rules_file(run), "--json", "--explain", "--split")
    made = convert_result(case(), RuleText(json.dumps(PO)), is_explained=True, is_split=True)
    assert (ran.code, ran.out.encode(), ran.err) == (0, made.members + b"\n", "")


def test_people_see_where_each_value_comes_from(run: CommandLine) -> None:
    rules = [*PO, {"const": "x", "tgt": "c"}, rule("BEG.03", "d", transform="date_iso")]
    a_file(run, "order.edi", case())
    ran = run("convert", "order.edi", "--rules", rules_file(run, rules), "--explain")
    assert ran.err.splitlines() == [
        (
            "warning: 1 of 1 values are not as date_iso expects; left unchanged"
            " (date_iso field_map[2] d)"
        ),
        "po = PO-4711  from BEG.03 field_map[0]",
        "c = x  from const field_map[1]",
        "d = PO-4711  from BEG.03 field_map[2]",
    ]
    ran = run("convert", "order.edi", "--rules", rules_file(run, [rule("BEG.03", "BEG.03")]),
              "--to", "x12", "--explain")  # fmt: skip
    assert "ST.01 = 850  from generated" in ran.err.splitlines()


def test_standard_input_is_a_document_too(
    run: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(case().encode())))
    assert run("convert", "-", "--rules", rules_file(run)).out == '{"po":"PO-4711"}'
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(case().encode())))
    ran = run("convert", "-", "--rules", rules_file(run), "--out", "out", "--json")
    (written,) = ran.json["files"][0]["outputs"]
    assert Path(written).name.startswith("850-")


def test_a_saved_map_brings_its_formats_set_and_lookups(run: CommandLine) -> None:
    saved = {
        "name": "orders", "source_fmt": "json", "target_fmt": "x12", "tx_set": "850",
        "lookups": [{"name": "units", "rows": [{"from": "each", "to": "EA"}]}],
        "field_map": [rule("unit", "PO1.03", lookup={"table_id": "units"})],
    }  # fmt: skip
    a_file(run, "order.json", {"unit": "each"})
    for content in (saved, {"ok": True, "map": saved}):
        ran = run("convert", "order.json", "--rules", rules_file(run, content))
        assert "~ST*850*0001~PO1***EA~SE*3*0001~" in ran.out
    rules = rules_file(run, {**saved, "field_map": [rule("unit", "u")]})
    ran = run("convert", "order.json", "--rules", rules, "--to", "json")
    assert ran.out == '{"u":"each"}'


# ---- many files ---------------------------------------------------------------------------------


def test_many_files_are_written_one_by_one(run: CommandLine) -> None:
    inbox(run, "a.edi", "b.edi")
    ran = run("convert", "inbox/*.edi", "inbox/a.edi", "--rules", rules_file(run), "--out", "out/x")
    assert (ran.code, ran.out, ran.err) == (0, "", "longshore: 2 converted, 0 failed\n")
    written = {path.name: path.read_text("utf-8") for path in Path("out/x").iterdir()}
    assert written == {"a.json": '{"po":"PO-4711"}', "b.json": '{"po":"PO-4711"}'}


def test_one_bad_file_stops_no_other(run: CommandLine) -> None:
    inbox(run, "a.edi", "c.edi")
    inbox(run, "b.edi", content="Dear partner")
    ran = run("convert", "inbox/*", "--rules", rules_file(run), "--out", "out", "--json")
    assert (ran.code, names_in("out")) == (1, ["a.json", "c.json"])
    assert (ran.json["converted"], ran.json["failed"]) == (2, 1)
    failure = ran.json["files"][1]
    assert (failure["file"], failure["code"]) == ("inbox/b.edi", "document_unparseable")
    assert ran.err.startswith("longshore: inbox/b.edi: Document ")


def test_a_file_that_cannot_be_read_stops_no_other(run: CommandLine) -> None:
    inbox(run, "a.edi", "b.edi")
    Path("out").mkdir()
    Path("out/.a.json").mkdir()
    Path(f"out/.a.json.{os.getpid()}.part").mkdir()
    ran = run("convert", "inbox/*", "--rules", rules_file(run), "--out", "out", "--json")
    assert (ran.code, ran.json["converted"]) == (1, 1)
    assert ran.json["files"][0]["code"] == "storage_unavailable"


def test_even_force_overwrites_nothing_that_the_command_made_itself(run: CommandLine) -> None:
    inbox(run, "a.edi")
    a_file(run, "b/a.edi", case().replace("PO-4711", "PO-4712"))
    files = ("inbox/a.edi", "b/a.edi")
    ran = run("convert", *files, "--rules", rules_file(run), "--out", "out", "--force", "--json")
    assert (ran.code, ran.json["converted"], ran.json["failed"]) == (1, 1, 1)
    second = ran.json["files"][1]
    assert (second["file"], second["code"]) == ("b/a.edi", "invalid_state")
    assert Path("out/a.json").read_text("utf-8") == '{"po":"PO-4711"}'


def test_of_a_split_file_all_outputs_are_written_or_none(run: CommandLine) -> None:
    sets = "".join(f"ST*850*{at}~BEG*00*SA*PO-{at}~SE*3*{at}~" for at in (1, 2))
    inbox(run, "a.edi", content=sets)
    a_file(run, "out/a-2.json", "mine")
    ran = run("convert", "inbox/a.edi", "--split", "--rules", rules_file(run), "--out", "out")
    assert (ran.code, names_in("out")) == (1, ["a-2.json"])
    assert Path("out/a-2.json").read_text("utf-8") == "mine"


def test_nothing_is_overwritten_unless_that_is_wanted(run: CommandLine) -> None:
    inbox(run, "a.edi")
    a_file(run, "out/a.json", "mine")
    ran = run("convert", "inbox/a.edi", "--rules", rules_file(run), "--out", "out")
    assert (ran.code, Path("out/a.json").read_text("utf-8")) == (1, "mine")
    assert "--force" in ran.err
    assert run("convert", "inbox/a.edi", "--rules", rules_file(run), "--out", "out",
               "--force").code == 0  # fmt: skip
    assert (Path("out/a.json").read_text("utf-8"), names_in("out")) == (
        '{"po":"PO-4711"}', ["a.json"],
    )  # fmt: skip


def test_each_set_of_a_split_file_has_a_file(run: CommandLine) -> None:
    inbox(run, "two.edi", content=case("14_two_sets_one_group.edi"))
    ran = run("convert", "inbox/two.edi", "--rules", rules_file(run), "--out", "out", "--split")
    assert (ran.code, names_in("out")) == (0, ["two-1.json", "two-2.json"])


def test_a_bar_is_shown_to_a_terminal(run: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    inbox(run, "a.edi", "b.edi")
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        assert run("convert", "inbox/*", "--rules", rules_file(run), "--out", "out").code == 0
    shown = b""
    with suppress(OSError):  # how the end of a terminal is told
        while piece := os.read(ours, 65_536):
            shown += piece
    os.close(ours)
    assert b"converting" in shown


# ---- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("nix.edi",), "There is no file nix.edi."),
        (("nix*",), "There is no file nix*."),
        (("a.edi", "b.edi"), "Several files need --out"),
        (("a.edi", "--split"), "--split needs --out"),
        (("a.edi", "--to", "pdf"), "--to"),
        ((), "FILE"),
    ],
)
def test_bad_usage_converts_nothing(
    run: CommandLine, arguments: tuple[str, ...], text: str
) -> None:
    for name in ("a.edi", "b.edi"):
        a_file(run, name, case())
    ran = run("convert", *arguments, "--rules", rules_file(run))
    assert (ran.code, ran.out) == (2, "")
    assert text in ran.err


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('[{"src":"BEG.03","tgt":"po","transform":"title"}]', "unsupported_transform"),
        ("{}", "invalid_parameter"),
        ('"rules"', "invalid_parameter"),
        ("[", "invalid_json"),
        ('{"field_map":[],"source_fmt":"pdf"}', "unsupported_format"),
        ('{"field_map":[],"lookups":{}}', "invalid_parameter"),
    ],
)
def test_bad_rules_convert_nothing(run: CommandLine, content: str, code: str) -> None:
    inbox(run, "a.edi")
    ran = run("convert", "inbox/*", "--rules", rules_file(run, content), "--out", "out", "--json")
    assert (ran.code, ran.json["code"], Path("out").exists()) == (2, code, False)


def test_a_document_that_cannot_be_read_is_a_refusal(run: CommandLine) -> None:
    ran = run("convert", a_file(run, "x", "Dear partner"), "--rules", rules_file(run), "--json")
    assert (ran.code, ran.json["code"]) == (2, "document_unparseable")


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_new_file(path, b"1")
    with pytest.raises(FileExistsAlreadyError):
        write_new_file(path, b"2")
    with pytest.raises(TypeError):
        write_new_file(tmp_path / "y", None)  # type: ignore[arg-type]  # fails in the middle
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"x": b"1"}
