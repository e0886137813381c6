"""Which of two neighbours with one segment id is meant."""

import pytest

from longshore.x12.dictionary.candidates import clash
from longshore.x12.dictionary.model import ValueCondition

DEPARTMENT = ValueCondition(1, None, ("DP", "DPT"))
OTHERS = "the one before it "


@pytest.mark.parametrize(
    ("earlier", "later", "reason"),
    [
        (DEPARTMENT, None, ""),
        (DEPARTMENT, ValueCondition(1, None, ("IA",)), ""),
        (DEPARTMENT, ValueCondition(1, None, ("IA", "DPT")), OTHERS + "takes DPT too"),
        (
            DEPARTMENT,
            ValueCondition(2, None, ("IA",)),
            OTHERS + "has a condition on another element",
        ),
        (DEPARTMENT, ValueCondition(1, 1, ("IA",)), OTHERS + "has a condition on another element"),
        (None, None, OTHERS + "has no condition and takes every such segment"),
        (None, DEPARTMENT, OTHERS + "has no condition and takes every such segment"),
    ],
)
def test_neighbours_can_be_reported_apart(
    earlier: ValueCondition | None, later: ValueCondition | None, reason: str
) -> None:
    assert clash(earlier, later) == reason
