"""Which definition judges a set: the guide and release that GS08, ST03 and ISA12 name.

Source: docs/reference/dictionary.md section 4.
"""

from __future__ import annotations

import re
from typing import Final

_GUIDE_ID = re.compile("[0-9]{6}X[0-9]{3}(?:A[0-9]+)?")
_SIX_DIGITS = re.compile("[0-9]{6}")
_FIVE_DIGITS = re.compile("[0-9]{5}")
FIRST_CLASS: Final = ("004010", "005010")


def is_guide_id(text: str) -> bool:
    """Tell whether ``text`` has the form of an implementation guide's id."""
    return _GUIDE_ID.fullmatch(text) is not None


def release_of(group_version: str, interchange_version: str) -> str:
    """Return the release that GS08, else ISA12, names, as six digits; ``""`` if neither does."""
    if match := _SIX_DIGITS.match(group_version):
        return match[0]
    if _FIVE_DIGITS.fullmatch(interchange_version):
        return f"{interchange_version}0"
    return ""


def nearest(release: str, known: tuple[str, ...]) -> str:
    """Return the latest of ``known`` releases up to ``release``; ``""`` if all are later."""
    return max((each for each in known if each <= release), default="")
