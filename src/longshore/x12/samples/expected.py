"""A sample document, its fault, and the finding that the fault must lead to."""

from __future__ import annotations

from dataclasses import dataclass, fields

from longshore.x12.findings import SEVERITIES, FindingCode, Severity

Row = list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedFinding:
    """The members of a finding that a fault decides; None where the finding may have any value."""

    code: FindingCode
    layer: str
    """``standard``, or the guide."""
    segment_id: str
    segment_position: int
    """Within the set, ST = 1; outside a set, the position in the document from 1."""
    loop_id: str | None = None
    element_position: int | None = None
    component_position: int | None = None
    element_ref: str | None = None

    @property
    def severity(self) -> Severity:
        """The severity that the finding has without leniency."""
        return SEVERITIES[self.code]

    def members(self) -> dict[str, str | int]:
        """Return what is expected by the names of the members of a finding."""
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        stated = {name: value for name, value in known.items() if value is not None}
        return {"code": self.code, "severity": self.severity, **stated}


@dataclass(frozen=True, slots=True)
class Fault:
    """Segments of a set that are replaced by others, and what has to be reported then."""

    start: int
    """The index of the first segment replaced."""
    end: int
    """The index after the last one."""
    rows: tuple[Row, ...]
    expected: tuple[ExpectedFinding, ...]
    is_of_amount: bool = False
    """An amount or count is wrong; else they are made to agree again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSample:
    """A document made from a definition of the dictionary."""

    text: str
    """One interchange, each segment on a line of its own."""
    tx_set: str
    release: str
    guide: str | None
    kind: str
    seed: int
    fault: str | None
    """The fault that it has; None if it is valid."""
    expected: tuple[ExpectedFinding, ...]
    """The findings that a validation reports, in their order."""

    def members(self) -> dict[str, object]:
        """Return it by the names that programs read: ``document`` is its text."""
        facts = ("tx_set", "release", "guide", "kind", "seed", "fault")
        expected = [each.members() for each in self.expected]
        stated = {name: getattr(self, name) for name in facts}
        return {**stated, "document": self.text, "expected": expected}
