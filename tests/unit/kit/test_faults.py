"""Points of failure: nothing without an order, the end of the process at the passage ordered."""

import signal
import subprocess
import sys

import pytest

from longshore.kit.faults import arm, fault_point

SCRIPT = """
from longshore.kit.faults import arm, fault_point
arm({fault!r})
for passage in range(1, 4):
    fault_point("other")
    fault_point("here")
    print(passage, flush=True)
"""


@pytest.mark.parametrize(
    ("fault", "printed"),
    [
        ("", "1\n2\n3\n"),
        ("nowhere:1", "1\n2\n3\n"),
        ("here", ""),
        ("here:1", ""),
        ("here:3", "1\n2\n"),
    ],
)
def test_a_process_dies_at_the_passage_it_was_reported(fault: str, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(fault=fault)],
        capture_output=True,
        text=True,
        check=False,
    )
    is_killed = printed.count("\n") < 3
    assert (done.returncode, done.stdout) == (-signal.SIGKILL if is_killed else 0, printed)


def test_passages_before_the_ordered_one_do_nothing() -> None:
    arm("here:3")
    for name in ("here", "other", "here"):
        fault_point(name)
    arm("")
    fault_point("here")


def test_an_order_without_a_number_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        arm("here:often")
    fault_point("here")
