"""The tables of ARCHITECTURE.md that lead a reader to a file name what is there."""

import re
from typing import Final

from tests.docs.pages import ROOT

_ROW: Final = re.compile(r"^\| ([^|\n]+) \| `([\w./]+)` \| (`[^|\n]+) \|", re.MULTILINE)
STEPS_FROM_SUBMIT_TO_997: Final = 10


def rows() -> list[tuple[str, str, str]]:
    """Return each question or step with its file and the names in it."""
    return _ROW.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))


def test_the_page_leads_from_a_submit_to_its_997_in_ten_steps() -> None:
    steps = [int(first) for first, *_ in rows() if first.isdigit()]
    assert steps == list(range(1, STEPS_FROM_SUBMIT_TO_997 + 1))


def test_what_the_page_names_is_in_its_file() -> None:
    missing = [
        f"{path}: {name}"
        for _, path, names in rows()
        for name in re.findall(r"`(\w+)`", names)
        if name not in (ROOT / path).read_text(encoding="utf-8")
    ]
    assert missing == []
