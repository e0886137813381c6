"""Paths of requests as they are matched."""

import re
from typing import Final
from urllib.parse import unquote

_DISGUISED: Final = re.compile(
    "%(?:2[DEF]|3[0-9]|[46][1-9A-F]|5[0-9ACF]|7[0-9A])", re.IGNORECASE | re.ASCII
)
"""Letters, digits, ``-._`` and both slashes, encoded."""


def decode_path(path: str) -> str:
    """Return a path without percent-encoding; one that is disguised stays, and leads nowhere.

    No client encodes letters, digits or slashes of a path. Whoever does wants to pass a proxy that
    lets some paths through only.
    """
    return path if _DISGUISED.search(path) else unquote(path)
