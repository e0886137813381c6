"""The fields of JSON, XML and CSV documents for suggestions: names, with lists counted by ``[*]``.

Source: contract.md section 15, fields-and-mapping.md sections 2.2 to 2.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from json import loads
from typing import Final, NamedTuple

from longshore.formats import csvdoc, jsondoc, xmldoc
from longshore.formats.keys import escape_name
from longshore.mapping.suggest_places import (
    HEADING,
    MAX_PLACES,
    Level,
    SuggestPlace,
    kinds_of,
    level_of,
    place,
)
from longshore.mapping.suggest_words import concepts_of, meaning_of, words_of
from longshore.mapping.target_paths import unescaped
from longshore.mapping.trees import json_root

_ROWS: Final = "rows"
_LINE: Final = "line"
_MAX_NUMBERED: Final = 4  # items of an array of plain values are places of their own up to here
_STEP = re.compile(
    r"(@?(?:\{(?:[^\\{}]|\\.)*+\})?(?:[^\\.\[\]]|\\.)*+)((?:\[[0-9]++\])*+)", re.DOTALL
)
_INDEX = re.compile(r"\[([0-9]++)\]")

# The names on the way to a value, as keys write them.
ListPath = tuple[str, ...]


class _Step(NamedTuple):
    """A name as keys write it."""

    name: str
    marks: str = ""
    """``[*]`` for each list, ``[0]`` for one plain item."""

    @property
    def lists(self) -> int:
        """The number of lists that begin here."""
        return self.marks.count("*")


def json_places(document: str, *, is_target: bool) -> Iterator[SuggestPlace]:
    """Yield the fields of a JSON document, each list once; members that are null too.

    Raises:
        LongshoreError: As ``jsondoc.parse``.
    """
    del is_target  # both sides are written alike
    nulls = frozenset(jsondoc.parse(document).null_fields)
    keys = (
        (node.key, node.value or "")
        for node in json_root(document).leaves()
        if node.value is not None or node.key in nulls
    )
    paths = ((_json_steps(key), value) for key, value in keys)
    yield from _tree_places(_first_values((steps, value) for steps, value in paths if steps))


def xml_places(document: str, *, is_target: bool) -> Iterator[SuggestPlace]:
    """Yield the fields of an XML document, repeated elements once.

    For a target, names with a namespace are left out: rules cannot write them.

    Raises:
        LongshoreError: As ``xmldoc.parse``.
    """
    fields: dict[str, str] = loads(xmldoc.parse(document).fields_json)
    repeated = _repeated(fields)
    paths = ((_xml_steps(key, repeated), value) for key, value in fields.items())
    yield from _tree_places(
        (steps, value)
        for steps, value in _first_values(paths)
        if not (is_target and any(_has_namespace(step.name) for step in steps))
    )


def csv_places(document: str, *, is_target: bool) -> Iterator[SuggestPlace]:
    """Yield the columns of a CSV document.

    A source column is read in each row, and also in the first row alone if all rows have the same
    value; a target column accepts both. Columns without a name, or with that of another, are left
    out.

    Raises:
        LongshoreError: As ``csvdoc.parse``.
    """
    parsed = csvdoc.parse(document, views=frozenset({"tree"}), header=False)
    records = [list(record.values()) for record in loads(parsed.views["tree"])]
    names = records[0] if records else []
    for at, name in enumerate(names[: MAX_PLACES + 1]):
        if not name or names.count(name) > 1:
            continue
        cells = [record[at] for record in records[1:] if at < len(record)]
        value = next(filter(None, cells), "")
        column = escape_name(name)
        if is_target:
            yield _column(column, name, value, None)
            continue
        yield _column(f"row[*]/{column}", name, value, (frozenset(),))
        if len(set(cells)) == 1:
            yield _column(column, name, value, ())


def _column(path: str, name: str, value: str, levels: tuple[Level, ...] | None) -> SuggestPlace:
    words = words_of(name)
    return place(
        path,
        levels,
        own=concepts_of(words),
        meaning=" ".join(words),
        value=value,
        kinds=kinds_of(value),
        group=_ROWS if levels else HEADING,
    )


# ---- trees -------------------------------------------------------------------------------------


def _split(key: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of a key, which may be empty, each with the numbers that follow it."""
    at = -1
    while at < len(key):
        step = _STEP.match(key, at + 1)
        assert step is not None  # it may be empty
        yield step[1], _INDEX.findall(step[2])
        at = step.end()  # a point, or the end


def _json_steps(key: str) -> tuple[_Step, ...]:
    """Return the way to a value; nothing for one far down in an array of plain values."""
    steps = list(_split(key))
    *before, (name, numbers) = steps
    last = _Step(name)
    if numbers:
        number = int(numbers[-1])
        if number >= _MAX_NUMBERED:
            return ()
        last = _Step(name, "[*]" * (len(numbers) - 1) + f"[{number}]")
    return (*(_Step(name, "[*]" * len(numbers)) for name, numbers in before), last)


def _xml_steps(key: str, repeated: frozenset[ListPath]) -> tuple[_Step, ...]:
    names = tuple(name for name, _ in _split(key))
    return tuple(
        _Step(name, "[*]" if names[:end] in repeated else "") for end, name in enumerate(names, 1)
    )


def _repeated(fields: Iterable[str]) -> frozenset[ListPath]:
    """Return the ways to elements that occur several times in one, or that are lines by name."""
    repeated: set[ListPath] = set()
    lines: set[ListPath] = set()
    for key in fields:
        steps = list(_split(key))
        names = tuple(name for name, _ in steps)
        repeated.update(names[:end] for end, (_, numbers) in enumerate(steps, 1) if numbers)
        if _LINE in level_of(unescaped(names[-2] if len(names) > 1 else "")):
            lines.add(names[:-1])
    alone = {
        path for path in lines if not any(path[:end] in repeated for end in range(len(path) + 1))
    }
    holders = {path[:end] for path in (*alone, *repeated) for end in range(len(path))}
    return frozenset(repeated | (alone - holders))


def _has_namespace(name: str) -> bool:
    return name.removeprefix("@").startswith("{")


def _first_values(
    paths: Iterable[tuple[tuple[_Step, ...], str]],
) -> Iterator[tuple[tuple[_Step, ...], str]]:
    """Yield each path once, with its first value that is not empty; one more than the limit."""
    values: dict[tuple[_Step, ...], str] = {}
    for path, value in paths:
        if not values.get(path):
            if path not in values and len(values) > MAX_PLACES:
                break
            values[path] = value
    yield from values.items()


def _tree_places(paths: Iterable[tuple[tuple[_Step, ...], str]]) -> Iterator[SuggestPlace]:
    found = list(paths)
    roots = {steps[0] for steps, _ in found}
    is_wrapped = len(roots) == 1 and all(len(steps) > 1 for steps, _ in found)
    for steps, value in found:
        yield _tree_place(steps, value, is_wrapped=is_wrapped)


def _tree_place(steps: tuple[_Step, ...], value: str, *, is_wrapped: bool) -> SuggestPlace:
    lists = [at for at, step in enumerate(steps) if step.lists]
    inner = (lists[-1] + 1) if lists else int(is_wrapped)
    leaf = [*words_of(_plain(steps[-1])), *_ordinal(steps[-1])]
    around = [words_of(_plain(step)) for step in steps[inner:-1]]
    levels = [
        level
        for at in lists
        for level in (level_of(_plain(steps[at])), *[frozenset[str]()] * (steps[at].lists - 1))
    ]
    return place(
        _path(steps),
        tuple(levels),
        own=concepts_of(leaf),
        around=[concept for words in around for concept in concepts_of(words)],
        wrapping=meaning_of(_plain(steps[0])) if is_wrapped and not lists else (),
        meaning=" ".join(word for words in (*around, leaf) for word in words),
        value=value,
        kinds=kinds_of(value),
        group=_plain(steps[lists[0]]) or _ROWS if lists else HEADING,
    )


def _ordinal(step: _Step) -> list[str]:
    """Return the number of an item of plain values, from 1."""
    number = _INDEX.search(step.marks)
    return [] if number is None else [str(int(number[1]) + 1)]


def _plain(step: _Step) -> str:
    """Return a name as people see it, without its namespace."""
    name = step.name.removeprefix("@")
    return unescaped(name.rpartition("}")[2] if _has_namespace(name) else name)


def _path(steps: tuple[_Step, ...]) -> str:
    first = f"{steps[0].name}{steps[0].marks}"
    return first + "".join(f".{step.name}{step.marks}" for step in steps[1:])
