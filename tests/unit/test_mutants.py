"""The faults that ``make mutants`` plants can be planted, and their tests exist."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tools.mutants import ROOT, TIERS, Fault, Outcome, planted, planted_text, read_faults

FAULTS = read_faults()


def test_there_are_60_faults_of_all_layers() -> None:
    assert len({fault.id for fault in FAULTS}) == 60
    layers = Counter(
        fault.file.split("/")[2 if fault.file.startswith("src/") else 0] for fault in FAULTS
    )
    assert {"x12", "formats", "mapping", "domain", "storage", "http", "web"} <= layers.keys()


def test_each_can_be_planted_and_still_parses() -> None:
    for fault in FAULTS:
        text = planted_text(fault)
        assert text != (ROOT / fault.file).read_text("utf-8"), fault.id
        if fault.file.endswith(".py"):
            ast.parse(text)


def test_their_tests_and_tiers_exist() -> None:
    assert {fault.tier for fault in FAULTS} <= set(TIERS)
    assert [path for fault in FAULTS for path in fault.tests if not (ROOT / path).exists()] == []


def test_a_fault_is_taken_out_again_and_must_stand_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    fault = Fault(id="a", file="a.py", text="1", replacement="2", tests=("t",), tier="fast")
    with planted(fault, tmp_path):
        assert (tmp_path / "a.py").read_text() == "x = 2\n"
    assert (tmp_path / "a.py").read_text() == "x = 1\n"
    (tmp_path / "a.py").write_text("x = 11\n")
    with pytest.raises(ValueError, match=r"^a: its text stands 2 times in the file$"):
        planted_text(fault, tmp_path)


def test_a_fault_that_is_noticed_too_late_counts_as_missed() -> None:
    fault = FAULTS[0]
    assert fault.tier == "fast"
    found = [Outcome(fault=fault, caught_in=tier, seconds=1) for tier in ("fast", "full", None)]
    assert [each.is_caught_in_time for each in found] == [True, False, False]
