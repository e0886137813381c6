"""The metrics that the guide names are those that a server has."""

import re

from longshore.telemetry.metrics import Metrics, SharedFigures
from tests.docs.pages import ROOT

PAGE = ROOT / "docs/howto/run-a-server.md"


def test_the_guide_names_every_metric_and_no_other() -> None:
    page = PAGE.read_text(encoding="utf-8").split("## Metrics")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`longshore_[^|]+)\|", page, re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"longshore_[a-z_]+", cell)]
    text = Metrics().render(SharedFigures(0.0, 0, 0)).decode()
    shown = re.findall(r"^# HELP (\S+)", text, re.MULTILINE)
    assert sorted(named) == sorted(shown)
