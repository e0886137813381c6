"""Decide from the errors of an 837 which of its claims are accepted, and with which codes.

A claim is rejected by an error inside it, or inside what it depends on: the heading, its billing
provider, its subscriber, its patient.

Source: x12.md section 2.8.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Final, NamedTuple

from longshore.x12.acks.claims import ClaimBatch, ClaimScope
from longshore.x12.findings import Finding, FindingCode
from longshore.x12.results import SetResult

# X12 code list 507, claim status category, and 508, claim status.
RECEIPT: Final = ("A1", "19")
ACCEPTED: Final = ("A2", "20")
UNPROCESSABLE: Final = "A3"
_MISSING: Final = "A6"
_INVALID: Final = "A7"
_CONTRADICTORY: Final = "A8"
SYNTAX_ERROR: Final = "684"
_OUT_OF_BALANCE: Final = "400"

MISSING_SEGMENT_CODES: Final = frozenset(("3", "I6", "I7", "I8"))
MISSING_ELEMENT_CODES: Final = frozenset(("1", "2", "I9", "I11"))
RELATION_CODES: Final = frozenset(("10", "I10", "I13"))
BALANCES: Final = frozenset((
    FindingCode.CLAIM_OUT_OF_BALANCE,
    FindingCode.SERVICE_OUT_OF_BALANCE,
    FindingCode.PAYMENT_OUT_OF_BALANCE,
    FindingCode.INVOICE_OUT_OF_BALANCE,
    FindingCode.REMITTANCE_OUT_OF_BALANCE,
))


class ClaimStatus(NamedTuple):
    """The status of a claim: the components of STC01, and STC12."""

    category: str
    """Code list 507: A2 accepted; A3, A6, A7 and A8 rejected."""
    code: str
    """Code list 508."""
    reason: str = ""

    @property
    def is_accepted(self) -> bool:
        """True if the claim is accepted."""
        return self.category == ACCEPTED[0]


class ScopeFault(NamedTuple):
    """The errors of one scope of an 837."""

    first: Finding
    """The first one by position."""
    error_count: int


class ClaimStatuses:
    """The statuses of the claims of one 837.

    Args:
        batch: Its claims.
        result: The validation results of the set.
        is_rejected: Everything in it is rejected, because of its frame or its group.
    """

    def __init__(self, batch: ClaimBatch, result: SetResult, *, is_rejected: bool) -> None:
        self._is_rejected = is_rejected
        self._heading = batch.scopes[0]
        self._faults = _faults(batch, result)

    def of(self, scope: ClaimScope) -> ClaimStatus:
        """Return the status of a claim, or of all that is inside another scope."""
        if self._is_rejected:
            return ClaimStatus(UNPROCESSABLE, SYNTAX_ERROR, "its transaction set is rejected")
        fault = self._faults.get(scope)
        if fault is not None:
            return _status_of(fault)
        around = scope.parent
        while around is not None:
            if around in self._faults:
                reason = _reason(self._faults[around])
                return ClaimStatus(UNPROCESSABLE, SYNTAX_ERROR, reason)
            around = around.parent
        return ClaimStatus(*ACCEPTED)

    @property
    def are_all_rejected(self) -> bool:
        """True if an error outside every provider rejects all claims."""
        return self._is_rejected or self._heading in self._faults


def _faults(batch: ClaimBatch, result: SetResult) -> Mapping[ClaimScope, ScopeFault]:
    faults: dict[ClaimScope, ScopeFault] = {}
    for place, finding in sorted(_placed(result), key=lambda each: each[0]):
        at = bisect_right(batch.scopes, place, key=attrgetter("position"))
        scope = batch.scopes[max(at - 1, 0)]
        before = faults.get(scope)
        faults[scope] = ScopeFault(finding, 1) if before is None else _one_more(before)
    return faults


def _one_more(fault: ScopeFault) -> ScopeFault:
    return fault._replace(error_count=fault.error_count + 1)


def _placed(result: SetResult) -> Iterator[tuple[int, Finding]]:
    """Yield each error with the position it is about: what is missing belongs before."""
    for finding in (*result.findings, *result.other_errors):
        yield (finding.segment_position or 0) - is_missing_segment(finding), finding


def is_missing_segment(finding: Finding) -> bool:
    """Return whether a finding is about a segment that is not there."""
    return (finding.ack_code or {}).get("segment") in MISSING_SEGMENT_CODES


def _status_of(fault: ScopeFault) -> ClaimStatus:
    first = fault.first
    element = (first.ack_code or {}).get("element", "")
    if first.code in BALANCES:
        return ClaimStatus(_CONTRADICTORY, _OUT_OF_BALANCE, _reason(fault))
    if is_missing_segment(first) or element in MISSING_ELEMENT_CODES:
        return ClaimStatus(_MISSING, SYNTAX_ERROR, _reason(fault))
    category = _CONTRADICTORY if element in RELATION_CODES else _INVALID
    return ClaimStatus(category, SYNTAX_ERROR, _reason(fault))


def _reason(fault: ScopeFault) -> str:
    more = f" (and {fault.error_count - 1} more)" if fault.error_count > 1 else ""
    return f"{_text_of(fault.first)}{more}"


def _text_of(finding: Finding) -> str:
    """Return a finding with its place: ``HI01-2 in segment 22, …``."""
    place = finding.segment_id or "segment"
    if finding.element_position is not None:
        place += f"{finding.element_position:02d}"
        if finding.component_position is not None:
            place += f"-{finding.component_position}"
    return f"{place} in segment {finding.segment_position}, {words_of(finding)}"


def words_of(finding: Finding) -> str:
    """Return a finding in words, without any content of the document."""
    # The text itself is made for the first findings only.
    return finding.message or str(finding.code).replace("_", " ")
