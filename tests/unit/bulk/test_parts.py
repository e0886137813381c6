"""Chunks and their Parquet files: the rows of the library, in folders by set and day."""

from pathlib import Path

import pyarrow.dataset as ds
import pytest
from pyarrow import parquet

import longshore as ls
from longshore.bulk import chunks, parts
from longshore.bulk.chunks import CHUNK_BYTES, Chunk, JobOptions, chunks_of
from longshore.bulk.parts import WORK_FOLDER, write_chunk
from longshore.bulk.sources import SourceFile, find_files
from longshore.library.table_columns import TABLES
from tests.architecture.repository import ROOT
from tests.unit.x12.documents import a_group, a_set, interchange

SAMPLES = ROOT / "samples"
ALL = JobOptions(tuple(TABLES), "set-day", 1 << 20)
Rows = list[tuple[object, ...]]


def written(folder: Path, sources: list[str], options: JobOptions = ALL) -> parts.WrittenChunk:
    (folder / WORK_FOLDER).mkdir()
    (chunk,) = chunks_of(find_files(sources), options)
    return write_chunk(chunk, options, folder, frozenset(), None)


def rows_in(folder: Path, table: str) -> Rows:
    """Return the rows of a table without their partition, in the order of files and places."""
    names = [column.name for column in TABLES[table] if column.name != "seconds"]
    read = ds.dataset(folder / table, partitioning=None).to_table(names)
    found: Rows = [tuple(row[name] for name in names) for row in read.to_pylist()]
    return sorted(found, key=repr)


def rows_of(sources: list[str], table: str) -> Rows:
    count = len(TABLES[table]) - (table == "files")
    return sorted((row[:count] for row in ls.tables(sources, TABLES).rows(table)), key=repr)


@pytest.mark.full("reads all samples twice")
@pytest.mark.parametrize("partition", ["set-day", "none"])
def test_every_table_has_the_rows_of_the_library(tmp_path: Path, partition: str) -> None:
    sources = [str(each) for each in sorted(SAMPLES.glob("8*/input.edi"))]
    options = ALL._replace(partition=partition)
    made = written(tmp_path, sources, options)
    assert (made.file_count, made.rejected_count, made.rejects) == (len(sources), 0, ())
    for table in TABLES:
        expected = rows_of(sources, table)
        assert made.row_counts.get(table, 0) == len(expected)
        if expected:
            assert rows_in(tmp_path, table) == expected
    assert sorted(made.parts) == sorted(
        each.relative_to(tmp_path).as_posix() for each in tmp_path.rglob("*.parquet")
    )
    assert not [*(tmp_path / WORK_FOLDER).iterdir()]


def test_rows_are_in_folders_by_set_and_day_and_those_outside_in_null(tmp_path: Path) -> None:
    dated = interchange(*a_group(*a_set("BEG*00*SA*PO-1**20240115")), "IEA*1*000000101")
    undated = dated.replace("*20240115*0930*", "*240115*0930*")
    odd = dated.replace("ST*850*", "ST*8/0*")
    for name, text in (("a", dated), ("b", undated), ("c", odd)):
        (tmp_path / name).write_text(text)
    (tmp_path / "out").mkdir()
    options = ALL._replace(tables=("transaction_sets", "segments", "groups"))
    written(tmp_path / "out", [str(tmp_path / name) for name in "abc"], options)
    folders = {
        each.parent.relative_to(tmp_path / "out").as_posix()
        for each in (tmp_path / "out").rglob("*.parquet")
    }
    null = "__HIVE_DEFAULT_PARTITION__"
    of_sets = ("set_id=850/day=2024-01-15", f"set_id=850/day={null}", "set_id=8%2F0/day=2024-01-15")
    assert folders == {
        *("groups", f"segments/set_id={null}/day={null}"),
        *(f"{table}/{each}" for table in ("transaction_sets", "segments") for each in of_sets),
    }
    read = ds.dataset(tmp_path / "out/transaction_sets", partitioning="hive").to_table()
    assert sorted(read["set_id"].to_pylist()) == ["8/0", "850", "850"]


def test_a_rejected_file_has_one_row_and_its_reason(tmp_path: Path) -> None:
    fine = str(SAMPLES / "850_purchase_order/input.edi")
    for name, content in (("big", b"ISA" * 200_000), ("text", b"Dear partner"), ("x.zip", b"none")):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "out").mkdir()
    sources = [str(tmp_path / name) for name in ("big", "text", "x.zip")]
    made = written(tmp_path / "out", [*sources, fine], ALL._replace(max_file_bytes=500_000))
    assert made.rejects == (
        (sources[0], "document_too_large", "The file has more than 500,000 bytes."),
        (sources[1], "document_unparseable", "Document is not X12: no ISA or segment found"),
        (sources[2], "storage_unavailable", "The archive cannot be read: File is not a zip file."),
    )
    assert (made.file_count, made.rejected_count) == (4, 3)
    files = parquet.read_table(tmp_path / "out/files").to_pylist()
    assert [row["status"] for row in files] == ["rejected", "rejected", "rejected", "done"]
    assert {row["file"] for row in parquet.read_table(tmp_path / "out/segments").to_pylist()} == {
        fine
    }


def test_large_tables_are_written_in_rounds_in_the_order_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in (
        *((parts, "_PART_BYTES", 1), (parts, "_BATCH_ROWS", 7), (parts, "_COLLECT_BYTES", 1)),
    ):
        monkeypatch.setattr(module, name, value)
    sources = [str(SAMPLES / f"{name}/input.edi") for name in ("850_purchase_order", "837p_claim")]
    options = ALL._replace(partition="none", tables=("segments",))
    made = written(tmp_path, sources, options)
    assert [each.rpartition("-")[2] for each in made.parts] == ["0.parquet", "1.parquet"]
    found = [
        row["segment"]
        for each in made.parts
        for row in parquet.read_table(tmp_path / each).to_pylist()
    ]
    assert found == [row[5] for row in ls.tables(sources, ["segments"]).rows("segments")]


def test_files_are_divided_alike_and_archives_in_sequence_stay_together() -> None:
    def a_file(name: str, size: int, position: int = -1) -> SourceFile:
        return SourceFile(name, name, size, "", position)

    big = CHUNK_BYTES - 1
    files = [
        *(a_file("a", big), a_file("b", 1), a_file("c", 1)),
        *(a_file("d.tar", big, at) for at in range(3)),
        *(a_file("e.tar", 1, 0), a_file("f.zip", 1, 0), a_file("f.zip", big, 1)),
    ]
    made = chunks_of(files, ALL)
    assert [[each.path for each in chunk.files] for chunk in made] == [
        *(["a", "b"], ["c"], ["d.tar"] * 3, ["e.tar"], ["f.zip"] * 2),
    ]
    assert [chunk.size for chunk in made] == [CHUNK_BYTES, 1, 3 * big, 1, CHUNK_BYTES]
    names = [chunk.name for chunk in made]
    assert [name[:7] for name in names] == [f"00000{number}-" for number in range(5)]
    assert [chunk.name for chunk in chunks_of(files, ALL)] == names
    others = chunks_of([files[0]._replace(stamp="later"), *files[1:]], ALL)
    assert [chunk.name == name for chunk, name in zip(others, names, strict=True)] == [
        *(False, True, True, True, True),
    ]
    many = [a_file(str(number), 0) for number in range(chunks.CHUNK_FILES + 1)]
    assert [len(chunk.files) for chunk in chunks_of(many, ALL)] == [chunks.CHUNK_FILES, 1]
    assert not {*names} & {chunk.name for chunk in chunks_of(files, ALL._replace(partition="set"))}


def test_a_file_that_ended_processes_is_rejected_and_its_place_noted(tmp_path: Path) -> None:
    (tmp_path / WORK_FOLDER).mkdir()
    fine = [str(SAMPLES / f"{name}/input.edi") for name in ("850_purchase_order", "837p_claim")]
    chunk = Chunk("000000-x", tuple(find_files(fine)), 1)
    made = write_chunk(chunk, ALL, tmp_path, frozenset((0,)), tmp_path / "mark")
    assert made.rejects == (
        (fine[0], "internal_error", "The process that read this file ended twice."),
    )
    assert (tmp_path / "mark").read_text() == "1"
    assert "claims" in made.row_counts
    assert "purchase_order_lines" not in made.row_counts
