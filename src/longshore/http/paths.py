"""Paths of requests as they are matched."""

import re
from typing import Final
from urllib.parse import unquote

_NEEDLESSLY_ENCODED: Final = re.compile(
    "%(?:2[DEF]|3[0-9]|[46][1-9A-F]|5[0-9ACF]|7[0-9A])", re.IGNORECASE | re.ASCII
)
"""Letters, digits, ``-._`` and both slashes, encoded."""


def decode_path(path: str) -> str:
    """Return a path without percent-encoding, or unchanged if that hides what it is.

    No client needs to encode letters, digits or slashes of a path. A path that has them encoded may
    be meant to pass a proxy that allows some paths only. Unchanged, it is the path of nothing.
    """
    return path if _NEEDLESSLY_ENCODED.search(path) else unquote(path)
