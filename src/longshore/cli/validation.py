"""``longshore validate`` and ``longshore ack``: what is wrong with an X12 document, and the answer.

Need no settings, no data directory and no running server.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Final, Unpack

import click
from rich.console import Console
from rich.text import Text

from longshore.cli.files import (
    FilesReport,
    files_argument,
    report_files,
    show_files,
    write_files_json,
)
from longshore.cli.options import json_option
from longshore.cli.progress import progress
from longshore.cli.quotation import quotation
from longshore.cli.report import FINDINGS_SHOWN, STYLE_BY_SEVERITY, place_of
from longshore.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_NOT_CHECKED,
    EXIT_OK,
    json_bytes,
    messages,
    output,
    print_pairs,
    read_document,
    visible,
    write_bytes,
)
from longshore.cli.validation_options import ValidationOptions, validation_options
from longshore.engine import Acknowledgement, Validated
from longshore.engine import validate as validate_document
from longshore.engine.acknowledgement import ACK_TYPES
from longshore.engine.validate import OnRead
from longshore.x12.acks.profile import UnknownSets
from longshore.x12.findings import Finding, Severity
from longshore.x12.validate.code_lists import CodesChecked
from longshore.x12.validate.kinds import quotable
from longshore.x12.validate.outcome import CheckedSet, SetCheck, ValidationOutcome
from longshore.x12.validate.validation import Validation

_INDENT: Final = "    "
_MAX_CELLS: Final = 100  # of a quoted segment, on a wider terminal too
_ORDER: Final = tuple(Severity)
EXIT_CODES: Final[Mapping[ValidationOutcome, int]] = {
    ValidationOutcome.VALID: EXIT_OK,
    ValidationOutcome.INVALID: EXIT_FINDINGS,
    ValidationOutcome.NOT_CHECKED: EXIT_NOT_CHECKED,
}
_OUTCOMES: Final = {each: each.value.replace("_", " ") for each in ValidationOutcome}
_MAX_SETS: Final = 10  # named in a line
_MAX_KINDS: Final = 10  # of sets, a line each
_MAX_CODES: Final = 8  # element numbers in a line
_GUIDE_CODE: Final = "I"  # what only a 999 can say
_ELEMENTS: Final = {
    "interchange": ("TA105", "TA105"),
    "group": ("AK905", "AK905"),
    "set": ("AK502", "IK502"),
    "segment": ("AK304", "IK304"),
    "element": ("AK403", "IK403"),
}


@click.command(
    epilog="Exit code 0: valid; 1: the document has errors; 2: it cannot be read; 3: not checked "
    "(no errors, but a set has no definition, its guide was not used, or text was not read)."
)
@validation_options
@files_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "junit"]),
    help="Format of the report: text, the JSON of the HTTP API, SARIF 2.1.0, or JUnit XML.  "
    "[default: text]",
)
@json_option
def validate(
    files: tuple[str, ...],
    *,
    form: str | None,
    as_json: bool,
    **options: Unpack[ValidationOptions],
) -> int:
    """Validate the X12 documents in FILEs (- is standard input).

    A DIR stands for all files in it and its subfolders. With --json, the same as --format json, the
    answer is that of POST /api/v1/validate without `ok` and `environment`; of several files, or of
    a DIR, it is {"files": [{"file", ...}, ...]}.
    """
    form = _form(form, as_json=as_json)

    def validated(file: str) -> Validated:
        document = read_document(file)
        with _reading(document) as on_read:
            return validate_document(document, on_read=on_read, **options)

    def answer(file: str) -> tuple[int, bytes]:
        found = validated(file)
        return EXIT_CODES[found.outcome], found.result_json()

    def show(file: str) -> int:
        found = validated(file)
        _print_report(found)
        return EXIT_CODES[found.outcome]

    if form in {"sarif", "junit"}:
        report = _report(form)
        return report_files(files, report, validated, lambda each: EXIT_CODES[each.outcome])
    if form == "json":
        return write_files_json(files, answer)
    return show_files(files, show, sys.stdout.write)


def _report(form: str) -> FilesReport:
    if form == "sarif":
        from longshore.cli.sarif import SarifReport  # noqa: PLC0415 - if asked for

        return SarifReport()
    from longshore.cli.junit import JunitReport  # noqa: PLC0415 - if asked for

    return JunitReport()


def _form(form: str | None, *, as_json: bool) -> str:
    """Return the form of the report.

    Raises:
        UsageError: --json and --format contradict each other.
    """
    if as_json and form not in {None, "json"}:
        raise click.UsageError(f"--json and --format {form} contradict each other.")
    return "json" if as_json else form or "text"


@click.command(
    epilog="Exit code 0: an acknowledgement was printed, also for a document with errors; 2: one "
    "cannot be read; 3: a set was not checked, so its document is not acknowledged."
)
@validation_options
@files_argument
@click.option(
    "--type",
    "ack_type",
    type=click.Choice(ACK_TYPES),
    default="auto",
    show_default=True,
    help="auto: 999 for an implementation guide, otherwise 997; TA1: only the TA1, even if not "
    "requested; 277CA: an 837 claim by claim; 824: each set with its faults.",
)
@click.option(
    "--accept-unchecked",
    "is_accepting",
    is_flag=True,
    help="Accept sets without errors even if they were not checked.",
)
@json_option
def ack(
    files: tuple[str, ...],
    ack_type: str,
    *,
    is_accepting: bool,
    as_json: bool,
    **options: Unpack[ValidationOptions],
) -> int:
    """Print the acknowledgement of the X12 documents in FILEs (- is standard input).

    A DIR stands for all files in it and its subfolders. The control numbers are for preview:
    000000001 and the like. With --json it is {"ack_type", "ack", "truncated", "withheld"};
    truncated: there are more errors than it can name; withheld: the sets, from 1, that were not
    checked, for which it is not made; of several files, or of a DIR, {"files": [{"file", ...},
    ...]}.
    """
    policy = UnknownSets.ACCEPT if is_accepting else UnknownSets.HOLD

    def acknowledged(file: str) -> Validated:
        document = read_document(file)
        with _reading(document) as on_read:
            return validate_document(
                document, ack_type=ack_type, unknown_sets=policy, on_read=on_read, **options
            )

    def answer(file: str) -> tuple[int, bytes]:
        found = acknowledged(file).acknowledgement
        members: dict[str, object] = {"ack_type": found.ack_type, "ack": found.text}
        members |= {"truncated": found.is_truncated, "withheld": found.withheld}
        return EXIT_NOT_CHECKED if found.withheld else EXIT_OK, json_bytes(members)

    def show(file: str) -> int:
        validated = acknowledged(file)
        found = validated.acknowledgement
        if found.withheld:
            name = f"{visible(file)}: " if files != (file,) else ""
            messages().print(f"{name}{_withheld(validated)}", soft_wrap=True)
            return EXIT_NOT_CHECKED
        write_bytes(found.content())
        if not found.text:
            messages().print("nothing to acknowledge")
        elif found.is_truncated:
            messages().print("there are more errors than an acknowledgement can name")
        return EXIT_OK

    if as_json:
        return write_files_json(files, answer)
    return show_files(files, show, sys.stdout.write)


def _withheld(validated: Validated) -> str:
    """Return the sentence that says which sets were not checked, and what to do."""
    withheld = frozenset(validated.acknowledgement.withheld)
    named = [
        f"set {each.summary.index} ({' '.join(_name_of(each))})"
        for each in validated.sets
        if each.summary.index in withheld
    ]
    more = [f"{len(named) - _MAX_SETS} more"] if len(named) > _MAX_SETS else []
    return (
        f"not acknowledged because not checked: {', '.join([*named[:_MAX_SETS], *more])}; "
        "--accept-unchecked accepts unchecked sets"
    )


def _name_of(checked: CheckedSet) -> Iterator[str]:
    yield quotable(checked.summary.set_id) or "no set id"
    yield from filter(None, [quotable(checked.summary.version)])


@contextmanager
def _reading(document: bytes) -> Iterator[OnRead]:
    """Show how far the reading is: in bytes, although characters are counted."""
    with progress("validating", len(document)) as report:
        yield lambda done, total: report(len(document) * done // (total or 1))


def _print_report(validated: Validated) -> None:
    """Print the definition that was applied and the outcome, then each finding with its place."""
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
    return {
        **_checks(validated),
        "outcome": _outcome(validation),
        "sets": _sets(validated),
        "answer": _answer(validated.acknowledgement),
    }


def _answer(acknowledgement: Acknowledgement) -> str:
    if acknowledgement.withheld:
        return (
            "none, because not everything was checked; `longshore ack --accept-unchecked` "
            "prints one"
        )
    kind = acknowledgement.ack_type
    return f"{kind}; `longshore ack` prints it" if kind else ""


def _checks(validated: Validated) -> dict[str, str]:
    """Return what was checked, once for all sets if they are alike, else for each kind of set."""
    validation = validated.validation
    kinds = {
        (each.summary.set_id, each.summary.version, _definition(each.check)): each.check
        for each in reversed(validated.sets)
    }
    if len(kinds) <= 1:
        return {
            "set": " ".join(filter(None, (validation.tx_set, validation.version))),
            "definition": _definition(validation.first),
            "checked": _level(validation.snip_level),
            "codes": _codes(validation.first.codes),
        }
    checks = {
        f"{set_id} {version}".strip(): ", ".join(
            filter(None, (definition, _level(check.snip_level), _code_lists(check.codes)))
        )
        for (set_id, version, definition), check in reversed(kinds.items())
    }
    more = len(checks) - _MAX_KINDS
    shown = dict(islice(checks.items(), _MAX_KINDS))
    return shown | ({"…": f"and {more} more kinds of sets"} if more > 0 else {})


def _definition(check: SetCheck) -> str:
    """Return how well the definition fits, and the guide: ``exact, 005010X222A1``."""
    name = "no definition" if check.definition == "none" else check.definition
    return ", ".join(filter(None, (name, check.guide)))


def _level(level: int) -> str:
    return f"SNIP level {level}" if level else "the envelope only"


def _codes(codes: CodesChecked) -> str:
    """Return which code lists were enforced; ``""`` if there is none to enforce."""
    count = len(codes.enforced) + len(codes.not_enforced)
    if not count:
        return ""
    shown = ", ".join(codes.not_enforced[:_MAX_CODES])
    more = len(codes.not_enforced) - _MAX_CODES
    rest = f"{shown} and {more} more" if more > 0 else shown
    return f"{len(codes.enforced)} of {count} lists" + (f"; not elements {rest}" if rest else "")


def _code_lists(codes: CodesChecked) -> str:
    count = len(codes.enforced) + len(codes.not_enforced)
    return f"{len(codes.enforced)} of {count} code lists" if count else ""


def _sets(validated: Validated) -> str:
    """Return how many sets have which outcome, if there are several."""
    counts = Counter(each.outcome for each in validated.sets)
    if counts.total() < 2:  # noqa: PLR2004 - the outcome of one set is the document's
        return ""
    return ", ".join(
        f"{counts[each]} {_OUTCOMES[each]}" for each in ValidationOutcome if counts[each]
    )


def _outcome(validation: Validation) -> str:
    errors, others = validation.error_count, validation.finding_count - validation.error_count
    counts = {"error": errors, "other finding": others}
    counts_text = [f"{count} {name}{'s' * (count > 1)}" for name, count in counts.items() if count]
    return ", ".join([_OUTCOMES[validation.outcome], *counts_text])


def _print_finding(console: Console, validated: Validated, finding: Finding) -> None:
    style = STYLE_BY_SEVERITY[finding.severity]
    facts = (finding.code, place_of(finding), _ack_words(finding))
    head = Text(finding.severity, style) + Text("  " + visible("  ".join(filter(None, facts))))
    lines = [head, Text(_INDENT + visible(finding.message))]
    if finding.offset is not None:
        most = min(console.width, _MAX_CELLS) - len(_INDENT)
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
