"""``longshore bulk`` as a command: rows, kills of the command and of its processes, Ctrl-C.

``KILLS`` commands die in a row, 3 unless more are asked for, each at a random moment.
"""

import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from random import Random
from typing import Final

import pyarrow.dataset as ds
import pytest

import longshore as ls
from tests.system.server import LONGSHORE

KILLS: Final = int(os.environ.get("KILLS", "3"))
ARCHIVES: Final = 12  # each is a chunk
pytestmark = pytest.mark.full("runs many commands")
TABLES: Final = "files,transaction_sets,purchase_order_lines,findings"
DEADLINE_SECONDS: Final = 120


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of archives with orders; each has one file that is no document."""
    folder = tmp_path_factory.mktemp("in")
    for number in range(ARCHIVES):
        order = ls.sample("850", kind="varied", seed=number, count=12).text.encode()
        with tarfile.open(folder / f"{number}.tar", "w") as tar:
            for name, content in (("a.edi", order), ("b.txt", b"Dear partner"), ("c.edi", order)):
                info = tarfile.TarInfo(name)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return folder


def started(archives: Path, out: Path, workers: int = 2) -> subprocess.Popen[str]:
    command = [*LONGSHORE, "bulk", str(archives), "--out", str(out), "--tables", TABLES]
    return subprocess.Popen(
        [*command, "--workers", str(workers), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def report_of(process: subprocess.Popen[str]) -> dict[str, object]:
    out, err = process.communicate(timeout=DEADLINE_SECONDS)
    assert process.returncode == 1, err  # files were rejected
    found: dict[str, object] = json.loads(out)
    return found


def rows_in(out: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of each Parquet file without the seconds, by its name."""
    found = {}
    for path in sorted(out.rglob("*.parquet")):
        rows = ds.dataset(path, partitioning=None).to_table().to_pylist()
        values = [tuple(v for name, v in row.items() if name != "seconds") for row in rows]
        found[path.relative_to(out).as_posix()] = values
    return found


@pytest.fixture(scope="module")
def whole(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a job that ran through."""
    out = tmp_path_factory.mktemp("out")
    report = report_of(started(archives, out))
    rows = report["row_counts"]
    assert isinstance(rows, dict)
    assert (report["file_count"], report["rejected_count"]) == (3 * ARCHIVES, ARCHIVES)
    assert (rows["files"], rows["transaction_sets"]) == (3 * ARCHIVES, 24 * ARCHIVES)
    return out


def children_of(pid: int) -> list[int]:
    """Return the processes that read files for a command."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == pid and b"spawn_main" in command:
            found.append(int(entry.name))
    return found


def wait_for_children(process: subprocess.Popen[str]) -> list[int]:
    """Return the processes that read files for a command, none if it has ended before."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not (found := children_of(process.pid)) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


def wait_for_end(pids: list[int]) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while any(is_running(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:1]
    except OSError:
        return False


def test_a_job_that_is_killed_again_and_again_ends_like_one_that_ran_through(
    archives: Path, whole: Path, tmp_path: Path
) -> None:
    random, kills = Random(KILLS), 0
    for number in range(KILLS):
        process = started(archives, tmp_path, workers=1)
        children = wait_for_children(process)
        time.sleep(random.uniform(0, 1.5) if number else 0)
        process.kill()
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
        wait_for_end(children)
    report = report_of(started(archives, tmp_path))
    assert kills
    assert isinstance(report["finished_before"], int)
    sys.stdout.write(f"{kills} kills, {report['finished_before']} chunks finished before the end\n")
    assert rows_in(tmp_path) == rows_in(whole)
    again = report_of(started(archives, tmp_path))
    assert (again["finished_before"], again["file_count"]) == (ARCHIVES, 3 * ARCHIVES)


def test_a_killed_process_loses_and_doubles_nothing(
    archives: Path, whole: Path, tmp_path: Path
) -> None:
    process = started(archives, tmp_path)
    time.sleep(0.7)  # at the first chunks on most machines; at any other moment it is right too
    for child in wait_for_children(process)[:1]:
        os.kill(child, signal.SIGKILL)
    report = report_of(process)
    assert report["rejected_count"] == ARCHIVES
    assert rows_in(tmp_path) == rows_in(whole)


def test_ctrl_c_ends_the_command_and_its_processes(
    archives: Path, whole: Path, tmp_path: Path
) -> None:
    process = started(archives, tmp_path)
    children = wait_for_children(process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=DEADLINE_SECONDS)
    assert process.returncode in {130, 1}  # 1: it had just ended
    wait_for_end(children)
    report_of(started(archives, tmp_path))
    assert rows_in(tmp_path) == rows_in(whole)
