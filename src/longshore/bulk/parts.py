"""The rows of a chunk as Parquet files, each at its place only when it is whole."""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple
from urllib.parse import quote

import pyarrow as pa
from pyarrow import parquet

from longshore.bulk.chunks import Chunk, JobOptions
from longshore.bulk.sources import UNREADABLE, FileTooLargeError, Read, SourceFile, contents, reason
from longshore.kit.errors import ErrorCode
from longshore.library.table_columns import TABLES
from longshore.library.table_rows import OUTSIDE, Partition, Row, give_rows, is_rejected, rejected
from longshore.library.tables import arrow_batch, arrow_schema

WORK_FOLDER: Final = "_work"
"""The folder for Parquet files that are not whole; readers skip names that begin with ``_``."""
NULL_FOLDER: Final = "__HIVE_DEFAULT_PARTITION__"
"""The name that Hive, Spark, Arrow and DuckDB read as null."""
_UNPARTITIONED: Final = frozenset(("files", "interchanges", "groups"))
_BATCH_ROWS: Final = 8192
_PART_BYTES: Final = 64 << 20
_COLLECT_BYTES: Final = 4 << 20
"""Garbage is collected after so many bytes: rows are not, and looking at them takes half the time.
"""


class WrittenChunk(NamedTuple):
    """The outcome of a chunk."""

    parts: tuple[str, ...]
    """Its Parquet files, relative to the folder of the job."""
    file_count: int
    rejected_count: int
    row_counts: dict[str, int]
    """Rows by table."""
    rejects: tuple[tuple[str, str, str], ...]
    """Name, code and reason of the first rejected files."""


_REJECTS_SHOWN: Final = 20
_Place = tuple[str, Partition]


def write_chunk(
    chunk: Chunk, options: JobOptions, folder: Path, skipped: frozenset[int], mark: Path | None
) -> WrittenChunk:
    """Write the Parquet files of a chunk and return what they hold.

    Args:
        chunk: The chunk.
        options: Those of the job.
        folder: The folder of the job.
        skipped: Positions of files that are not read, because processes ended while they did.
        mark: A file to write the position of each file to before it is read; None for none.

    Raises:
        OSError: A Parquet file cannot be written.
    """
    writer = _ChunkWriter(chunk.name, options, folder)
    rejects: list[tuple[str, str, str]] = []
    rejected_count, uncollected = 0, 0
    for index, (file, read) in enumerate(contents(chunk.files, options.max_file_bytes)):
        if mark is not None:
            mark.write_text(str(index), encoding="ascii")
        start = perf_counter()
        if index in skipped:
            message = "The process that read this file ended twice."
            row = rejected(file.name, None, file.size, str(ErrorCode.INTERNAL_ERROR), message)
        else:
            row = _rows_of(file, read, options, writer)
        uncollected += file.size
        if uncollected > _COLLECT_BYTES:
            gc.collect()
            uncollected = 0
        writer.end_file((*row, perf_counter() - start))
        if is_rejected(row):
            rejected_count += 1
            if len(rejects) < _REJECTS_SHOWN:
                rejects.append((file.name, str(row[8]), str(row[9])))
    parts = writer.finish()
    counts = dict(writer.row_counts)
    return WrittenChunk(parts, len(chunk.files), rejected_count, counts, tuple(rejects))


def _rows_of(file: SourceFile, read: Read, options: JobOptions, writer: _ChunkWriter) -> Row:
    """Give the rows of a file to the writer; return its row in ``files``."""
    try:
        content = read()
    except FileTooLargeError:
        code = ErrorCode.DOCUMENT_TOO_LARGE
        message = f"The file has more than {options.max_file_bytes:,} bytes."
        return rejected(file.name, None, file.size, str(code), message)
    except UNREADABLE as fault:
        code = ErrorCode.STORAGE_UNAVAILABLE
        return rejected(file.name, None, file.size, str(code), f"{reason(fault)}.")
    return give_rows(content, file.name, options.tables, writer.take)


class _ChunkWriter:
    """Collects the rows of a chunk and writes them to Parquet files of a limited size."""

    def __init__(self, name: str, options: JobOptions, folder: Path) -> None:
        self._name = name
        self._options = options
        self._folder = folder
        self._of_file: dict[_Place, _Rows] = {}
        self._of_chunk: dict[_Place, _Rows] = defaultdict(_Rows)
        self._parts: list[str] = []
        self._round = 0
        self.row_counts: dict[str, int] = defaultdict(int)

    def take(self, table: str, partition: Partition, rows: list[Row]) -> None:
        """Take rows of the current file."""
        place = (table, self._folded(table, partition))
        found = self._of_file.get(place)
        if found is None:
            found = self._of_file[place] = _Rows()
        found.add(table, rows)

    def end_file(self, row: Row) -> None:
        """Keep the rows of the current file unless it was rejected, and its row in ``files``."""
        if not is_rejected(row):
            for (table, partition), rows in self._of_file.items():
                self._of_chunk[table, partition].extend(table, rows)
                self.row_counts[table] += rows.count
        self._of_file = {}
        if "files" in self._options.tables:
            self._of_chunk["files", OUTSIDE].add("files", [row])
            self.row_counts["files"] += 1
        if sum(rows.size for rows in self._of_chunk.values()) > _PART_BYTES:
            self._write()

    def finish(self) -> tuple[str, ...]:
        """Write what is left; return the names of all Parquet files, relative to the folder."""
        self._write()
        return tuple(self._parts)

    def _folded(self, table: str, partition: Partition) -> Partition:
        """Return the folders of a table that rows of a partition are in."""
        if table in _UNPARTITIONED or self._options.partition == "none":
            return OUTSIDE
        return partition if self._options.partition == "set-day" else partition._replace(day="")

    def _write(self) -> None:
        for (table, partition), rows in self._of_chunk.items():
            folders = "".join(self._folders(table, partition))
            part = f"{table}/{folders}part-{self._name}-{self._round}.parquet"
            write_whole(self._folder, part, pa.Table.from_batches(rows.batches(table)))
            self._parts.append(part)
        self._of_chunk.clear()
        self._round += 1

    def _folders(self, table: str, partition: Partition) -> Iterator[str]:
        by = "none" if table in _UNPARTITIONED else self._options.partition
        if by != "none":
            yield f"set_id={quote(partition.tx_set, safe='') or NULL_FOLDER}/"
        if by == "set-day":
            yield f"day={partition.day or NULL_FOLDER}/"


class _Rows:
    """Rows of a table, most of them as Arrow batches."""

    def __init__(self) -> None:
        self._batches: list[pa.RecordBatch] = []
        self._waiting: list[Row] = []
        self.count = 0
        self.size = 0
        """Bytes of the batches."""

    def add(self, table: str, rows: Sequence[Row]) -> None:
        """Add rows behind the others."""
        self._waiting += rows
        self.count += len(rows)
        if len(self._waiting) >= _BATCH_ROWS:
            self._convert(table)

    def extend(self, table: str, others: _Rows) -> None:
        """Add those of another behind."""
        if others._batches:
            self._convert(table)
            self._batches += others._batches
            self.count += others.count - len(others._waiting)
            self.size += others.size
        self.add(table, others._waiting)

    def batches(self, table: str) -> list[pa.RecordBatch]:
        """Return all rows as batches."""
        self._convert(table)
        return self._batches

    def _convert(self, table: str) -> None:
        if self._waiting:
            batch = arrow_batch(arrow_schema(TABLES[table]), self._waiting)
            self._batches.append(batch)
            self.size += batch.nbytes
            self._waiting = []


def write_whole(folder: Path, part: str, table: pa.Table) -> None:
    """Write a Parquet file so that it is there whole or not at all.

    Raises:
        OSError: It cannot be written.
    """
    path = folder / part
    started = folder / WORK_FOLDER / f"{path.name}.{os.getpid()}"
    parquet.write_table(table, started, compression="zstd")
    with started.open("rb+") as file:
        os.fsync(file.fileno())
    path.parent.mkdir(parents=True, exist_ok=True)
    started.replace(path)
    synchronize(path.parent)


def synchronize(folder: Path) -> None:
    """Make the names in a folder last.

    Raises:
        OSError: The system cannot.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
