"""Outcomes of validation as JUnit XML, which continuous integration reads.

A document is a test suite. Its envelope is a test case and so is each transaction set: invalid ones
fail, and one that was not checked is skipped with the reason, never passed.
"""

from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring  # noqa: TID251 - writes alone

from longshore.cli.sarif import unchecked_envelope_message, unchecked_message
from longshore.cli.terminal import visible
from longshore.engine import LongshoreError, Validated
from longshore.x12.findings import Finding, Severity
from longshore.x12.validate.outcome import CheckedSet, ValidationOutcome

_ENVELOPE: Final = "envelope"
_COUNTS: Final = ("failure", "error", "skipped")


class JunitReport:
    """Collects the outcomes of several documents; ``text`` writes them as one report."""

    def __init__(self) -> None:
        self._suites = Element("testsuites", {"name": "longshore validate"})

    def add(self, file: str, validated: Validated) -> None:
        """Add a document: a test case for its envelope and one for each set."""
        suite = SubElement(self._suites, "testsuite", {"name": visible(file)})
        sets = {each.summary.index: each for each in validated.sets}
        findings: dict[int, list[Finding]] = {}
        for finding in validated.findings:
            index = finding.tx_index if finding.tx_index in sets else 0
            findings.setdefault(index or 0, []).append(finding)
        _add_envelope(suite, file, validated, findings.get(0, []))
        for index, checked in sets.items():
            _add_set(suite, file, checked, findings.get(index, []))
        _count(suite)

    def add_refusal(self, file: str, refusal: LongshoreError) -> None:
        """Add a document that cannot be read."""
        suite = SubElement(self._suites, "testsuite", {"name": visible(file)})
        members = {"message": visible(refusal.message), "type": str(refusal.code)}
        SubElement(_case(suite, file, _ENVELOPE), "error", members)
        _count(suite)

    def text(self, exit_code: int) -> str:
        """Return the report; the exit code has no place in it."""
        del exit_code
        for name in ("tests", "failures", "errors", "skipped"):
            total = sum(int(suite.get(name, "0")) for suite in self._suites)
            self._suites.set(name, str(total))
        indent(self._suites)
        content = tostring(self._suites, encoding="unicode")
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{content}\n'


def _add_envelope(suite: Element, file: str, validated: Validated, findings: list[Finding]) -> None:
    case = _case(suite, file, _ENVELOPE)
    invalid_sets = sum(each.outcome is ValidationOutcome.INVALID for each in validated.sets)
    errors = [each for each in findings if each.severity is Severity.ERROR]
    if errors or (validated.outcome is ValidationOutcome.INVALID and not invalid_sets):
        _fail(case, errors)
    elif validated.outcome is ValidationOutcome.NOT_CHECKED and (
        validated.validation.unread_documents or not validated.sets
    ):
        SubElement(case, "skipped", {"message": unchecked_envelope_message(validated)})
    _add_others(case, findings)


def _add_set(suite: Element, file: str, checked: CheckedSet, findings: list[Finding]) -> None:
    summary = checked.summary
    words = ("set", str(summary.index), summary.set_id, summary.version, summary.control_number)
    case = _case(suite, file, visible(" ".join(filter(None, words))))
    if checked.outcome is ValidationOutcome.INVALID:
        _fail(case, [each for each in findings if each.severity is Severity.ERROR])
    elif checked.outcome is ValidationOutcome.NOT_CHECKED:
        SubElement(case, "skipped", {"message": unchecked_message(checked)})
    _add_others(case, findings)


def _case(suite: Element, file: str, name: str) -> Element:
    return SubElement(suite, "testcase", {"classname": visible(file), "name": name})


def _fail(case: Element, errors: list[Finding]) -> None:
    first = errors[0] if errors else None
    members = {
        "message": visible(first.message) if first else "There are more errors than are listed.",
        "type": first.code if first else "invalid",
    }
    SubElement(case, "failure", members).text = _lines(errors)


def _add_others(case: Element, findings: list[Finding]) -> None:
    others = [each for each in findings if each.severity is not Severity.ERROR]
    if others:
        SubElement(case, "system-out").text = _lines(others)


def _lines(findings: list[Finding]) -> str:
    return "\n".join(
        visible(
            f"{each.severity} {each.code}"
            + (f" line {each.line}" if each.line else "")
            + (f" {each.path}" if each.path else "")
            + f": {each.message}"
        )
        for each in findings
    )


def _count(suite: Element) -> None:
    suite.set("tests", str(len(suite)))
    for name in _COUNTS:
        plural = name if name == "skipped" else f"{name}s"
        suite.set(plural, str(sum(case.find(name) is not None for case in suite)))
