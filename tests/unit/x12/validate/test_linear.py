"""Twice as many faults take about twice the time: of elements, segments, levels and loops."""

import gc
import time
from collections.abc import Callable

import pytest

from longshore.engine.validate import validate
from tests.unit.x12.validate.test_hostile import LINES, claim, cycle, notice, order

BAD_LINE = "PO1*1*x*EA*1.2.3*ZZ*BP"
MAX_TIMES = 2.8
TRIES = 6  # another process may disturb some of them

# How many there are in the smaller document, and what makes a document of so many.
KINDS: dict[str, tuple[int, Callable[[int], str]]] = {
    "bad elements": (
        4_000,
        lambda n: order(*(f"PO1*{at}*x{at}*EA*1.5*ZZ*BP" for at in range(n))),
    ),
    "bad elements, always the same": (8_000, lambda n: order(*cycle(n, BAD_LINE))),
    "bad segments": (3_000, lambda n: order(*cycle(n, "CTT*1", "BEG*00*SA*1**20260115"))),
    "a chain of levels": (
        20_000,
        lambda n: notice(*(f"HL*{at}*{at - 1 or ''}*S" for at in range(1, n))),
    ),
    "a circle of levels": (
        4_000,
        lambda n: notice(*(f"HL*{at}*{at % n + 1}*S" for at in range(1, n + 1))),
    ),
    "levels of a guide in one another": (
        2_000,
        lambda n: claim(*(f"HL*{at}*{at - 1}*{20 + 2 * (at % 2)}*1" for at in range(1, n))),
    ),
    "repeated loops": (20_000, lambda n: order("BEG*00*SA*1**20260115", *cycle(n, *LINES))),
    "repeated loops, backwards": (6_000, lambda n: order("CTT*1", *cycle(n, *reversed(LINES)))),
    "loops too often": (2_000, lambda n: claim(*cycle(n, "NM1*41*2*A", "NM1*40*2*A"))),
    "unknown segments": (8_000, lambda n: order(*cycle(n, "QQQ*1"))),
    "segments of another set": (8_000, lambda n: order(*cycle(n, "CLM*1"))),
    "bad sets": (
        1_000,
        lambda n: order(*cycle(3 * n, "SE*3*0001", "ST*850*0001", "PO1*x")),
    ),
}


def seconds(document: str) -> float:
    """Return the CPU time of one run, without what the collector makes of all other objects."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        validate(document)
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", KINDS)
def test_twice_as_many_take_about_twice_the_time(kind: str) -> None:
    count, build = KINDS[kind]
    single, double = build(count), build(2 * count)
    validate(build(60))  # patterns are compiled once
    small, large, ratio = [], [], 0.0
    for _ in range(TRIES):
        small.append(seconds(single))
        large.append(seconds(double))
        ratio = min(large) / min(small)
        if ratio < MAX_TIMES:
            return
    pytest.fail(f"twice as many took {ratio:.2f} times the time")
