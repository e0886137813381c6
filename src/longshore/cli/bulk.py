"""``longshore bulk``: the documents of files, folders, archives and object stores to Parquet."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

import click

from longshore.bulk.chunks import JobOptions, chunks_of
from longshore.bulk.jobs import BulkJob, JobReport, run_job
from longshore.bulk.sources import find_files
from longshore.cli.options import json_option
from longshore.cli.progress import progress
from longshore.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    messages,
    output,
    print_error,
    visible,
    write_json,
)
from longshore.library.table_columns import TABLES
from longshore.library.tables import check_names

_MIB: Final = 1 << 20


@click.command()
@click.argument("sources", metavar="FILE|DIR|PATTERN|URL...", nargs=-1)
@click.option(
    "--list",
    "lists",
    multiple=True,
    type=click.File(encoding="utf-8"),
    help="A file with one source on each line; - is standard input.",
)
@click.option(
    "--out",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the tables: a new one, an empty one, or that of the same job.",
)
@click.option(
    "--tables",
    metavar="NAME,...",
    help="The tables to write.  [default: all but elements]",
)
@click.option(
    "--partition",
    type=click.Choice(["set-day", "set", "none"]),
    default="set-day",
    show_default=True,
    help="The folders of rows that belong to transaction sets.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Processes that work at the same time.  [default: one for each processor]",
)
@click.option(
    "--max-file-mib",
    type=click.IntRange(1, 1024),
    default=32,
    show_default=True,
    help="Larger files are rejected.",
)
@click.option("--replace", "is_replaced", is_flag=True, help="Remove the tables of another job.")
@json_option
def bulk(  # noqa: PLR0913, PLR0917 - click gives each option as an argument
    sources: Sequence[str],
    lists: Sequence[TextIO],
    folder: Path,
    tables: str | None,
    partition: str,
    workers: int | None,
    max_file_mib: int,
    *,
    is_replaced: bool,
    as_json: bool,
) -> int:
    """Write the documents of many files as tables, in Parquet.

    A source is a file, a folder, a pattern such as 'in/**/*.edi', an archive (zip, tar, gz), or the
    URL of one of these in an object store. Each file ends in the table `files`, as done or as
    rejected with the reason. The same command again goes on where it was stopped, and takes in what
    is new or changed.

    Exits with 0 if all files were read, 1 if some were rejected, 2 if the job was refused.
    """
    return _bulk(
        [*sources, *(line.strip() for each in lists for line in each if line.strip())],
        JobOptions(_names(tables), partition, max_file_mib * _MIB),
        folder,
        workers or len(os.sched_getaffinity(0)),
        is_replaced=is_replaced,
        as_json=as_json,
    )


def _bulk(
    sources: Sequence[str],
    options: JobOptions,
    folder: Path,
    workers: int,
    *,
    is_replaced: bool,
    as_json: bool,
) -> int:
    """Run the job, tell what became of it, and return the exit code.

    Raises:
        UsageError: There is no source.
    """
    if not sources:
        raise click.UsageError("Name at least one source.")
    chunks = chunks_of(find_files(sources, folder), options)
    with progress("writing tables", sum(chunk.size for chunk in chunks)) as report:
        made = run_job(
            BulkJob(tuple(sources), folder, options, chunks),
            workers,
            is_replaced=is_replaced,
            report=report,
        )
    if as_json:
        write_json(made._asdict())
    else:
        _show(made, folder)
    return EXIT_FINDINGS if made.rejected_count else EXIT_OK


def _names(text: str | None) -> tuple[str, ...]:
    """Return the tables that are named, in their usual order; without names all but elements."""
    if text is None:
        return tuple(name for name in TABLES if name != "elements")
    names = [name.strip() for name in text.split(",")]
    check_names(names, TABLES)
    return tuple(name for name in TABLES if name in names)


def _show(made: JobReport, folder: Path) -> None:
    """Write the rows of each table to stdout, and the rejected files to stderr."""
    for name, count in made.row_counts.items():
        output().print(f"{count:>12,} {name}")
    for name, code, message in made.rejects:
        print_error(f"{name}: {message} ({code})")
    if made.rejected_count > len(made.rejects):
        others = made.rejected_count - len(made.rejects)
        print_error(f"… and {others:,} more rejected files; the table `files` has them all")
    done = made.file_count - made.rejected_count
    text = f"{done:,} of {made.file_count:,} files are in {visible(str(folder))}"
    messages().print(f"{text}, {made.rejected_count:,} were rejected.", markup=False)
