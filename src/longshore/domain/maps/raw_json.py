"""Parts of a JSON text as they are written, so that ``1.10`` stays ``1.10``.

The texts are sound: somebody has parsed them before.
"""

from json import JSONDecoder
from typing import Final

_SPACES: Final = " \t\r\n"
# Numbers stay texts: nobody looks at them here, and long ones take time.
_DECODER: Final = JSONDecoder(parse_float=str, parse_int=str)


def raw_members(text: str) -> dict[str, str]:
    """Return the members of a JSON object, each value as it is written."""
    members = {}
    at = _after_spaces(text, _after_spaces(text, 0) + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        start = _after_spaces(text, _after_spaces(text, at) + 1)  # behind the colon
        _, at = _DECODER.raw_decode(text, start)
        members[str(name)] = text[start:at]
        at = _next(text, at)
    return members


def raw_items(text: str) -> list[str]:
    """Return the items of a JSON array, each as it is written."""
    items = []
    at = _after_spaces(text, _after_spaces(text, 0) + 1)
    while text[at] != "]":
        start = at
        _, at = _DECODER.raw_decode(text, start)
        items.append(text[start:at])
        at = _next(text, at)
    return items


def _next(text: str, at: int) -> int:
    """Return where the next value begins, or the bracket at the end stands."""
    at = _after_spaces(text, at)
    return _after_spaces(text, at + 1) if text[at] == "," else at


def _after_spaces(text: str, at: int) -> int:
    while text[at] in _SPACES:
        at += 1
    return at
