"""Several documents in one command: files, folders, and what their outcomes come to together."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Protocol

import click

from longshore.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_NOT_CHECKED,
    EXIT_OK,
    EXIT_REFUSED,
    print_refusal,
    refusal_envelope,
    visible,
    write_bytes,
)
from longshore.engine import Validated
from longshore.kit.errors import ErrorCode, LongshoreError

Write = Callable[[str], object]
"""Writes text for people, to stdout or a pager."""

STDIN: Final = "-"
_PRECEDENCE: Final = (EXIT_REFUSED, EXIT_FINDINGS, EXIT_NOT_CHECKED, EXIT_OK)

files_argument = click.argument(
    "files",
    metavar="FILE|DIR|-...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, allow_dash=True),
)


def are_several(given: Sequence[str]) -> bool:
    """Return whether the answer is about a list of files: more than one, or a folder."""
    return len(given) > 1 or Path(given[0]).is_dir()


def files_of(given: Sequence[str]) -> list[str]:
    """Return the files that are named and those in folders, each once.

    In the order given; of a folder all files in it and its subfolders, by path. Files and folders
    whose names begin with a dot are left out.

    Raises:
        UsageError: A folder holds none.
    """
    found: dict[str, None] = {}
    for name in given:
        if name == STDIN or not Path(name).is_dir():
            found[name] = None
            continue
        inside = sorted(path for path in Path(name).rglob("*") if _is_document(path, Path(name)))
        if not inside:
            raise click.UsageError(f"There is no file in the folder {visible(name)}.")
        found.update(dict.fromkeys(map(str, inside)))
    return list(found)


def _is_document(path: Path, folder: Path) -> bool:
    is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return not is_hidden and path.is_file()


def combined(codes: Iterable[int]) -> int:
    """Return the exit code of several files: refused before errors before not checked."""
    return min(codes, key=_PRECEDENCE.index)


def show_files(given: Sequence[str], show: Callable[[str], int], write: Write) -> int:
    """Show each file to people, under its name if they are several; return the exit code.

    A file that cannot be read is refused on stderr and stops no other.
    """
    if not are_several(given):
        return show(given[0])
    codes = []
    for number, file in enumerate(files_of(given)):
        write(f"{chr(10) * bool(number)}{visible(file)}:\n")
        try:
            codes.append(show(file))
        except (LongshoreError, OSError) as fault:
            print_refusal(_refusal(fault), file)
            codes.append(EXIT_REFUSED)
    return combined(codes)


class FilesReport(Protocol):
    """Collects what is said of several files and writes it as one text."""

    def add(self, file: str, validated: Validated, /) -> None:
        """Add a file that was read."""

    def add_refusal(self, file: str, refusal: LongshoreError, /) -> None:
        """Add a file that could not be read."""

    def text(self, exit_code: int, /) -> str:
        """Return the whole report."""


def report_files(
    given: Sequence[str],
    report: FilesReport,
    work: Callable[[str], Validated],
    code_of: Callable[[Validated], int],
) -> int:
    """Write one report about all files to stdout; return the exit code."""
    codes = []
    for file in files_of(given):
        try:
            validated = work(file)
        except (LongshoreError, OSError) as fault:
            refusal = _refusal(fault)
            print_refusal(refusal, file)
            report.add_refusal(file, refusal)
            codes.append(EXIT_REFUSED)
        else:
            report.add(file, validated)
            codes.append(code_of(validated))
    code = combined(codes)
    write_bytes(report.text(code).encode(errors="replace"))
    return code


def write_files_json(given: Sequence[str], answer: Callable[[str], tuple[int, bytes]]) -> int:
    """Write the answer about one file as it is, of several as ``{"files": [...]}``.

    ``answer`` returns an exit code and a JSON object. Of several files each object begins with the
    member ``file``, and one that cannot be read has ``error``, ``code`` and ``details`` after it.
    """
    if not are_several(given):
        code, content = answer(given[0])
        write_bytes(content + b"\n")
        return code
    codes = []
    files = files_of(given)
    write_bytes(b'{"files": [')
    for number, file in enumerate(files):
        try:
            code, content = answer(file)
        except (LongshoreError, OSError) as fault:
            refusal = _refusal(fault)
            print_refusal(refusal, file)
            members = refusal_envelope(refusal)
            del members["ok"]
            code, content = EXIT_REFUSED, json.dumps(members, ensure_ascii=False).encode()
        codes.append(code)
        name = json.dumps(file, ensure_ascii=False).encode(errors="replace")
        write_bytes(b", " * bool(number) + b'{"file": ' + name + b", " + content[1:])
    write_bytes(b"]}\n")
    return combined(codes)


def _refusal(fault: LongshoreError | OSError) -> LongshoreError:
    if isinstance(fault, LongshoreError):
        return fault
    reason = fault.strerror or type(fault).__name__
    return LongshoreError(ErrorCode.STORAGE_UNAVAILABLE, f"System error: {reason}.")
