"""Determine the guide and release of a set from GS08, ST03 and ISA12.

Source: docs/reference/dictionary.md section 4.
"""

from __future__ import annotations

import re
from typing import Final

_GUIDE_ID = re.compile("[0-9]{6}X[0-9]{3}(?:A[0-9]+)?")
_SIX_DIGITS = re.compile("[0-9]{6}")
_DIGITS = re.compile("[0-9]+")
_FIVE_DIGITS = re.compile("[0-9]{5}")
_RELEASE_AND_MORE = re.compile("([0-9]{6})([A-Z0-9]+)")
CONVENTIONS: Final = frozenset((
    "AIAG",
    "CIDX",
    "EIDX",
    "GS1",
    "HIBCC",
    "RAIL",
    "UCS",
    "VICS",
    "WINS",
))
"""Industry identifiers that may follow the release in GS08. They narrow a set by agreement; none of
them is an implementation guide."""
FIRST_CLASS: Final = ("004010", "005010")
FIRST_NEAR: Final = "003010"
LAST_NEAR: Final = "006020"
"""Between them, a release has a definition that is near to it: others differ too much."""
_PUBLISHED: Final = re.compile("00[1-8]0[0-7][0-3]")  # 002040, 003072, 004010, 008060, …


def is_guide_id(text: str) -> bool:
    """Return whether ``text`` has the form of an implementation guide's id."""
    return _GUIDE_ID.fullmatch(text) is not None


def convention_of(text: str) -> str:
    """Return the industry convention after the release in GS08 or ST03; ``""`` if there is none."""
    match = _RELEASE_AND_MORE.fullmatch(text.strip())
    return match[2] if match and match[2] in CONVENTIONS else ""


def names_guide(text: str) -> bool:
    """Return whether GS08 or ST03 names an implementation guide, known or unknown.

    It does unless it has only digits, or an industry convention after a release.
    """
    name = text.strip()
    return bool(name) and not _DIGITS.fullmatch(name) and not convention_of(name)


def release_of(group_version: str, interchange_version: str) -> str:
    """Return the release that GS08, else ISA12, names, as six digits; ``""`` if neither does."""
    if match := _SIX_DIGITS.match(group_version):
        return match[0]
    if _FIVE_DIGITS.fullmatch(interchange_version):
        return f"{interchange_version}0"
    return ""


def is_published(release: str) -> bool:
    """Return whether six digits have the form of a release that X12 has published.

    Version, release and subrelease: 00 and 1 to 8, then 0 to 7, then 0 to 3.
    """
    return _PUBLISHED.fullmatch(release) is not None


def nearest(release: str, known: tuple[str, ...]) -> str:
    """Return the one of ``known`` releases that is nearest to ``release``; ``""`` if none is near.

    It is the release itself, else the latest one before it, else 004010.
    """
    if release in known:
        return release
    if not (is_published(release) and FIRST_NEAR <= release <= LAST_NEAR):
        return ""
    oldest = FIRST_CLASS[0] if FIRST_CLASS[0] in known else ""
    return max((each for each in known if each <= release), default=oldest)
