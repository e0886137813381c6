"""``longshore validate`` and ``longshore ack``: what is wrong with an X12 document, and the answer.

Need no settings, no data directory and no running server.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypedDict, TypeVar, Unpack

import click
from rich.console import Console
from rich.text import Text

from longshore.cli.options import json_option
from longshore.cli.progress import progress
from longshore.cli.quotation import quotation
from longshore.cli.report import FINDINGS_SHOWN, STYLE_BY_SEVERITY, place_of
from longshore.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    messages,
    output,
    print_pairs,
    read_document,
    visible,
    write_bytes,
    write_json,
)
from longshore.engine import Validated
from longshore.engine import acknowledge as acknowledge_document
from longshore.engine import validate as validate_document
from longshore.engine.validate import ACK_TYPES, OnRead
from longshore.x12.findings import Finding, Severity
from longshore.x12.validate.validation import Validation

CommandT = TypeVar("CommandT", bound=Callable[..., object])

_INDENT: Final = "    "
_MOST_CELLS: Final = 100  # of a quoted segment, on a wider terminal too
_ORDER: Final = tuple(Severity)
_GUIDE_CODE: Final = "I"  # what only a 999 can say
_ELEMENTS: Final = {
    "interchange": ("TA105", "TA105"),
    "group": ("AK905", "AK905"),
    "set": ("AK502", "IK502"),
    "segment": ("AK304", "IK304"),
    "element": ("AK403", "IK403"),
}


class _Judging(TypedDict):
    """Options that go to the engine as they are."""

    elem_sep: str | None
    seg_term: str | None
    release: str
    guide: str


def _judging_options(command: CommandT) -> CommandT:
    for option in (
        click.option(
            "--seg-term", metavar="CHAR", help="Segment terminator, if detection is wrong."
        ),
        click.option(
            "--elem-sep", metavar="CHAR", help="Element separator, if detection is wrong."
        ),
        click.option(
            "--release",
            metavar="RELEASE",
            default="",
            help="Six digits, such as 004010, instead of the document's own.",
        ),
        click.option(
            "--guide",
            metavar="GUIDE",
            default="",
            help="Implementation guide, such as 005010X222A1, instead of the document's own.",
        ),
        click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True)),
    ):
        command = option(command)
    return command


@click.command(epilog="Exit code 0: valid; 1: the document has errors; 2: it cannot be read.")
@_judging_options
@json_option
def validate(file: str, *, as_json: bool, **judging: Unpack[_Judging]) -> int:
    """Judge the X12 document in FILE (- is standard input).

    With --json the answer is that of POST /api/v1/validate without `ok` and `environment`.
    """
    document = read_document(file)
    with _reading(document) as on_read:
        validated = validate_document(document, on_read=on_read, **judging)
    if as_json:
        write_bytes(validated.result_json() + b"\n")
    else:
        _print_report(validated)
    return EXIT_OK if validated.is_valid else EXIT_FINDINGS


@click.command(epilog="Exit code 0: also for a document with errors; 2: it cannot be read.")
@_judging_options
@click.option(
    "--type",
    "ack_type",
    type=click.Choice(ACK_TYPES),
    default="auto",
    show_default=True,
    help="auto: 999 under an implementation guide, else 997; TA1: that alone, asked for or not.",
)
@json_option
def ack(file: str, ack_type: str, *, as_json: bool, **judging: Unpack[_Judging]) -> int:
    """Print the acknowledgement of the X12 document in FILE (- is standard input).

    Its control numbers are for preview: 000000001 and the like. With --json it is {"ack_type",
    "ack", "truncated"}; truncated: there are more errors than it can name.
    """
    document = read_document(file)
    with _reading(document) as on_read:
        answer = acknowledge_document(document, ack_type=ack_type, on_read=on_read, **judging)
    if as_json:
        members = {"ack_type": answer.ack_type, "ack": answer.text}
        write_json(members | {"truncated": answer.is_truncated})
        return EXIT_OK
    write_bytes(answer.content())
    if not answer.text:
        messages().print("nothing to acknowledge")
    elif answer.is_truncated:
        messages().print("there are more errors than an acknowledgement can name")
    return EXIT_OK


@contextmanager
def _reading(document: bytes) -> Iterator[OnRead]:
    """Show how far the reading is: in bytes, though characters are told."""
    with progress("validating", len(document)) as report:
        yield lambda done, total: report(len(document) * done // (total or 1))


def _print_report(validated: Validated) -> None:
    """Write what the document was judged by and the outcome, then each finding at its place."""
    validation, console = validated.validation, output()
    print_pairs(console, _summary(validated))
    findings = sorted(validation.findings, key=lambda each: _ORDER.index(each.severity))
    for finding in findings[:FINDINGS_SHOWN]:
        console.print()
        _print_finding(console, validated, finding)
    hidden = validation.finding_count - len(findings[:FINDINGS_SHOWN])
    if hidden:
        console.print(f"\n… and {hidden} more; --json lists up to 1,000")


def _summary(validated: Validated) -> dict[str, str]:
    validation = validated.validation
    by = f"{validation.definition} definition" if validation.definition != "none" else "nothing"
    kind = validated.acknowledgement.ack_type
    return {
        "set": " ".join(filter(None, (validation.tx_set, validation.version))),
        "judged by": " ".join(filter(None, (by, validation.guide))),
        "checked": f"SNIP level {validation.snip_level}",
        "outcome": _outcome(validation),
        "answer": f"{kind}; `longshore ack` prints it" if kind else "",
    }


def _outcome(validation: Validation) -> str:
    errors, others = validation.error_count, validation.finding_count - validation.error_count
    counts = {"error": errors, "other finding": others}
    told = [f"{count} {name}{'s' * (count > 1)}" for name, count in counts.items() if count]
    return ", ".join(["valid" if validation.is_valid else "invalid", *told])


def _print_finding(console: Console, validated: Validated, finding: Finding) -> None:
    style = STYLE_BY_SEVERITY[finding.severity]
    facts = (finding.code, place_of(finding), _ack_words(finding))
    head = Text(finding.severity, style) + Text("  " + visible("  ".join(filter(None, facts))))
    lines = [head, Text(_INDENT + visible(finding.message))]
    if finding.offset is not None:
        most = min(console.width, _MOST_CELLS) - len(_INDENT)
        line, column = quotation(validated.text, finding.offset, validated.delimiters, most)
        lines += [Text(_INDENT + line), Text(f"{_INDENT}{' ' * column}^", style)]
    for each in lines:
        console.print(each, soft_wrap=True)


def _ack_words(finding: Finding) -> str:
    """Return the codes of an acknowledgement by the elements they stand in: AK304 8, AK403 5."""
    codes = (finding.ack_code or {}).items()
    return " ".join(
        f"{_ELEMENTS[level][code.startswith(_GUIDE_CODE)]} {code}" for level, code in codes
    )
