"""``longshore parse``: a document to fields, with the engine's own bytes.

Needs no settings, no data directory and no running server.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import BinaryIO, Final, TypedDict, Unpack

import click

from longshore.cli.options import json_option
from longshore.cli.progress import progress
from longshore.cli.report import print_findings, print_report
from longshore.cli.terminal import EXIT_FINDINGS, EXIT_OK, messages, read_document, write_bytes
from longshore.engine import parse as parse_document
from longshore.engine import stream_segments

_CHUNK_BYTES: Final = 262_144


class _Separators(TypedDict):
    elem_sep: str | None
    seg_term: str | None


class _Reading(_Separators):
    """Options of ``parse`` that go to the engine as they are."""

    format: str
    csv_header: bool


@click.command(epilog="Exit code 0: no errors; 1: the document has errors; 2: it cannot be read.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--format",
    type=click.Choice(["x12", "json", "xml", "csv"]),
    default="x12",
    show_default=True,
    help="Format of the document.",
)
@click.option(
    "--view",
    type=click.Choice(["fields", "segments", "tree"]),
    default="fields",
    show_default=True,
    help="fields: everything; segments: one JSON line per segment, of any size of file.",
)
@json_option
@click.option("--elem-sep", metavar="CHAR", help="Element separator, if detection is wrong.")
@click.option("--seg-term", metavar="CHAR", help="Segment terminator, if detection is wrong.")
@click.option(
    "--csv-header/--no-csv-header",
    default=True,
    show_default=True,
    help="Whether the first line of a CSV file names its columns.",
)
def parse(file: str, view: str, *, as_json: bool, **reading: Unpack[_Reading]) -> int:
    """Parse the document in FILE (- is standard input).

    With --json the answer is that of POST /api/v1/parse without `ok` and `environment`.
    """
    if view == "segments" and reading["format"] == "x12":
        return _stream(file, elem_sep=reading["elem_sep"], seg_term=reading["seg_term"])
    document = read_document(file)
    include = () if view == "fields" else (view,)
    parsed = parse_document(document, include=include, **reading)
    if as_json:
        write_bytes(parsed.result_json() + b"\n")
    else:
        print_report(parsed)
    return EXIT_FINDINGS if parsed.errors else EXIT_OK


def _stream(file: str, **separators: Unpack[_Separators]) -> int:
    with (
        _rereadable(file) as stream,
        progress("reading", stream.seek(0, 2), is_output_flowing=True) as report,
    ):

        def chunks() -> Iterator[bytes]:
            stream.seek(0)
            report(0)
            while chunk := stream.read(_CHUNK_BYTES):
                yield chunk
                report(stream.tell())

        segments = stream_segments(chunks, **separators)
        sys.stdout.buffer.writelines(segments)
        sys.stdout.buffer.flush()
    findings = segments.errors + segments.warnings
    if findings:
        print_findings(messages(), findings)
    return EXIT_FINDINGS if segments.errors else EXIT_OK


@contextmanager
def _rereadable(file: str) -> Iterator[BinaryIO]:
    """Open a file so that it can be read twice; what flows (stdin, a pipe) is kept on disk."""
    if file != "-" and Path(file).is_file():
        with Path(file).open("rb") as stream:
            yield stream
        return
    with TemporaryFile() as spool:
        if file == "-":
            copyfileobj(sys.stdin.buffer, spool)
        else:
            with Path(file).open("rb") as pipe:
                copyfileobj(pipe, spool)
        yield spool
