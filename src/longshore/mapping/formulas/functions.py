"""The functions of formulas by name: how they are called, and what computes them.

Source: formulas.md section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from longshore.mapping.formulas import date_functions as dates
from longshore.mapping.formulas import number_functions as numbers
from longshore.mapping.formulas import text_functions as texts
from longshore.mapping.formulas.arithmetic import OPERATIONS, exactly
from longshore.mapping.formulas.values import (
    QUOTIENT,
    Value,
    number_of,
    text_of,
    truth_of,
)

ListFunction = Callable[[Sequence[Value]], Value]


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments of a function."""

    text: str
    """As people read it, such as ``left(t, n)``."""
    least: int
    """The fewest arguments."""
    most: int | None
    """The most arguments, None for any number."""

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.text.partition("(")[0]


def _sum(values: Sequence[Value]) -> Value:
    add = OPERATIONS["+"]
    total: Value = Decimal(0)
    for value in values:
        if value is not None:
            total = add(total, number_of(value, "sum"))
    return total


def _average(values: Sequence[Value]) -> Value:
    there = [value for value in values if value is not None]
    total = _sum(there)
    if not there:
        return None
    assert isinstance(total, Decimal)  # sums are
    return exactly("avg", QUOTIENT.divide, total, Decimal(len(there)))


def _count(values: Sequence[Value]) -> Value:
    return Decimal(sum(value is not None for value in values))


def _first(values: Sequence[Value]) -> Value:
    return next((value for value in values if value is not None), None)


def _last(values: Sequence[Value]) -> Value:
    return next((value for value in reversed(values) if value is not None), None)


def _any(values: Sequence[Value]) -> Value:
    return any(truth_of(value, "any") for value in values)


def _all(values: Sequence[Value]) -> Value:
    return all(truth_of(value, "all") for value in values)


_MIN: Final = numbers.extreme("min", is_least=True)
_MAX: Final = numbers.extreme("max", is_least=False)

LIST_FUNCTIONS: Final[Mapping[str, ListFunction]] = MappingProxyType({
    "sum": _sum,
    "avg": _average,
    "count": _count,
    "first": _first,
    "last": _last,
    "any": _any,
    "all": _all,
    "min": lambda values: _MIN(*values),
    "max": lambda values: _MAX(*values),
})
"""The functions that make one value of a list."""


def joined(values: Sequence[Value], separator: Value) -> Value:
    """Return the texts of a list with a separator between them; None if it has no value."""
    there = [text_of(value) for value in values if value is not None]
    between = text_of(separator)
    pieces: list[Value] = []
    for text in there:
        pieces += (between, text)
    return texts.concat(*pieces[1:]) if pieces else None


VALUE_FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = MappingProxyType({
    "is_null": lambda value: value is None,
    "upper": texts.plain("upper", str.upper),
    "lower": texts.plain("lower", str.lower),
    "trim": texts.plain("trim", str.strip),
    "left": texts.left,
    "right": texts.right,
    "mid": texts.mid,
    "len": texts.length,
    "replace": texts.replace,
    "pad_left": texts.pad("pad_left", str.rjust),
    "pad_right": texts.pad("pad_right", str.ljust),
    "split": texts.split,
    "contains": texts.search("contains", str.__contains__),
    "starts_with": texts.search("starts_with", str.startswith),
    "ends_with": texts.search("ends_with", str.endswith),
    "concat": texts.concat,
    "number": numbers.number,
    "implied": numbers.implied,
    "to_implied": numbers.to_implied,
    "round": numbers.round_half_up,
    "floor": numbers.FLOOR,
    "ceil": numbers.CEIL,
    "abs": numbers.absolute,
    "min": _MIN,
    "max": _MAX,
    "date": dates.to_date,
    "time": dates.to_time,
    "format": dates.formatted,
    "year": dates.part("year", lambda day: day.year),
    "month": dates.part("month", lambda day: day.month),
    "day": dates.part("day", lambda day: day.day),
    "weekday": dates.part("weekday", lambda day: day.isoweekday()),
    "add_months": dates.add_months,
    "days_between": dates.days,
})
"""The functions of values that are all computed before."""

_DECLARATION: Final = """
if(c, a, b) 3 3; switch(x, v1, r1, …, else) 3 -; coalesce(a, …) 1 -; is_null(x) 1 1;
upper(t) 1 1; lower(t) 1 1; trim(t) 1 1; left(t, n) 2 2; right(t, n) 2 2; mid(t, start, n) 3 3;
len(t) 1 1; replace(t, find, with) 3 3; pad_left(t, n, c) 2 3; pad_right(t, n, c) 2 3;
split(t, on, n) 3 3; contains(t, part) 2 2; starts_with(t, part) 2 2; ends_with(t, part) 2 2;
concat(a, …) 1 -;
number(t) 1 1; implied(t, n) 2 2; to_implied(x, n) 2 2; round(x, n) 1 2; floor(x) 1 1; ceil(x) 1 1;
abs(x) 1 1; min(a, …) 1 -; max(a, …) 1 -;
date(t, pattern) 1 2; time(t) 1 1; today() 0 0; now() 0 0; format(d, pattern) 2 2; year(d) 1 1;
month(d) 1 1; day(d) 1 1; weekday(d) 1 1; add_months(d, n) 2 2; days_between(a, b) 2 2;
sum(list) 1 1; count(list) 1 1; avg(list) 1 1; first(list) 1 1; last(list) 1 1; any(list) 1 1;
all(list) 1 1; distinct(list) 1 1; join(list, sep) 2 2; where(list, condition) 2 2;
sort(list, by) 1 2;
lookup("table", key, default) 2 3;
index() 0 0; counter("name") 1 1; count_written("PO1") 1 1
"""


def _signature(entry: str) -> Signature:
    text, least, most = entry.strip().rsplit(" ", 2)
    return Signature(text, int(least), None if most == "-" else int(most))


SIGNATURES: Final[Mapping[str, Signature]] = MappingProxyType({
    signature.name: signature for signature in map(_signature, _DECLARATION.split(";"))
})
"""All functions by name."""
