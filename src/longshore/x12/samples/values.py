"""The values of samples: by the number of the element what is typical there, else by its type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from longshore.x12.samples.numbers import SeededNumbers
from longshore.x12.samples.parts import PartPlan
from longshore.x12.samples.typical import (
    COMPANIES,
    DIAGNOSES,
    FIRST_NAMES,
    GOODS,
    LAST_NAMES,
    PLACES,
    STREETS,
    WORDS,
)

_FIRST_DAY: Final = date(2026, 1, 5)
_DAYS: Final = 350  # of documents
_DAYS_AROUND: Final = 28  # of dates inside
_TIME_LENGTHS: Final = (4, 6, 7, 8)
_CHARACTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_TYPICAL_CHARS: Final = 5  # of varied values, where so few are allowed
_LONG_CHARS: Final = 80  # of varied values that are long
_LONG_PERCENT: Final = 5
_ADDED_UP: Final = frozenset(("212", "358", "610", "782"))
"""Elements that stay short, so that sums have room."""
_COUNTED: Final = frozenset(("350", "554"))
"""Elements that number lines, at each position from 1."""


class SampleValues:
    """Writes the values of one sample.

    Args:
        numbers: Decides what is chosen.
        is_varied: Values have any form and length that is allowed.
    """

    def __init__(self, numbers: SeededNumbers, *, is_varied: bool) -> None:
        self.numbers = numbers
        self.is_varied = is_varied
        self.day = _FIRST_DAY + timedelta(days=numbers.below(_DAYS))
        """The day of the document."""
        self.time = f"{numbers.between(8, 17):02d}{numbers.below(60):02d}"
        self.place = numbers.one_of(PLACES)
        self.order = f"PO-{numbers.digits(5)}"
        """The order that the document is about."""
        self._counts = Counter[PartPlan]()  # of elements that number lines

    def write(self, part: PartPlan, before: str) -> str:
        """Return a value; ``before`` is the value of the part before it."""
        if part.is_formatted and before in _FORMS:
            return _FORMS[before](self)
        if self.is_varied:
            return _varied(self, part)
        if part.known:
            return self.numbers.one_of(part.known)
        if part.element.number in _COUNTED:
            self._counts[part] += 1
            return str(self._counts[part]).rjust(part.minimum, "0")
        typical = _TYPICAL.get(part.element.number)
        text = typical(self, before) if typical is not None else ""
        is_fitting = part.minimum <= _length(text, part) <= part.maximum
        return text if is_fitting and text not in part.avoided else _of_type(self, part)


# ---- by type --------------------------------------------------------------------------------


def _of_type(values: SampleValues, part: PartPlan) -> str:
    kind, numbers = part.element.kind, values.numbers
    if kind[0] in "NR":
        digits = min(part.maximum, max(part.minimum, numbers.between(1, 2)))
        return numbers.digits(digits)
    if kind == "DT":
        return _day(values)[-part.maximum :]
    if kind == "TM":
        return _time(values, _time_lengths(part)[0])
    if kind == "B":
        return "SAMPLE DATA"
    if kind == "ID":
        return _other_code(values, part)
    word = numbers.one_of(WORDS)[: part.maximum]
    return word + "".join(str(numbers.below(10)) for _ in range(part.minimum - len(word)))


def _other_code(values: SampleValues, part: PartPlan) -> str:
    """Return a code of no list: ``ZZ``, which stands for an agreement, or any characters."""
    code = "ZZ"[: part.maximum].ljust(part.minimum, "Z")
    while code in part.avoided:
        code = "".join(values.numbers.one_of(_CHARACTERS) for _ in code)
    return code


def _varied(values: SampleValues, part: PartPlan) -> str:
    numbers = values.numbers
    if part.codes:
        return numbers.one_of(part.codes)
    is_long = part.element.number not in _ADDED_UP and numbers.happens(_LONG_PERCENT)
    limit = _LONG_CHARS if is_long else max(part.minimum, _TYPICAL_CHARS)
    text = _any_of_type(values, part, min(part.maximum, limit))
    while text in part.avoided:
        text = _any_of_type(values, part, min(part.maximum, limit))
    return text


def _any_of_type(values: SampleValues, part: PartPlan, maximum: int) -> str:
    kind, numbers = part.element.kind, values.numbers
    if kind == "DT":
        return _any_day(values)[-maximum:]
    if kind == "TM":
        return _time(values, numbers.one_of(_time_lengths(part)))
    if kind == "B":
        return "".join(numbers.one_of("AB*~:^ 01") for _ in range(numbers.between(1, 12)))
    size = numbers.between(max(part.minimum, 1), maximum)
    if kind[0] in "NR":
        digits = numbers.digits(size)
        cut = numbers.between(1, size)
        return f"{digits[:cut]}.{digits[cut:]}".rstrip(".") if kind == "R" else digits
    inner = _CHARACTERS + " " * (kind == "AN")
    others = (numbers.one_of(inner) for _ in range(size - 1))
    return "".join((numbers.one_of(_CHARACTERS), *others))


# ---- dates and times ------------------------------------------------------------------------


def _day(values: SampleValues) -> str:
    if values.is_varied:
        return _any_day(values)
    day = values.day + timedelta(days=values.numbers.below(_DAYS_AROUND))
    return f"{day:%Y%m%d}"


def _any_day(values: SampleValues) -> str:
    numbers = values.numbers
    if numbers.happens(10):
        return "20240229"
    day = numbers.between(1, 28)
    return f"{numbers.between(1990, 2040)}{numbers.between(1, 12):02d}{day:02d}"


def _time(values: SampleValues, digits: int) -> str:
    limits = ((0, 23), (0, 59), (0, 59), (0, 99)) if values.is_varied else _WORKING_TIME
    return "".join(f"{values.numbers.between(*each):02d}" for each in limits)[:digits]


def _birthday(values: SampleValues, _: str) -> str:
    numbers = values.numbers
    day = numbers.between(1, 28)
    return f"{numbers.between(1950, 2005)}{numbers.between(1, 12):02d}{day:02d}"


def _days(values: SampleValues) -> str:
    first = values.day - timedelta(days=values.numbers.below(_DAYS_AROUND))
    return f"{first:%Y%m%d}-{_day(values)}"


def _rolled(day: str) -> str:
    return day[4:] + day[:4]


def _moments(values: SampleValues) -> str:
    return "-".join(_day(values) + _time(values, 4) for _ in "ab")


# ---- by number of the element ---------------------------------------------------------------


def _name(values: SampleValues, before: str) -> str:
    """Return a company; of a contact (PER01) or a person (NM102 is 1) the name."""
    if before in {"IC", "BD"}:
        return f"{values.numbers.one_of(FIRST_NAMES)} {values.numbers.one_of(LAST_NAMES)}"
    return values.numbers.one_of(LAST_NAMES if before == "1" else COMPANIES)


def _city(values: SampleValues, _: str) -> str:
    values.place = values.numbers.one_of(PLACES)
    return values.place.city


def _contact(values: SampleValues, before: str) -> str:
    number = f"207555{values.numbers.between(100, 199):04d}"
    known = {"EM": "ORDERS@EXAMPLE.COM", "UR": "WWW.EXAMPLE.COM", "EX": number[-4:]}
    return known.get(before, number)


def _identifier(values: SampleValues, before: str) -> str:
    """Return an identifier of a party by its qualifier."""
    numbers = values.numbers
    if before == "XX":
        return _with_check_digit(f"1{numbers.digits(8)}", "80840")
    if before == "UL":
        return _with_mod_10(numbers.digits(12))
    lengths = {"1": 9, "9": 13, "FI": 9, "24": 9, "34": 9}
    return numbers.digits(lengths.get(before, 4))


def _product(values: SampleValues, before: str) -> str:
    numbers = values.numbers
    if before in {"HC", "HP"}:
        return "G0463"
    lengths = {"UP": 11, "EN": 12, "UK": 13}
    if before in lengths:
        return _with_mod_10(numbers.digits(lengths[before]))
    return f"{before}-{numbers.digits(4)}"


def _price(values: SampleValues, _: str) -> str:
    return f"{values.numbers.between(1, 99)}.{values.numbers.between(10, 99)}"


def _amount(values: SampleValues, _: str) -> str:
    return f"{values.numbers.between(10, 999)}.{values.numbers.between(10, 99)}"


_WORKING_TIME: Final = ((8, 17), (0, 59), (0, 59), (0, 99))

_FORMS: Final[Mapping[str, Callable[[SampleValues], str]]] = {
    "D8": _day,
    "D6": lambda values: _day(values)[2:],
    "RD8": _days,
    "DT": lambda values: _day(values) + _time(values, 4),
    "RTS": lambda values: _day(values) + _time(values, 6),
    "RDT": _moments,
    "TM": lambda values: _time(values, 4),
    "CM": lambda values: _day(values)[:6],
    "DB": lambda values: _rolled(_day(values)),
}
"""By element 1250, what writes element 1251."""


def _one_of(items: tuple[str, ...]) -> Callable[[SampleValues, str], str]:
    return lambda values, _: values.numbers.one_of(items)


def _digits(first: int, last: int) -> Callable[[SampleValues, str], str]:
    return lambda values, _: str(values.numbers.between(first, last))


def _marked(mark: str, digits: int = 5) -> Callable[[SampleValues, str], str]:
    return lambda values, _: f"{mark}{values.numbers.digits(digits)}"


_TYPICAL: Final[Mapping[str, Callable[[SampleValues, str], str]]] = {
    "19": _city,
    "67": _identifier,
    "76": _marked("INV-"),
    "93": _name,
    "116": lambda values, _: values.place.postal_code,
    "127": _digits(1000, 99999),
    "156": lambda values, _: values.place.state,
    "166": lambda values, _: f"{values.numbers.between(1, 99)} {values.numbers.one_of(STREETS)}",
    "212": _price,
    "234": _product,
    "324": lambda values, _: values.order,
    "328": _marked("R-", 3),
    "330": _digits(1, 48),
    "352": _one_of(GOODS),
    "358": _digits(1, 48),
    "364": _contact,
    "380": _digits(1, 48),
    "382": _digits(1, 48),
    "396": _marked("SH-"),
    "610": _digits(1000, 9999),
    "782": _amount,
    "933": _one_of(("DELIVER MONDAY TO FRIDAY", "CALL BEFORE DELIVERY")),
    "1028": _marked("CLM-"),
    "1035": _name,
    "1036": _one_of(FIRST_NAMES),
    "1251": _birthday,
    "1271": _one_of(DIAGNOSES),
}
"""By the number of an element, what writes its value from the value of the part before it."""


def _length(text: str, part: PartPlan) -> int:
    """Return the length that counts: of a number its digits."""
    is_number = part.element.kind[0] in "NR"
    return len(text.replace(".", "")) if is_number else len(text)


def _time_lengths(part: PartPlan) -> list[int]:
    return [each for each in _TIME_LENGTHS if part.minimum <= each <= part.maximum]


def _with_mod_10(digits: str) -> str:
    """Return digits with the check digit of article numbers."""
    weighed = (int(each) * (3, 1)[at % 2] for at, each in enumerate(reversed(digits)))
    return f"{digits}{-sum(weighed) % 10}"


def _with_check_digit(digits: str, prefix: str) -> str:
    """Return digits with the check digit of the Luhn algorithm, which includes a prefix."""
    doubled = (
        int(each) if at % 2 else sum(divmod(2 * int(each), 10))
        for at, each in enumerate(reversed(prefix + digits))
    )
    return f"{digits}{-sum(doubled) % 10}"
