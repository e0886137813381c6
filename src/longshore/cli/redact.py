"""``longshore redact``: documents without what identifies people and companies."""

import secrets
from collections.abc import Sequence
from pathlib import Path

import click

from longshore.cli.files import are_several, files_argument, files_of
from longshore.cli.new_files import STDIO, write_new_file, write_output
from longshore.cli.terminal import read_document
from longshore.engine import redact as redact_document
from longshore.x12.redaction.aliases import MIN_KEY_BYTES


@click.command()
@files_argument
@click.option(
    "--key-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=f"File with at least {MIN_KEY_BYTES} secret bytes. With the same key the same values are "
    "replaced equally in all documents.  [default: a new key for each run]",
)
@click.option(
    "--out",
    "output",
    type=click.Path(allow_dash=True),
    default=STDIO,
    help="File to write to, or the folder for several documents.  [default: standard output]",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def redact(files: Sequence[str], key_file: Path | None, output: str, *, force: bool) -> None:
    """Replace names, numbers and dates in X12 documents, to share them.

    Codes, amounts, quantities, times and control numbers are kept, and each document stays as long
    as it is: `longshore validate` reports the same of it.
    """
    _redact(files, key_file, output, is_forced=force)


def _redact(files: Sequence[str], key_file: Path | None, output: str, *, is_forced: bool) -> None:
    """Redact one document, or several into a folder.

    Raises:
        UsageError: There is no folder for several, or two have one name.
    """
    key = secrets.token_bytes(32) if key_file is None else key_file.read_bytes()
    if not are_several(files):
        redacted = redact_document(read_document(files[0]), key)
        write_output(output, redacted.content(), is_forced=is_forced)
        return
    if output == STDIO:
        raise click.UsageError("Several documents need --out, the folder to write to.")
    named = files_of(files)
    names = [Path(each).name for each in named]
    if double := sorted({each for each in names if names.count(each) > 1}):
        raise click.UsageError(f"Two of the documents are named {double[0]}.")
    Path(output).mkdir(parents=True, exist_ok=True)
    for file, name in zip(named, names, strict=True):
        redacted = redact_document(read_document(file), key)
        write_new_file(Path(output) / name, redacted.content(), is_forced=is_forced)
