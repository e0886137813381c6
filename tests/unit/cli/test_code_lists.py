"""``longshore dictionary import-codes``, ``list-codes``, ``remove-codes``, and codes of a file."""

import re
import subprocess
import time
from pathlib import Path

import pytest

from longshore.storage.code_list_file import CodeListFile
from tests.system.server import LONGSHORE, clean_environment
from tests.unit.cli.conftest import CommandLine
from tests.unit.x12.documents import an_850

LOCKS = Path("/proc/locks")
ORDER = an_850("BEG*00*SA*PO-1**20240115", "PO1*1*1*EA*9.25**VP*A1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LONGSHORE_CODE_LISTS_FILE", str(tmp_path / "kept" / "codes.csv"))
    return tmp_path


def written(folder: Path, text: str) -> str:
    file = folder / "own.csv"
    file.write_text(text)
    return str(file)


def listed(run: CommandLine, *options: str) -> list[tuple[str, str, str]]:
    found = run("dictionary", "list-codes", "--json", *options).json["codes"]
    return [(each["element"], each["code"], each["action"]) for each in found]


def test_imported_codes_are_listed_and_taken_back(run: CommandLine, folder: Path) -> None:
    kept = folder / "kept" / "codes.csv"
    ran = run("dictionary", "import-codes", written(folder, "355,Q1,quarter\n355,Q2\n"))
    assert (ran.code, ran.err) == (
        0,
        f"imported: 2, now in {kept}: 2\n",
    )
    ran = run(
        "dictionary", "import-codes", written(folder, "353,00\n"), "--action", "remove", "--json"
    )
    assert ran.json == {"imported": 1, "total": 3, "file": str(kept)}
    assert listed(run) == [("353", "00", "remove"), ("355", "Q1", "add"), ("355", "Q2", "add")]
    assert "quarter" in run("dictionary", "list-codes", "--element", "355").out
    assert run("dictionary", "remove-codes", "355", "Q1", "--json").json["removed"] == 1
    assert run("dictionary", "remove-codes", "353").code == 0
    assert listed(run) == [("355", "Q2", "add")]


def test_a_wrong_line_imports_nothing(run: CommandLine, folder: Path) -> None:
    file = written(folder, "355,Q1\n355,LONG\n")
    ran = run("dictionary", "import-codes", file)
    assert ran.code == 2
    assert f"{file}:2: a code of element 355 has 2 to 2 characters" in ran.err
    assert listed(run) == []
    (folder / "own.csv").write_bytes(b"355,\xff1")
    assert "is not UTF-8 text" in run("dictionary", "import-codes", file).err


def test_what_was_not_imported_cannot_be_removed(run: CommandLine, folder: Path) -> None:
    run("dictionary", "import-codes", written(folder, "355,Q1\n"))
    ran = run("dictionary", "remove-codes", "353")
    assert (ran.code, "No imported line is about element 353." in ran.err) == (2, True)
    ran = run("dictionary", "remove-codes", "355", "Q1", "Q9")
    assert (ran.code, "about code Q9 of element 355." in ran.err) == (2, True)
    assert listed(run) == [("355", "Q1", "add")]


def waits_for_a_lock(process: subprocess.Popen[bytes]) -> bool:
    waiting = re.compile(rf"-> FLOCK +ADVISORY +WRITE {process.pid} ")
    return waiting.search(LOCKS.read_text()) is not None


@pytest.mark.skipif(not LOCKS.exists(), reason="only Linux says who waits for a lock")
def test_an_import_waits_for_another_and_both_are_there(run: CommandLine, folder: Path) -> None:
    kept = CodeListFile(folder / "kept" / "codes.csv")
    command = (*LONGSHORE, "dictionary", "import-codes", written(folder, "355,Q2\n"))
    environment = clean_environment(LONGSHORE_CODE_LISTS_FILE=str(kept.path))
    with kept.being_changed():
        other = subprocess.Popen(command, env=environment)
        while not waits_for_a_lock(other) and other.poll() is None:
            time.sleep(0.01)
        kept.path.write_text("355,Q1\n")
    assert other.wait(60) == 0
    assert listed(run) == [("355", "Q1", "add"), ("355", "Q2", "add")]


def test_documents_are_validated_by_a_file_of_codes(run: CommandLine, folder: Path) -> None:
    document = folder / "order.edi"
    document.write_text(ORDER)
    codes = written(folder, "355,EA,,,,remove\n")
    assert run("validate", str(document)).code == 0
    ran = run("validate", str(document), "--code-lists", codes)
    assert (ran.code, "element_code_invalid" in ran.out) == (1, True)
    assert "AK4*3*355*7*EA" in run("ack", str(document), "--code-lists", codes).out
    both = run("validate", str(document), "--code-lists", codes, "--codes", "off")
    assert (both.code, "Own codes have no effect while codes is off" in both.err) == (2, True)
    document.write_text(ORDER.replace("*EA*", "*QQ*"))
    assert [run("validate", str(document), *off).code for off in ((), ("--codes", "off"))] == [1, 0]
