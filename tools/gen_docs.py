"""Writes the pages of docs/reference that the code knows best.

``python -m tools.gen_docs`` writes them; with ``--check`` it changes nothing and exits with 1 if
one of them is stale.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType

import click

from longshore.cli.main import longshore
from longshore.http.errors import STATUS_BY_CODE
from longshore.http.openapi import MEANING_BY_CODE
from longshore.kit.errors import ErrorCode
from longshore.settings import ENVIRONMENT_PREFIX, FILE_NAME, Settings

REFERENCE = Path(__file__).parents[1] / "docs/reference"
HELP_CHARS = 100  # a line of help on the page


def errors_page() -> str:
    """Return the page of the codes a caller can see."""
    rows = (
        f"| `{code}` | {STATUS_BY_CODE[code]} | {MEANING_BY_CODE[code]} |"
        for code in sorted(ErrorCode, key=lambda code: (STATUS_BY_CODE[code], code))
    )
    return _page(
        "Error codes",
        "Every refusal of the HTTP interface carries one of these in `code`, the command line "
        "with `--json` too (it exits with 2), and `LongshoreError.code` in Python. More exact "
        "codes may stand in `details[].code`. The whole contract: "
        "[contract.md, section 2](contract.md).",
        "| code | HTTP status | what it means |",
        "|---|---|---|",
        *rows,
    )


def settings_page() -> str:
    """Return the page of what an operator can choose."""
    rows = (
        f"| `{setting.name}` | {_default(setting.default)} | {setting.metadata['comment']} |"
        for setting in fields(Settings)
    )
    return _page(
        "Settings",
        f"Sources, the first that names a setting wins: the command line, "
        f"`{ENVIRONMENT_PREFIX}<NAME>` in the environment, `{FILE_NAME}` in the working "
        f"directory or in the data directory, the default. Unknown names are refused. "
        f"`longshore.example.toml` in the repository is a file to start from.",
        "| setting | default | what it does |",
        "|---|---|---|",
        *rows,
    )


def command_line_page() -> str:
    """Return the page of every command with its options."""
    sections = (
        f"## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"
        for context in _commands(longshore, "longshore", None)
    )
    return _page("Command line", "What each command prints for `--help`.", *sections)


def _commands(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[click.Context]:
    """Yield the context of a command, then those of all below it."""
    context = click.Context(
        command, parent, name, terminal_width=HELP_CHARS, **command.context_settings
    )
    yield context
    if isinstance(command, click.Group):
        for inner_name in command.list_commands(context):
            inner = command.get_command(context, inner_name)
            assert inner is not None
            yield from _commands(inner, inner_name, context)


def _default(value: object) -> str:
    """Return a default as it is written in the settings file."""
    if value in {"", ()}:
        return "empty"
    return f"`{value}`"


def _page(title: str, opening: str, *lines: str) -> str:
    """Return a page that says where it comes from."""
    origin = "<!-- Written by `make docs`; change the code, not this page. -->"
    return "\n".join((f"# {title}", "", origin, "", opening, "", *lines)).rstrip() + "\n"


PAGES: MappingProxyType[str, Callable[[], str]] = MappingProxyType({
    "errors.md": errors_page,
    "settings.md": settings_page,
    "command-line.md": command_line_page,
})


def stale_pages(folder: Path = REFERENCE) -> list[str]:
    """Name the pages in ``folder`` that the code would write differently."""
    return [
        name
        for name, page in PAGES.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != page()
    ]


def main(arguments: list[str]) -> int:
    """Write or check the pages; return the exit status."""
    stale = stale_pages()
    if "--check" in arguments:
        print("".join(f"docs/reference/{name} is stale: make docs\n" for name in stale), end="")
        return 1 if stale else 0
    for name in stale:
        (REFERENCE / name).write_text(PAGES[name](), encoding="utf-8")
        print(f"docs/reference/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
