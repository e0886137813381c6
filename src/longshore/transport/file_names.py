"""Names of files that partners choose: which are taken, and which say that a file is complete.

Source: transports.md section 3.
"""

from __future__ import annotations

from typing import Final

_MAX_NAME_CHARS: Final = 255
_INCOMPLETE: Final = (".tmp", ".part", ".filepart")


def is_plain(name: str) -> bool:
    """Tell whether a name harms nobody: it can be printed and leads nowhere."""
    return (
        name.isprintable() and len(name) <= _MAX_NAME_CHARS and "/" not in name and "\\" not in name
    )


def is_complete(name: str) -> bool:
    """Tell whether a file of this name is complete, and is not still being written."""
    return not name.startswith(".") and not name.lower().endswith(_INCOMPLETE)
