"""What validation says about a transaction set, in the form that acknowledgements are made from.

A document may hold more errors than anybody lists. Each is counted by its codes, so that status
and codes of an acknowledgement are exact; only the notes about single places are limited.

Source: x12.md sections 2.2 to 2.4, 2.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from longshore.x12.findings import Finding

STANDARD_LAYER: Final = "standard"


class BusinessUnit(NamedTuple):
    """What a person calls the part of a set that begins with the segment at ``position`` (ST = 1).

    ``name``: ``CLM01``, ``SUBSCRIBER NAME NM109``, …; ``value``: as received. Both are ``""``
    where no such part begins. It reaches to the next one.
    """

    position: int
    name: str
    value: str


class BoundedLoop(NamedTuple):
    """From the segment at ``position`` on the innermost open LS loop is ``loop_id``, or none."""

    position: int
    loop_id: str


class SetFault(NamedTuple):
    """A kind of error below the frame of a set: AK304 and AK403, IK304 and IK403 in the guide's.

    ``element``: ``""`` if the segment as such is wrong. ``is_standard``: whether the standard
    itself forbids it, or only a guide does.
    """

    segment: str
    element: str
    is_standard: bool


def fault_of(ack_code: Mapping[str, str], *, is_standard: bool) -> SetFault:
    """Return the kind of an error whose ``ack_code`` has the member ``segment``."""
    return SetFault(ack_code["segment"], ack_code.get("element", ""), is_standard)


@dataclass(slots=True)
class SetResult:
    """What validation says about one transaction set.

    ``findings``: errors with an ``ack_code`` for a segment, in order of place; as many of them as
    are kept. ``faults``: how often each kind occurred, the ones that are not kept included.
    ``codes``: AK502 codes beyond those of the frame: 1, 18, 19, in the meaning of 005010.
    ``units`` (for a 999) and ``loops`` (for a 997): in order of place, as far as anybody looked.
    ``may_bound_loops``: False if there is no LS.
    """

    findings: list[Finding] = field(default_factory=list)
    faults: dict[SetFault, int] = field(default_factory=dict)
    codes: tuple[str, ...] = ()
    units: list[BusinessUnit] = field(default_factory=list)
    loops: list[BoundedLoop] = field(default_factory=list)
    may_bound_loops: bool = False
    has_errors: bool = False
    """Whether any error was found in its content, acknowledged or not."""
    is_checked: bool = False
    """Whether it was checked against a definition, and under the guide it names."""

    @property
    def error_count(self) -> int:
        """How many errors there are, kept or not."""
        return sum(self.faults.values())

    @property
    def has_only_guide_errors(self) -> bool:
        """Tell whether there are errors, and the standard itself forbids none of it."""
        return bool(self.faults) and not any(fault.is_standard for fault in self.faults)

    def add(self, finding: Finding) -> None:
        """Keep an error whose ``ack_code`` has the member ``segment``, and count it."""
        assert finding.ack_code is not None  # other findings are not for acknowledgements
        self.findings.append(finding)
        self.count(finding.ack_code, finding.layer)

    def count(self, ack_code: Mapping[str, str], layer: str, times: int = 1) -> None:
        """Count errors that are not kept."""
        self.count_fault(fault_of(ack_code, is_standard=layer == STANDARD_LAYER), times)

    def count_fault(self, fault: SetFault, times: int = 1) -> None:
        """Count errors of one kind."""
        self.faults[fault] = self.faults.get(fault, 0) + times
