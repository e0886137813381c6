"""CPU per request against a bare ASGI echo on the same uvicorn: ``python -m tests.bench.http``.

Both servers and the load generator are processes of their own. The rounds take turns; a figure is
user and system time of the server's whole process tree, divided by the requests. Requests per
second say as much of the load generator and of the machine as of the server: they are printed,
never judged.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.servers import Target, document, echo, longshore

CONNECTIONS = 8
WARM_UP = 500
LOAD_SECONDS = 120
TOLERANCE = 1.1


@dataclass(slots=True)
class Case:
    """One request, asked of both servers. ``goal``: largest ratio of their CPU times."""

    name: str
    method: str
    path: str
    body: bytes
    goal: float
    rounds: list[tuple[float, float]] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def ratio(self) -> float:
        """Return the median over the rounds of Longshore's CPU per request to the echo's."""
        return statistics.median(ours / floor for floor, ours in self.rounds)


def measure(target: Target, case: Case, count: int) -> float:
    """Return the CPU seconds of one request, averaged over ``count``."""
    request = target.request(case.method, case.path, case.body)
    send(target, request, WARM_UP)
    before = target.cpu_seconds()
    sent = send(target, request, count)
    used = target.cpu_seconds() - before
    case.loads.append(
        f"{target.name} {count / sent['seconds']:,.0f}/s, generator "
        f"{sent['cpu_seconds'] / count * 1e6:.0f} us a request, "
        f"{sent['cpu_seconds'] / sent['seconds']:.0%} of a core"
    )
    return used / count


def send(target: Target, request: bytes, count: int) -> dict[str, float]:
    """Send ``count`` requests; they must all be answered with 200."""
    answer = subprocess.run(
        [sys.executable, "-m", "tests.bench.load", str(target.port), str(count), str(CONNECTIONS)],
        input=request,
        capture_output=True,
        timeout=LOAD_SECONDS,
        check=True,
    )
    result = json.loads(answer.stdout)
    statuses = result.pop("statuses")
    assert statuses == {"200": count}, statuses
    return {name: float(value) for name, value in result.items()}


def main(rounds: int = 5, count: int = 6_000, tolerance: float = TOLERANCE) -> int:
    """Measure, print the figures, compare them with the goals; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="longshore-bench-") as name:
        folder = Path(name)
        body = json.dumps({"document": document("850-1k", folder)}).encode()
        cases = [
            Case("ping", "GET", "/api/v1/ping", b"", 2.2),
            Case("parse 1 KB", "POST", "/api/v1/parse", body, 4.5),
        ]
        with echo(folder) as floor, longshore(folder) as ours:
            for _ in range(rounds):
                for case in cases:
                    case.rounds.append((measure(floor, case, count), measure(ours, case, count)))
    return _judge(cases, tolerance)


def _judge(cases: list[Case], tolerance: float) -> int:
    lines = [
        f"CPU a request against the echo; load average {os.getloadavg()[0]:.2f}",
        "| request | echo us | longshore us | ratio | rounds | goal | |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    missed = 0
    for case in cases:
        floor, ours = (statistics.median(side) * 1e6 for side in zip(*case.rounds, strict=True))
        ratios = [ours / floor for floor, ours in case.rounds]
        is_missed = case.ratio() > case.goal * tolerance
        missed += is_missed
        lines.append(
            f"| {case.name} | {floor:.1f} | {ours:.1f} | {case.ratio():.2f} | "
            f"{min(ratios):.2f}-{max(ratios):.2f} | {case.goal:g} | "
            f"{'MISSED' if is_missed else ''} |"
        )
    lines += [f"{case.name}: {load}" for case in cases for load in case.loads[-2:]]
    sys.stdout.write("\n".join([*lines, ""]))
    return 1 if missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=6_000)
    given = parser.parse_args()
    sys.exit(main(given.rounds, given.count))
