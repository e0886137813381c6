"""The files of folders, patterns, archives and URLs: names, order, and what cannot be read."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from longshore.bulk.sources import UNREADABLE, FileTooLargeError, contents, find_files
from longshore.kit.errors import LongshoreError

LIMIT = 1 << 20


def read(sources: Sequence[str], limit: int = LIMIT) -> dict[str, bytes | str]:
    """Return the content of each file, or the name of the error, by its name."""
    found: dict[str, bytes | str] = {}
    for file, reader in contents(find_files(sources), limit):
        try:
            found[file.name] = reader()
        except (FileTooLargeError, *UNREADABLE) as fault:
            found[file.name] = f"{type(fault).__name__}: {fault}"
    return found


def test_folders_and_patterns_are_read_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b.edi", "a/c.edi", "a/.hidden/d.edi", ".e.edi", "a/f.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    root = str(tmp_path)
    everything = [f"{root}/a/c.edi", f"{root}/a/f.txt", f"{root}/b.edi"]
    assert [each.name for each in find_files([root])] == everything
    assert [each.name for each in find_files([f"{root}/**/*.edi"])] == [
        everything[0],
        everything[2],
    ]
    assert [each.name for each in find_files([f"{root}/b.edi", root])] == [
        *(everything[2], *everything[:2]),
    ]
    assert [each.name for each in find_files([f"{root}/.e.edi"])] == [f"{root}/.e.edi"]
    assert read([f"{root}/a"])[everything[0]] == b"a/c.edi"
    outside = find_files([root], tmp_path / "a" / ".." / "a")  # the folder of the tables
    assert [each.name for each in outside] == [everything[2]]


def test_the_files_of_archives_have_their_names_and_are_read_once(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x/1.edi", b"one")
        archive.writestr("x/2.edi", b"two")
    with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as tar:
        for name, content in (("3.edi", b"three"), ("3.edi", b"again"), ("4.edi", b"four")):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        tar.addfile(tarfile.TarInfo("folder"))
    (tmp_path / "c.edi.gz").write_bytes(gzip.compress(b"five"))
    root = str(tmp_path)
    assert read([root, root]) == {
        f"{root}/a.zip!x/1.edi": b"one",
        f"{root}/a.zip!x/2.edi": b"two",
        f"{root}/b.tar.gz!3.edi": b"again",
        f"{root}/b.tar.gz!4.edi": b"four",
        f"{root}/b.tar.gz!folder": b"",
        f"{root}/c.edi.gz": b"five",
    }
    assert [each.size for each in find_files([f"{root}/b.tar.gz"])] == [5, 5, 4, 0]
    assert [each.is_in_sequence for each in find_files([root])] == [
        *(False, False, True, True, True, True, False),
    ]


def test_files_that_cannot_be_read_say_why_and_stop_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no archive")
    (tmp_path / "b.gz").write_bytes(gzip.compress(bytes(LIMIT + 1)))
    (tmp_path / "c.gz").write_bytes(gzip.compress(b"cut off")[:-4])
    (tmp_path / "d.edi").write_bytes(bytes(9))
    with zipfile.ZipFile(tmp_path / "e.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", bytes(LIMIT + 1))
        archive.writestr("fine", b"fine")
    (tmp_path / "f.tar").write_bytes(b"no archive")
    root = str(tmp_path)
    assert read([root]) == {
        f"{root}/a.zip": "ValueError: The archive cannot be read: File is not a zip file.",
        f"{root}/b.gz": "FileTooLargeError: ",
        f"{root}/c.gz": "EOFError: Compressed file ended before the end-of-stream marker was "
        "reached",
        f"{root}/d.edi": bytes(9),
        f"{root}/e.zip!bomb": "FileTooLargeError: ",
        f"{root}/e.zip!fine": b"fine",
        f"{root}/f.tar": "ValueError: The archive cannot be read: truncated header.",
    }
    assert read([f"{root}/d.edi"], 8) == {f"{root}/d.edi": "FileTooLargeError: "}


def test_what_goes_away_after_it_was_found_is_an_error_of_its_files(tmp_path: Path) -> None:
    def pack(*names: str) -> None:
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            for name in names:
                archive.writestr(name, b"1")
        with tarfile.open(tmp_path / "b.tar", "w") as tar:
            for name in names:
                tar.addfile(tarfile.TarInfo(name))

    def faults() -> list[str]:
        found = []
        for _, reader in contents(files, LIMIT):
            with pytest.raises(UNREADABLE) as fault:
                reader()
            found.append(str(fault.value))
        return found

    pack("1")
    files = find_files([str(tmp_path)])
    pack("2")
    assert faults() == ["the archive has changed"] * 2
    pack()
    assert faults() == ["list index out of range", "it has ended before this file"]
    for name in ("a.zip", "b.tar"):
        (tmp_path / name).unlink()
    assert [each[:36] for each in faults()] == ["[Errno 2] No such file or directory:"] * 2


def test_urls_are_listed_and_read_by_their_file_system(tmp_path: Path) -> None:
    for name in ("in/a b.edi", "in/below/c.edi", "in/below/d.txt", "in/.e.edi"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    with zipfile.ZipFile(tmp_path / "in/f.zip", "w") as archive:
        archive.writestr("g", b"packed")
    base = f"file://{tmp_path}/in"
    assert read([base]) == {
        f"{base}/a b.edi": b"in/a b.edi",
        f"{base}/below/c.edi": b"in/below/c.edi",
        f"{base}/below/d.txt": b"in/below/d.txt",
        f"{base}/f.zip!g": b"packed",
    }
    assert [*read([f"{base}/**/*.edi"])] == [f"{base}/a b.edi", f"{base}/below/c.edi"]
    assert [*read([f"{base}/*.edi", f"{base}/below/d.txt"])] == [
        *(f"{base}/a b.edi", f"{base}/below/d.txt"),
    ]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("none.edi", "[Errno 2] No such file or directory: 'none.edi'"),
        ("no/such/*.edi", "there is no file"),
        ("file:///no/such/file", "there is no such file or folder"),
        ("s3://KEY:SECRET@bucket/x", "credentials belong into the environment, not into the URL"),
        ("gopher://host/x", "Unrecognized filesystem type in URI: gopher://host/x"),
    ],
)
def test_a_source_that_cannot_be_used_is_refused(source: str, reason: str) -> None:
    with pytest.raises(LongshoreError) as refused:
        find_files([source])
    shown = source.rpartition("@")[2]
    assert refused.value.message == f"The source {shown!r} cannot be used: {reason}."
    assert (refused.value.code, refused.value.details[0].param) == ("invalid_parameter", "sources")
