"""The file of the operator's own codes is read again when it was changed."""

import io
import json
import os
from pathlib import Path

import pytest

from longshore.kit.errors import LongshoreError
from longshore.storage.code_list_file import CodeListFile
from longshore.telemetry.logging import configure_logging
from longshore.x12.dictionary.own_codes import CodeLists, CodeRow


def written(path: Path, text: str, age: int = 0) -> None:
    path.write_text(text)
    os.utime(path, (age, age))


def test_there_are_no_codes_without_a_file(tmp_path: Path) -> None:
    file = CodeListFile(tmp_path / "codes.csv")
    file.open()
    assert (file.current(), file.rows()) == (None, ())


def test_a_change_is_noticed_and_an_unchanged_file_is_not_read_again(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    file = CodeListFile(path)
    file.open()
    written(path, "355,Q1\n")
    first = file.current()
    assert first == CodeLists([CodeRow("355", "Q1")])
    assert file.current() is first
    written(path, "355,Q2\n", age=9)
    assert file.current() == CodeLists([CodeRow("355", "Q2")])
    path.unlink()
    assert file.current() is None


def test_a_file_that_cannot_be_locked_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    file = CodeListFile(tmp_path / "taken" / "codes.csv")
    with pytest.raises(LongshoreError, match=r"codes\.csv\.lock cannot be written"):
        file.being_changed().__enter__()


def test_a_change_that_makes_the_file_wrong_is_logged_and_the_codes_stay(tmp_path: Path) -> None:
    path, log = tmp_path / "codes.csv", io.BytesIO()
    configure_logging("info", log)
    written(path, "355,Q1\n")
    file = CodeListFile(path)
    file.open()
    written(path, "355,LONG\n", age=9)
    assert [file.current() == CodeLists([CodeRow("355", "Q1")]) for _ in "ab"] == [True, True]
    [line] = map(json.loads, log.getvalue().splitlines())
    assert (line["event"], line["level"]) == ("code_lists_unreadable", "error")
    assert line["reason"] == f"{path}:1: a code of element 355 has 2 to 2 characters"


def test_a_wrong_file_holds_a_start_back(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    written(path, "355,LONG\n")
    with pytest.raises(LongshoreError, match="has 2 to 2 characters"):
        CodeListFile(path).open()
    path.write_bytes(b"\xff")
    with pytest.raises(LongshoreError, match="cannot be read as UTF-8 text"):
        CodeListFile(path).open()
