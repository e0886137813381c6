"""Named fault points at which a test can end the process (reliability.md R2).

A point costs one comparison and does nothing unless the process was started with one armed:
``LONGSHORE_FAULT=vault.write.before_commit:3`` ends it at the third passage by SIGKILL, so that
nothing is flushed or closed.
"""

import signal
from typing import Final

FAULT_VARIABLE: Final = "LONGSHORE_FAULT"
"""Named like a setting, and none: an order of the fault tests alone."""


class _Fault:
    """The one point of this process that ends it; with an empty name none does."""

    name = ""
    passages_left = 0


def arm(fault: str) -> None:
    """End the process at ``name:n``, the n-th passage of that point; ``""`` disarms.

    Raises:
        ValueError: ``n`` is no number.
    """
    name, _, passages = fault.partition(":")
    _Fault.name, _Fault.passages_left = name, int(passages or "1")


def fault_point(name: str) -> None:
    """End the process if this fault point is armed."""
    if name == _Fault.name:
        _Fault.passages_left -= 1
        if _Fault.passages_left <= 0:
            signal.raise_signal(signal.SIGKILL)  # pragma: no cover - nobody is left to count it
