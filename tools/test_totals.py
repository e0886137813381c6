"""Print the closing line over several runs of pytest: ``python -m tools.test_totals REPORT``."""

import re
import sys
from collections import Counter
from pathlib import Path

_CLOSING = re.compile(r"^=*\s*(?=.*\bin [0-9.]+s)(.*)$", re.MULTILINE)
_COUNT = re.compile(r"([0-9]+) (passed|failed|errors?|skipped)\b")


def totals(report: str) -> str:
    """Return how many tests passed, failed and were skipped; an error counts as a failure."""
    counts = Counter[str]()
    for line in _CLOSING.findall(report):
        for number, word in _COUNT.findall(line):
            counts["failed" if word.startswith("error") else word] += int(number)
    return f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped"


if __name__ == "__main__":
    print(totals(Path(sys.argv[1]).read_text("utf-8")))
