"""Documents as tables: rows of plain values, and Arrow record batches of them.

Rows need the standard library alone, Arrow the extra ``longshore[bulk]``.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from glob import glob, has_magic
from importlib import import_module
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.library.sources import is_document
from longshore.library.table_columns import TABLES, ColumnType, TableColumn
from longshore.library.table_rows import Row, rejected, rows_of_file

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

TableSource = str | bytes | os.PathLike[str]

_WITHOUT_ASKING: Final = tuple(name for name in TABLES if name != "elements")


class DocumentTables:
    """The tables of documents, in the order of the files and of what is in them.

    Each use reads the files anew, one at a time.
    """

    def __init__(self, sources: Sequence[TableSource], names: Collection[str]) -> None:
        self.names = tuple(names)
        """The names of the tables."""
        self._sources = sources

    def rows(self, name: str) -> Iterator[Row]:
        """Yield the rows of a table, with the values of ``columns(name)``.

        Raises:
            LongshoreError: invalid_parameter: the table was not asked for.
        """
        check_names([name], self.names)
        return chain.from_iterable(self._lists(name))

    def columns(self, name: str) -> tuple[TableColumn, ...]:
        """Return the columns of a table.

        Raises:
            LongshoreError: invalid_parameter: the table was not asked for.
        """
        check_names([name], self.names)
        return TABLES[name]

    def batches(self, name: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a table as Arrow record batches, one for each file that has rows.

        Raises:
            LongshoreError: invalid_parameter: the table was not asked for.
            ImportError: pyarrow is not installed.
        """
        schema = arrow_schema(self.columns(name))
        return (arrow_batch(schema, rows) for rows in self._lists(name) if rows)

    def to_pyarrow(self, name: str) -> pa.Table:
        """Return a table as one of pyarrow.

        Raises:
            LongshoreError: invalid_parameter: the table was not asked for.
            ImportError: pyarrow is not installed.
        """
        batches = self.batches(name)
        return _library("pyarrow").Table.from_batches(batches, arrow_schema(self.columns(name)))

    def to_polars(self, name: str) -> pl.DataFrame:
        """Return a table as a data frame of polars, which copies the texts and nothing else.

        Raises:
            LongshoreError: invalid_parameter: the table was not asked for.
            ImportError: pyarrow or polars is not installed.
        """
        return _library("polars").from_arrow(self.to_pyarrow(name))

    def to_pandas(self, name: str) -> pd.DataFrame:
        """Return a table as a data frame of pandas with the types of Arrow, on the same memory.

        Raises:
            LongshoreError: invalid_parameter: the table was not asked for.
            ImportError: pyarrow or pandas is not installed.
        """
        types = _library("pandas").ArrowDtype
        return self.to_pyarrow(name).to_pandas(types_mapper=types)

    def to_duckdb(
        self, name: str, connection: duckdb.DuckDBPyConnection | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Return a table as a relation of DuckDB, on the same memory as that of ``to_pyarrow``.

        Raises:
            LongshoreError: invalid_parameter: the table was not asked for.
            ImportError: pyarrow or duckdb is not installed.
        """
        return (connection or _library("duckdb")).from_arrow(self.to_pyarrow(name))

    def __repr__(self) -> str:
        """Return how many sources there are, and the tables."""
        return f"<tables of {len(self._sources)} sources: {', '.join(self.names)}>"

    def _lists(self, name: str) -> Iterator[list[Row]]:
        """Yield the rows of a table, file by file."""
        # The types of columns are checked where they are made, and reported in ``findings``.
        names = self.names if name == "findings" else (name,)
        return (each[name] for each in self._files(names))

    def _files(self, names: Collection[str]) -> Iterator[Mapping[str, list[Row]]]:
        for source in self._sources:
            start = perf_counter()
            if isinstance(source, bytes):
                found = rows_of_file(source, "", names)
            else:
                file = os.fspath(source)
                try:
                    found = rows_of_file(Path(file).read_bytes(), file, names)
                except OSError as fault:
                    code = ErrorCode.STORAGE_UNAVAILABLE
                    reason = fault.strerror or type(fault).__name__
                    row = rejected(file, None, None, str(code), f"System error: {reason}.")
                    found = {"files": [row]}
            files = [(*row, perf_counter() - start) for row in found["files"]]
            yield {name: [] for name in names} | found | {"files": files}


def tables(
    source: TableSource | Iterable[TableSource], names: Iterable[str] = _WITHOUT_ASKING
) -> DocumentTables:
    """Return the tables of documents.

    Args:
        source: A path, a folder (with all files below it), a pattern such as ``archive/*.edi``, the
            bytes or text of a document, or several of these. Files are taken in the order of their
            names.
        names: The names of the tables; without, all but ``elements``.

    Raises:
        LongshoreError: invalid_parameter: there is no such table.
    """
    wanted = tuple(names)
    check_names(wanted, TABLES)
    several = [source] if isinstance(source, str | bytes | os.PathLike) else source
    return DocumentTables([each for one in several for each in _expanded(one)], wanted)


def check_names(names: Iterable[str], known: Collection[str]) -> None:
    """Refuse tables that are not known.

    Raises:
        LongshoreError: invalid_parameter.
    """
    unknown = [name for name in names if name not in known]
    if unknown:
        code, allowed = ErrorCode.INVALID_PARAMETER, tuple(known)
        message = f"Unknown table {unknown[0]!r}. Use one of: {', '.join(allowed)}."
        detail = ErrorDetail(code=code, param="names", message=message, allowed=allowed)
        raise LongshoreError(code, message, details=(detail,))


def _expanded(source: TableSource) -> Iterator[TableSource]:
    """Yield the files of a folder or a pattern, anything else as it is."""
    if isinstance(source, bytes):
        yield source
    elif isinstance(source, str) and is_document(source):
        yield source.encode()
    elif Path(source).is_dir():
        yield from sorted(str(each) for each in Path(source).rglob("*") if each.is_file())
    elif isinstance(source, str) and has_magic(source) and not Path(source).exists():
        found = glob(source, recursive=True)  # noqa: PTH207 - Path.glob refuses an absolute one
        yield from sorted(each for each in found if Path(each).is_file())
    else:
        yield source


def _library(name: str) -> Any:  # noqa: ANN401 - a module that may not be installed
    """Return a module of the extra ``bulk``, or one that takes Arrow.

    Raises:
        ImportError: It is not installed; the message says how it is.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        wanted = "longshore[bulk]" if name == "pyarrow" else name
        message = f"This needs the package {name}: install it with pip install '{wanted}'."
        raise ImportError(message, name=name) from missing


def arrow_schema(columns: Sequence[TableColumn]) -> pa.Schema:
    """Return the schema of a table in Arrow.

    Raises:
        ImportError: pyarrow is not installed.
    """
    pa = _library("pyarrow")
    text, count = pa.string(), pa.int32()
    types = {
        ColumnType.TEXT: text,
        ColumnType.COUNT: count,
        ColumnType.SIZE: pa.int64(),
        ColumnType.SECONDS: pa.float64(),
        ColumnType.FLAG: pa.bool_(),
        ColumnType.AMOUNT: pa.decimal128(18, 4),
        ColumnType.DATE: pa.date32(),
        ColumnType.TIMESTAMP: pa.timestamp("s"),
        ColumnType.DIGEST: pa.binary(32),
        ColumnType.TEXTS: pa.list_(text),
        ColumnType.COUNTS: pa.list_(count),
        ColumnType.ELEMENTS: pa.list_(pa.list_(pa.list_(text))),
        ColumnType.CODES: pa.map_(text, text),
    }
    return pa.schema([(column.name, types[column.type]) for column in columns])


def arrow_batch(schema: pa.Schema, rows: Sequence[Row]) -> pa.RecordBatch:
    """Return rows of a table as Arrow; there is at least one.

    Raises:
        ImportError: pyarrow is not installed.
    """
    pa = _library("pyarrow")
    columns = zip(zip(*rows, strict=True), schema, strict=True)
    arrays = [pa.array(values, field.type) for values, field in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
