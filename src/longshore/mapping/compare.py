"""Compare two outputs of a map position by position, whatever their layout.

JSON and XML are compared by structure (numbers as exact decimals, the order of members ignored),
CSV by cell, X12 by element, without dates of the envelope, control numbers and the choice of
separators.

Source: fields-and-mapping.md section 9.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from json import dumps, loads
from types import MappingProxyType
from typing import Final

from longshore.formats import csvdoc, jsondoc, x12doc, xmldoc
from longshore.formats.keys import escape_name
from longshore.kit.errors import LongshoreError

MAX_DIFFERENCES: Final = 1_000
MAX_SHOWN_CHARS: Final = 500  # of one value

_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_MAX_DIGITS: Final = 1_000  # longer numbers compare as they are written
_PART: Final = re.compile(r"(.*\.[0-9]{2,3}(?:\[[0-9]+\])?)\.[0-9]{2,3}")
_VOLATILE: Final = re.compile(
    r"(?:ISA(?:\[[0-9]+\])?\.(?:09|10|11|13|16)|GS(?:\[[0-9]+\])?\.(?:04|05|06)"
    r"|(?:ST|SE|GE|IEA)(?:\[[0-9]+\])?\.02)"
)
"""Elements that differ between two conversions of one document, and the separators."""

Leaves = Mapping[str, str]
"""The JSON text of each value by its path; an empty object or array is a value."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One path with two values, each as JSON text; None if a side has no value there.

    Values over 500 characters are cut. A document that cannot be read differs at the path ``""``.
    """

    path: str
    before: str | None
    after: str | None


def differences(format_name: str, before: str, after: str) -> list[Difference]:
    """Return the differences of two documents of one format, at most 1,000, in document order."""
    if before == after:
        return []
    try:
        old, new = (_LEAVES[format_name](text) for text in (before, after))
    except LongshoreError:
        return [Difference("", _shown(_quoted(before)), _shown(_quoted(after)))]
    found = []
    for path in dict.fromkeys((*old, *new)):
        if not _are_alike(old.get(path), new.get(path)):
            found.append(Difference(path, _shown(old.get(path)), _shown(new.get(path))))
            if len(found) == MAX_DIFFERENCES:
                break
    return found


def _are_alike(old: str | None, new: str | None) -> bool:
    return old == new or (
        old is not None and new is not None and _canonical(old) == _canonical(new)
    )


def _canonical(value: str) -> object:
    """Return what counts of a value: of a number not the way it is written."""
    is_number = value[0] in "-0123456789" and len(value) <= _MAX_DIGITS
    return Decimal(value) if is_number else value


def _shown(value: str | None) -> str | None:
    if value is None or len(value) <= MAX_SHOWN_CHARS:
        return value
    return _quoted(f"{value[:MAX_SHOWN_CHARS]}… ({len(value)} characters)")


def _quoted(text: str) -> str:
    return dumps(text, ensure_ascii=False)


def _json_leaves(document: str) -> Leaves:
    jsondoc.parse(document)  # refuses what cannot be compared, and values nested too deeply
    return dict(_walk("", loads(document, parse_float=Decimal, parse_int=Decimal)))


def _walk(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for name, member in value.items():
            yield from _walk(f"{path}.{escape_name(name)}" if path else escape_name(name), member)
    elif isinstance(value, list) and value:
        for index, member in enumerate(value):
            yield from _walk(f"{path}[{index}]", member)
    else:
        yield path, str(value) if isinstance(value, Decimal) else dumps(value, ensure_ascii=False)


def _x12_leaves(document: str) -> Leaves:
    fields: dict[str, str] = loads(x12doc.parse(document).fields_json)
    split = {match[1] for key in fields if (match := _PART.fullmatch(key))}
    return {
        key: _quoted(value)
        for key, value in fields.items()
        if key not in split and _VOLATILE.fullmatch(key) is None
    }


def _xml_leaves(document: str) -> Leaves:
    fields: dict[str, str] = loads(xmldoc.parse(document).fields_json)
    return {
        key: value if _NUMBER.fullmatch(value) else _quoted(value) for key, value in fields.items()
    }


def _csv_leaves(document: str) -> Leaves:
    fields: dict[str, str] = loads(csvdoc.parse(document).fields_json)
    return {key: _quoted(value) for key, value in fields.items()}


_LEAVES: Final[Mapping[str, Callable[[str], Leaves]]] = MappingProxyType({
    "json": _json_leaves,
    "xml": _xml_leaves,
    "csv": _csv_leaves,
    "x12": _x12_leaves,
})
