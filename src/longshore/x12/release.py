"""Release characters (ISX, 007040 and later): a released separator is data.

Source: x12.md section 1.2, rule 11.
"""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=64)
def _pieces(separator: str, release: str) -> re.Pattern[str]:
    separator, release = re.escape(separator), re.escape(release)
    return re.compile(f"(?:[^{separator}{release}]|{release}.|{release}\\Z)*+", re.DOTALL)


def split_released(text: str, separator: str, release: str) -> list[str]:
    """Split at each ``separator`` that is not released; release characters stay in the pieces."""
    if release not in text:
        return text.split(separator)
    pattern, pieces, at = _pieces(separator, release), [], 0
    while True:
        match = pattern.match(text, at)
        assert match is not None  # the pattern matches the empty text
        pieces.append(match[0])
        at = match.end() + 1
        if at > len(text):
            return pieces


def split_text(text: str, separator: str, release: str) -> list[str]:
    """Split at each separator; ``""`` as separator splits nothing, as release releases nothing."""
    if not separator:
        return [text]
    return split_released(text, separator, release) if release else text.split(separator)


def last_released(text: str, separator: str, release: str, start: int, window: int) -> int:
    """Return the index of a ``separator`` that is not released, or -1 if there is none.

    It is the last one among the next ``window`` characters, else the first one after them.
    ``start`` must not follow a release character.
    """
    pieces = split_released(text[start : start + window], separator, release)
    if len(pieces) > 1:
        return start + sum(map(len, pieces[:-1])) + len(pieces) - 2
    match = _pieces(separator, release).match(text, start)
    assert match is not None  # the pattern matches the empty text
    return match.end() if match.end() < len(text) else -1


def unreleased(text: str, release: str, separators: str) -> str:
    """Return ``text`` with the release character removed before separators and itself."""
    if release not in text:
        return text
    return re.sub(re.escape(release) + f"([{re.escape(separators + release)}])", r"\1", text)
