"""The validation results of a transaction set, in the form that acknowledgements need.

A document may have more errors than are listed. Each is counted by its codes, so that status and
codes of an acknowledgement are exact; only the notes about single positions are limited.

Source: x12.md sections 2.2 to 2.4, 2.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from longshore.x12.findings import Finding

STANDARD_LAYER: Final = "standard"


class BusinessUnit(NamedTuple):
    """A business unit of a set, such as a claim, named as CTX01 of a 999 names it."""

    position: int
    name: str
    """``CLM01``, ``SUBSCRIBER NAME NM109``, …."""
    value: str
    """The value as received. It and ``name`` are ``""`` where no business unit begins. A unit
    extends to the next one."""


class BoundedLoop(NamedTuple):
    """From the segment at ``position`` on, the innermost open LS loop is ``loop_id``, or none."""

    position: int
    loop_id: str


class SetFault(NamedTuple):
    """A kind of error below the frame of a set: AK304 and AK403, IK304 and IK403 in the guide's."""

    segment: str
    element: str
    """``""`` if the segment as such is wrong."""
    is_standard: bool
    """The standard itself forbids it, not only a guide."""


def fault_of(ack_code: Mapping[str, str], *, is_standard: bool) -> SetFault:
    """Return the kind of an error whose ``ack_code`` has the member ``segment``."""
    return SetFault(ack_code["segment"], ack_code.get("element", ""), is_standard)


@dataclass(slots=True)
class SetResult:
    """The validation results of one transaction set."""

    findings: list[Finding] = field(default_factory=list)
    """Errors with an ``ack_code`` for a segment, in order of position, up to a limit."""
    other_errors: list[Finding] = field(default_factory=list)
    """Errors without one, of the frame and of sums, up to the same limit."""
    has_uncounted_places: bool = False
    """There are errors beyond the limit: it is not known where."""
    faults: dict[SetFault, int] = field(default_factory=dict)
    """The number of errors of each kind, including those beyond the limit."""
    codes: tuple[str, ...] = ()
    """AK502 codes beyond those of the frame: 1, 18, 19, in the meaning of 005010."""
    units: list[BusinessUnit] = field(default_factory=list)
    """The business units (for a 999) in order of position, as far as they were read."""
    loops: list[BoundedLoop] = field(default_factory=list)
    """The bounded loops (for a 997) in order of position, as far as they were read."""
    may_bound_loops: bool = False
    """False if there is no LS."""
    has_errors: bool = False
    """Its content has an error, acknowledged or not."""
    is_checked: bool = False
    """It was checked against a definition, and under the guide it names."""

    @property
    def error_count(self) -> int:
        """The number of errors, listed or not."""
        return sum(self.faults.values())

    def add(self, finding: Finding) -> None:
        """Record an error whose ``ack_code`` has the member ``segment``, and count it."""
        assert finding.ack_code is not None  # other findings are not for acknowledgements
        self.findings.append(finding)
        self.count(finding.ack_code, finding.layer)

    def count(self, ack_code: Mapping[str, str], layer: str, times: int = 1) -> None:
        """Count errors that are not listed."""
        self.count_fault(fault_of(ack_code, is_standard=layer == STANDARD_LAYER), times)

    def count_fault(self, fault: SetFault, times: int = 1) -> None:
        """Count errors of one kind."""
        self.faults[fault] = self.faults.get(fault, 0) + times
