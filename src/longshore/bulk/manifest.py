"""The record of what a job has finished, so that it goes on and no row is there twice.

The manifest is a file of JSON lines. The first names the job, each other a chunk whose Parquet
files are all in place. A Parquet file that no line names is removed before a job goes on.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from longshore.bulk.parts import WORK_FOLDER, WrittenChunk, synchronize
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.library.table_columns import TABLES

MANIFEST: Final = "_manifest.jsonl"
_LOCK: Final = "_lock"
_FORMAT: Final = 1


class JobManifest:
    """The chunks of a job that are finished, on disk as soon as they are."""

    def __init__(self, folder: Path, head: dict[str, object]) -> None:
        self._folder = folder
        self._path = folder / MANIFEST
        self._head = {"format": _FORMAT} | head
        self.finished: dict[str, WrittenChunk] = {}
        """The outcome of each chunk, by its name."""

    def open(self) -> None:
        """Read what is there, or begin a new manifest.

        Raises:
            _refusal: A LongshoreError invalid_parameter: the folder holds another job, or other
                files.
            OSError: It cannot be read or written.
        """
        lines = self._lines()
        if not lines:
            self._refuse_other_files()
        elif json.loads(lines[0]) != self._head:
            raise _refusal(
                f"The folder {str(self._folder)!r} holds the tables of other sources, or of other "
                "options. Name another folder, or use --replace to make them anew."
            )
        self.finished.update(map(_finished, lines[1:]))
        self._rewrite()

    def keep(self, names: Iterable[str]) -> None:
        """Forget chunks but these, and remove every Parquet file that no finished chunk has.

        Raises:
            OSError: A file cannot be removed.
        """
        wanted = set(names)
        self.finished = {name: each for name, each in self.finished.items() if name in wanted}
        # The lines go first: a chunk without its files would not be made again.
        self._rewrite()
        known = {part for each in self.finished.values() for part in each.parts}
        for table in TABLES:
            for path in (self._folder / table).rglob("part-*.parquet"):
                if path.relative_to(self._folder).as_posix() not in known:
                    path.unlink()
        shutil.rmtree(self._folder / WORK_FOLDER, ignore_errors=True)
        (self._folder / WORK_FOLDER).mkdir()

    def add(self, name: str, written: WrittenChunk) -> None:
        """Note that all Parquet files of a chunk are in place.

        Raises:
            OSError: It cannot be written.
        """
        self.finished[name] = written
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(_described(name, written)))
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> list[str]:
        """Return the lines that are whole; a process that was killed leaves the last one torn."""
        if not self._path.exists():
            return []
        lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
        return [line for line in lines if line.endswith("\n")]

    def _rewrite(self) -> None:
        lines = [self._head, *(_described(n, each) for n, each in self.finished.items())]
        started = self._path.with_suffix(".new")
        with started.open("w", encoding="utf-8") as file:
            file.writelines(map(_line, lines))
            file.flush()
            os.fsync(file.fileno())
        started.replace(self._path)
        synchronize(self._folder)

    def _refuse_other_files(self) -> None:
        known = {_LOCK, WORK_FOLDER, MANIFEST, self._path.with_suffix(".new").name}
        others = sorted(each.name for each in self._folder.iterdir() if each.name not in known)
        if others:
            raise _refusal(
                f"The folder {str(self._folder)!r} holds other files ({others[0]}). "
                "Name an empty or a new one."
            )


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make a folder if it is not there, and keep other jobs from it.

    Raises:
        _refusal: A LongshoreError invalid_parameter: another job works in it, or it is no folder.
        OSError: It cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise _refusal(f"{str(folder)!r} is no folder.")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("a", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as taken:
            raise _refusal(f"Another job works in the folder {str(folder)!r}.") from taken
        yield


def remove_tables(folder: Path) -> None:
    """Remove the tables and the manifest of a job.

    Raises:
        OSError: A file cannot be removed.
    """
    if (folder / MANIFEST).exists():
        for table in TABLES:
            shutil.rmtree(folder / table, ignore_errors=True)
        (folder / MANIFEST).unlink()


def _line(value: dict[str, object]) -> str:
    return json.dumps(value) + "\n"


def _described(name: str, written: WrittenChunk) -> dict[str, object]:
    return {"chunk": name, **written._asdict()}


def _finished(text: str) -> tuple[str, WrittenChunk]:
    """Return the name of the chunk of a line, and its outcome."""
    line = json.loads(text)
    return line["chunk"], WrittenChunk(
        parts=tuple(line["parts"]),
        file_count=line["file_count"],
        rejected_count=line["rejected_count"],
        row_counts=line["row_counts"],
        rejects=tuple((name, code, message) for name, code, message in line["rejects"]),
    )


def _refusal(message: str) -> LongshoreError:
    code = ErrorCode.INVALID_PARAMETER
    return LongshoreError(
        code, message, details=(ErrorDetail(code=code, message=message, param="out"),)
    )
