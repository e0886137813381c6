"""``make fuzz``: mutate all samples and cases by grammar, and print what came of it.

Ends with 1 if an input broke a promise, or if too little of the reader was reached.
"""

import argparse
import io
import random
import resource
import sys

from coverage import Coverage

MIN_BRANCH_PERCENT = 90
MEASURED_INPUTS = 6_000  # reached code does not grow after these, and measuring is slow


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a command that prints its figures


def main() -> int:
    reader = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    reader.add_argument("--inputs", type=int, default=10**9)
    reader.add_argument("--seconds", type=float, help="of processor time; 60 without --inputs")
    reader.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = reader.parse_args()
    seconds = options.seconds or (60 if options.inputs == 10**9 else 10**9)
    coverage = Coverage(
        branch=True, source_pkgs=["longshore.x12"], data_file=None, config_file=False
    )
    coverage.start()
    from tests.fuzz.campaign import Campaign, fault_of, minimised  # noqa: PLC0415 - measured from its import on

    campaign = Campaign(options.seed)
    say(f"seed {options.seed}")
    campaign.run(min(options.inputs, MEASURED_INPUTS), seconds / 2)
    coverage.stop()
    percent = coverage.report(file=io.StringIO())
    measured = campaign.inputs.total()
    campaign.run(options.inputs - measured, seconds - campaign.seconds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    say(f"inputs {campaign.inputs.total():,} ({dict(campaign.inputs)}) in {campaign.seconds:.0f} s")
    say(f"lines and branches of longshore.x12 reached by {measured:,} inputs: {percent:.1f} %")
    say(f"memory {peak} MiB")
    for find in campaign.finds:
        kind = find.fault[:40]

        def is_same(text: str, find=find, kind=kind) -> bool:  # type: ignore[no-untyped-def]  # noqa: ANN001 - bound to this round
            return any(
                fault_of(find.format, text, random.Random(n))[:40] == kind for n in range(12)
            )

        say(f"{find.format}: {find.fault}\n    {minimised(find, is_same)!r}")
    return int(bool(campaign.finds) or percent < MIN_BRANCH_PERCENT)


if __name__ == "__main__":
    sys.exit(main())
