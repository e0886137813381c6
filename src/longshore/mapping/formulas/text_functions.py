"""The functions of formulas about texts; positions count from 1. Of null they give null.

Source: formulas.md section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from longshore.mapping.formulas.values import FormulaFault, Value, needs, text_of
from longshore.mapping.values import MAX_VALUE_CHARS, ValueTooLongError


def text_in(value: Value, where: str) -> str | None:
    """Return a text, or None for null.

    Raises:
        needs: A FormulaFault: it is something else.
    """
    if value is None or isinstance(value, str):
        return value
    raise needs(where, "a text", value)


def whole(value: Value, where: str, least: int = 0, most: int = MAX_VALUE_CHARS) -> int:
    """Return a whole number within bounds.

    Raises:
        FormulaFault: It is none.
    """
    if type(value) is Decimal and least <= value <= most:
        number = int(value)
        if number == value:
            return number
    raise FormulaFault(f"{where} needs a whole number from {least} to {most}")


def plain(where: str, change: Callable[[str], Value]) -> Callable[[Value], Value]:
    """Return a function of one text."""

    def function(value: Value) -> Value:
        if type(value) is str:
            return change(value)
        text = text_in(value, where)
        return None if text is None else change(text)

    return function


def left(value: Value, count: Value) -> Value:
    """Return the first characters of a text."""
    number, text = whole(count, "left"), text_in(value, "left")
    return None if text is None else text[:number]


def right(value: Value, count: Value) -> Value:
    """Return the last characters of a text."""
    number, text = whole(count, "right"), text_in(value, "right")
    return None if text is None else text[max(len(text) - number, 0) :]


def mid(value: Value, start: Value, count: Value) -> Value:
    """Return characters of a text from a position on."""
    first, number = whole(start, "mid", 1) - 1, whole(count, "mid")
    text = text_in(value, "mid")
    return None if text is None else text[first : first + number]


def length(value: Value) -> Value:
    """Return the number of characters of a text, 0 for null."""
    return Decimal(len(text_in(value, "len") or ""))


def replace(value: Value, find: Value, new: Value) -> Value:
    """Return a text with each occurrence of one text replaced by another.

    Raises:
        FormulaFault: There is nothing to find.
        ValueTooLongError: The text is too long.
    """
    text, old = text_in(value, "replace"), text_in(find, "replace")
    if not old:
        raise FormulaFault("replace needs a text to find that is not empty")
    if text is None:
        return None
    after = text_of(new)
    if len(text) + (len(after) - len(old)) * text.count(old) > MAX_VALUE_CHARS:
        raise ValueTooLongError
    return text.replace(old, after)


def pad(where: str, fill: Callable[[str, int, str], str]) -> Callable[..., Value]:
    """Return ``pad_left`` or ``pad_right``."""

    def function(value: Value, count: Value, char: Value = " ") -> Value:
        number, text = whole(count, where), text_in(value, where)
        if not isinstance(char, str) or len(char) != 1:
            raise FormulaFault(f"{where} needs one character to fill with")
        return None if text is None else fill(text, number, char)

    return function


def split(value: Value, on: Value, number: Value) -> Value:
    """Return one part of a text, counted from 1, or from the end by a negative number.

    Raises:
        FormulaFault: The separator is empty, or the number is 0.
    """
    text, separator = text_in(value, "split"), text_in(on, "split")
    if not separator:
        raise FormulaFault("split needs a separator that is not empty")
    at = whole(number, "split", -MAX_VALUE_CHARS)
    if not at:
        raise FormulaFault("split counts from 1, or from the end by negative numbers")
    if text is None:
        return None
    parts = text.split(separator)
    at -= at > 0
    return parts[at] if -len(parts) <= at < len(parts) else None


def search(where: str, is_found: Callable[[str, str], bool]) -> Callable[[Value, Value], Value]:
    """Return a function that looks for one text in another; in null nothing is found."""

    def function(value: Value, part: Value) -> Value:
        text, sought = text_in(value, where), text_in(part, where)
        return text is not None and sought is not None and is_found(text, sought)

    return function


def concat(*values: Value) -> Value:
    """Return the texts of values in one; null is an empty text.

    Raises:
        ValueTooLongError: It is too long.
    """
    texts = [text_of(value) for value in values]
    if sum(map(len, texts)) > MAX_VALUE_CHARS:
        raise ValueTooLongError
    return "".join(texts)
