"""Findings of validation as SARIF 2.1.0, which code hosts and editors read.

Each finding is a result at its line and column. A transaction set that was not checked is a result
with the rule ``not_checked``, so that a run without results means: all was checked and is valid.
"""

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Final
from urllib.parse import quote

from longshore import __version__
from longshore.cli.terminal import EXIT_REFUSED, visible
from longshore.engine import LongshoreError, Validated
from longshore.x12.findings import Finding, FindingCode, Severity
from longshore.x12.validate.outcome import CheckedSet, ValidationOutcome

NOT_CHECKED: Final = "not_checked"
MORE_FINDINGS: Final = "findings_truncated"
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_REASONS: Final = frozenset({FindingCode.NO_DEFINITION, FindingCode.GUIDE_UNKNOWN})
_LEVELS: Final[Mapping[Severity, str]] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
}

_Json = dict[str, object]


class SarifReport:
    """Collects the findings of several documents; ``text`` writes them as one run."""

    def __init__(self) -> None:
        self._results: list[_Json] = []
        self._artifacts: list[_Json] = []
        self._rules: dict[str, int] = {}
        self._refusals: list[_Json] = []

    def add(self, file: str, validated: Validated) -> None:
        """Add the findings of a document and its sets that were not checked."""
        artifact = self._artifact(file)
        for finding in validated.findings:
            region = _region(validated.text, finding)
            self._add(
                finding.code, _LEVELS[finding.severity], finding.message, artifact, region,
                finding.path,
            )  # fmt: skip
        hidden = validated.validation.finding_count - len(validated.findings)
        if hidden > 0:
            message = f"{hidden:,} more findings are not listed."
            self._add(MORE_FINDINGS, "warning", message, artifact)
        unchecked = [
            each for each in validated.sets if each.outcome is ValidationOutcome.NOT_CHECKED
        ]
        for each in unchecked:
            key = "ST" if each.summary.index == 1 else f"ST[{each.summary.index}]"
            region = _region_of_set(validated, each)
            self._add(NOT_CHECKED, "warning", unchecked_message(each), artifact, region, key)
        if validated.outcome is ValidationOutcome.NOT_CHECKED and not unchecked:
            self._add(NOT_CHECKED, "warning", unchecked_envelope_message(validated), artifact)

    def add_refusal(self, file: str, refusal: LongshoreError) -> None:
        """Add a document that cannot be read."""
        message = visible(refusal.message)
        self._add(refusal.code, "error", message, self._artifact(file))
        self._refusals.append({
            "level": "error",
            "descriptor": {"id": str(refusal.code)},
            "message": {"text": f"{visible(file)}: {message}"},
        })

    def text(self, exit_code: int) -> str:
        """Return the log of one run."""
        driver = {
            "name": "longshore",
            "version": __version__,
            "rules": [{"id": rule} for rule in self._rules],
        }
        invocation = {
            "executionSuccessful": exit_code != EXIT_REFUSED,
            "exitCode": exit_code,
            "toolExecutionNotifications": self._refusals,
        }
        run = {
            "tool": {"driver": driver},
            "invocations": [invocation],
            "columnKind": "unicodeCodePoints",
            "artifacts": self._artifacts,
            "results": self._results,
        }
        log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
        return json.dumps(log, ensure_ascii=False, indent=2) + "\n"

    def _artifact(self, file: str) -> _Json:
        """Add a file and return its location."""
        path = quote("stdin" if file == "-" else PurePath(file).as_posix(), errors="replace")
        self._artifacts.append({"location": {"uri": path}})
        return {"uri": path, "index": len(self._artifacts) - 1}

    def _add(
        self,
        rule: str,
        level: str,
        message: str,
        artifact: _Json,
        region: _Json | None = None,
        path: str | None = None,
    ) -> None:
        physical: _Json = {"artifactLocation": artifact}
        if region is not None:
            physical["region"] = region
        location: _Json = {"physicalLocation": physical}
        if path is not None:
            location["logicalLocations"] = [{"fullyQualifiedName": visible(path)}]
        self._results.append({
            "ruleId": rule,
            "ruleIndex": self._rules.setdefault(rule, len(self._rules)),
            "level": level,
            "message": {"text": visible(message)},
            "locations": [location],
        })


def unchecked_envelope_message(validated: Validated) -> str:
    """Return the sentence that says why a document was not checked whose sets all were."""
    unread = validated.validation.unread_documents
    if unread:
        count = sum(end - start for start, end in unread)
        place = "outside every interchange, which may be documents"
        return f"{count:,} characters {place}, were not read."
    return "The document has no transaction set: only its envelope was checked."


def unchecked_message(checked: CheckedSet) -> str:
    """Return the sentence that says why a transaction set was not checked."""
    summary, check = checked.summary, checked.check
    name = visible(" ".join(filter(None, (summary.set_id, summary.version))))
    if check.guide_fault:
        fault = f"{check.guide_fault[0].upper()}{check.guide_fault[1:]}"
        return f"{fault}; set {summary.index} ({name}) was checked without it."
    return f"There is no definition of set {summary.index} ({name}): only its envelope was checked."


def _region_of_set(validated: Validated, checked: CheckedSet) -> _Json | None:
    """Return the place of the finding that says why a set was not checked, if it has one."""
    index = checked.summary.index
    own = (each for each in validated.findings if each.tx_index == index)
    return next((_region(validated.text, each) for each in own if each.code in _REASONS), None)


def _region(text: str, finding: Finding) -> _Json | None:
    """Return line and column of a finding, both from 1, and its character from 0."""
    if finding.offset is None:
        return None if finding.line is None else {"startLine": finding.line}
    column = finding.offset - text.rfind("\n", 0, finding.offset)
    line = finding.line or text.count("\n", 0, finding.offset) + 1
    return {"startLine": line, "startColumn": column, "charOffset": finding.offset}
