"""The result of validation, and the outcome for each transaction set and for the document.

Source: docs/decisions/0018-outcome-not-checked.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from longshore.x12.control import SetSummary
from longshore.x12.dictionary.library import Exactness
from longshore.x12.dictionary.model import Definition
from longshore.x12.envelope import Envelope
from longshore.x12.findings import Finding, Severity
from longshore.x12.results import SetResult
from longshore.x12.validate.code_lists import CodesChecked, codes_checked

MAX_ANSWERED_FINDINGS: Final = 1_000
"""Findings of any kind in one answer, errors before others."""
ENVELOPE_ONLY = 0
"""The SNIP level of a set of which nothing but the envelope was checked."""


class ValidationOutcome(StrEnum):
    """The outcome of the validation of a transaction set or a document."""

    VALID = "valid"
    INVALID = "invalid"
    NOT_CHECKED = "not_checked"
    """No fault was found, but not everything that the document requires could be checked."""

    @property
    def is_valid(self) -> bool | None:
        """True or False; None if it was not checked."""
        return None if self is ValidationOutcome.NOT_CHECKED else self is ValidationOutcome.VALID


class SetCheck(NamedTuple):
    """The definition that transaction sets of one kind are checked against."""

    definition: Exactness
    """The exactness of the definition: ``none`` without one, ``standard`` if the document names an
    unknown guide."""
    used: Definition | None
    """The definition itself; None if only the envelope is checked."""
    named_guide: str | None
    """The unknown guide that the document or the caller names; ``""`` if its name is not safe to
    quote."""
    snip_level: int
    """The level of the check: 0 envelope, 1 syntax, 2 guide, 3 balancing."""
    guide_fault: str = ""
    """Why the named guide is not used: ``guide 005010X222A1 does not describe 850``."""

    @property
    def guide(self) -> str | None:
        """The implementation guide in force, if any."""
        return None if self.used is None else self.used.guide

    @property
    def codes(self) -> CodesChecked:
        """The code lists that are enforced."""
        return CodesChecked() if self.used is None else codes_checked(self.used)

    @property
    def is_complete(self) -> bool:
        """True if everything that the document requires is checked."""
        return self.definition in {"exact", "nearest"}


NO_CHECK = SetCheck("none", None, None, ENVELOPE_ONLY)


class CheckedSet(NamedTuple):
    """A transaction set, what it was checked against and the outcome."""

    summary: SetSummary
    check: SetCheck
    outcome: ValidationOutcome


def outcome_of_set(summary: SetSummary, result: SetResult, check: SetCheck) -> ValidationOutcome:
    """Return the outcome of a set by its own errors; those of its envelope are not counted."""
    if result.has_errors or summary.codes or result.codes or result.faults:
        return ValidationOutcome.INVALID
    return ValidationOutcome.VALID if check.is_complete else ValidationOutcome.NOT_CHECKED


def outcome_of_document(
    envelope: Envelope, *, has_errors: bool, has_unchecked: bool
) -> ValidationOutcome:
    """Return the outcome of a document.

    Without any set it is valid only if each of its interchanges holds a TA1 and nothing else.

    Args:
        envelope: The summaries of what was read.
        has_errors: There is a finding of severity error.
        has_unchecked: A set was not checked, or text that may be a document was not read.
    """
    if has_errors:
        return ValidationOutcome.INVALID
    if has_unchecked:
        return ValidationOutcome.NOT_CHECKED
    if envelope.sets:
        return ValidationOutcome.VALID
    is_ta1_only = not envelope.groups and all(each.has_ta1 for each in envelope.interchanges)
    return (
        ValidationOutcome.VALID
        if envelope.interchanges and is_ta1_only
        else ValidationOutcome.NOT_CHECKED
    )


class Validation(NamedTuple):
    """The result of validating a document."""

    findings: tuple[Finding, ...]
    """By position, at most ``MAX_ANSWERED_FINDINGS``: errors first, then other findings."""
    finding_count: int
    """The number of all findings."""
    error_count: int
    tx_set: str
    version: str
    """GS08 of the first group that has one, else ISA12."""
    first: SetCheck
    """The check of the first set."""
    snip_level: int
    """The SNIP level that every set was checked to."""
    has_unchecked_sets: bool
    unread_documents: tuple[tuple[int, int], ...]
    """Characters outside every interchange that may be documents of their own: start and end."""
    results: Mapping[int, SetResult]
    """By transaction set, from 1; a set without a definition has an empty result."""
    checks: Mapping[int, SetCheck]
    """The check of each transaction set."""
    envelope: Envelope
    """The summaries of the interchanges, groups and sets."""

    @property
    def guide(self) -> str | None:
        """The implementation guide that the first set was checked against, if any."""
        return self.first.guide

    @property
    def definition(self) -> Exactness:
        """The exactness of the definition of the first set."""
        return self.first.definition

    @property
    def outcome(self) -> ValidationOutcome:
        """The outcome of the document as a whole."""
        return outcome_of_document(
            self.envelope,
            has_errors=bool(self.error_count),
            has_unchecked=self.has_unchecked_sets or bool(self.unread_documents),
        )

    @property
    def is_valid(self) -> bool:
        """True if all of it was checked and no finding has severity error."""
        return self.outcome is ValidationOutcome.VALID

    def sets(self) -> Iterator[CheckedSet]:
        """Yield each transaction set with what it was checked against and its outcome."""
        errors = {each.tx_index for each in self.findings if each.severity is Severity.ERROR}
        for each in self.envelope.sets:
            check = self.checks[each.index]
            outcome = outcome_of_set(each, self.results[each.index], check)
            yield CheckedSet(
                each, check, ValidationOutcome.INVALID if each.index in errors else outcome
            )

    @property
    def is_truncated(self) -> bool:
        """True if there are more findings than are listed."""
        return self.finding_count > len(self.findings)
