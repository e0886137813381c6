"""Build CSV output: a header, and a row for each binding.

Source: fields-and-mapping.md section 7 (CSV); quoting as in RFC 4180.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from longshore.formats.keys import escape_name
from longshore.mapping.cells import (
    Built,
    CellValues,
    Written,
    add_part,
    parts_of_rule,
    plain,
    plain_rules,
    refuse_arrays,
)
from longshore.mapping.output import OutputSize, checked_text
from longshore.mapping.target_paths import CsvTarget
from longshore.mapping.writes import Binding, RuleWrites

_TO_QUOTE: Final = re.compile('[,"\r\n]')
_Row = dict[str, CellValues | str]  # by column


def build_csv(rules: Sequence[RuleWrites], *, is_traced: bool = False) -> Built:
    """Return what rules write as CSV, with lines that end with CR LF.

    There is a row for each binding that no longer binding begins with, in order of their ordinals.
    A value under a shorter binding is repeated in every row whose binding begins with it.

    Args:
        rules: What the rules write.
        is_traced: List the origins that the rules carry.

    Raises:
        LongshoreError: invalid_mapping_rule: a cell holds no array. conversion_failed
            (duplicate_target, character_not_allowed) or limit_exceeded (output_bytes).
    """
    refuse_arrays(rules)
    columns = list(dict.fromkeys(_column(writes) for writes in rules))
    rows = _rows(rules, plain_rules(rules, is_traced=is_traced))
    text = checked_text(_text(columns, rows), rules)
    return Built(text, (), tuple(_trace(columns, rows)) if is_traced else ())


def _column(writes: RuleWrites) -> str:
    assert isinstance(writes.target, CsvTarget)  # the rules were read for a CSV target
    return writes.target.column


def _rows(rules: Sequence[RuleWrites], are_plain: frozenset[int]) -> list[_Row]:
    rows, within = _layout({binding for writes in rules for binding, _ in parts_of_rule(writes)})
    for writes in rules:
        column = _column(writes)
        is_plain = writes.rule in are_plain
        for binding, part in parts_of_rule(writes):
            for row in within[binding]:
                row[column] = part.value if is_plain else add_part(row.get(column), part)
    return rows


def _layout(bindings: set[Binding]) -> tuple[list[_Row], dict[Binding, list[_Row]]]:
    """Return the rows, empty, in order, and those that each binding writes to."""
    rows: list[_Row] = []
    within: dict[Binding, list[_Row]] = {binding: [] for binding in bindings}
    last: Binding | None = None
    for binding in sorted(bindings, reverse=True):
        # In this order a binding comes right after all those that begin with it.
        if last is None or last[: len(binding)] != binding:
            row: _Row = {}
            rows.append(row)
            for count in range(len(binding) + 1):
                if binding[:count] in within:
                    within[binding[:count]].append(row)
        last = binding
    return rows[::-1], within


def _text(columns: list[str], rows: list[_Row]) -> str:
    if not columns:
        return ""
    size = OutputSize()
    lines = [_line(columns, size)]
    lines += [_line([_value(row, column) for column in columns], size) for row in rows]
    return "".join(lines)


def _line(values: list[str], size: OutputSize) -> str:
    # A lone empty cell would be an empty line, which readers skip.
    cells = [_quoted(value) for value in values] if values != [""] else ['""']
    size.add(sum(map(len, cells)) + len(cells) + 1)
    return ",".join(cells) + "\r\n"


def _quoted(value: str) -> str:
    if _TO_QUOTE.search(value) is None:
        return value
    return '"{}"'.format(value.replace('"', '""'))


def _value(row: _Row, column: str) -> str:
    slot = row.get(column, "")
    return slot.text if isinstance(slot, CellValues) else plain(slot)


def _trace(columns: list[str], rows: list[_Row]) -> Iterator[Written]:
    for number, row in enumerate(rows, 1):
        prefix = "" if number == 1 else f"row[{number}]/"
        for column in columns:
            slot = row.get(column)
            assert not isinstance(slot, str)  # where somebody asks, cells are made
            if slot is not None:
                tgt = prefix + escape_name(column)
                yield from (part.written_at(tgt) for part in slot.groups[0])
