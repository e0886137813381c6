"""``longshore parse`` as a process: pipes, signals, start-up and long documents."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from longshore.cli.first_request import purchase_order
from tests.system.server import DEADLINE_SECONDS, LONGSHORE, clean_environment, longshore

HEAVY = ("apsw", "aiosql", "msgspec", "sqlalchemy", "starlette", "structlog", "uvicorn")


def an_order_of(lines: int) -> bytes:
    """Return one 850 with many order lines."""
    head, _, tail = purchase_order().partition("PO1*")
    line = "PO1*1*48*EA*12.75**BP*QH-2201*VP*BW-LAMP-BRS~"
    count = head.count("~") - 2 + lines + 1
    tail = f"SE*{count}*0001~" + tail.partition("SE*")[2].partition("~")[2]
    return (head + line * lines + tail).encode()


@pytest.mark.parametrize("command", [("parse", "--json"), ("validate", "--json"), ("ack",)])
def test_work_on_a_document_loads_neither_the_web_framework_nor_the_database(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    script = (
        "import sys; from longshore.cli.main import main;"
        f"code = main([*{command!r}, '-']);"
        f"print(code, [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=clean_environment(),
        input=purchase_order().encode(),
        capture_output=True,
        timeout=DEADLINE_SECONDS,
        check=True,
    )
    assert answer.stderr == b"0 []\n"


@pytest.mark.parametrize("command", ["parse", "validate", "ack"])
def test_work_on_a_document_looks_at_no_settings(tmp_path: Path, command: str) -> None:
    (tmp_path / "longshore.toml").write_text("nonsense")
    answer = longshore(command, "-", cwd=tmp_path, stdin=purchase_order().encode())
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["longshore.toml"]


def test_a_reader_that_goes_away_ends_parse_without_a_word(tmp_path: Path) -> None:
    document = tmp_path / "order.edi"
    document.write_bytes(an_order_of(20_000))
    with subprocess.Popen(
        [*LONGSHORE, "parse", str(document), "--view", "segments"],
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())["id"] == "ISA"
        process.stdout.close()
        assert process.wait(DEADLINE_SECONDS) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize("options", [["--json"], [], ["--view", "segments"]], ids=" ".join)
def test_output_that_cannot_be_written_is_one_line(options: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        answer = subprocess.run(
            [*LONGSHORE, "parse", "-", *options],
            env=clean_environment(),
            input=purchase_order().encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=DEADLINE_SECONDS,
            check=False,
        )
    assert (answer.returncode, answer.stderr.decode()) == (
        2,
        "longshore: System error: No space left on device. (storage_unavailable)\n",
    )


def hear_ctrl_c() -> None:
    """Undo that a run of tests in the background ignores SIGINT, which its children inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_parse_with_130_and_no_trace(tmp_path: Path) -> None:
    fifo = tmp_path / "document"
    os.mkfifo(fifo)
    with (
        subprocess.Popen(
            [*LONGSHORE, "parse", str(fifo), "--json"],
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=hear_ctrl_c,  # noqa: PLW1509 - it takes no lock that a thread may hold
        ) as process,
        fifo.open("wb"),
    ):  # opens when the command has opened its end: it is reading now
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE_SECONDS)
    assert (process.returncode, out, err.strip()) == (130, b"", b"")


@pytest.mark.parametrize("way", ["file", "stdin", "pipe"])
def test_segments_are_the_same_from_a_file_from_stdin_and_from_a_pipe(
    tmp_path: Path, way: str
) -> None:
    content = an_order_of(100)
    document = tmp_path / "order.edi"
    document.write_bytes(content)
    if way == "pipe":
        command = f"{sys.executable} -m longshore parse <(cat order.edi) --view segments"
        answer = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=clean_environment(),
            capture_output=True,
            timeout=DEADLINE_SECONDS,
            check=False,
        )
    else:
        name, stdin = ("order.edi", b"") if way == "file" else ("-", content)
        answer = longshore("parse", name, "--view", "segments", cwd=tmp_path, stdin=stdin)
    assert (answer.returncode, answer.stderr) == (0, b"")
    rows = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [row["id"] for row in rows].count("PO1") == 100
    assert len(rows) == content.count(b"~")


def test_ten_times_the_segments_need_no_more_memory(tmp_path: Path) -> None:
    peaks = []
    for lines in (4_000, 40_000):
        document = tmp_path / f"{lines}.edi"
        document.write_bytes(an_order_of(lines))
        script = (
            "import resource, sys; from longshore.cli.main import main;"
            f"main(['parse', {str(document)!r}, '--view', 'segments']);"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        answer = subprocess.run(
            [sys.executable, "-c", script],
            env=clean_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=DEADLINE_SECONDS,
            check=True,
        )
        peaks.append(int(answer.stderr))
    assert peaks[1] < peaks[0] * 1.2


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (("parse", "--view", "segments"), "reading"),
        (("validate", "--json"), "validating"),
        (("ack",), "validating"),
    ],
)
def test_a_long_file_shows_its_progress_to_whoever_looks_at_stderr(
    tmp_path: Path, command: tuple[str, ...], word: str
) -> None:
    document = tmp_path / "order.edi"
    document.write_bytes(an_order_of(95_000))
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*LONGSHORE, *command, str(document)],
        env=clean_environment(TERM="xterm", COLUMNS="100"),
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = "".join(iter(lambda: text_from(ours), ""))
        assert process.wait(DEADLINE_SECONDS) == 0
    os.close(ours)
    assert word in shown
    assert f"/{document.stat().st_size / 1e6:.1f} MB" in shown


def text_from(terminal: int) -> str:
    """Return what was written to a terminal; nothing when its other end is closed."""
    try:
        return os.read(terminal, 65_536).decode(errors="replace")
    except OSError:  # how Linux tells that nobody has the other end any more
        return ""
