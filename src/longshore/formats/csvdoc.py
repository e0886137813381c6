"""Parse CSV documents: detect the delimiter, respect quotes, return cells verbatim.

Why not the ``csv`` module: its field limit holds for the whole process, it takes text after a
closing quote as part of the cell, and it cannot report where an unclosed quote began.

Outside quotes LF, CR LF and CR end a record. A cell is quoted if its first character is a quote; a
quote inside it is doubled. A quote later in a cell is text. Source: fields-and-mapping.md 2.4; RFC
4180.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from json.encoder import encode_basestring as quoted
from typing import NoReturn

from longshore.formats.document import ParsedDocument
from longshore.formats.flatmap import MAX_FIELDS, FlatMap
from longshore.formats.keys import escape_name, numbered
from longshore.formats.refusals import (
    BYTE_ORDER_MARK,
    LimitExceededError,
    UnparseableDocumentError,
    refuse_unknown_views,
    utf8_of,
)
from longshore.kit.errors import LongshoreError

_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_RECORDS = 50
_LINE = re.compile(r"[^\r\n]*+")
_LINE_BREAKS = re.compile(r"(\r\n|\n|\r)?[\r\n]*+")
_QUOTED = re.compile(r'"([^"]*+(?:""[^"]*+)*+)"')
_CELL = {
    delimiter: re.compile(
        rf"(?:{_QUOTED.pattern}(?=[{delimiter}\r\n]|\Z)|((?!\")[^{delimiter}\r\n]*+))"
        rf"({re.escape(delimiter)}?)"
    )
    for delimiter in _DELIMITERS
}


def parse(
    document: str, *, views: frozenset[str] = frozenset(), header: bool = True
) -> ParsedDocument:
    """Return the cells of a CSV document as fields: ``sku`` of the first row, ``row[2]/sku``.

    The first record names the columns; with ``header`` False they are ``c01``, ``c02``, …, and all
    records are rows. ``elem_sep`` is the delimiter, ``seg_term`` the first line ending (``""`` if
    there is none). The view ``tree`` is a list of rows, objects by column name with every cell,
    empty ones too.

    Raises:
        LongshoreError: ``document_empty``, or ``invalid_parameter`` for an unknown view.
        UnparseableDocumentError: ``csv_syntax``.
        LimitExceededError: ``fields`` (columns too), ``nodes`` (rows) or ``output_bytes``.
    """
    refuse_unknown_views(views, "csv")
    fields = FlatMap(len(utf8_of(document, surrogate_code="csv_syntax")))
    delimiter = _sniff_delimiter(document)
    reader = _RecordReader(document, delimiter)
    records = reader.records()
    columns = _Columns(next(records) if header else [])
    tree_rows: list[bytes] | None = [] if "tree" in views else None
    for row, cells in enumerate(records, 1):
        fields.count_node()
        columns.widen(len(cells))
        prefix = "" if row == 1 else f"row[{row}]/"
        for name, cell in zip(columns.names, cells, strict=False):
            if cell:
                fields.add(prefix + name, cell)
        if tree_rows is not None:
            tree_rows.append(_row_object(columns.names, cells))
            fields.charge(tree_rows[-1])
    return fields.parsed(
        "csv",
        elem_sep=delimiter,
        seg_term=reader.line_ending,
        tree=None if tree_rows is None else b"[%s]" % b",".join(tree_rows),
    )


def _row_object(names: list[str], cells: list[str]) -> bytes:
    members = (f"{quoted(name)}:{quoted(cell)}" for name, cell in zip(names, cells, strict=False))
    return f"{{{','.join(members)}}}".encode()


def _sniff_delimiter(document: str) -> str:
    """Return the delimiter that gives most records the same number of columns, above one.

    The order of ``_DELIMITERS`` breaks ties; a document that no delimiter divides has a comma.
    """
    return max(_DELIMITERS, key=lambda delimiter: _consistency(document, delimiter))


def _consistency(document: str, delimiter: str) -> float:
    widths: Counter[int] = Counter()
    try:
        for cells in islice(_RecordReader(document, delimiter).records(), _SNIFFED_RECORDS):
            widths[len(cells)] += 1
    except LongshoreError:
        widths[0] += 1  # unreadable with this delimiter; the chosen one reports it at its place
    return max((n for width, n in widths.items() if width > 1), default=0) / widths.total()


class _Columns:
    """The names of the columns as keys use them, made different from each other.

    A repeated name is numbered. A column without a name is called ``c03`` by its position, which
    counts as a further occurrence if a header is spelled like that.
    """

    def __init__(self, header: list[str]) -> None:
        self.names: list[str] = []
        self._occurrences: Counter[str] = Counter()
        for name in header:
            self._append(name)

    def widen(self, width: int) -> None:
        """Name the columns beyond the header, up to ``width`` columns."""
        while len(self.names) < width:
            self._append("")

    def _append(self, header: str) -> None:
        name = escape_name(header) or f"c{len(self.names) + 1:02d}"
        self._occurrences[name] += 1
        self.names.append(numbered(name, self._occurrences[name]))


class _RecordReader:
    """Reads records. ``line_ending`` is the first one met, once the records have been read."""

    def __init__(self, document: str, delimiter: str) -> None:
        self.line_ending = ""
        self._document = document
        self._delimiter = delimiter

    def records(self) -> Iterator[list[str]]:
        """Yield the cells of each record; empty lines are none.

        Raises:
            UnparseableDocumentError: ``csv_syntax``.
            LimitExceededError: ``fields``; a record has too many columns.
        """
        at = self._past_line_breaks(1 if self._document.startswith(BYTE_ORDER_MARK) else 0)
        while at < len(self._document):
            line = _LINE.match(self._document, at)
            assert line is not None
            if '"' in line[0]:
                cells, at = self._read_cells(at)
            else:
                if line[0].count(self._delimiter) >= MAX_FIELDS:
                    _refuse_columns()
                cells, at = line[0].split(self._delimiter), line.end()
            yield cells
            at = self._past_line_breaks(at)

    def _past_line_breaks(self, at: int) -> int:
        line_breaks = _LINE_BREAKS.match(self._document, at)
        assert line_breaks is not None
        self.line_ending = self.line_ending or line_breaks[1] or ""
        return line_breaks.end()

    def _read_cells(self, at: int) -> tuple[list[str], int]:
        cell_pattern = _CELL[self._delimiter]
        cells: list[str] = []
        while True:
            cell = cell_pattern.match(self._document, at)
            if cell is None:
                raise self._quote_fault(at)
            if len(cells) == MAX_FIELDS:
                _refuse_columns()
            in_quotes, plain, delimiter = cell.groups()
            cells.append(plain if in_quotes is None else in_quotes.replace('""', '"'))
            at = cell.end()
            if not delimiter:
                return cells, at

    def _quote_fault(self, at: int) -> LongshoreError:
        complete = _QUOTED.match(self._document, at)
        if complete is None:
            return UnparseableDocumentError(
                "csv_syntax", "a quote is not closed", self._document, at
            )
        fault = "text follows a closing quote; a quote inside a quoted cell is written twice"
        return UnparseableDocumentError("csv_syntax", fault, self._document, complete.end())


def _refuse_columns() -> NoReturn:
    raise LimitExceededError("fields", MAX_FIELDS, "a record has too many columns")
