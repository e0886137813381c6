"""``longshore parse``: a document to fields, with the engine's own bytes.

Needs no settings, no data directory and no running server.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import BinaryIO, Final, Self, TypedDict, Unpack

import click

from longshore.cli.files import (
    Write,
    are_several,
    files_argument,
    show_files,
    write_files_json,
)
from longshore.cli.options import json_option
from longshore.cli.progress import progress
from longshore.cli.report import (
    print_findings,
    show_hidden_segments,
    show_listing,
    show_parsed,
    show_summary,
    tree_lines,
)
from longshore.cli.terminal import EXIT_FINDINGS, EXIT_OK, messages, read_document
from longshore.engine import Parsed, stream_segments
from longshore.engine import parse as parse_document
from longshore.engine.listing import DocumentListing, ListingSummary
from longshore.x12.refusals import advising

SEGMENTS_SHOWN: Final = 200
LINES_SHOWN: Final = 1_000  # of other formats and of trees

_CHUNK_BYTES: Final = 262_144


class _Separators(TypedDict):
    elem_sep: str | None
    seg_term: str | None


class _Reading(_Separators):
    """Options of ``parse`` that go to the engine as they are."""

    format: str
    csv_header: bool


class _Asked(_Reading):
    """The options of the command line."""

    view: str
    is_whole: bool
    is_paged: bool


@click.command(
    epilog="Exit code 0: no errors; 1: a document has errors; 2: one cannot be read (takes "
    "precedence over 1)."
)
@files_argument
@click.option(
    "--format",
    type=click.Choice(["x12", "json", "xml", "csv"]),
    default="x12",
    show_default=True,
    help="Format of the documents.",
)
@click.option(
    "--view",
    type=click.Choice(["fields", "segments", "tree"]),
    default="fields",
    show_default=True,
    help="fields: the whole report; segments: one JSON line per segment, for files of any size.",
)
@click.option(
    "--all",
    "is_whole",
    is_flag=True,
    help=f"Show everything, not only the first {SEGMENTS_SHOWN} segments or {LINES_SHOWN:,} lines.",
)
@click.option(
    "--pager/--no-pager",
    "is_paged",
    default=True,
    show_default=True,
    help="Whether to show the report in a pager on a terminal.",
)
@json_option
@click.option("--elem-sep", metavar="CHAR", help="Element separator, if detection is wrong.")
@click.option("--seg-term", metavar="CHAR", help="Segment terminator, if detection is wrong.")
@click.option(
    "--csv-header/--no-csv-header",
    default=True,
    show_default=True,
    help="Whether the first line of a CSV file contains the column names.",
)
def parse(files: tuple[str, ...], *, as_json: bool, **asked: Unpack[_Asked]) -> int:
    """Parse the documents in FILEs (- is standard input).

    A DIR stands for all files in it and its subfolders. With --json the answer is that of POST
    /api/v1/parse without `ok` and `environment`; of several files, or of a DIR, it is {"files":
    [{"file", ...}, ...]}.
    """
    shown = _Shown.of(asked)
    if shown.view == "segments" and shown.is_x12:
        with _advising():
            return _stream(_only(files), **shown.separators)
    if as_json:
        return write_files_json(files, shown.answer)
    with _writer(is_paged=shown.is_paged) as write:
        return show_files(files, lambda file: shown.show(file, write), write)


def _advising() -> AbstractContextManager[None]:
    return advising("use --format {}")


def _only(files: tuple[str, ...]) -> str:
    """Return the one file that is streamed.

    Raises:
        UsageError: There are several, or a folder.
    """
    if are_several(files):
        raise click.UsageError("--view segments works with one FILE.")
    return files[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """The reading and printing of documents, the same for each file."""

    view: str
    is_whole: bool
    is_paged: bool
    reading: _Reading

    @classmethod
    def of(cls, asked: _Asked) -> Self:
        return cls(
            view=asked["view"],
            is_whole=asked["is_whole"],
            is_paged=asked["is_paged"],
            reading=_Reading(
                format=asked["format"],
                csv_header=asked["csv_header"],
                elem_sep=asked["elem_sep"],
                seg_term=asked["seg_term"],
            ),
        )

    @property
    def is_x12(self) -> bool:
        return self.reading["format"] == "x12"

    @property
    def separators(self) -> _Separators:
        return _Separators(elem_sep=self.reading["elem_sep"], seg_term=self.reading["seg_term"])

    def answer(self, file: str) -> tuple[int, bytes]:
        """Return the exit code and the HTTP answer of a file."""
        parsed = self._parsed(file)
        return _code(len(parsed.errors)), parsed.result_json()

    def show(self, file: str, write: Write) -> int:
        """Write a file for people and return its exit code."""
        if self.is_x12 and not (self.view == "tree" and self.is_whole):
            with _advising(), _source(file) as (chunks, size):
                listing = DocumentListing(chunks, **self.separators)
                found = listing.summary()
                show_summary(found, size, write)
                if self.view == "fields":
                    most = None if self.is_whole else SEGMENTS_SHOWN
                    show_listing(listing, found, write, most_segments=most)
                else:
                    self._show_beginning(listing, found, write)
                return _code(len(found.errors))
        parsed = self._parsed(file)
        show_parsed(parsed, write, most_lines=None if self.is_whole else LINES_SHOWN)
        return _code(len(parsed.errors))

    def _show_beginning(
        self, listing: DocumentListing, found: ListingSummary, write: Write
    ) -> None:
        """Write the tree of the first segments; the whole one takes a hundred times the memory."""
        reading = self.reading
        if not found.interchanges:  # what was guessed of the whole holds for its beginning
            delimiters = found.delimiters
            separators = _Separators(elem_sep=delimiters.element, seg_term=delimiters.segment)
            reading = _Reading(**{**reading, **separators})
        beginning = parse_document(listing.beginning(SEGMENTS_SHOWN), include=("tree",), **reading)
        for line in tree_lines(beginning):
            write(f"{line}\n")
        show_hidden_segments(found, write, SEGMENTS_SHOWN)

    def _parsed(self, file: str) -> Parsed:
        include = () if self.view == "fields" else (self.view,)
        with _advising():
            return parse_document(read_document(file), include=include, **self.reading)


def _code(errors: int) -> int:
    return EXIT_FINDINGS if errors else EXIT_OK


@contextmanager
def _writer(*, is_paged: bool) -> Iterator[Write]:
    """Yield what writes text to stdout, on a terminal to a pager if that is wanted."""
    if is_paged and sys.stdout.isatty():
        with click.get_pager_file() as pager:
            yield pager.write
    else:
        yield sys.stdout.write


@contextmanager
def _source(
    file: str, *, is_output_flowing: bool = False
) -> Iterator[tuple[Callable[[], Iterator[bytes]], int]]:
    """Open a file as a source of bytes that can be read several times; yield it and its size."""
    with (
        _rereadable(file) as stream,
        progress("reading", stream.seek(0, 2), is_output_flowing=is_output_flowing) as report,
    ):
        size = stream.tell()

        def chunks() -> Iterator[bytes]:
            stream.seek(0)
            report(0)
            while chunk := stream.read(_CHUNK_BYTES):
                yield chunk
                report(stream.tell())

        yield chunks, size


def _stream(file: str, **separators: Unpack[_Separators]) -> int:
    with _source(file, is_output_flowing=True) as (chunks, _size):
        segments = stream_segments(chunks, **separators)
        sys.stdout.buffer.writelines(segments)
        sys.stdout.buffer.flush()
    findings = segments.errors + segments.warnings
    if findings:
        print_findings(messages(), findings)
    return _code(len(segments.errors))


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
