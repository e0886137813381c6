"""What the pages tell a reader to type works, and prints what they say."""

import re
import sys
from pathlib import Path

import pytest

from tests.docs.conftest import Reader
from tests.docs.pages import ROOT, Command, blocks, commands
from tests.support.vsftpd import VSFTPD

pytestmark = pytest.mark.full("runs all pages on a server")

EXECUTED = frozenset({"python", "console"})
SHOWN = frozenset({"text", "json", "toml", "markdown"})
TUTORIALS = sorted((ROOT / "docs/tutorial").glob("*.md"))
GUIDES = [*TUTORIALS, *sorted((ROOT / "docs/howto").glob("*.md"))]
BY_FTPS = ROOT / "docs/howto/trade-by-ftps.md"
"""Its server is vsftpd."""
IN_ORDER = [
    ROOT / "README.md",
    *(each for each in GUIDES if each != BY_FTPS or VSFTPD is not None),
]
ALL_PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.timeout(1_200)  # the pages start many programs
def test_the_pages_do_what_they_say_one_after_another_on_one_server(reader: Reader) -> None:
    """A page that fails is named with its block; the pages after it are tried all the same."""
    failures = [failure for page in IN_ORDER if (failure := failure_of(page, reader))]
    assert not failures, "\n\n".join([f"{len(failures)} pages failed", *failures])


@pytest.mark.skipif(VSFTPD is None, reason="there is no vsftpd: install it")
def test_the_page_about_ftps_was_among_them() -> None:
    assert BY_FTPS in IN_ORDER


def failure_of(page: Path, reader: Reader) -> str:
    """Do what a page says, up to the first block that fails; return what went wrong there."""
    reader.open_terminal()
    for block in blocks(page.read_text(encoding="utf-8")):
        place = f"{name_of(page)}:{block.line}"
        if block.language == "python":
            done = reader.run(sys.executable, "-W", "error", "-c", block.text)
            if done.returncode:
                return f"{place}\n{done.stdout}"
        elif block.language == "console" and (failure := type_in(reader, commands(block.text))):
            return f"{place}\n{failure}"
    return ""


def type_in(reader: Reader, typed: list[Command]) -> str:
    """Type the commands of one block; return the first that fails or prints something else."""
    script = "\n".join(f"{command.text}printf '\\036%d\\036\\n' $?" for command in typed)
    printed = reader.type(script)
    answers = re.findall("(.*?)\x1e([0-9]+)\x1e\n", printed, re.DOTALL)
    if len(answers) != len(typed):
        return printed
    for command, (answer, status) in zip(typed, answers, strict=True):
        if status != "0" or not command.prints(answer):
            shown = f"exit code {status}\n{answer}--- instead of ---\n{command.output}"
            return f"$ {command.text}{shown}"
    return ""


@pytest.mark.parametrize("page", GUIDES, ids=name_of)
def test_every_block_of_a_guide_is_executed_or_marked_as_shown(page: Path) -> None:
    languages = {block.language for block in blocks(page.read_text(encoding="utf-8"))}
    assert languages <= EXECUTED | SHOWN
    assert languages & EXECUTED


def test_all_examples_send_the_key_of_one_variable() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in ALL_PAGES)
    assert set(re.findall(r"Bearer (\$\w+)", pages)) == {"$LONGSHORE_KEY"}


def test_every_link_leads_to_a_file() -> None:
    broken = [
        (page.name, target)
        for page in ALL_PAGES
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_path_that_is_named_exists() -> None:
    packages = [path.name for path in (ROOT / "src/longshore").iterdir() if path.is_dir()]
    tops = ["src", "tests", "tools", "docs", "samples", "requirements", *packages]
    path_text = re.compile(rf"`((?:{'|'.join(tops)})/[\w./-]+)`")
    places = (ROOT, ROOT / "src/longshore")
    missing = [
        (page.name, path)
        for page in ALL_PAGES
        for path in path_text.findall(page.read_text(encoding="utf-8"))
        if not any((place / path).exists() for place in places)
    ]
    assert missing == []


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
