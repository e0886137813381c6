"""A job: the chunks that are not finished are written by processes of this machine."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Final, NamedTuple

from longshore.bulk.chunks import Chunk, JobOptions
from longshore.bulk.manifest import JobManifest, locked, remove_tables
from longshore.bulk.parts import WORK_FOLDER, WrittenChunk, write_chunk
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.library.table_columns import TABLES

_PER_WORKER: Final = 2
"""Chunks that are given to a process ahead."""
_ENDS: Final = 2
"""A file is rejected when so many processes have ended while they read it."""
_BEFORE_ALL: Final = -1


class JobReport(NamedTuple):
    """The outcome of a job."""

    file_count: int
    rejected_count: int
    row_counts: dict[str, int]
    """Rows by table."""
    rejects: list[tuple[str, str, str]]
    """Name, code and reason of some of the rejected files."""
    chunk_count: int
    finished_before: int
    """The chunks that an earlier run had finished."""


class BulkJob(NamedTuple):
    """A job: files, and where their tables go."""

    sources: tuple[str, ...]
    """The sources as given."""
    folder: Path
    """The folder of the tables."""
    options: JobOptions
    chunks: list[Chunk]


def run_job(
    job: BulkJob,
    workers: int,
    *,
    is_replaced: bool = False,
    report: Callable[[int], None] = lambda _done: None,
) -> JobReport:
    """Write the tables of all files to Parquet; go on where an earlier run was stopped.

    Args:
        job: What to do.
        workers: How many processes work.
        is_replaced: Whether tables of another job in the folder are removed first.
        report: Called with the bytes of the files that are done.

    Raises:
        LongshoreError: invalid_parameter: the folder holds another job or other files.
        OSError: The folder or a file in it cannot be written.
    """
    with locked(job.folder):
        if is_replaced:
            remove_tables(job.folder)
        manifest = JobManifest(job.folder, {"sources": [*job.sources]} | _described(job.options))
        manifest.open()
        manifest.keep(chunk.name for chunk in job.chunks)
        before = len(manifest.finished)
        waiting = [chunk for chunk in job.chunks if chunk.name not in manifest.finished]
        done = sum(chunk.size for chunk in job.chunks) - sum(chunk.size for chunk in waiting)
        report(done)
        for chunk, written in _LocalEngine(job.options, job.folder, workers).write(waiting):
            manifest.add(chunk.name, written)
            done += chunk.size
            report(done)
        return _summary([manifest.finished[chunk.name] for chunk in job.chunks], before)


def _described(options: JobOptions) -> dict[str, object]:
    return {**options._asdict(), "tables": list(options.tables)}


def _summary(chunks: Sequence[WrittenChunk], before: int) -> JobReport:
    counts: Counter[str] = Counter()
    for each in chunks:
        counts.update(each.row_counts)
    return JobReport(
        file_count=sum(each.file_count for each in chunks),
        rejected_count=sum(each.rejected_count for each in chunks),
        row_counts={table: counts[table] for table in TABLES if counts[table]},
        rejects=[reject for each in chunks for reject in each.rejects],
        chunk_count=len(chunks),
        finished_before=before,
    )


class _LocalEngine:
    """Processes of this machine. One that ends early is replaced and its chunk written again."""

    def __init__(self, options: JobOptions, folder: Path, workers: int) -> None:
        self._options = options
        self._folder = folder
        self._workers = workers

    def write(self, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, WrittenChunk]]:
        """Yield each chunk with what became of it, as they are finished.

        Raises:
            LongshoreError: internal_error: processes end before they read anything.
            OSError: A Parquet file cannot be written.
        """
        waiting = deque(chunks)
        lost: list[Chunk] = []
        while waiting or lost:
            for chunk in lost:
                yield chunk, self._alone(chunk)
            lost = []
            yield from self._together(waiting, lost)

    def _together(
        self, waiting: deque[Chunk], lost: list[Chunk]
    ) -> Iterator[tuple[Chunk, WrittenChunk]]:
        """Write chunks side by side until all are written or a process ends early.

        Args:
            waiting: The chunks; those that were begun are taken out.
            lost: Gets those that were begun and not finished.
        """
        with _processes(self._workers) as pool:
            running: dict[Future[WrittenChunk], Chunk] = {}
            while running or (waiting and not lost):
                while waiting and not lost and len(running) < self._workers * _PER_WORKER:
                    chunk = waiting.popleft()
                    running[self._submit(pool, chunk)] = chunk
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    chunk = running.pop(future)
                    try:
                        written = future.result()
                    except BrokenProcessPool:
                        lost.append(chunk)
                    else:
                        yield chunk, written

    def _alone(self, chunk: Chunk) -> WrittenChunk:
        """Write a chunk in a process of its own; leave out files while it ends again and again.

        Raises:
            LongshoreError: internal_error: it ends before it reads anything.
            OSError: A Parquet file cannot be written.
        """
        mark = self._folder / WORK_FOLDER / "position"
        ends: Counter[int] = Counter()
        while True:
            mark.write_text("-1", encoding="ascii")
            skipped = frozenset(index for index, times in ends.items() if times >= _ENDS)
            if _BEFORE_ALL in skipped:
                code = ErrorCode.INTERNAL_ERROR
                raise LongshoreError(code, "The processes that read files end as they begin.")
            with _processes(1) as pool:
                try:
                    return self._submit(pool, chunk, skipped, mark).result()
                except BrokenProcessPool:
                    ends[int(mark.read_text(encoding="ascii") or _BEFORE_ALL)] += 1

    def _submit(
        self,
        pool: ProcessPoolExecutor,
        chunk: Chunk,
        skipped: frozenset[int] = frozenset(),
        mark: Path | None = None,
    ) -> Future[WrittenChunk]:
        try:
            return pool.submit(write_chunk, chunk, self._options, self._folder, skipped, mark)
        except BrokenProcessPool as broken:
            future: Future[WrittenChunk] = Future()
            future.set_exception(broken)
            return future


@contextmanager
def _processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Start processes; end them at once if the work is given up."""
    pool = ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
    )
    before = {each.pid for each in multiprocessing.active_children()}
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        for each in multiprocessing.active_children():
            if each.pid not in before:
                each.terminate()
        pool.shutdown(cancel_futures=True)
        raise


def _begin() -> None:
    """Leave Ctrl-C to the command, end when it ends, and leave garbage to ``write_chunk``."""
    gc.freeze()
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
