"""``longshore dictionary import-codes`` and the other commands about the operator's own codes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from longshore.cli.new_files import write_new_file
from longshore.cli.options import json_option, with_settings
from longshore.cli.terminal import messages, print_table, write_json
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.own_codes import (
    COLUMNS,
    CodeAction,
    CodeLists,
    CodeRow,
    merged,
    read_code_rows,
    write_code_rows,
)
from longshore.x12.dictionary.refusals import FileRefusedError

if TYPE_CHECKING:
    from longshore.settings import Settings
    from longshore.storage.code_list_file import CodeListFile

_MODES: Final = [action.value for action in CodeAction]


def _code_lists(_context: object, _option: object, file: Path | None) -> CodeLists | None:
    return None if file is None else CodeLists(_rows_of(file, CodeAction.ADD))


code_lists_option: Final = click.option(
    "--code-lists",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    callback=_code_lists,
    help="CSV file of your own codes, as for dictionary import-codes.",
)


@click.command("import-codes")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--action",
    type=click.Choice(_MODES),
    default=CodeAction.ADD.value,
    show_default=True,
    help="What lines without an action of their own do: add a code to the list of its element, "
    "remove it, or, together with the other such lines of the element, replace the list.",
)
@json_option
@with_settings
def import_codes(settings: Settings, *, file: Path, action: str, as_json: bool) -> None:
    """Import the codes in FILE, for partners whose setting `codes` is `partner`.

    FILE is CSV: element, code, meaning, from, to, action; a header is optional, and so are all
    columns but the first two. Servers and workers use the codes from their next document on.


    Raises:
        FileRefusedError: A line is wrong.
    """
    kept, rows = _kept(settings), _rows_of(file, CodeAction(action))
    with kept.being_changed():
        all_rows = merged(kept.rows(), rows)
        _write(kept.path, all_rows)
    _report(kept.path, "imported", len(rows), len(all_rows), as_json=as_json)


@click.command("list-codes")
@click.option("--element", metavar="NUMBER", help="Only the codes of one element.")
@json_option
@with_settings
def list_codes(settings: Settings, *, element: str | None, as_json: bool) -> None:
    """List the codes that were imported."""
    rows = [row for row in _kept(settings).rows() if element in {None, row.element}]
    if as_json:
        write_json({"codes": [dict(zip(COLUMNS, row, strict=True)) for row in rows]})
    else:
        print_table(COLUMNS, rows)


@click.command("remove-codes")
@click.argument("element")
@click.argument("codes", nargs=-1)
@json_option
@with_settings
def remove_codes(
    settings: Settings, *, element: str, codes: tuple[str, ...], as_json: bool
) -> None:
    """Take back what was imported about ELEMENT, or only about some CODES of it."""
    kept = _kept(settings)
    with kept.being_changed():
        rows = kept.rows()
        left = tuple(
            row for row in rows if row.element != element or (codes and row.code not in codes)
        )
        _check_imported(rows, element, codes)
        _write(kept.path, left)
    _report(kept.path, "removed", len(rows) - len(left), len(left), as_json=as_json)


def _kept(settings: Settings) -> CodeListFile:
    """Return the file of imported codes, next to the database unless it is named.

    Raises:
        NoDataError: There is no database, and the file is not named.
    """
    from longshore.database import code_list_file, require_database  # noqa: PLC0415 - validate and ack load no database

    if not settings.code_lists_file:
        require_database(settings)
    return code_list_file(settings)


def _rows_of(file: Path, action: CodeAction) -> tuple[CodeRow, ...]:
    """Return the codes in a file.

    Raises:
        FileRefusedError: A line is wrong.
        LongshoreError: invalid_parameter: it is no UTF-8 text.
    """
    try:
        text = file.read_text(encoding="utf-8")
        return read_code_rows(str(file), text, shipped().vocabulary, action)
    except UnicodeDecodeError as fault:
        raise LongshoreError(ErrorCode.INVALID_PARAMETER, f"{file} is not UTF-8 text.") from fault
    except DictionaryError as error:
        raise FileRefusedError(error) from error


def _check_imported(rows: tuple[CodeRow, ...], element: str, codes: tuple[str, ...]) -> None:
    """Refuse to remove what is not there.

    Raises:
        LongshoreError: not_found.
    """
    there = {row.code for row in rows if row.element == element}
    missing = [code for code in codes if code not in there]
    if not there or missing:
        what = f"code {missing[0]} of element {element}" if missing else f"element {element}"
        raise LongshoreError(ErrorCode.NOT_FOUND, f"No imported line is about {what}.")


def _write(path: Path, rows: tuple[CodeRow, ...]) -> None:
    write_new_file(path, write_code_rows(rows).encode(), is_forced=True)


def _report(path: Path, done: str, count: int, total: int, *, as_json: bool) -> None:
    if as_json:
        write_json({done: count, "total": total, "file": str(path)})
    else:
        messages().print(f"{done}: {count}, now in {path}: {total}", markup=False)
