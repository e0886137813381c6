"""ISA15: whether a document is live, and where one belongs.

A document becomes live by a live key or channel and ISA15 ``P`` together; whatever else ISA15 says,
it must not become a live document.

Source: x12.md section 4 (test and live).
"""

from __future__ import annotations

from typing import Final

from longshore.kit.environment import Environment

LIVE: Final = "P"
TEST: Final = "T"
INFORMATION: Final = "I"
"""A test that is not acknowledged."""


def environment_of(usage: str, channel: Environment) -> Environment:
    """Return the environment of all rows of a document; ``channel``: of the key or token."""
    is_live = channel is Environment.PRODUCTION and usage == LIVE
    return Environment.PRODUCTION if is_live else Environment.SANDBOX
