"""A formula of a rule, ready to run: its paths, and how they are bound to the rows it is for.

Theory. The list that a rule writes decides which rows there are. It is that of the formula's own
paths outside list functions; if these have none, that of the rules that write to the same list;
else that of its paths within list functions. Wildcards that a path shares with this list mean the
same row; those that are left make the path a list.

Source: formulas.md sections 2 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from longshore.mapping.formulas import functions
from longshore.mapping.formulas.compiled import Rows
from longshore.mapping.formulas.compiler import Compiler, PathPlace
from longshore.mapping.formulas.frame import Frame
from longshore.mapping.formulas.parser import parse
from longshore.mapping.formulas.refusals import Lookups
from longshore.mapping.formulas.syntax import (
    DIFFERENT_ROWS,
    CallNode,
    Chain,
    ComparisonNode,
    FormulaError,
    Node,
    PathNode,
    Prefixed,
)
from longshore.mapping.formulas.values import Value
from longshore.mapping.paths import SourcePath

_MADE_LISTS: Final = frozenset(("join", "distinct", "where", "sort"))
_ROW_FUNCTIONS: Final = frozenset(("index", "counter"))


class RowsPath(NamedTuple):
    """A path with all the rows that a formula is computed for."""

    path: SourcePath
    slot: int | None
    """Its number among the paths of the formula; None if it is no path of a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A formula that was read for one target."""

    paths: tuple[SourcePath, ...]
    bound: tuple[int, ...]
    """For each path, how many of its wildcards mean the row that is written."""
    depth: int
    """The number of ordinals of a row."""
    rows: tuple[str, ...]
    """The prefixes of the paths of the list whose rows it is computed for."""
    rows_path: RowsPath | None
    """The path that has all the rows; None if the rows are those that other rules write, or a
    single one."""
    made: Rows | None
    """The list that the formula gives, if it makes one itself."""
    compute: Callable[[Frame], Value]
    needs_moment: bool
    """It reads the date or time of the call."""
    is_late: bool
    """It reads the output so far, so it is computed when that is written."""
    node_count: int
    is_single: bool
    """It gives one value for the whole document, and reads no list."""

    @property
    def is_repeated(self) -> bool:
        """True if it is written for each row that other rules write, as a constant is."""
        return self.rows_path is None and self.depth > 0

    def shared(self, prefixes: Sequence[str]) -> int:
        """Return how many wildcards of a path mean the row that is written."""
        return _common_count(prefixes, self.rows)


class FormulaContext(NamedTuple):
    """The common properties of the formulas of a list of rules."""

    read_path: Callable[[str], SourcePath]
    """Reads a path, or raises ``ValueError``."""
    read_rows: Callable[[str], SourcePath | None]
    """Reads a prefix of a path as a path to the rows of its list; None if that is not possible."""
    lookups: Lookups
    """The tables of the map by name."""
    target_format: str
    is_element: bool
    """The rules see one row of a list of the output."""

    @property
    def has_target_rows(self) -> bool:
        """True if targets name the lists that they write to."""
        return self.target_format != "csv"


class ParsedFormula:
    """A formula whose text and paths are read, not yet bound to the rows of its target.

    Raises:
        FormulaError: It does not follow the grammar, or a path cannot be read.
    """

    def __init__(self, text: str, context: FormulaContext) -> None:
        self._tree = parse(text)
        self._context = context
        nodes = list(_walk(self._tree))
        self._node_count = len(nodes)
        self._has_row_functions = any(
            isinstance(node, CallNode) and node.name in _ROW_FUNCTIONS for node, _ in nodes
        )
        self._paths = _Paths(
            context, [(node, inside) for node, inside in nodes if isinstance(node, PathNode)]
        )

    @property
    def own_rows(self) -> tuple[str, ...]:
        """The prefixes of its path outside list functions that has the most wildcards."""
        return self._paths.own_rows

    @property
    def lists(self) -> list[tuple[str, ...]]:
        """The prefixes of each of its paths that has wildcards."""
        return [path.prefixes for path in self._paths.paths if path.prefixes]

    def bind(self, wildcards: int | None, rows: Sequence[str]) -> Formula:
        """Bind it to the rows of its target.

        Args:
            wildcards: The number of wildcards of the target; None for a CSV column, whose rows
                follow from the paths.
            rows: The prefixes of the paths of the list that other rules write there; empty if there
                is none.

        Raises:
            FormulaError: A name or an argument is wrong, or lists have different rows.
        """
        table = self._paths
        if wildcards is None:
            wildcards = len(self.own_rows) or table.common_depth(rows)
            if not wildcards and self._has_row_functions:
                wildcards = len(rows)
        table.bind(wildcards or len(self.own_rows), rows)
        compiler = Compiler(table, self._context.lookups, self._context.target_format)
        compiled = compiler.compile(self._tree)
        if table.depth and table.loose_position:
            message = "this list has other rows than the one that is written"
            raise FormulaError(message, table.loose_position, DIFFERENT_ROWS)
        if compiled.rows is not None and table.depth:
            message = "a list stands where one value is written; sum, first or join make one of it"
            raise FormulaError(message, 1)
        if compiler.row_position and not (table.depth or self._context.is_element):
            raise FormulaError("index() needs rows: tgt has no [*]", compiler.row_position)
        return Formula(
            paths=tuple(table.paths),
            bound=tuple(table.shared(path) for path in table.paths),
            depth=table.depth,
            rows=table.rows,
            rows_path=table.rows_path,
            made=compiled.rows,
            compute=compiled.compute,
            needs_moment=compiler.needs_moment,
            is_late=compiler.is_late,
            node_count=self._node_count,
            is_single=not (
                table.depth
                or compiled.rows
                or compiler.is_late
                or any(path.prefixes for path in table.paths)
            ),
        )


def _walk(node: Node, *, is_in_list: bool = False) -> Iterator[tuple[Node, bool]]:
    """Yield the nodes of a tree, each with whether it is within a list function."""
    yield node, is_in_list
    if isinstance(node, CallNode):
        takes_list = node.name in _MADE_LISTS or (
            node.name in functions.LIST_FUNCTIONS and len(node.arguments) == 1
        )
        for argument in node.arguments:
            yield from _walk(argument, is_in_list=is_in_list or takes_list)
    elif isinstance(node, Chain):
        for operand in node.operands:
            yield from _walk(operand, is_in_list=is_in_list)
    elif isinstance(node, ComparisonNode):
        yield from _walk(node.left, is_in_list=is_in_list)
        yield from _walk(node.right, is_in_list=is_in_list)
    elif isinstance(node, Prefixed):
        yield from _walk(node.operand, is_in_list=is_in_list)


class _Paths:
    """The paths of a formula, each once, and the list whose rows they are bound to.

    Args:
        context: How paths are read.
        found: The nodes of the paths, each with whether it is within a list function.
    """

    def __init__(self, context: FormulaContext, found: Sequence[tuple[PathNode, bool]]) -> None:
        self.paths: list[SourcePath] = []
        self.depth = 0
        self.rows_path: RowsPath | None = None
        self._context = context
        self._slots: dict[str, int] = {}
        self._outside: list[tuple[PathNode, SourcePath]] = []
        self.rows: tuple[str, ...] = ()
        """The prefixes of the list that they are bound to."""
        for node, is_inside in found:
            if node.text not in self._slots:
                try:
                    path = context.read_path(node.text)
                except ValueError as error:
                    raise FormulaError(str(error), node.position) from error
                self._slots[node.text] = len(self.paths)
                self.paths.append(path)
            if not is_inside:
                self._outside.append((node, self.paths[self._slots[node.text]]))

    @property
    def own_rows(self) -> tuple[str, ...]:
        """The prefixes of the path outside list functions that has the most wildcards."""
        return max((path.prefixes for _, path in self._outside), key=len, default=())

    def common_depth(self, rows: Sequence[str]) -> int:
        """Return how many wildcards the paths share with those of ``rows`` at most."""
        return max((_common_count(path.prefixes, rows) for path in self.paths), default=0)

    def bind(self, depth: int, rows: Sequence[str]) -> None:
        """Find the list whose rows are written, and the path that has them all."""
        self.depth = depth
        if not depth:
            return
        deepest = max((path.prefixes for path in self.paths), key=len, default=())
        candidates = (self.own_rows, tuple(rows), deepest)
        self.rows = next((each[:depth] for each in candidates if len(each) >= depth), ())
        bound = [path for path in self.paths if self.shared(path) == depth]
        exact = next((path for path in bound if len(path.prefixes) == depth), None)
        if exact is not None:
            self.rows_path = RowsPath(exact, self.paths.index(exact))
        elif bound or not self._context.has_target_rows:
            rows_path = self._context.read_rows(self.rows[-1]) if self.rows else None
            self.rows_path = RowsPath(rows_path or bound[0], None) if self.rows else None

    def shared(self, path: SourcePath) -> int:
        """Return how many wildcards of a path mean the row that is written."""
        return _common_count(path.prefixes, self.rows)

    @property
    def loose_position(self) -> int:
        """The position of the first path outside list functions that is a list; 0 without one."""
        for node, path in self._outside:
            if self.shared(path) < len(path.prefixes):
                return node.position
        return 0

    def place(self, text: str) -> PathPlace:
        """Return the place of a path."""
        slot = self._slots[text]
        path = self.paths[slot]
        shared = self.shared(path)
        rows = path.prefixes if shared < len(path.prefixes) else None
        return PathPlace(slot, rows, is_bound=shared > 0)


def _common_count(prefixes: Sequence[str], others: Sequence[str]) -> int:
    count = 0
    for one, other in zip(prefixes, others, strict=False):
        if one != other:
            break
        count += 1
    return count
