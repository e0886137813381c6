"""Values that an element allows: by type, lengths, codes, and the form that a qualifier names."""

from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from longshore.x12.dictionary.model import ElementRule, ElementType

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_USUAL: Final = 5  # characters, where so few are allowed
_ADDED_UP: Final = frozenset(("212", "358", "610", "782"))  # kept short, so that sums have room


def _date(random: Random) -> str:
    if random.random() < 0.1:
        return "20240229"
    return f"{random.randint(1990, 2040)}{random.randint(1, 12):02d}{random.randint(1, 28):02d}"


def _time(random: Random, digits: int) -> str:
    clock = "".join(f"{random.randint(0, maximum):02d}" for maximum in (23, 59, 59, 99))
    return clock[:digits]


def _rolled(date: str) -> str:
    return date[4:] + date[:4]


_FORMS: Final[dict[str, Callable[[Random], str]]] = {
    "D8": _date,
    "D6": lambda random: _date(random)[2:],
    "RD8": lambda random: f"{_date(random)}-{_date(random)}",
    "DT": lambda random: _date(random) + _time(random, 4),
    "RTS": lambda random: _date(random) + _time(random, 6),
    "RDT": lambda random: "-".join(_date(random) + _time(random, 4) for _ in "ab"),
    "TM": lambda random: _time(random, 4),
    "CM": lambda random: _date(random)[:6],
    "DB": lambda random: _rolled(_date(random)),
}


class Write(Protocol):
    """Writes a value; the longest one that is allowed if ``is_long``."""

    def __call__(self, random: Random, *, is_long: bool) -> str: ...


def value_of(
    element: ElementType, rule: ElementRule, codes: tuple[str, ...], qualifier: str
) -> Write:
    """Return what writes values; ``codes`` are asked for, ``qualifier`` stands before it."""
    chosen = codes
    if rule.codes is not None:
        chosen = tuple(each for each in codes or rule.codes if each in rule.codes)
    elif not codes and element.codes is not None and element.codes.is_strict:
        chosen = tuple(element.codes.meanings)
    if element.number == "1250" and not chosen:
        chosen = tuple(_FORMS)
    minimum, maximum = (
        max(element.minimum, rule.minimum or 0),
        min(element.maximum, rule.maximum or element.maximum),
    )

    def write(random: Random, *, is_long: bool) -> str:
        if chosen:
            return random.choice(chosen)
        if element.number == "1251" and qualifier in _FORMS:
            return _FORMS[qualifier](random)
        is_full = is_long and element.number not in _ADDED_UP
        return _of_kind(
            element.kind, random, minimum, min(maximum, 80) if is_full else _length(maximum)
        )

    def _length(limit: int) -> int:
        return min(limit, max(minimum, _USUAL))

    return write


def _of_kind(kind: str, random: Random, minimum: int, maximum: int) -> str:
    if kind[0] in "NR":
        digits = str(random.randint(1, 9))
        digits += "".join(random.choices("0123456789", k=random.randint(minimum, maximum) - 1))
        cut = random.randint(1, len(digits))
        return f"{digits[:cut]}.{digits[cut:]}".rstrip(".") if kind == "R" else digits
    if kind == "DT":
        return _date(random)[-maximum:]
    if kind == "TM":
        return _time(
            random, random.choice([each for each in (4, 6, 7, 8) if minimum <= each <= maximum])
        )
    if kind == "B":
        return "".join(random.choices("AB*~:^ 01", k=random.randint(1, 12)))
    size = random.randint(max(minimum, 1), maximum)
    inner = random.choices(_LETTERS + " " * (kind == "AN"), k=size)
    return "".join((random.choice(_LETTERS), *inner[1:]))
