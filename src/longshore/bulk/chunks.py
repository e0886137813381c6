"""The division of a job into chunks of files, always the same for the same files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from longshore import __version__
from longshore.bulk.sources import SourceFile

CHUNK_BYTES: Final = 8 << 20
CHUNK_FILES: Final = 500


class JobOptions(NamedTuple):
    """The form of the tables of a job; its chunks are made anew if this changes."""

    tables: tuple[str, ...]
    """The names of the tables, in the order of ``TABLES``."""
    partition: str
    """``set-day``, ``set`` or ``none``: the folders of rows that belong to transaction sets."""
    max_file_bytes: int
    """The size of the largest file that is read."""


class Chunk(NamedTuple):
    """Files whose rows are written and noted together."""

    name: str
    """The beginning of the names of its Parquet files: its number, and a digest of what it is."""
    files: tuple[SourceFile, ...]
    size: int
    """The bytes of its files."""


def chunks_of(files: Iterable[SourceFile], options: JobOptions) -> list[Chunk]:
    """Return the chunks of a job, in the order of the files.

    A chunk ends with 8 MiB or 500 files. An archive that is read in sequence is a chunk of its own,
    so that it is read once.
    """
    return [
        Chunk(f"{number:06d}-{_digest(each, options)}", each, sum(file.size for file in each))
        for number, each in enumerate(_divided(files))
    ]


def _divided(files: Iterable[SourceFile]) -> Iterator[tuple[SourceFile, ...]]:
    current: list[SourceFile] = []
    size = 0
    for file in files:
        archive = file.path if file.is_in_sequence else ""
        last = current[-1].path if current and current[-1].is_in_sequence else ""
        is_full = not archive and (size + file.size > CHUNK_BYTES or len(current) == CHUNK_FILES)
        if current and (is_full or archive != last):
            yield tuple(current)
            current, size = [], 0
        current.append(file)
        size += file.size
    if current:
        yield tuple(current)


def _digest(files: Sequence[SourceFile], options: JobOptions) -> str:
    described = (
        __version__,
        options,
        [(each.name, each.size, each.stamp, each.position) for each in files],
    )
    return sha256(json.dumps(described).encode(errors="surrogateescape")).hexdigest()[:16]
