"""Many values: four times the output costs about four times the time, in every target format."""

import gc
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from longshore.kit.errors import LongshoreError
from longshore.mapping.targets import build
from longshore.mapping.writes import RuleWrites
from tests.unit.mapping.written_rules import rules_of
from tests.unit.mapping.written_x12 import OPTIONS, options

SMALL = 500  # values of a rule, or rules; the larger case has four times as many
MAX_TIMES = 8.0
LEAST_SECONDS = 0.004  # below it a ratio says nothing
CONST = ("last", "const")

Case = Callable[[int], list[tuple[object, ...]]]
KINDS: dict[str, tuple[str, Case]] = {
    "items": ("json", lambda n: [("l[*].a", ["x"] * n), ("l[*].b", ["y"] * n)]),
    "scalars": ("json", lambda n: [("l[*]", ["x"] * n)]),
    "gaps": ("json", lambda n: [("l[*].a[*]", {(n, n): "x"})]),
    "explicit items": ("json", lambda n: [(f"l[{at}]", "x") for at in range(n)]),
    "appended": ("json", lambda n: [("l", ["x"] * n, "append")]),
    "joined": ("json", lambda n: [("l", ["x"] * n, "join:,")]),
    "rows": ("csv", lambda n: [("h", "x"), ("a", ["x"] * n), ("a", ["y"] * n, "first")]),
    "columns": ("csv", lambda n: [(f"c{at}", "x") for at in range(n)]),
    "siblings": ("xml", lambda n: [("o.l[*].a", ["x"] * n), ("o.l[*].@b", ["x"] * n)]),
    "explicit siblings": ("xml", lambda n: [(f"o.l[{at}]", "x") for at in range(1, n + 1)]),
    "attributes": ("xml", lambda n: [(f"o.@a{at}", "x") for at in range(n)]),
    "loops": ("x12", lambda n: [("PO1[*].02", ["1"] * n), ("PO1[*]>PID.05", ["x"] * n)]),
    "strays": ("x12", lambda n: [("N1[*].01", ["ST"] * n), ("N4[*].01", ["x"] * n)]),
    "levels": ("x12", lambda n: [("HL[*].01", {(at,): "auto" for at in range(n)}, *CONST)]),
    "repetitions": ("x12", lambda n: [("REF.04[*].02", ["x"] * n)]),
    "components": (
        "x12",
        lambda n: [(f"ZZ{at % 10}.01.{at // 10 + 1:02d}", "x") for at in range(n)],
    ),
    "unknown segments": ("x12", lambda n: [("ZZ1[*].01", ["x"] * n), ("ZZ1[*]>ZZ2.01", ["x"] * n)]),
    "left out": ("x12", lambda n: [("PO1[*].03", ["EA"] * n, *CONST), ("PO1[*].02", [])]),
}


def seconds(target: str, rules: list[RuleWrites]) -> float:
    """Return the CPU time of a conversion, which may end in a refusal."""
    of = options(version="005010") if target == "x12" else OPTIONS
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        with suppress(LongshoreError):
            build(target, rules, of, is_traced=True)
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", KINDS)
def test_cost_grows_with_the_values_and_no_faster(kind: str) -> None:
    target, case = KINDS[kind]
    ratios = []
    for _ in range(3):  # another process may disturb one measurement, hardly three
        small = seconds(target, rules_of(target, *case(SMALL)))
        large = seconds(target, rules_of(target, *case(4 * SMALL)))
        ratios.append(large / max(small, LEAST_SECONDS))
        if ratios[-1] < MAX_TIMES:
            return
    pytest.fail(f"four times the values took {ratios} times the time")
