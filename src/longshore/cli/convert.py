"""``longshore convert``: documents to other documents, by rules in a file.

Needs no settings, no data directory and no running server. Of several files each is converted by
itself: one that cannot be stops no other.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Final, NoReturn, TypedDict, Unpack

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from longshore.cli.conversion_rules import ConversionRules, read_conversion_rules, read_json_file
from longshore.cli.new_files import FileExistsAlreadyError, write_new_file
from longshore.cli.options import json_option
from longshore.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    messages,
    print_error,
    print_refusal,
    read_document,
    refusal_envelope,
    visible,
    write_bytes,
    write_json,
)
from longshore.engine import Converted, Stamp
from longshore.engine import convert as convert_document
from longshore.engine.conversion_parts import INBOUND
from longshore.engine.convert import DIRECTIONS, FORMATS
from longshore.kit.clock import SystemClock
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.mapping.coverage import INCOMPLETE, ROWS_NOT_CONVERTED, SETS_NOT_CONVERTED
from longshore.mapping.explain import ExplainedTarget
from longshore.x12.refusals import advising

_STDIN: Final = "-"
_ENOUGH: Final = frozenset((SETS_NOT_CONVERTED, ROWS_NOT_CONVERTED))
"""What --first does without."""
_EXPLAINED_SHOWN: Final = 200  # more than a person reads; --json has them all


class SameNameError(LongshoreError):
    """Two FILEs of one name would be converted to one file."""

    def __init__(self, path: Path) -> None:
        message = f"{path} was just written for another FILE of this name; use another --out."
        super().__init__(ErrorCode.INVALID_STATE, message)


class _Options(TypedDict):
    """The options of the command line."""

    rules_file: Path
    source_format: str | None
    target_format: str | None
    folder: Path | None
    envelope_file: Path | None
    force: bool
    split: bool
    first: bool
    explain: bool
    direction: str
    csv_header: bool
    as_json: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """One conversion to make, the same for each file."""

    rules: ConversionRules
    options: Mapping[str, Any]  # of the engine, each by its name and of its type
    is_first_enough: bool

    def converted(self, file: str) -> Converted:
        """Return a file converted."""
        document = read_document(file)
        with advising("use --from {}"):
            return convert_document(
                document, self.rules.compiled, tx_set=self.rules.tx_set, **self.options
            )

    def is_whole(self, converted: Converted) -> bool:
        """Tell whether all of the document was converted that was asked for."""
        missing = {warning.code for warning in converted.warnings} & INCOMPLETE
        return not missing - (_ENOUGH if self.is_first_enough else frozenset())


@click.command(
    epilog="Exit code 0: everything was converted; 1: some files, or parts of them, were not "
    "converted; 2: refused, nothing was written."
)
@click.argument("files", metavar="FILE|-|'PATTERN'...", nargs=-1, required=True)
@click.option(
    "--rules",
    "rules_file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON: a list of rules, or a saved map as `longshore maps export` writes it.",
)
@click.option(
    "--from", "source_format", type=click.Choice(FORMATS), help="Format of FILE.  [default: x12]"
)
@click.option(
    "--to",
    "target_format",
    type=click.Choice(FORMATS),
    help=("Format of the output.  [default: json]"),
)
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the outputs, one file per FILE with its name, instead of stdout.",
)
@click.option(
    "--force",
    is_flag=True,
    help=("Overwrite files in --out; also convert sets that the map does not name."),
)
@click.option("--split", is_flag=True, help="Write one output per transaction set.")
@click.option(
    "--first",
    is_flag=True,
    help="Convert the first set or row only: exit code 0 even if others are left out.",
)
@click.option("--explain", is_flag=True, help="Show where each value comes from.")
@click.option(
    "--direction",
    type=click.Choice(DIRECTIONS),
    default=INBOUND,
    show_default=True,
    help="outbound swaps the sender and the receiver of an X12 source, for an X12 target.",
)
@click.option(
    "--envelope",
    "envelope_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON: the members of `envelope` for an X12 target.",
)
@click.option(
    "--csv-header/--no-csv-header",
    default=True,
    show_default=True,
    help="Whether the first line of a CSV file contains the column names.",
)
@json_option
def convert(files: tuple[str, ...], **given: Unpack[_Options]) -> int:
    """Convert the documents in FILEs (- is standard input) by the rules in a file.

    A single FILE is converted to stdout; with --json the answer is that of POST /api/v1/convert
    without `ok` and `environment`. Quote a PATTERN such as 'inbox/*.edi'.
    """
    if given["split"] and given["first"]:
        _refuse_both()
    found, folder, as_json = _files(files), given["folder"], given["as_json"]
    if folder is None:
        _check_stdout(found, is_split=given["split"] and not as_json)
    job = _job(given)
    if folder is None:
        converted = job.converted(found[0])
        _print(converted, as_json=as_json)
        return EXIT_OK if job.is_whole(converted) else EXIT_FINDINGS
    folder.mkdir(parents=True, exist_ok=True)
    return _convert_all(job, found, folder, is_forced=given["force"], as_json=as_json)


def _job(given: _Options) -> _Job:
    now, envelope_file = SystemClock().now(), given["envelope_file"]
    return _Job(
        rules=read_conversion_rules(
            given["rules_file"], given["source_format"], given["target_format"]
        ),
        options={
            "csv_header": given["csv_header"],
            "direction": given["direction"],
            "envelope": None if envelope_file is None else read_json_file(envelope_file),
            "stamp": Stamp.at(now),
            "is_explained": given["explain"],
            "is_split": given["split"],
            "is_forced": given["force"],
        },
        is_first_enough=given["first"],
    )


def _files(given: Sequence[str]) -> list[str]:
    """Return the files that are named, and those that patterns stand for, each once, in order.

    Raises:
        UsageError: One does not exist, or a pattern stands for none.
    """
    found: dict[str, None] = {}
    for name in given:
        if name == _STDIN or Path(name).is_file():
            found[name] = None
            continue
        found_by_pattern = glob(name, recursive=True) if has_magic(name) else []  # noqa: PTH207 - Path.glob refuses absolute patterns and takes hidden files
        matching = [match for match in sorted(found_by_pattern) if Path(match).is_file()]
        if not matching:
            raise click.UsageError(f"There is no file {visible(name)}.")
        found.update(dict.fromkeys(matching))
    return list(found)


def _refuse_both() -> NoReturn:
    """Refuse --split together with --first.

    Raises:
        UsageError: Always.
    """
    raise click.UsageError("--split converts every set, --first only one; use one of them.")


def _check_stdout(files: Sequence[str], *, is_split: bool) -> None:
    """Refuse to write several documents to stdout, where nobody could tell them apart.

    Raises:
        UsageError: There would be several.
    """
    if len(files) > 1:
        raise click.UsageError("Several files need --out, the folder to write to.")
    if is_split:
        raise click.UsageError("--split needs --out, the folder to write to, or --json.")


def _print(converted: Converted, *, as_json: bool) -> None:
    if as_json:
        write_bytes(converted.result_json() + b"\n")
        return
    write_bytes(converted.output.encode())
    console = messages()
    for warning in converted.warnings:
        console.out(f"warning: {visible(warning.text)}", highlight=False)
    if converted.rules_without_value:
        console.out(f"{_count_of_rules(converted)} without a value", highlight=False)
    for entry in converted.explain.get("outputs", [])[:_EXPLAINED_SHOWN]:
        console.out(_explained_line(entry), highlight=False)


def _count_of_rules(converted: Converted) -> str:
    count = converted.rules_without_value
    return "1 rule" if count == 1 else f"{count} rules"


def _explained_line(entry: ExplainedTarget) -> str:
    sources = ", ".join(source["src"] for source in entry["sources"]) or entry["origin"]
    rule = "" if entry["rule"] is None else f" field_map[{entry['rule']}]"
    return visible(f"{entry['tgt']} = {entry['after']}  from {sources}{rule}")


# ---- many files --------------------------------------------------------------------------------


def _convert_all(
    job: _Job, files: Sequence[str], folder: Path, *, is_forced: bool, as_json: bool
) -> int:
    results: list[dict[str, object]] = []
    partial = 0
    done: set[Path] = set()
    with _progress(len(files)) as step:
        for file in files:
            try:
                converted = job.converted(file)
                paths = _paths(converted, file, folder)
                _check_new(paths, done, is_forced=is_forced)
                for path, output in zip(paths, converted.outputs, strict=True):
                    write_new_file(path, output.text.encode(), is_forced=is_forced)
                    done.add(path)
                results.append({
                    "file": file,
                    "outputs": [str(path) for path in paths],
                    "rules_without_value": [
                        output.rules_without_value for output in converted.outputs
                    ],
                    **_warned(file, converted),
                })
                partial += not job.is_whole(converted)
            except LongshoreError as refusal:
                results.append(_failure(file, refusal))
            except OSError as fault:
                results.append(_failure(file, _refused_by_the_system(fault)))
            step()
    failed = sum("error" in each for each in results)
    if as_json:
        write_json({"converted": len(files) - failed, "failed": failed, "files": results})
    else:
        in_part = f" ({partial} of them in part)" if partial else ""
        print_error(f"{len(files) - failed} converted{in_part}, {failed} failed")
    return EXIT_FINDINGS if failed or partial else EXIT_OK


def _warned(file: str, converted: Converted) -> dict[str, object]:
    """Tell at once what is noteworthy of a file, and return it for ``--json``."""
    if not converted.warnings:
        return {}
    for warning in converted.warnings:
        print_error(f"{file}: warning: {visible(warning.text)}")
    return {"warnings": [warning.to_members() for warning in converted.warnings]}


def _failure(file: str, refusal: LongshoreError) -> dict[str, object]:
    """Tell at once why a file was not converted, and return it for ``--json``."""
    print_refusal(refusal, file)
    envelope = refusal_envelope(refusal)
    del envelope["ok"]
    return {"file": file, **envelope}


def _refused_by_the_system(fault: OSError) -> LongshoreError:
    reason = fault.strerror or type(fault).__name__
    return LongshoreError(ErrorCode.STORAGE_UNAVAILABLE, f"System error: {reason}.")


def _paths(converted: Converted, file: str, folder: Path) -> list[Path]:
    """Return where each output of a file goes."""
    suffix = Path(converted.outputs[0].filename).suffix
    paths = []
    for output in converted.outputs:
        stem = Path(output.filename if file == _STDIN else file).stem
        number = f"-{output.index}" if len(converted.outputs) > 1 else ""
        paths.append(folder / f"{stem}{number}{suffix}")
    return paths


def _check_new(paths: Sequence[Path], done: set[Path], *, is_forced: bool) -> None:
    """Refuse to overwrite what this command wrote, and without force what was there before.

    Raises:
        SameNameError: Another FILE of the same name was converted to one of the paths.
        FileExistsAlreadyError: A file is there already.
    """
    for path in paths:
        if path in done:
            raise SameNameError(path)
        if path.exists() and not is_forced:
            raise FileExistsAlreadyError(path)


@contextmanager
def _progress(count: int) -> Iterator[Callable[[], None]]:
    """Show how many files are done, if they are several and stderr is a terminal."""
    if count == 1 or not sys.stderr.isatty():
        yield lambda: None
        return
    columns = (TextColumn("converting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=messages(), transient=True) as bar:
        task = bar.add_task("", total=count)
        yield lambda: bar.advance(task)
