"""``longshore dictionary``: what Longshore knows of X12, to look at, to check and to take along."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, TypeVar

import click

from longshore.cli.code_lists import import_codes, list_codes, remove_codes
from longshore.cli.new_files import write_new_file
from longshore.cli.options import json_option
from longshore.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    messages,
    output,
    print_table,
    visible,
    write_json,
)
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.dictionary.export import (
    element_text,
    schema_export,
    segments_export,
    whole_export,
)
from longshore.x12.dictionary.importing.importer import FORMATS, ImportedTexts, import_schema
from longshore.x12.dictionary.importing.schema import ImportSource
from longshore.x12.dictionary.library import Dictionary, shipped
from longshore.x12.dictionary.lines import DictionaryError, FileFault
from longshore.x12.dictionary.lint import LintReport, lint, name_below_data
from longshore.x12.dictionary.model import Definition, Loop, Node
from longshore.x12.dictionary.refusals import FileRefusedError
from longshore.x12.dictionary.release import FIRST_CLASS

T = TypeVar("T")

_SET_COLUMNS: Final = ("set", "name", "group", "releases", "guides")
_POSITION_COLUMNS: Final = ("segment", "label", "use", "max", "when")

release_option = click.option(
    "--release", metavar="RELEASE", help="Six digits, such as 004010.  [default: the newest known]"
)
guide_option = click.option("--guide", metavar="GUIDE", help="Implementation guide of the set.")


@click.group()
def dictionary() -> None:
    """Show, check, import and export the X12 dictionary."""


for _command in (import_codes, list_codes, remove_codes):
    dictionary.add_command(_command)


@dictionary.command("list")
@json_option
def list_sets(*, as_json: bool) -> None:
    """List the transaction sets, their releases and guides."""
    entries = shipped().contents
    if as_json:
        schemas = [
            {
                "tx_set": entry.tx_set,
                "name": entry.title,
                "functional_id": entry.functional_id,
                "releases": entry.releases,
                "guides": entry.guides,
            }
            for entry in entries
        ]
        write_json({"sets": schemas})
    else:
        print_table(
            _SET_COLUMNS,
            (
                (it.tx_set, it.title, it.functional_id, list(it.releases), list(it.guides))
                for it in entries
            ),
        )


@dictionary.command("show")
@click.argument("tx_set", metavar="SET")
@release_option
@guide_option
@json_option
def show_set(tx_set: str, release: str | None, guide: str | None, *, as_json: bool) -> None:
    """Show the segments and loops of SET in their order."""
    definition = _definition(shipped(), tx_set, release, guide)
    if as_json:
        write_json(schema_export(definition))
        return
    name = f"{definition.tx_set} {definition.guide or definition.release}"
    output().print(f"{name}  {definition.title} ({definition.functional_id})", markup=False)
    rows: list[tuple[object, ...]] = []
    _add_rows(rows, definition.body, 0)
    print_table(_POSITION_COLUMNS, rows)


def _add_rows(rows: list[tuple[object, ...]], body: Iterable[Node], depth: int) -> None:
    for node in body:
        name = f"loop {node.id}" if isinstance(node, Loop) else node.segment.id
        when = node.when
        condition = f"{element_text(when)} = {' '.join(when.values)}" if when else None
        most = node.maximum or "*"
        rows.append((f"{'  ' * depth}{name}", node.label, node.requirement, most, condition))
        if isinstance(node, Loop):
            _add_rows(rows, node.body, depth + 1)


@dictionary.command("lint")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def lint_files(files: tuple[Path, ...], *, as_json: bool) -> int:
    """Check the dictionary of Longshore together with your own FILES.

    A file contains a set, a guide, an overlay, code lists, segments, composites or elements.
    """
    report = _linted(files)
    if as_json:
        write_json({
            "errors": [_fault_json(fault) for fault in report.errors],
            "warnings": [_fault_json(fault) for fault in report.warnings],
        })
    else:
        for fault in report.errors:
            output().out(visible(f"error    {fault}"), highlight=False)
        for fault in report.warnings:
            output().out(visible(f"warning  {fault}"), highlight=False)
        messages().print(f"errors: {len(report.errors)}, warnings: {len(report.warnings)}")
    return EXIT_FINDINGS if report.errors else EXIT_OK


def _linted(files: tuple[Path, ...]) -> LintReport:
    """Look at the shipped texts with ``files`` among them; of warnings keep those of ``files``."""
    texts = dict(shipped().texts)
    own: dict[str, str] = {}
    for file in files:
        text = _text_of(file)
        name = name_below_data(str(file), text, texts)
        own[name] = str(file)
        texts[name] = text
    report = lint(texts)
    if not files:
        return report
    return LintReport(
        tuple(_as_given(fault, own) for fault in report.errors),
        tuple(_as_given(fault, own) for fault in report.warnings if fault.file in own),
    )


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as fault:
        raise LongshoreError(ErrorCode.INVALID_PARAMETER, f"{file} is not UTF-8 text.") from fault


def _as_given(fault: FileFault, own: Mapping[str, str]) -> FileFault:
    return FileFault(own.get(fault.file, fault.file), fault.line, fault.reason)


def _fault_json(fault: FileFault) -> dict[str, object]:
    return {"file": fault.file, "line": fault.line, "message": fault.reason}


@dictionary.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    required=True,
    help="biztalk: XML schema of BizTalk; json: what export prints; mulesoft: ESL; pyx12: map of "
    "pyx12; sef: Standard Exchange Format; staedi: XML schema of StAEDI.",
)
@click.option("--set", "tx_set", default="", help="Transaction set, if the file does not name it.")
@click.option("--release", default="", help="Six digits, if the file does not name it.")
@click.option("--guide", default="", help="Implementation guide, if the file does not name it.")
@click.option("--group", default="", help="GS01 of a set that Longshore does not know.")
@click.option(
    "--output",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the files; it is created if it does not exist.",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@json_option
def import_file(
    file: Path, *, form: str, folder: Path, force: bool, as_json: bool, **names: str
) -> None:
    """Write the sets, segments, elements and codes of FILE as files of the dictionary.

    What is not taken over is listed with its line.
    """
    source = ImportSource(
        file=str(file),
        text=_text_of(file),
        tx_set=names["tx_set"],
        release=names["release"],
        functional_id=names["group"],
        guide=names["guide"],
        known=shipped(),
    )
    imported = _imported(form, source)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in imported.texts.items():
        write_new_file(folder / name, text.encode(), is_forced=force)
    files = [str(folder / name) for name in imported.texts]
    if as_json:
        write_json({"files": files, "warnings": [_fault_json(each) for each in imported.warnings]})
        return
    for written in files:
        output().out(visible(written), highlight=False)
    for warning in imported.warnings:
        messages().out(visible(f"warning  {warning}"), highlight=False)


def _imported(form: str, source: ImportSource) -> ImportedTexts:
    """Return a file as text of the dictionary.

    Raises:
        FileRefusedError: It cannot be used.
    """
    try:
        return import_schema(form, source)
    except DictionaryError as error:
        raise FileRefusedError(error) from error


@dictionary.command("export")
@click.option("--set", "tx_set", metavar="SET", help="Structure of one transaction set.")
@click.option("--segments", is_flag=True, help="All segments of a release instead of one set.")
@release_option
@guide_option
@click.option(
    "--format",
    type=click.Choice(["json"]),
    default="json",
    show_default=True,
    expose_value=False,  # there is one so far
    help="Form of the output.",
)
@click.option("--json", is_flag=True, expose_value=False, help="The same as --format json.")
def export(tx_set: str | None, *, segments: bool, release: str | None, guide: str | None) -> None:
    """Print a set, or the segments of a release, for programs.

    A set is printed with all segments, elements and codes that it names; import --format json
    reads it.
    """
    _check_one(tx_set, segments=segments, guide=guide)
    if tx_set is not None:
        write_json(whole_export(_definition(shipped(), tx_set, release, guide)))
    else:
        write_json(segments_export(shipped().vocabulary, _release(release)))


def _check_one(tx_set: str | None, *, segments: bool, guide: str | None) -> None:
    """Refuse what is neither one export nor the other.

    Raises:
        click.UsageError: both were asked for, or none.
    """
    if (tx_set is None) != segments or (segments and guide is not None):
        raise click.UsageError("Either --set, with or without --guide, or --segments is needed.")


def _definition(
    known: Dictionary, tx_set: str, release: str | None, guide: str | None
) -> Definition:
    """Return the definition asked for; without a release that of the guide, or the newest."""
    entry = _one_of("set", tx_set, {entry.tx_set: entry for entry in known.contents})
    releases = entry.releases
    if guide is not None:
        guides = {each: known.guide_release(tx_set, each) for each in entry.guides}
        releases = (_one_of("guide", guide, guides),)
    found = known.definition(tx_set, _release(release, releases), guide)
    assert found is not None  # all three are of the table of contents
    return found


def _release(release: str | None, known: tuple[str, ...] = FIRST_CLASS) -> str:
    return _one_of("release", release or known[-1], {each: each for each in known})


def _one_of(parameter: str, value: str, known: Mapping[str, T]) -> T:
    """Return what ``known`` has for ``value``.

    Raises:
        LongshoreError: nothing; it says what there is.
    """
    if value in known:
        return known[value]
    there_is = f"there is {', '.join(known)}" if known else "there is none"
    message = f"The dictionary has no {parameter} {value}; {there_is}."
    code = ErrorCode.INVALID_PARAMETER
    detail = ErrorDetail(code=code, message=message, param=parameter, allowed=tuple(known))
    raise LongshoreError(code, message, details=(detail,))
