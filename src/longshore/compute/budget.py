"""Limits of one conversion, wherever it runs: time of its thread, and characters made.

A worker's own limits (``compute.worker``) are for documents; they are far above what rules need,
and there are none where work runs in the server itself.
"""

from time import thread_time
from typing import Final

from longshore.compute.worker import limit_exceeded
from longshore.kit.errors import LongshoreError

MAX_CHARS: Final = 256 << 20  # made by operations and constants, most of it never in the output


class Budget:
    """Spent by one piece of work, from now on, in the thread that makes it.

    Args:
        cpu_seconds: Computing time that the work may take.
        chars: How many characters it may make.
    """

    def __init__(self, cpu_seconds: float, chars: int = MAX_CHARS) -> None:
        self._cpu_seconds = cpu_seconds
        self._end = thread_time() + cpu_seconds
        self._max_chars = self._chars_left = chars

    def spend(self, chars: int) -> None:
        """Count characters, and look at the time.

        Raises:
            out_of: A LongshoreError limit_exceeded, cpu_seconds or value_chars.
        """
        self._chars_left -= chars
        if self._chars_left < 0:
            raise out_of("value_chars", self._max_chars, "characters that rules make")
        if thread_time() > self._end:
            raise out_of("cpu_seconds", round(self._cpu_seconds), "seconds of computing time")


def out_of(limit: str, maximum: int, what: str) -> LongshoreError:
    """Return the refusal of a conversion that takes too much."""
    return limit_exceeded(limit, maximum, f"The conversion takes more than {maximum} {what}.")
