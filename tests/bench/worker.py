"""One measurement in a process of its own: ``python -m tests.bench.worker OPERATION`` < document.

Operation and floor take turns on the same text. Times are CPU seconds of this process, because
somebody else's load must not count; answered is their ratio, as JSON on standard output. The
interpreter is that of a peer's environment where the operation is a peer's.
"""

import gc
import json
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time

from tests.bench.candidates import OPERATIONS, Operation, floor, whole_text
from tests.bench.documents import Counts, Document
from tests.bench.peers.operations import PEER_OPERATIONS
from tests.bench.rows import Marks

WARM_UP_SECONDS = 0.5
SAMPLES = 5
MIN_SAMPLE_SECONDS = 0.02
BUDGET_SECONDS = 1.5
PIECE_CHARACTERS = 1_000_000


def cpu_seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the CPU seconds of one call, averaged over ``repeats``."""
    start = process_time()
    for _ in range(repeats):
        work()
    return (process_time() - start) / repeats


def repeats_for(work: Callable[[], object]) -> int:
    """Choose how often to call ``work`` in a sample, so that the clock's grain does not matter."""
    return max(1, round(MIN_SAMPLE_SECONDS / max(cpu_seconds(work, 1), 1e-6)))


def peak_rss_bytes() -> int:
    """Return the peak resident memory of this process alone, on Linux; 0 elsewhere.

    ``ru_maxrss`` would count the parent's memory before this program was loaded.
    """
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    sizes = [line.split() for line in lines if line.startswith("VmHWM:")]
    return int(sizes[0][1]) * 1024 if sizes else 0


def measure(document: Document, operation_name: str) -> dict[str, float]:
    """Check an operation's answer, then time it against the floor."""
    operation = (OPERATIONS | PEER_OPERATIONS)[operation_name]
    run = operation.prepare(document)
    if operation.is_weighed:
        return measure_weight(document, operation, run)
    began = process_time()
    answer = run()
    first = process_time() - began
    operation.check(document, answer)
    if operation.is_flat:
        return measure_flat(document, run)
    text = whole_text(document)
    gc.collect()
    gc.freeze()  # as a server does after its start

    run_floor = partial(floor, text, document)
    if first > 2 * BUDGET_SECONDS:  # so slow that once must do, and what came before counts little
        floor_seconds = min(cpu_seconds(run_floor, 1) for _ in range(SAMPLES))
        return {"ratio": first / floor_seconds, "seconds": first, "floor_seconds": floor_seconds}
    began = process_time()
    while process_time() - began < WARM_UP_SECONDS:  # what is made once is made now
        run()
    run_repeats, floor_repeats = repeats_for(run), repeats_for(run_floor)
    run_times: list[float] = []
    floor_times: list[float] = []
    began = process_time()
    while len(run_times) < SAMPLES:
        floor_times.append(cpu_seconds(run_floor, floor_repeats))
        run_times.append(cpu_seconds(run, run_repeats))
        if process_time() - began > BUDGET_SECONDS and len(run_times) >= 3:
            break
    seconds, floor_seconds = statistics.median(run_times), statistics.median(floor_times)
    return {"ratio": seconds / floor_seconds, "seconds": seconds, "floor_seconds": floor_seconds}


def measure_flat(document: Document, run: Callable[[], object]) -> dict[str, float]:
    """Time an operation that never holds the document; memory first, the floor afterwards."""
    seconds = cpu_seconds(run, 1)
    peak = peak_rss_bytes()
    floor_seconds = sum(
        cpu_seconds(partial(floor, piece, document), 1) for piece in pieces(document)
    )
    return {
        "ratio": seconds / floor_seconds,
        "seconds": seconds,
        "floor_seconds": floor_seconds,
        "peak_rss_bytes": peak,
    }


def measure_weight(
    document: Document, operation: Operation, run: Callable[[], object]
) -> dict[str, float]:
    """Weigh what an operation on a whole document needs, as a multiple of its characters."""
    before = peak_rss_bytes()
    began = process_time()
    answer = run()
    seconds = process_time() - began
    peak = peak_rss_bytes()
    operation.check(document, answer)
    run_floor = partial(floor, whole_text(document), document)
    floor_seconds = min(cpu_seconds(run_floor, 1) for _ in range(SAMPLES))
    return {
        "ratio": seconds / floor_seconds,
        "seconds": seconds,
        "floor_seconds": floor_seconds,
        "peak_rss_bytes": peak,
        "weight": (peak - before) / document.counts.characters,
    }


def pieces(document: Document) -> Iterator[str]:
    """Yield the text in pieces that end with a segment, so that the floor needs no more memory."""
    with Path(document.path).open(encoding="utf-8", newline="") as file:
        rest = ""
        while text := file.read(PIECE_CHARACTERS):
            end = text.rfind(document.marks.segment) + len(document.marks.segment)
            yield rest + text[:end]
            rest = text[end:]


def main() -> None:
    """Read a document's description from standard input and print what was measured."""
    given = json.load(sys.stdin)
    given["marks"] = Marks(**given["marks"])
    given["counts"] = Counts(**given["counts"])
    sys.stdout.write(json.dumps(measure(Document(**given), sys.argv[1])))


if __name__ == "__main__":
    main()
