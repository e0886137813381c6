"""The members of a JSON object, each read by its kind; all faults are reported at once.

A kind is what a value may be, in words, and the function that reads it. A member that is null
counts as absent (contract.md section 1).

Source: contract.md sections 1 and 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, NamedTuple

from longshore.kit.errors import ErrorCode, ErrorDetail

MAX_FAULTS: Final = 100
_MAX_ECHOED_CHARS: Final = 40
_ECHOABLE = re.compile("[ -~]{1,40}")


class RefusedValueError(ValueError):
    """A value is not of its kind; where the kind has parts, ``details`` tells of each."""

    def __init__(self, details: tuple[ErrorDetail, ...] = ()) -> None:
        super().__init__()
        self.details = details


class ValueKind(NamedTuple):
    """The kind of a value: ``allowed`` in words behind "must be", or each word in ``words``.

    ``read`` takes the JSON value and the name of the parameter.

    Raises:
        RefusedValueError: Out of ``read``: the value is none.
    """

    allowed: str
    read: Callable[[object, str], object]
    words: tuple[str, ...] | None = None
    bounds: tuple[int, int] | None = None
    """The smallest and the largest of whole numbers."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object."""

    kind: ValueKind
    is_required: bool = False


class RequestFaults:
    """The faults of a request, in the order in which they were found; the first ``MAX_FAULTS``."""

    def __init__(self) -> None:
        self.details: list[ErrorDetail] = []

    def add(self, param: str, message: str, code: ErrorCode = ErrorCode.INVALID_PARAMETER) -> None:
        """Add a fault of a parameter."""
        self.extend((ErrorDetail(code=code, param=param, message=message),))

    def extend(self, details: Collection[ErrorDetail]) -> None:
        """Add faults found elsewhere."""
        self.details.extend([*details][: MAX_FAULTS - len(self.details)])


def read_members(
    given: object,
    members: Mapping[str, Member],
    faults: RequestFaults,
    param: str = "",
    skipped: frozenset[str] = frozenset(),
) -> dict[str, object]:
    """Return the values of the members that are there and good; the others are in ``faults``.

    ``param`` is what the object is called, ``""`` for the body of the request. ``skipped`` is
    members that answers have and requests need not.
    """
    if not isinstance(given, Mapping):
        faults.add(param or "body", f"{_named(param)} must be an object.")
        return {}
    prefix = f"{param}." if param else ""
    _refuse_unknown((name for name in given if name not in skipped), members, faults, prefix)
    values: dict[str, object] = {}
    for name, member in members.items():
        value = given.get(name)
        if value is not None:
            read_value(value, member.kind, values, faults, (name, f"{prefix}{name}"))
        elif member.is_required:
            message = f'Parameter "{prefix}{name}" is missing.'
            faults.add(f"{prefix}{name}", message, ErrorCode.MISSING_PARAMETER)
    return values


def read_value(
    value: object,
    kind: ValueKind,
    values: dict[str, object],
    faults: RequestFaults,
    names: tuple[str, str],
) -> None:
    """Put a value into ``values``, or what is wrong with it into ``faults``.

    ``names`` is its key in ``values``, and its parameter.
    """
    name, param = names
    try:
        values[name] = kind.read(value, param)
    except RefusedValueError as refused:
        message = f"{_named(param)} must be {kind.allowed}."
        own = ErrorDetail(
            code=ErrorCode.INVALID_PARAMETER, param=param, message=message, allowed=kind.words
        )
        faults.extend(refused.details or (own,))


def _refuse_unknown(
    given: Iterable[object], members: Mapping[str, Member], faults: RequestFaults, prefix: str
) -> None:
    for name in given:
        if name in members or len(faults.details) >= MAX_FAULTS:
            continue
        text = str(name)
        nearest = get_close_matches(text[:_MAX_ECHOED_CHARS], members, 1)
        hint = f' Did you mean "{nearest[0]}"?' if nearest else ""
        param = f"{prefix}{text if _ECHOABLE.fullmatch(text) else '…'}"
        faults.add(param, f'Unknown parameter "{param}".{hint}', ErrorCode.UNKNOWN_PARAMETER)


def _named(param: str) -> str:
    return f'Parameter "{param}"' if param else "The body"


# ---- kinds ---------------------------------------------------------------------------------------


def _flag(value: object, _param: str) -> bool:
    if not isinstance(value, bool):
        raise RefusedValueError
    return value


FLAG: Final = ValueKind("true or false", _flag)


def whole(least: int, most: int) -> ValueKind:
    """Return the kind of whole numbers from ``least`` to ``most``."""

    def read(value: object, _param: str) -> int:
        # True is an integer to Python, and 1.0 is none.
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise RefusedValueError
        return value

    return ValueKind(f"a whole number from {least} to {most}", read, bounds=(least, most))


def text(pattern: str, allowed: str) -> ValueKind:
    """Return the kind of texts that ``pattern`` matches whole. ``allowed`` is in words."""
    compiled = re.compile(pattern, re.DOTALL)

    def read(value: object, _param: str) -> str:
        if not isinstance(value, str) or compiled.fullmatch(value) is None:
            raise RefusedValueError
        return value

    return ValueKind(allowed, read)


def choice(words: type[StrEnum]) -> ValueKind:
    """Return the kind of the words of an enumeration."""
    allowed = tuple(words)

    def read(value: object, _param: str) -> StrEnum:
        if not isinstance(value, str) or value not in allowed:
            raise RefusedValueError
        return words(value)

    return ValueKind(f"one of: {', '.join(allowed)}", read, tuple(map(str, allowed)))


def one_of(words: tuple[str, ...]) -> ValueKind:
    """Return the kind of these words."""

    def read(value: object, _param: str) -> str:
        if not isinstance(value, str) or value not in words:
            raise RefusedValueError
        return value

    return ValueKind(f"one of: {', '.join(words)}", read, words)


def several(kind: ValueKind, most: int, what: str) -> ValueKind:
    """Return the kind of arrays of at most ``most`` items of a kind; the value is a tuple."""

    def read(value: object, param: str) -> tuple[object, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise RefusedValueError
        faults, items = RequestFaults(), dict[str, object]()
        for at, item in enumerate(value):
            read_value(item, kind, items, faults, (str(at), f"{param}[{at}]"))
        if faults.details:
            raise RefusedValueError(tuple(faults.details))
        return tuple(items.values())

    return ValueKind(f"an array of at most {most} {what}", read)


def parts(
    members: Mapping[str, Member],
    make: Callable[..., object],
    skipped: frozenset[str] = frozenset(),
) -> ValueKind:
    """Return the kind of objects with ``members``; ``make`` takes their values by name."""

    def read(value: object, param: str) -> object:
        faults = RequestFaults()
        values = read_members(value, members, faults, param, skipped)
        if faults.details:
            raise RefusedValueError(tuple(faults.details))
        return make(**values)

    return ValueKind(f"an object with {', '.join(members)}", read)


def plain_json(value: object) -> object:
    """Return a value that a kind has read as JSON has it."""
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
