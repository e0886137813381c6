"""A peer's verdicts on documents: ``python -m tests.bench.peers.verdicts`` < texts as JSON."""

import json
import sys

from tests.bench.peers.operations import pyx12_accepts


def main() -> None:
    """Print for each document whether it is accepted, as JSON."""
    verdicts = [pyx12_accepts(text) for text in json.load(sys.stdin)]
    sys.stdout.write(json.dumps(verdicts))


if __name__ == "__main__":
    main()
