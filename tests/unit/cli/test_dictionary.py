"""``longshore dictionary``: tables for people, JSON for programs, refusals that say what is."""

from pathlib import Path

import pytest

from longshore.cli import dictionary as command
from longshore.x12.dictionary.export import schema_export, segments_export, whole_export
from tests.unit.cli.conftest import CommandLine
from tests.unit.x12.dictionary.texts import TEXTS, defined, order, small


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "shipped", small)


def plain(value: object) -> object:
    """Return a value as JSON gives it back: lists for tuples."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def test_what_comes_with_longshore_is_listed_and_sound(run: CommandLine) -> None:
    sets = {each["tx_set"]: each for each in run("dictionary", "list", "--json").json["sets"]}
    assert sets["850"] == {
        "tx_set": "850",
        "name": "Purchase order",
        "functional_id": "PO",
        "releases": ["004010", "005010"],
        "guides": [],
    }
    ran = run("dictionary", "lint")
    assert (ran.code, ran.out, ran.err) == (0, "", "errors: 0, warnings: 0\n")


@pytest.mark.usefixtures("known")
def test_list_for_people(run: CommandLine) -> None:
    lines = run("dictionary", "list").out.splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "set name group releases guides",
        "837 Claim HC 005010 005010X999",
        "850 Purchase order PO 004010 005010",
    ]


@pytest.mark.usefixtures("known")
def test_show_for_people_has_the_nesting(run: CommandLine) -> None:
    ran = run("dictionary", "show", "837", "--guide", "005010X999")
    assert (ran.code, ran.err) == (0, "")
    title, _, *lines = ran.out.splitlines()
    assert title == "837 005010X999  Claim as we like it (HC)"
    assert [line.split() for line in lines[1:4]] == [
        ["REF", "version", "S", "1", "01", "=", "87"],
        ["loop", "1000A", "submitter", "R", "1", "01", "=", "41"],
        ["NM1", "R", "1"],
    ]
    assert [line[: len(line) - len(line.lstrip())] for line in lines[2:4]] == ["", "  "]
    assert lines[-1].split() == ["HI", "others", "S", "2", "01.01", "=", "ABF"]


@pytest.mark.usefixtures("known")
def test_show_takes_the_newest_release_unless_told(run: CommandLine) -> None:
    assert run("dictionary", "show", "850").out.startswith("850 005010  Purchase order (PO)\n")
    ran = run("dictionary", "show", "850", "--release", "004010", "--json")
    assert ran.json == plain(schema_export(order()))


@pytest.mark.usefixtures("known")
def test_exports(run: CommandLine) -> None:
    chosen = ("--set", "850", "--release", "004010", "--format", "json")
    assert run("dictionary", "export", *chosen).json == plain(whole_export(order()))
    guide = run("dictionary", "export", "--set", "837", "--guide", "005010X999", "--json")
    assert guide.json == plain(whole_export(defined("837", "005010", "005010X999")))
    for arguments, release in (((), "005010"), (("--release", "004010"), "004010")):
        ran = run("dictionary", "export", "--segments", *arguments)
        assert ran.json == plain(segments_export(small().vocabulary, release))


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "851"), "The dictionary has no set 851; there is 837, 850."),
        (
            ("show", "850", "--release", "004020"),
            "The dictionary has no release 004020; there is 004010, 005010.",
        ),
        (
            ("export", "--set", "850", "--guide", "X"),
            "The dictionary has no guide X; there is none.",
        ),
        (
            ("export", "--set", "837", "--guide", "X"),
            "The dictionary has no guide X; there is 005010X999.",
        ),
        (
            ("export", "--set", "837", "--guide", "005010X999", "--release", "004010"),
            "The dictionary has no release 004010; there is 005010.",
        ),
        (
            ("export", "--segments", "--release", "003060"),
            "The dictionary has no release 003060; there is 004010, 005010.",
        ),
    ],
)
def test_what_is_not_known_is_refused_and_what_is_is_said(
    run: CommandLine, arguments: tuple[str, ...], message: str
) -> None:
    ran = run("dictionary", *arguments, "--json")
    assert (ran.code, ran.json["code"], ran.json["error"]) == (2, "invalid_parameter", message)
    assert ran.err == f"longshore: {message} (invalid_parameter)\n"
    assert "allowed" in ran.json["details"][0]


@pytest.mark.parametrize(
    "arguments", [(), ("--set", "850", "--segments"), ("--segments", "--guide", "005010X999")]
)
def test_an_export_is_of_one_thing(run: CommandLine, arguments: tuple[str, ...]) -> None:
    ran = run("dictionary", "export", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Either --set, with or without --guide, or --segments is needed." in ran.err


@pytest.mark.usefixtures("known")
def test_lint_of_files_of_ones_own(run: CommandLine, tmp_path: Path) -> None:
    overlay, segments = tmp_path / "acme.xd", tmp_path / "seg.xd"
    overlay.write_text('overlay acme on 850@004010 "x"\nBEG drop\n', encoding="utf-8")
    ran = run("dictionary", "lint", str(overlay))
    line = f"{overlay}:2: BEG would allow more than before (not used): say extend"
    assert (ran.code, ran.out, ran.err) == (1, f"error    {line}\n", "errors: 1, warnings: 0\n")
    segments.write_text("# sources: mine\nZZ1 98\n", encoding="utf-8")
    ran = run("dictionary", "lint", str(segments), "--json")
    unused = {"file": str(segments), "line": 2, "message": "the segment ZZ1 is not used"}
    assert (ran.code, ran.json) == (0, {"errors": [], "warnings": [unused]})
    assert run("dictionary", "lint", str(segments)).out == (
        f"warning  {segments}:2: the segment ZZ1 is not used\n"
    )


@pytest.mark.usefixtures("known")
def test_a_set_of_ones_own_takes_the_place_of_the_shipped_one(
    run: CommandLine, tmp_path: Path
) -> None:
    mine = tmp_path / "order.xd"
    mine.write_text(TEXTS["sets/850.xd"].replace("BEG M1", "ZZZ M1"), encoding="utf-8")
    ran = run("dictionary", "lint", str(mine), "--json")
    assert ran.code == 1
    assert {(each["file"], each["line"]) for each in ran.json["errors"]} == {(str(mine), 3)}


def test_a_file_that_is_no_text(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "bad.xd").write_bytes(b"\xff\xfe\x00")
    ran = run("dictionary", "lint", "bad.xd", "--json")
    assert (ran.code, ran.json["error"]) == (2, "bad.xd is not UTF-8 text.")


SEF = """.INI
OURS,,004 010,X,B,Our order
.SETS
850=[BEG,M][.REF]
.TEXT,SETS
"""


@pytest.mark.usefixtures("known")
def test_a_file_is_imported_with_warnings_and_never_replaces_another(
    run: CommandLine, tmp_path: Path
) -> None:
    file, folder = tmp_path / "ours.sef", tmp_path / "new"
    file.write_text(SEF, encoding="utf-8")
    options = ("dictionary", "import", str(file), "--format", "sef", "--output", str(folder))
    ran = run(*options)
    assert (ran.code, "".join(ran.out.split())) == (0, str(folder / "850.xd"))
    assert ran.err.splitlines() == [
        f"warning  {file}:5: the section .TEXT,SETS is not taken over",
        f"warning  {file}:4: marks of REF are not taken over: .",
    ]
    text = (folder / "850.xd").read_text(encoding="utf-8")
    assert text.splitlines()[1:] == ['set 850 PO 004010 "Our order"', "  BEG M1", "  REF O1"]
    assert run("dictionary", "lint", str(folder / "850.xd")).code == 0
    assert run(*options).code == 2
    found = run(*options, "--force", "--json").json
    assert (found["files"], len(found["warnings"])) == ([str(folder / "850.xd")], 2)


@pytest.mark.usefixtures("known")
def test_a_file_that_cannot_be_imported_is_refused_with_every_line(
    run: CommandLine, tmp_path: Path
) -> None:
    file, folder = tmp_path / "ours.sef", tmp_path / "new"
    file.write_text(".SETS\n850=[BEG\n850=[a]\n", encoding="utf-8")
    options = ("--format", "sef", "--release", "004010", "--output", str(folder), "--json")
    ran = run("dictionary", "import", str(file), *options)
    assert (ran.code, ran.json["code"]) == (2, "invalid_parameter")
    assert [(each["line"], each["message"]) for each in ran.json["details"]] == [
        (2, f"{file}:2: 850: unreadable from [BEG"),
        (3, f"{file}:3: [a] is not an id, a requirement and a maximum"),
    ]
    assert not folder.exists()
