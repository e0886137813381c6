"""The operations of ``then``, each read and checked before any data is there.

Numbers are exact: a mantissa and a count of decimals, never binary floating point.

Source: fields-and-mapping.md section 6.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NoReturn

from longshore.mapping.dates import DateLayout
from longshore.mapping.members import Members
from longshore.mapping.values import (
    MAX_DIGITS,
    MAX_VALUE_CHARS,
    Note,
    Stage,
    StageMaker,
    ValueFaultError,
    ValueTooLongError,
    number_text,
)

MAX_DECIMALS: Final = 30
_MAX_CHARS: Final = 1_000_000_000


def read_operation(members: Members) -> StageMaker | None:
    """Read one operation; None if it is faulty, which ``members`` has reported then."""
    op = members.word("op", OPERATION_NAMES, is_required=True)
    if op is None:
        return None
    reader, known = _OPERATIONS[op]
    members.refuse_unknown(("op", *known))
    return reader(members)


def _plain(stage: Stage) -> StageMaker:
    return lambda _note: stage


def _substring(members: Members) -> StageMaker | None:
    start = members.integer("start", -_MAX_CHARS, _MAX_CHARS, is_required=True)
    length = members.integer("len", 0, _MAX_CHARS)
    if start is None:
        return None

    def stage(value: str) -> str:
        first = start if start >= 0 else max(len(value) + start, 0)
        return value[first:] if length is None else value[first : first + length]

    return _plain(stage)


def _pad(members: Members) -> StageMaker | None:
    length = members.integer("len", 0, MAX_VALUE_CHARS, is_required=True)
    char = members.text("char")
    side = members.word("side", ("left", "right"))
    if char is not None and len(char) != 1:
        members.report("char", "it must be one character")
        return None
    if length is None:
        return None
    is_right = side == "right"

    def stage(value: str) -> str:
        return value.ljust(length, char or " ") if is_right else value.rjust(length, char or " ")

    return _plain(stage)


def _replace(members: Members) -> StageMaker | None:
    find, new = members.text("find", is_required=True), members.text("with", is_required=True)
    if find == "":
        members.report("find", "it must not be empty")
    if not find or new is None:
        return None
    growth = len(new) - len(find)

    def stage(value: str) -> str:
        if growth > 0 and len(value) + growth * value.count(find) > MAX_VALUE_CHARS:
            raise ValueTooLongError
        return value.replace(find, new)

    return _plain(stage)


def _split(members: Members) -> StageMaker | None:
    on = members.text("on", is_required=True)
    index = members.integer("index", -_MAX_CHARS, _MAX_CHARS, is_required=True)
    if on == "":
        members.report("on", "it must not be empty")
    if not on or index is None:
        return None

    def stage(value: str) -> str | None:
        pieces = value.split(on)
        return pieces[index] if -len(pieces) <= index < len(pieces) else None

    return _plain(stage)


def _implied(members: Members) -> StageMaker | None:
    scale = members.integer("scale", 0, MAX_DECIMALS, is_required=True)
    direction = members.word("dir", ("from_implied", "to_implied"))
    if scale is None:
        return None

    def from_implied(value: str) -> str:
        mantissa, decimals = _decimal(value)
        if decimals or "." in value:
            _mismatch("the value has a decimal point already")
        return _written(mantissa, scale)

    def to_implied(value: str) -> str:
        mantissa, decimals = _decimal(value)
        mantissa *= 10**scale
        if mantissa % 10**decimals:
            _mismatch("the value has more decimals than scale allows")
        return str(mantissa // 10**decimals)

    return _plain(to_implied if direction == "to_implied" else from_implied)


def _multiply(members: Members) -> StageMaker | None:
    by = members.number("by", is_required=True)
    if by is None:
        return None
    factor, more = _decimal(by)

    def stage(value: str) -> str:
        mantissa, decimals = _decimal(value)
        return _written(mantissa * factor, decimals + more)

    return _plain(stage)


def _round(members: Members) -> StageMaker | None:
    digits = members.integer("digits", 0, MAX_DECIMALS, is_required=True)
    if digits is None:
        return None

    def stage(value: str) -> str:
        mantissa, decimals = _decimal(value)
        if decimals <= digits:
            return _written(mantissa * 10 ** (digits - decimals), digits)
        unit = 10 ** (decimals - digits)
        rounded = (2 * abs(mantissa) + unit) // (2 * unit)
        return _written(-rounded if mantissa < 0 else rounded, digits)

    return _plain(stage)


def _moment(members: Members) -> StageMaker | None:
    op = members.text("op")
    assert op is not None  # it led here
    layouts = []
    for name in ("in", "out"):
        text = members.text(name, is_required=True)
        if text is None:
            continue
        layout = DateLayout(text)
        if not layout.tokens or len(set(layout.tokens)) < len(layout.tokens):
            message = "it must hold tokens of CCYY YY MM DD HH MI SS, each at most once"
            members.report(name, message)
        else:
            layouts.append(layout)
    if len(layouts) < 2:  # noqa: PLR2004 - in and out
        return None
    read, written = layouts
    if read.lacks(written):
        members.report("out", "it holds a token that in does not give")
        return None

    def make(note: Note) -> Stage:
        def stage(value: str) -> str:
            parts = read.read(value)
            if parts is None:
                note(op)
                return value
            return written.write(parts)

        return stage

    return make


def _default(members: Members) -> StageMaker | None:
    text = members.text("value", is_required=True)
    return None if text is None else _plain(lambda value: value or text)


_Reader = Callable[[Members], StageMaker | None]
_OPERATIONS: Final[Mapping[str, tuple[_Reader, tuple[str, ...]]]] = MappingProxyType({
    "substring": (_substring, ("start", "len")),
    "pad": (_pad, ("len", "char", "side")),
    "replace": (_replace, ("find", "with")),
    "split": (_split, ("on", "index")),
    "number": (_implied, ("scale", "dir")),
    "multiply": (_multiply, ("by",)),
    "round": (_round, ("digits",)),
    "date": (_moment, ("in", "out")),
    "time": (_moment, ("in", "out")),
    "default": (_default, ("value",)),
})
OPERATION_NAMES: Final = tuple(_OPERATIONS)
"""The names of all operations."""


def _decimal(text: str) -> tuple[int, int]:
    """Return a number as mantissa and count of decimals: ``9.25`` is 925 and 2.

    Raises:
        ValueFaultError: type_mismatch.
    """
    number = number_text(text)
    if number is None or len(number) > MAX_DIGITS:
        _mismatch("the value is not a number")
    whole, _, decimals = number.partition(".")
    return int(whole + decimals), len(decimals)


def _written(mantissa: int, decimals: int) -> str:
    digits = str(abs(mantissa)).rjust(decimals + 1, "0")
    sign = "-" if mantissa < 0 else ""
    point = len(digits) - decimals
    return f"{sign}{digits[:point]}.{digits[point:]}" if decimals else sign + digits


def _mismatch(message: str) -> NoReturn:
    raise ValueFaultError("type_mismatch", message)
