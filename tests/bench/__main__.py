"""The benchmarks: ``make bench``, or ``make bench ARGS=--quick`` for about a minute of it.

Prints ratios to the floor, never seconds alone; keeps them in ``bench-results/``; ends with 1 if
one misses its goal. What is measured and why: docs/benchmarks.md.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.bench import http, pool, verdicts
from tests.bench.documents import RECIPES, SEED, Document, write
from tests.bench.peers.environments import PEERS, PeerUnavailableError, python_of

RESULTS = Path("bench-results")
PROCESS_SECONDS = 120
MIB = 1 << 20
GROWTH_BYTES = 4 * MIB


@dataclass(frozen=True, slots=True)
class Case:
    """One operation on one document. ``goal``: largest ratio to the floor, None to inform.

    ``goal_weight``: most memory beyond what was there before, as a multiple of the document.
    ``peer``: whose operation it is, ours if empty.
    """

    document: str
    operation: str
    goal: float | None = None
    goal_rss: int | None = None
    is_quick: bool = False
    peer: str = ""
    goal_weight: float | None = None

    @property
    def name(self) -> str:
        """The operation, after the name of the peer if it is a peer's."""
        return f"{self.peer} {self.operation}".lstrip()


CASES = (
    Case("850-1k", "result", 10, is_quick=True),
    Case("850-1m", "result", 10, is_quick=True),
    Case("850-10m-one", "result"),
    Case("835-1m", "result", is_quick=True),
    Case("837-1m", "result", is_quick=True),
    Case("850-1m-lf", "result"),
    Case("850-1m-crlf", "result"),
    Case("850-1m-faults", "result"),
    Case("components-1m", "result"),
    Case("850-1m", "read", 1.5, is_quick=True),
    Case("850-10m-one", "read", 1.5),
    Case("835-1m", "read"),
    Case("837-1m", "read"),
    Case("850-1m-lf", "read"),
    Case("850-1m-crlf", "read"),
    Case("components-1m", "read"),
    Case("850-1m", "read-file", 1.5, 32 * MIB, is_quick=True),
    Case("850-10m", "read-file", 1.5, 32 * MIB, is_quick=True),
    Case("850-100m", "read-file", 1.5, 32 * MIB),
    Case("850-1m", "lines", None, 32 * MIB),
    Case("850-10m", "lines", None, 32 * MIB, is_quick=True),
    Case("850-1m", "check"),
    Case("837-1m", "check"),
    Case("837-guide", "result"),
    Case("850-1k", "validate", 14, is_quick=True),
    Case("850-1m", "validate", 5, is_quick=True),
    Case("855-1m", "validate", 5),
    Case("856-1m", "validate", 5, is_quick=True),
    Case("810-1m", "validate", 5, is_quick=True),
    Case("204-1m", "validate", 5),
    Case("214-1m", "validate", 5),
    Case("835-guide-1m", "validate", 10, is_quick=True),
    Case("837-guide-1m", "validate", 10, is_quick=True),
    Case("850-1m-invalid", "validate", 10, is_quick=True),
    Case("850-10m-one", "weigh", goal_weight=4),
    Case("850-1k", "convert", 14, is_quick=True),
    Case("850-1k", "convert-by-hand"),
    Case("850-1m", "convert", 3, is_quick=True),
    Case("850-1m-one", "convert", 3, is_quick=True),
    Case("850-200", "convert-lines", is_quick=True),
    Case("850-200", "convert-lines-by-hand", is_quick=True),
    Case("850-200", "convert-formulas", is_quick=True),
    Case("850-200", "convert-formulas-by-hand", is_quick=True),
    Case("850-200", "convert-lines", peer="jsonata-python"),
    Case("835-guide-1m", "validate", peer="pyx12"),
    Case("837-guide-1m", "validate", peer="pyx12"),
    Case("850-1m", "read", peer="linuxforhealth-x12"),
    Case("850-1m", "read", peer="pyx12"),
    Case("850-1m", "check", peer="pyx12"),
    Case("850-1m", "tree", peer="badx12"),
    Case("837-1m", "read", peer="linuxforhealth-x12"),
    Case("837-1m", "check", peer="pyx12"),
    Case("837-guide", "result", peer="linuxforhealth-x12"),
)


# How many times as fast as a peer ours must be: document, operation, peer, factor.
LEADS = (
    ("835-guide-1m", "validate", "pyx12", 50),
    ("837-guide-1m", "validate", "pyx12", 50),
)


# How many times the same by hand an operation may cost at most: document, operation, factor.
# Of formulas: how many times the same by rules without formulas.
BY_HAND = (("850-200", "convert-lines", 6), ("850-200", "convert-formulas", 2))


@dataclass(slots=True)
class Result:
    """What the rounds gave for one case."""

    case: Case
    rounds: list[dict[str, float]] = field(default_factory=list)
    failure: str = ""
    skipped: str = ""

    def ratio(self) -> float:
        """Return the median over the rounds."""
        return statistics.median(found["ratio"] for found in self.rounds)

    def spread(self) -> str:
        """Return the smallest and the largest ratio of a round."""
        ratios = [found["ratio"] for found in self.rounds]
        return f"{min(ratios):.2f}-{max(ratios):.2f}"

    def peak_rss(self) -> int:
        """Return the largest peak memory in bytes, 0 where it was not measured."""
        return int(max(found.get("peak_rss_bytes", 0) for found in self.rounds))

    def weight(self) -> float:
        """Return the largest multiple of the document that was needed, 0 if not measured."""
        return max(found.get("weight", 0) for found in self.rounds)

    def miss(self, tolerance: float) -> str:
        """Say what is missed; empty if nothing is."""
        if self.failure:
            return self.failure
        case = self.case
        if case.goal is not None and self.ratio() > case.goal * tolerance:
            return f"{self.ratio():.2f} F, goal {case.goal:g} F"
        if case.goal_rss is not None and self.peak_rss() > case.goal_rss:
            return f"{self.peak_rss() / MIB:.1f} MiB, goal {case.goal_rss / MIB:g} MiB"
        if case.goal_weight is not None and self.weight() > case.goal_weight:
            return f"{self.weight():.1f} x the document, goal {case.goal_weight:g} x"
        return ""


def run_once(result: Result, document: Document, python: Path) -> None:
    """Measure a case in a new process; a failure ends its later rounds too."""
    command = [str(python), "-m", "tests.bench.worker", result.case.name]
    try:
        answer = subprocess.run(
            command,
            input=json.dumps(asdict(document)),
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": "src"},  # a peer's environment does not have us
            timeout=PROCESS_SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        result.failure = f"not done within {PROCESS_SECONDS} s"
    except subprocess.CalledProcessError as error:
        result.failure = (error.stderr.strip().splitlines() or ["no message"])[-1]
    else:
        result.rounds.append(json.loads(answer.stdout))


def growth_miss(results: Sequence[Result]) -> str:
    """Say if memory of streamed reading grows with the document; empty if it does not."""
    peaks = [r.peak_rss() for r in results if r.case.operation == "read-file" and r.rounds]
    grown = max(peaks, default=0) - min(peaks, default=0)
    return f"memory of read-file grows by {grown / MIB:.1f} MiB" if grown > GROWTH_BYTES else ""


def ratios_of(results: Sequence[Result]) -> dict[tuple[str, str, str], float]:
    """Return the ratios by document, operation and peer, this one empty where it is ours."""
    return {
        (r.case.document, r.case.operation, r.case.peer): r.ratio() for r in results if r.rounds
    }


def lead_misses(results: Sequence[Result], tolerance: float) -> list[str]:
    """Print how many times as fast as a peer ours is; return what is missed."""
    ratios = ratios_of(results)
    misses = []
    for document, operation, peer, goal in LEADS:
        ours, theirs = (ratios.get((document, operation, each)) for each in ("", peer))
        if ours is not None and theirs is not None:
            lead = theirs / ours
            line = f"{document} {operation}: {lead:.0f} x {peer}, goal {goal} x"
            say(line)
            misses += [line] if lead * tolerance < goal else []
    return misses


def hand_misses(results: Sequence[Result], tolerance: float) -> list[str]:
    """Print how many times the same by hand an operation costs; return what is missed."""
    ratios = ratios_of(results)
    misses = []
    for document, operation, goal in BY_HAND:
        ours, by_hand = (ratios.get((document, operation + end, "")) for end in ("", "-by-hand"))
        if ours is not None and by_hand is not None:
            line = f"{document} {operation}: {ours / by_hand:.1f} x by hand, goal {goal} x"
            say(line)
            misses += [line] if ours / by_hand > goal * tolerance else []
    return misses


def table(results: Sequence[Result], tolerance: float) -> list[str]:
    """Return the results as lines of a Markdown table."""
    lines = [
        "| document | operation | ratio to F | rounds | goal | peak RSS | |",
        "|---|---|--:|--:|--:|--:|---|",
    ]
    for result in results:
        case, miss = result.case, result.miss(tolerance)
        cells = [case.document, case.name]
        cells += [f"{result.ratio():.2f}", result.spread()] if result.rounds else ["-", "-"]
        cells.append("" if case.goal is None else f"{case.goal:g}")
        peak = result.peak_rss() if result.rounds else 0
        weight = f" ({result.weight():.1f} x)" if case.goal_weight and result.rounds else ""
        cells.append(f"{peak / MIB:.1f} MiB{weight}" if peak else "")
        skipped = f"SKIPPED: {result.skipped}" if result.skipped else ""
        cells.append(f"MISSED: {miss}" if miss else skipped)
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def machine() -> dict[str, str | int | list[float]]:
    """Describe what the benchmarks run on; no name of the host."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 0,
        "load_average": [round(load, 2) for load in os.getloadavg()],
    }


def say(line: str = "") -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def make_documents(cases: Sequence[Case], folder: Path) -> dict[str, Document]:
    """Write the documents the cases need, and say what they are."""
    documents = {}
    say(f"seed {SEED}")
    for name in dict.fromkeys(case.document for case in cases):
        documents[name] = document = write(name, RECIPES[name], folder)
        counts = document.counts
        say(
            f"{name:14} {counts.characters:>11,} characters {counts.segments:>9,} segments "
            f"{counts.fields:>10,} fields  {document.about}"
        )
    return documents


def interpreters(results: Sequence[Result]) -> dict[str, Path]:
    """Return the interpreter for each peer and for us; mark what must be skipped, and say so."""
    found = {"": Path(sys.executable)}
    for name in dict.fromkeys(result.case.peer for result in results if result.case.peer):
        peer = PEERS[name]
        say(f"peer {peer.name} {peer.version}")
        try:
            found[name] = python_of(peer)
        except PeerUnavailableError as error:
            say(f"SKIPPED: {peer.name} {peer.version}: {error}")
            for result in results:
                if result.case.peer == name:
                    result.skipped = str(error)
    return found


def keep(results: Sequence[Result], described: dict[str, object]) -> None:
    """Write the results as JSON, under their time and as the latest."""
    RESULTS.mkdir(exist_ok=True)
    now = datetime.now(UTC)
    found = [
        {**asdict(r.case), "failure": r.failure, "skipped": r.skipped, "rounds": r.rounds}
        | {"ratio": r.ratio() if r.rounds else None}
        for r in results
    ]
    text = json.dumps({"at": now.isoformat(), **described, "results": found}, indent=1)
    for name in (f"{now:%Y%m%dT%H%M%SZ}.json", "latest.json"):
        (RESULTS / name).write_text(text + "\n", encoding="utf-8")


def main() -> int:
    """Run the benchmarks; return the exit code."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="about a minute, goals doubled")
    parser.add_argument("--rounds", type=int, default=0, help="default 5, quick 3")
    parser.add_argument("--only", default="", help="documents or operations that contain this")
    given = parser.parse_args()
    rounds, tolerance = given.rounds or (3 if given.quick else 5), 2.0 if given.quick else 1.1
    cases = [
        case
        for case in CASES
        if (case.is_quick or not given.quick) and given.only in f"{case.document} {case.name}"
    ]
    before = machine()
    results = [Result(case) for case in cases]
    pythons = interpreters(results)
    with tempfile.TemporaryDirectory(prefix="longshore-bench-") as folder:
        documents = make_documents(cases, Path(folder))
        for number in range(1, rounds + 1):
            say(f"round {number} of {rounds}")
            for result in results:
                if not result.failure and not result.skipped:
                    run_once(result, documents[result.case.document], pythons[result.case.peer])
    say(f"\nbefore: {before}\nafter:  {machine()}\n")
    for line in table(results, tolerance):
        say(line)
    keep(results, {"seed": SEED, "quick": given.quick, "rounds": rounds, "machine": before})
    misses = [miss for result in results if (miss := result.miss(tolerance))]
    misses += [growth] if (growth := growth_miss(results)) else []
    misses += lead_misses(results, tolerance)
    misses += hand_misses(results, tolerance)
    if "pyx12" in pythons:
        misses += verdicts.main(pythons["pyx12"])
    for result in results:
        if result.skipped:
            say(f"SKIPPED: {result.case.document} {result.case.name}: {result.skipped}")
    for miss in misses:
        say(f"missed: {miss}")
    if given.only:
        return 1 if misses else 0
    is_http_missed = http.main(rounds, tolerance=tolerance)
    is_pool_missed = pool.main(rounds, tolerance=tolerance)
    return 1 if misses or is_http_missed or is_pool_missed else 0


if __name__ == "__main__":
    sys.exit(main())
