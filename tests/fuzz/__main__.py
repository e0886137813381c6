"""``make fuzz``: mutate all samples, cases and sets by grammar, and print what came of it.

The inputs are the same for the same seed, whatever the number of processes. Ends with 1 if an input
broke a promise, or if too little of the reader was reached.
"""

import argparse
import json
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from coverage import Coverage

# The modules that turn characters into segments.
READER = ("reader", "splitter", "layout", "delimiters")
MIN_BRANCH_PERCENT = 90
MEASURED_INPUTS = 9_600  # reached code does not grow after these, and measuring is slow


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a command that prints its figures


def branches(coverage: Coverage, *modules: str) -> float:
    """Return how many branches of the modules of ``x12`` were taken; lines do not count."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        include = [f"*/longshore/x12/{name}.py" for name in modules]
        coverage.json_report(outfile=str(report), include=include)
        found = json.loads(report.read_text(encoding="utf-8"))
    if "*" not in modules:
        assert len(found["files"]) == len(modules), found["files"].keys()
    totals = found["totals"]
    return 100 * float(totals["covered_branches"]) / float(totals["num_branches"])


def main() -> int:
    reader = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    reader.add_argument("--inputs", type=int, default=10**9)
    reader.add_argument("--seconds", type=float, help="of processor time; 60 without --inputs")
    reader.add_argument("--seed", type=int, default=random.randrange(2**32))
    reader.add_argument("--jobs", type=int, default=1, help="processes")
    options = reader.parse_args()
    seconds = options.seconds or (60 if options.inputs == 10**9 else 10**9)
    started = monotonic()
    say(f"seed {options.seed}")
    coverage = Coverage(
        branch=True, source_pkgs=["longshore.x12"], data_file=None, config_file=False
    )
    coverage.start()
    from tests.fuzz.blocks import BLOCK, blocks, run_block  # noqa: PLC0415 - measured from its import on

    measured = run_block(options.seed, range(min(options.inputs, MEASURED_INPUTS)), seconds / 2)
    coverage.stop()
    percent = branches(coverage, *READER)
    reached = measured.inputs.total()
    say(f"branches of {', '.join(READER)} reached by {reached:,} inputs: {percent:.1f} %")
    say(f"branches of all of longshore.x12: {branches(coverage, '*', '**/*'):.1f} %")
    inputs, finds, peak = measured.inputs, measured.finds, measured.mebibytes
    left, spent = seconds - measured.seconds, 0.0
    for block in blocks(options.seed, range(reached, options.inputs), options.jobs, left):
        inputs += block.inputs
        finds += block.finds
        spent += block.seconds
        peak = max(peak, block.mebibytes)
        total = inputs.total()
        if total % 10**5 < BLOCK:
            say(f"… {total:,} inputs, {finds} finds, {monotonic() - started:.0f} s")
    total = inputs.total()
    speed = (total - reached) / max(spent, 0.001)
    say(f"inputs {total:,} in {monotonic() - started:.0f} s, {speed:,.0f} in a processor second")
    say("by entry: " + ", ".join(f"{name} {number:,}" for name, number in sorted(inputs.items())))
    say(f"finds {finds}; memory {peak} MiB")
    return int(finds > 0 or percent < MIN_BRANCH_PERCENT)


if __name__ == "__main__":
    sys.exit(main())
