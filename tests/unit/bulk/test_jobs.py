"""Jobs: a file that ends every process that reads it, and processes that cannot begin."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pyarrow import parquet

from longshore.bulk import jobs
from longshore.bulk.chunks import Chunk, JobOptions, chunks_of
from longshore.bulk.jobs import BulkJob, run_job
from longshore.bulk.parts import WrittenChunk, write_chunk
from longshore.bulk.sources import find_files
from longshore.kit.errors import LongshoreError
from tests.unit.x12.documents import an_850

OPTIONS = JobOptions(("files", "transaction_sets"), "none", 1 << 20)
Write = Callable[[Chunk, JobOptions, Path, frozenset[int], Path | None], WrittenChunk]


def end_at_the_second(
    chunk: Chunk, options: JobOptions, folder: Path, skipped: frozenset[int], mark: Path | None
) -> WrittenChunk:
    if 1 not in skipped:
        if mark is not None:
            mark.write_text("1")
        os._exit(1)
    return write_chunk(chunk, options, folder, skipped, mark)


def end_at_once(*_: object) -> WrittenChunk:
    os._exit(1)


def a_job(tmp_path: Path) -> BulkJob:
    (tmp_path / "in").mkdir()
    for name in "abc":
        (tmp_path / "in" / name).write_text(an_850(), encoding="ascii")
    files = find_files([str(tmp_path / "in")])
    return BulkJob(("in",), tmp_path / "out", OPTIONS, chunks_of(files, OPTIONS))


@pytest.mark.full("starts processes")
def test_a_file_that_ends_every_process_is_rejected_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = a_job(tmp_path)
    monkeypatch.setattr(jobs, "write_chunk", end_at_the_second)
    done: list[int] = []
    report = run_job(job, 1, report=done.append)
    assert (report.file_count, report.rejected_count) == (3, 1)
    assert report.rejects == [
        (
            str(tmp_path / "in/b"),
            "internal_error",
            "The process that read this file ended twice.",
        )
    ]
    assert done == [0, job.chunks[0].size]
    sets = parquet.read_table(job.folder / "transaction_sets").to_pylist()
    assert [Path(row["file"]).name for row in sets] == ["a", "c"]
    monkeypatch.setattr(jobs, "write_chunk", end_at_once)
    assert run_job(job, 1) == report._replace(finished_before=1)  # nothing is left to do
    with pytest.raises(LongshoreError) as refused:
        run_job(job, 1, is_replaced=True)
    assert refused.value.message == "The processes that read files end as they begin."
