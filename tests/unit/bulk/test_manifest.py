"""The record of finished chunks: torn lines, other jobs, files that no chunk has."""

import json
from pathlib import Path

import pytest

from longshore.bulk.manifest import MANIFEST, JobManifest, locked, remove_tables
from longshore.bulk.parts import WrittenChunk
from longshore.kit.errors import LongshoreError

HEAD: dict[str, object] = {"sources": ["in"], "tables": ["files"]}
PART = "files/part-000000-a-0.parquet"
WRITTEN = WrittenChunk((PART,), 1, 1, {"files": 1}, (("in/x", "storage_unavailable", "Gone."),))


def a_part(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def opened(folder: Path, head: dict[str, object] = HEAD) -> JobManifest:
    manifest = JobManifest(folder, head)
    manifest.open()
    return manifest


def test_what_is_finished_is_read_again_without_a_torn_line(tmp_path: Path) -> None:
    manifest = opened(tmp_path)
    manifest.add("000000-a", WRITTEN)
    with (tmp_path / MANIFEST).open("a") as file:
        file.write('{"chunk": "000001-b", "par')
    again = opened(tmp_path)
    assert again.finished == {"000000-a": WRITTEN}
    again.add("000001-b", WRITTEN)
    lines = (tmp_path / MANIFEST).read_text().splitlines()
    assert [json.loads(line).get("chunk") for line in lines] == [None, "000000-a", "000001-b"]


def test_files_of_no_finished_chunk_are_removed_and_others_stay(tmp_path: Path) -> None:
    manifest = opened(tmp_path)
    kept, own = a_part(tmp_path, PART), a_part(tmp_path, "files/notes.txt")
    gone = [
        *(a_part(tmp_path, "files/part-000001-b-0.parquet"), a_part(tmp_path, "_work/x.parquet")),
        a_part(tmp_path, "claims/set_id=837/day=2026-01-01/part-000000-a-0.parquet"),
    ]
    manifest.add("000000-a", WRITTEN)
    manifest.add("000001-b", WRITTEN._replace(parts=("files/part-000001-b-0.parquet",)))
    manifest.keep(["000000-a", "000002-c"])
    assert [each.exists() for each in (kept, own, *gone)] == [True, True, False, False, False]
    assert opened(tmp_path).finished == {"000000-a": WRITTEN}


def test_the_folder_of_another_job_or_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    opened(tmp_path / "a")
    with pytest.raises(LongshoreError) as refused:
        opened(tmp_path / "a", HEAD | {"sources": ["other"]})
    assert refused.value.message == (
        f"The folder {str(tmp_path / 'a')!r} holds the tables of other sources, or of other "
        "options. Name another folder, or use --replace to make them anew."
    )
    part, own = a_part(tmp_path / "a", PART), a_part(tmp_path / "a", "notes.txt")
    remove_tables(tmp_path / "a")
    assert (part.exists(), own.exists()) == (False, True)
    with pytest.raises(LongshoreError) as refused:
        opened(tmp_path / "a", HEAD)
    assert refused.value.message == (
        f"The folder {str(tmp_path / 'a')!r} holds other files (notes.txt). "
        "Name an empty or a new one."
    )
    remove_tables(tmp_path / "a")  # without a manifest nothing is removed
    assert own.exists()


def test_two_jobs_never_work_in_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "out"
    with locked(folder), pytest.raises(LongshoreError) as refused, locked(folder):
        pass
    assert refused.value.message == f"Another job works in the folder {str(folder)!r}."
    with locked(folder):
        assert folder.is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(LongshoreError) as refused, locked(tmp_path / "file"):
        pass
    assert refused.value.message == f"{str(tmp_path / 'file')!r} is no folder."
