"""What a server and the processes below it have used, as the kernel counts it."""

import os
from pathlib import Path

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def loop_seconds(pid: int) -> float:
    """Return the computing time of the main thread, on which the event loop of a server runs."""
    nanoseconds = Path(f"/proc/{pid}/task/{pid}/schedstat").read_text("ascii").split()[0]
    return int(nanoseconds) / 1e9


def processes(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    for each in found:
        for file in Path(f"/proc/{each}/task").glob("*/children"):
            found.extend(map(int, file.read_text("ascii").split()))
    return found


def forget_peak(pid: int) -> None:
    """Let the kernel measure the peak of each process from now on."""
    for each in processes(pid):
        Path(f"/proc/{each}/clear_refs").write_text("5", encoding="ascii")


def peak_bytes(pid: int) -> int:
    """Return the sum of the largest resident sizes since ``forget_peak``."""
    return sum(_status_bytes(each, "VmHWM") for each in processes(pid))


def resident_bytes(pid: int) -> int:
    """Return what the processes have in memory now."""
    return sum(_status_bytes(each, "VmRSS") for each in processes(pid))


def _status_bytes(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":"))


def tree_seconds(pid: int) -> float:
    """Return the computing time of all processes, of ended ones too."""
    seconds = 0.0
    for each in processes(pid):
        fields = Path(f"/proc/{each}/stat").read_text("ascii").rpartition(")")[2].split()
        seconds += sum(map(int, fields[11:15])) / _TICKS_PER_SECOND
    return seconds
