"""``longshore sample``: documents made from the dictionary, to test with."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from longshore.cli.new_files import FileExistsAlreadyError
from longshore.cli.options import json_option
from longshore.cli.terminal import messages, output, write_bytes, write_json
from longshore.engine import GeneratedSample
from longshore.engine import sample as make_sample
from longshore.x12.samples.documents import ANY_FAULT, MAX_SEED, MAX_SETS, SAMPLE_FAULTS
from longshore.x12.samples.parts import SampleKind

MAX_FILES: Final = 1_000_000


@click.command()
@click.argument("tx_set", metavar="SET")
@click.option(
    "--release", metavar="RELEASE", default="", help="Six digits.  [default: the newest known]"
)
@click.option("--guide", metavar="GUIDE", default="", help="Implementation guide of the set.")
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in SampleKind]),
    default=SampleKind.PLAIN.value,
    show_default=True,
    help="minimal: what is required; plain: what is typical; full: every loop, segment and "
    "element; varied: anything that is allowed.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=0,
    show_default=True,
    help="Another number gives another document, the same number the same one.",
)
@click.option(
    "--count",
    type=click.IntRange(1, MAX_SETS),
    default=1,
    show_default=True,
    help="Transaction sets in the document.",
)
@click.option("--broken", is_flag=True, help="Put one fault into it, which the seed chooses.")
@click.option(
    "--fault",
    metavar="CODE",
    default="",
    help=f"Put the fault into it that leads to this finding: {', '.join(SAMPLE_FAULTS)}.",
)
@click.option("--sender", metavar="QUALIFIER:ID", default="", help="Sender, such as ZZ:ACME.")
@click.option("--receiver", metavar="QUALIFIER:ID", default="", help="Receiver.")
@click.option(
    "--files",
    type=click.IntRange(1, MAX_FILES),
    help="Write so many documents into --output, with consecutive control numbers.",
)
@click.option(
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for --files; it is created if it does not exist.",
)
@json_option
def sample(
    tx_set: str,
    *,
    broken: bool,
    fault: str,
    files: int | None,
    folder: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - the options of the engine, each by its name and of its type
) -> None:
    """Make a document of SET, valid or with one fault.

    It is made from the dictionary alone, with invented companies and people. With a fault, the
    findings that `longshore validate` reports are printed to stderr.
    """
    _check_folder(files, folder)
    options["fault"] = fault or (ANY_FAULT if broken else "")
    if files is None or folder is None:
        _print(make_sample(tx_set, **options), as_json=as_json)
        return
    folder.mkdir(parents=True, exist_ok=True)
    written = _written(tx_set, options, files, folder)
    if as_json:
        write_json({"files": list(written)})
        return
    for file in written:
        for line in file["expected"]:
            output().out(f"{file['file']}  {_line(line)}", highlight=False)


def _check_folder(files: int | None, folder: Path | None) -> None:
    """Refuse --files without --output, or the other way round.

    Raises:
        UsageError: One of them is missing.
    """
    if (files is None) != (folder is None):
        raise click.UsageError("--files and --output belong together.")


def _print(made: GeneratedSample, *, as_json: bool) -> None:
    if as_json:
        write_json(made.members())
        return
    write_bytes(made.text.encode())
    for each in made.expected:
        messages().out(f"expected: {_line(each.members())}", highlight=False)


def _written(
    tx_set: str, options: Mapping[str, Any], files: int, folder: Path
) -> Iterator[dict[str, Any]]:
    """Write documents, each named after the set and its seed; yield what each holds.

    Raises:
        FileExistsAlreadyError: One of the files exists.
    """
    first, step = options["seed"], options["count"]
    for seed in range(first, first + files * step, step):
        made = make_sample(tx_set, **{**options, "seed": seed})
        path = folder / f"{tx_set}-{seed:09d}.edi"
        try:
            with path.open("x", encoding="utf-8", newline="") as file:
                file.write(made.text)
        except FileExistsError as error:
            raise FileExistsAlreadyError(path) from error
        expected = [each.members() for each in made.expected]
        yield {"file": path.name, "seed": seed, "fault": made.fault, "expected": expected}


def _line(finding: Mapping[str, Any]) -> str:
    """Return an expected finding for people: severity, code, place."""
    place = f"{finding['segment_id']}"
    if "element_position" in finding:
        place += f"{finding['element_position']:02d}"
    if "component_position" in finding:
        place += f"-{finding['component_position']:02d}"
    where = f"segment {finding['segment_position']}"
    loop = f", loop {finding['loop_id']}" if "loop_id" in finding else ""
    return f"{finding['severity']} {finding['code']} at {place}, {where}{loop}"
