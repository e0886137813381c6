"""What the pages tell a reader to type works, and prints what they say."""

import re
import sys
from pathlib import Path

import pytest

from tests.docs.conftest import Reader
from tests.docs.pages import ROOT, Command, blocks, commands

EXECUTED = frozenset({"python", "console"})
SHOWN = frozenset({"text", "json", "toml", "markdown"})
GUIDES = sorted((ROOT / "docs/howto").glob("*.md")) + sorted((ROOT / "docs/tutorial").glob("*.md"))
ALL_PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.timeout(240)  # a page starts many programs
@pytest.mark.parametrize("page", [ROOT / "README.md", *GUIDES], ids=name_of)
def test_a_page_does_what_it_says(page: Path, reader: Reader) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        place = f"{name_of(page)}:{block.line}"
        if block.language == "python":
            done = reader.run(sys.executable, "-W", "error", "-c", block.text)
            assert done.returncode == 0, f"{place}\n{done.stdout}"
        elif block.language == "console":
            type_in(reader, commands(block.text), place)


def type_in(reader: Reader, typed: list[Command], place: str) -> None:
    """Type the commands of one block into one shell, and compare what each prints."""
    functions = reader.folder / ".functions"
    functions.touch()
    script = "\n".join(f"{command.text}printf '\\036%d\\036\\n' $?" for command in typed)
    keep = f"declare -f > {functions}"  # a function of one block serves the next
    done = reader.run("bash", "-c", f"source {functions}\n{script}\n{keep}\n")
    answers = re.findall("(.*?)\x1e([0-9]+)\x1e\n", done.stdout, re.DOTALL)
    assert len(answers) == len(typed), f"{place}\n{done.stdout}"
    for command, (printed, status) in zip(typed, answers, strict=True):
        told = f"{place}\n$ {command.text}{printed}"
        assert status == "0", told
        assert command.prints(printed), told


@pytest.mark.parametrize("page", GUIDES, ids=name_of)
def test_every_block_of_a_guide_is_executed_or_marked_as_shown(page: Path) -> None:
    languages = {block.language for block in blocks(page.read_text(encoding="utf-8"))}
    assert languages <= EXECUTED | SHOWN
    assert languages & EXECUTED


@pytest.mark.parametrize("page", ALL_PAGES, ids=name_of)
def test_every_link_leads_to_a_file(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    inside = [target for target in targets if "://" not in target]
    assert [target for target in inside if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", ALL_PAGES, ids=name_of)
def test_every_path_that_is_named_exists(page: Path) -> None:
    packages = [path.name for path in (ROOT / "src/longshore").iterdir() if path.is_dir()]
    tops = ["src", "tests", "tools", "docs", "samples", "requirements", *packages]
    named = re.findall(rf"`((?:{'|'.join(tops)})/[\w./-]+)`", page.read_text(encoding="utf-8"))
    places = (ROOT, ROOT / "src/longshore")
    assert [path for path in named if not any((place / path).exists() for place in places)] == []


def test_a_console_block_is_cut_into_commands_and_what_they_print() -> None:
    assert commands("$ a \\\n  b\none\ntwo\n$ c 'x\ny'\n") == [
        Command(text="a \\\n  b\n", output="one\ntwo\n"),
        Command(text="c 'x\ny'\n", output=""),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\n", "a\n", True),
        ("a\n", "b\n", False),
        ("", "a\n", False),
        ("a…c\n", "abc\n", True),
        ("a…c\n", "axb\n", False),
        ("…\nz\n", "x\ny\nz\n", True),
        ("…\nz\n", "x\ny\n", False),
    ],
)
def test_what_is_printed_is_compared_with_what_is_shown(
    shown: str,
    printed: str,
    same: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert Command(text="x\n", output=shown).prints(printed) is same
