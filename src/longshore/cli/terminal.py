"""Output of the command line, and the stream that each kind goes to.

Results go to stdout; errors and progress go to stderr. With ``--json`` stdout carries exactly one
JSON value, of a refused command too (``{"ok": false, "error", "code", "details"}``, the envelope
of the HTTP answers), while stderr keeps the line for people. Text of documents is shown with its
control characters spelt out: a document must not be able to steer the reader's terminal.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Final, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from longshore.kit.errors import LongshoreError, more_in_details

EXIT_OK: Final = 0
EXIT_FINDINGS: Final = 1
EXIT_REFUSED: Final = 2
EXIT_NOT_CHECKED: Final = 3  # nothing wrong was found, but not all could be checked
EXIT_INTERNAL: Final = 70  # EX_SOFTWARE of sysexits.h
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells count
EXIT_BROKEN_PIPE: Final = 141  # 128 + SIGPIPE

_FAULTS_SHOWN: Final = 20  # beyond the first

# Wide enough that a table in a pipe or a file is never folded.
_PIPE_WIDTH: Final = 10_000


def output() -> Console:
    """Return a console on stdout, for results."""
    return _console(sys.stdout)


def messages() -> Console:
    """Return a console on stderr, for messages in addition to a result."""
    return _console(sys.stderr)


def _console(stream: TextIO) -> Console:
    width = None if stream.isatty() else _PIPE_WIDTH
    return Console(file=stream, width=width, highlight=False)


def read_document(file: str) -> bytes:
    """Return the content of a file, of standard input if it is called ``-``."""
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def write_json(value: object) -> None:
    """Write one JSON value and a newline to stdout."""
    write_bytes(json_bytes(value) + b"\n")


def json_bytes(value: object) -> bytes:
    """Return a value as JSON, as all commands write it."""
    return json.dumps(value, ensure_ascii=False).encode()


def write_bytes(content: bytes) -> None:
    """Write bytes to stdout as they are, whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def write_refusal(refusal: LongshoreError, *, as_json: bool) -> None:
    """Tell why a command was refused, on stderr, with ``--json`` the envelope on stdout as well."""
    try:
        if as_json:
            write_json(refusal_envelope(refusal))
    finally:
        # Even if stdout is what cannot be written.
        print_refusal(refusal)


def refusal_envelope(refusal: LongshoreError) -> dict[str, object]:
    """Return the refusal in the shape of contract.md section 2; a process has no request id."""
    details = [
        {name: value for name, value in asdict(detail).items() if value is not None}
        for detail in refusal.details
    ]
    return {"ok": False, "error": refusal.message, "code": refusal.code, "details": details}


def print_refusal(refusal: LongshoreError, file: str = "") -> None:
    """Write each fault of a refusal to stderr, on a line of its own, after the file it is about."""
    place = f"{file}: " if file else ""
    others = refusal.details[1:]
    message = refusal.message.removesuffix(more_in_details(len(refusal.details)))
    print_error(f"{place}{message} ({refusal.code})")
    if message == refusal.message:
        return  # it says all there is to say
    for detail in others[:_FAULTS_SHOWN]:
        param = detail.param or ""
        print_error(f"{place}{'' if param in detail.message else f'{param}: '}{detail.message}")
    if len(others) > _FAULTS_SHOWN:
        print_error(f"{place}… and {len(others) - _FAULTS_SHOWN} more; --json has them all")


def print_error(message: str) -> None:
    """Write one line for people to stderr."""
    sys.stderr.write(f"longshore: {visible(message)}\n")


def print_table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a table for people to stdout; None is an empty cell, a list is joined."""
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*map(_cell, row))
    output().print(table)


def print_pairs(console: Console, pairs: Mapping[str, str]) -> None:
    """Write names and what they have, a line each; empty values are left out."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, value in pairs.items():
        if value:
            table.add_row(Text(name, style="dim"), Text(visible(value)))
    console.print(table)


def _cell(value: object) -> Text:
    words = [str(word) for word in value] if isinstance(value, list) else [value]
    return Text(" ".join(visible(str(word)) for word in words if word is not None))


def visible(text: str) -> str:
    """Return ``text`` with everything that is not printable spelt as an escape."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def timestamp(moment: datetime | None) -> str | None:
    """Return a UTC time as contract.md section 1 writes it, ``2026-01-15T14:05:09``."""
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%S")
