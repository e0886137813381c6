"""Masks secrets in text that is about to be logged, wherever they appear in it.

The last line of defence: nothing hands a secret to a log on purpose. Masked are API keys, what
follows ``Authorization`` or ``Bearer``, the token in the path of an inbound address, and whatever
has the shape of one.
Source: reliability.md T14 and T16.
"""

import re
from collections.abc import Mapping
from typing import Final

MASK: Final = "***"
MAX_TEXT_CHARS: Final = 4_000  # a longer value is data, not a log line

_SECRET: Final = re.compile(
    r"(?P<keep>svc_(?:test|live)_)[0-9A-Za-z]+"
    r"|(?P<scheme>\b(?:bearer|basic)\s+)[^\s\"',;]+"
    # Whatever somebody has put between: a secret at a wrong place is a secret.
    r"|(?P<path>/edi/receive/)[/\s]*[^/?#\s\"']+"
    r"|(?<![0-9A-Za-z_-])[0-9A-Za-z_-]{43}(?![0-9A-Za-z_-])",  # 256 bits, as tokens have
    re.IGNORECASE,
)
_SECRET_NAMES: Final = frozenset({"authorization", "cookie", "key", "password", "secret", "token"})


def redact(text: str) -> str:
    """Return ``text`` with every secret in it masked and cut to a length fit for a line."""
    return _SECRET.sub(_masked, text[:MAX_TEXT_CHARS])


def redact_members(members: Mapping[str, object]) -> dict[str, object]:
    """Return a log event's members, masked by their name or by their text, at any depth."""
    return {name: _redacted(name, value) for name, value in members.items()}


def _redacted(name: str, value: object) -> object:
    if name.lower() in _SECRET_NAMES:
        return MASK
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return redact_members(value)
    if isinstance(value, list | tuple):
        return [_redacted("", item) for item in value]
    return value


def _masked(match: re.Match[str]) -> str:
    return (match["keep"] or match["scheme"] or match["path"] or "") + MASK
