"""Compile the tree of a formula into functions, and check which rows its lists have.

Theory. A path has one value in a row of the list that the rule writes (it is bound to it), or
several: then it is a list, known by the steps up to the last wildcard. Every node is compiled into
a function of one row of such a list, and only the list functions go through all of them. So two
lists with other rows are found, and refused, before there is a document.

Source: formulas.md sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple, Protocol

from longshore.mapping.formulas import functions
from longshore.mapping.formulas.arithmetic import OPERATIONS, negative
from longshore.mapping.formulas.compiled import (
    Compiled,
    Rows,
    all_values,
    common,
    counted,
    folded,
    logic,
)
from longshore.mapping.formulas.frame import Frame
from longshore.mapping.formulas.lists import ListMaker, distinct, sorted_by
from longshore.mapping.formulas.refusals import (
    Lookups,
    check_pattern,
    in_words,
    unknown_function,
    unknown_table,
)
from longshore.mapping.formulas.syntax import (
    CallNode,
    Chain,
    ComparisonNode,
    FormulaError,
    LiteralNode,
    Node,
    PathNode,
    Prefixed,
)
from longshore.mapping.formulas.values import (
    LOOKUP_MISS,
    FormulaFault,
    Value,
    comparison,
    text_of,
    truth_of,
)
from longshore.mapping.members import echo

_EQUAL: Final = comparison("=")


class PathPlace(NamedTuple):
    """The properties of a path that the compiler needs."""

    slot: int
    """Its number in the frame."""
    rows: tuple[str, ...] | None
    """The steps of the list that it is; None for one value in each row."""
    is_bound: bool
    """Its value depends on the row."""


class PathTable(Protocol):
    """Protocol of what reads the paths of a formula."""

    def place(self, text: str) -> PathPlace:
        """Return the place of a path of the formula."""
        ...


class Compiler:
    """Compiles one formula.

    Args:
        paths: Reads its paths.
        lookups: The tables of the map by name.
        target_format: The format of the output.
    """

    def __init__(self, paths: PathTable, lookups: Lookups, target_format: str) -> None:
        self._paths = paths
        self._lookups = lookups
        self._target_format = target_format
        self._made_count = 0
        self._free: list[int] = []
        self.needs_moment = False
        """It reads the date or time of the call."""
        self.is_late = False
        """It reads the output so far."""

    @property
    def row_position(self) -> int:
        """The position of a function outside all lists that needs the row; 0 without one."""
        return self._free[0] if self._free else 0

    def compile(self, node: Node) -> Compiled:
        """Return what computes a node.

        Raises:
            FormulaError: A path, name or argument is wrong, or lists have different rows.
        """
        if isinstance(node, LiteralNode):
            value = node.value
            return Compiled(lambda _frame: value)
        if isinstance(node, PathNode):
            return self._path(node)
        if isinstance(node, Chain):
            return self._chain(node)
        if isinstance(node, ComparisonNode):
            return self._lifted(comparison(node.operator), (node.left, node.right), node.position)
        if isinstance(node, Prefixed):
            change = negative if node.operator == "-" else _not
            return self._lifted(change, (node.operand,), node.position)
        return self._call(node)

    # ---- paths and operators ----------------------------------------------------------------

    def _path(self, node: PathNode) -> Compiled:
        slot, rows, is_bound = self._paths.place(node.text)
        if rows is not None:
            return Compiled(
                lambda frame: frame.lists[slot][frame.row][frame.inner],
                Rows(rows, lambda frame: len(frame.lists[slot][frame.row])),
                lambda frame: frame.lists[slot][frame.row],
            )
        if is_bound:
            return Compiled(lambda frame: frame.columns[slot][frame.row])
        return Compiled(lambda frame: frame.columns[slot][0])

    def _chain(self, node: Chain) -> Compiled:
        parts = [self.compile(operand) for operand in node.operands]
        rows = common([part.rows for part in parts], node.position)
        computes = [part.compute for part in parts]
        if node.operators[0] in {"and", "or"}:
            return Compiled(logic(computes, node.operators[0]), rows)
        steps = [
            (OPERATIONS[operator], compute)
            for operator, compute in zip(node.operators, computes[1:], strict=True)
        ]
        first = computes[0]
        compute = folded(first, steps)
        return Compiled(counted(compute) if node.operators[0] == "&" else compute, rows)

    def _lifted(
        self, function: Callable[..., Value], nodes: Sequence[Node], position: int
    ) -> Compiled:
        """Return a function of values applied to nodes, row by row."""
        parts = [self.compile(node) for node in nodes]
        rows = common([part.rows for part in parts], position)
        computes = [part.compute for part in parts]
        if len(computes) == 1:
            (only,) = computes
            return Compiled(lambda frame: function(only(frame)), rows)
        if len(computes) == 2:  # noqa: PLR2004 - two arguments
            one, two = computes
            return Compiled(lambda frame: function(one(frame), two(frame)), rows)
        return Compiled(lambda frame: function(*[each(frame) for each in computes]), rows)

    # ---- functions --------------------------------------------------------------------------

    def _call(self, node: CallNode) -> Compiled:
        name, arguments = node.name, node.arguments
        signature = functions.SIGNATURES.get(name)
        if signature is None:
            raise FormulaError(unknown_function(name), node.position)
        count = len(arguments)
        if count < signature.least or (signature.most is not None and count > signature.most):
            message = f"expected {signature.text}, found {in_words(count)}"
            raise FormulaError(message, node.position)
        special = _SPECIAL.get(name)
        if special is not None:
            return special(self, node)
        if name in functions.LIST_FUNCTIONS and count == 1:
            return self._aggregate(node)
        if name in {"date", "format"}:
            check_pattern(node)
        made = self._lifted(functions.VALUE_FUNCTIONS[name], arguments, node.position)
        return made._replace(compute=counted(made.compute)) if name in _LONG_TEXTS else made

    def _aggregate(self, node: CallNode) -> Compiled:
        function = functions.LIST_FUNCTIONS[node.name]
        values = self._values(node.arguments[0])
        return Compiled(lambda frame: function(values(frame)))

    def _values(self, node: Node) -> Callable[[Frame], Sequence[Value]]:
        """Return what computes all values of a list; of a single value a list of one."""
        free = len(self._free)
        part = self.compile(node)
        if part.rows is not None:
            del self._free[free:]  # these rows are the ones that it means
        return all_values(part)

    def _join(self, node: CallNode) -> Compiled:
        values, separator = self._values(node.arguments[0]), self.compile(node.arguments[1])
        if separator.rows is not None:
            raise FormulaError("join needs one separator, not a list", node.arguments[1].position)
        between = separator.compute
        return Compiled(counted(lambda frame: functions.joined(values(frame), between(frame))))

    def _if(self, node: CallNode) -> Compiled:
        parts = [self.compile(each) for each in node.arguments]
        rows = common([part.rows for part in parts], node.position)
        condition, chosen, other = (part.compute for part in parts)

        def compute(frame: Frame) -> Value:
            return chosen(frame) if truth_of(condition(frame), "if") else other(frame)

        return Compiled(compute, rows)

    def _switch(self, node: CallNode) -> Compiled:
        parts = [self.compile(each) for each in node.arguments]
        rows = common([part.rows for part in parts], node.position)
        first, *rest = [part.compute for part in parts]
        pairs = list(zip(rest[::2], rest[1::2], strict=False))
        other = rest[-1] if len(rest) % 2 else None

        def compute(frame: Frame) -> Value:
            value = first(frame)
            for candidate, result in pairs:
                if _EQUAL(value, candidate(frame)):
                    return result(frame)
            return None if other is None else other(frame)

        return Compiled(compute, rows)

    def _coalesce(self, node: CallNode) -> Compiled:
        parts = [self.compile(each) for each in node.arguments]
        rows = common([part.rows for part in parts], node.position)
        computes = [part.compute for part in parts]

        def compute(frame: Frame) -> Value:
            values = (each(frame) for each in computes)
            return next((value for value in values if value is not None), None)

        return Compiled(compute, rows)

    def _distinct(self, node: CallNode) -> Compiled:
        values = self._values(node.arguments[0])
        return self._made(lambda frame: distinct(values(frame)))

    def _where(self, node: CallNode) -> Compiled:
        free = len(self._free)
        part, condition = (self.compile(each) for each in node.arguments)
        if common([part.rows, condition.rows], node.position) is not None:
            del self._free[free:]
        rows = part.rows or condition.rows
        values, holds = (all_values(each._replace(rows=rows)) for each in (part, condition))

        def make(frame: Frame) -> list[Value]:
            pairs = zip(values(frame), holds(frame), strict=True)
            return [value for value, is_met in pairs if truth_of(is_met, "where")]

        return self._made(make)

    def _sort(self, node: CallNode) -> Compiled:
        free = len(self._free)
        parts = [self.compile(each) for each in node.arguments]
        rows = common([part.rows for part in parts], node.position)
        if rows is not None:
            del self._free[free:]
        values, keys = (all_values(each._replace(rows=rows)) for each in (parts[0], parts[-1]))
        return self._made(lambda frame: sorted_by(values(frame), keys(frame)))

    def _made(self, make: ListMaker) -> Compiled:
        """Return a list that has rows of its own."""
        number = self._made_count
        self._made_count += 1

        def count(frame: Frame) -> int:
            made = frame.made[number] = make(frame)
            return len(made)

        return Compiled(lambda frame: frame.made[number][frame.inner], Rows(number, count), make)

    def _lookup(self, node: CallNode) -> Compiled:
        name = self._name(node, "the name of a lookup table in quotes")
        table = self._lookups.get(name)
        if table is None:
            raise FormulaError(unknown_table(name, self._lookups), node.arguments[0].position)
        parts = [self.compile(each) for each in node.arguments[1:]]
        rows = common([part.rows for part in parts], node.position)
        key, default = parts[0].compute, parts[1].compute if len(parts) > 1 else None

        def compute(frame: Frame) -> Value:
            value = key(frame)
            sought = text_of(value)
            found = None if value is None else table.get(sought)
            if found is not None:
                frame.hits.append((f'{name}["{sought}"]', found))
                return found
            if default is not None:
                return default(frame)
            if value is None:
                return None
            raise FormulaFault(f"the table {echo(name)} has no such key", LOOKUP_MISS)

        return Compiled(compute, rows)

    def _today(self, node: CallNode) -> Compiled:
        self.needs_moment = True
        name, is_date = f"{node.name}()", node.name == "today"

        def compute(frame: Frame) -> Value:
            moment = frame.call.moment
            assert moment is not None  # the run has made sure of it
            value = moment.date() if is_date else moment
            frame.hits.append((name, value.isoformat()))
            return value

        return Compiled(compute)

    def _index(self, node: CallNode) -> Compiled:
        self._free.append(node.position)

        def compute(frame: Frame) -> Value:
            if frame.inner >= 0:
                return Decimal(frame.inner + 1)
            return Decimal((frame.rows[frame.row] or frame.call.outer)[-1] + 1)

        return Compiled(compute)

    def _counter(self, node: CallNode) -> Compiled:
        name = self._name(node, "the name of a counter in quotes")

        def compute(frame: Frame) -> Value:
            numbers = frame.call.numbers.setdefault(name, {})
            row = (frame.scope, frame.rows[frame.row], frame.inner)
            return Decimal(numbers.setdefault(row, len(numbers) + 1))

        return Compiled(compute)

    def _count_written(self, node: CallNode) -> Compiled:
        segment_id = self._name(node, 'the id of a segment in quotes, such as "PO1"')
        if self._target_format != "x12":
            raise FormulaError("count_written counts the segments of an X12 output", node.position)
        self.is_late = True
        return Compiled(lambda frame: Decimal(frame.written.get(segment_id, 0)))

    @staticmethod
    def _name(node: CallNode, what: str) -> str:
        given = node.arguments[0]
        if isinstance(given, LiteralNode) and isinstance(given.value, str):
            return given.value
        raise FormulaError(f"expected {what}", given.position)


_Special = Callable[[Compiler, CallNode], Compiled]
# What computes only some of its arguments, or needs more than their values.
_SPECIAL: Final[Mapping[str, _Special]] = {
    "if": Compiler._if,  # noqa: SLF001 - the table of its own methods
    "switch": Compiler._switch,  # noqa: SLF001
    "coalesce": Compiler._coalesce,  # noqa: SLF001
    "join": Compiler._join,  # noqa: SLF001
    "distinct": Compiler._distinct,  # noqa: SLF001
    "where": Compiler._where,  # noqa: SLF001
    "sort": Compiler._sort,  # noqa: SLF001
    "lookup": Compiler._lookup,  # noqa: SLF001
    "today": Compiler._today,  # noqa: SLF001
    "now": Compiler._today,  # noqa: SLF001
    "index": Compiler._index,  # noqa: SLF001
    "counter": Compiler._counter,  # noqa: SLF001
    "count_written": Compiler._count_written,  # noqa: SLF001
}
# Functions whose work is as long as their texts.
_LONG_TEXTS: Final = frozenset(("upper", "lower", "replace", "pad_left", "pad_right", "concat"))


def _not(value: Value) -> Value:
    return not truth_of(value, "not")
