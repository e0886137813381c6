"""Write a 277CA (277 with guide 005010X214): the answer to an 837, claim by claim.

Source: x12.md section 2.8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from typing import Final

from longshore.x12.acks.application import AnswerNumber
from longshore.x12.acks.claim_status import (
    RECEIPT,
    SYNTAX_ERROR,
    UNPROCESSABLE,
    ClaimStatuses,
)
from longshore.x12.acks.claims import BillingProvider, ClaimBatch, ReceivedClaim
from longshore.x12.acks.texts import AckTexts
from longshore.x12.control import element_at
from longshore.x12.writer.segments import Segment

CLAIM_ANSWER: Final = "277CA"
GUIDE: Final = "005010X214"
SET_ID: Final = "277"
GROUP_ID: Final = "HN"  # GS01
_UNKNOWN: Final = "UNKNOWN"  # for a required name or id that the 837 lacks
_ACCEPT, _REJECT = "WQ", "U"  # STC03
_MAX_REASON: Final = 264  # STC12
_MAX_REFERENCE: Final = 50  # TRN02
# NM102 to NM109. One name stands in many claims, so none may be long.
_NAME_WIDTHS: Final = (1, 60, 35, 25, 0, 10, 2, 80)


@dataclass(slots=True)
class _Totals:
    """Claims and charges, accepted and rejected."""

    accepted: int = 0
    rejected: int = 0
    accepted_charge: Decimal = Decimal(0)
    rejected_charge: Decimal = Decimal(0)

    def add(self, charge: Decimal, *, is_accepted: bool) -> None:
        if is_accepted:
            self.accepted += 1
            self.accepted_charge += charge
        else:
            self.rejected += 1
            self.rejected_charge += charge

    def segments(self, accepted: str, rejected: str) -> Iterator[Segment]:
        """Yield QTY and AMT of what there is, with these QTY01 codes."""
        if self.accepted:
            yield ("QTY", accepted, str(self.accepted))
        if self.rejected:
            yield ("QTY", rejected, str(self.rejected))
        if self.accepted:
            yield ("AMT", "YU", amount_text(self.accepted_charge))
        if self.rejected:
            yield ("AMT", "YY", amount_text(self.rejected_charge))

    @property
    def charge(self) -> Decimal:
        return self.accepted_charge + self.rejected_charge


def amount_text(amount: Decimal) -> str:
    """Return an amount without exponent and without trailing zeros behind the point."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def claim_answer(
    batch: ClaimBatch, statuses: ClaimStatuses, number: AnswerNumber, texts: AckTexts
) -> Iterator[Segment]:
    """Yield the segments between ST and SE.

    Args:
        batch: The claims of the 837.
        statuses: Which of them are accepted.
        number: Number and time of the 277CA.
        texts: Makes our own words fit to be written.
    """
    writer = _ClaimAnswer(batch, statuses, number.date, texts)
    yield ("BHT", "0085", "08", *number, "TH")
    yield from writer.heading(number.reference)
    for provider in batch.providers:
        yield from writer.provider(provider)


class _ClaimAnswer:
    def __init__(
        self, batch: ClaimBatch, statuses: ClaimStatuses, date: str, texts: AckTexts
    ) -> None:
        self._batch = batch
        self._statuses = statuses
        self._date = date
        self._texts = texts
        self._levels = count(3)  # HL01; 1 is the source, 2 the receiver

    def heading(self, reference: str) -> Iterator[Segment]:
        """Yield the levels of the source (the payer) and of the receiver (the submitter)."""
        batch, date = self._batch, self._date
        yield ("HL", "1", "", "20", "1")
        yield _name("PR", batch.receiver, ("46", _UNKNOWN))
        yield ("TRN", "1", reference)
        yield ("DTP", "050", "D8", date)
        yield ("DTP", "009", "D8", date)
        yield ("HL", "2", "1", "21", "1")
        yield _name("41", batch.submitter, ("46", _UNKNOWN))
        yield ("TRN", "2", batch.reference[:_MAX_REFERENCE] or _UNKNOWN)
        totals = self._totals(claim for each in batch.providers for claim in each.claims)
        is_rejected = self._statuses.are_all_rejected
        yield self._summary(totals, date, is_rejected=is_rejected)
        yield from totals.segments("90", "AA")

    def provider(self, provider: BillingProvider) -> Iterator[Segment]:
        """Yield the level of a billing provider, and those of its patients."""
        if not provider.claims:
            return
        level = str(next(self._levels))
        totals = self._totals(provider.claims)
        yield ("HL", level, "2", "19", "1")
        yield _name("85", provider.name, ("FI", provider.tax_id or _UNKNOWN))
        yield ("TRN", "1", "0")
        is_rejected = not self._statuses.of(provider.scope).is_accepted
        yield self._summary(totals, "", is_rejected=is_rejected)
        yield from totals.segments("QA", "QC")
        for claim in provider.claims:
            yield from self._claim(claim, level)

    def _claim(self, claim: ReceivedClaim, provider_level: str) -> Iterator[Segment]:
        member = (element_at(claim.member, 8) or "MI", element_at(claim.member, 9))
        yield ("HL", str(next(self._levels)), provider_level, "PT")
        yield _name("QC", claim.patient, (member[0], member[1] or _UNKNOWN))
        yield ("TRN", "2", claim.number[:_MAX_REFERENCE] or _UNKNOWN)
        yield self._claim_status(claim)
        if claim.first_date == claim.last_date != "":
            yield ("DTP", "472", "D8", claim.first_date)
        elif claim.first_date:
            yield ("DTP", "472", "RD8", f"{claim.first_date}-{claim.last_date}")

    def _claim_status(self, claim: ReceivedClaim) -> Segment:
        status = self._statuses.of(claim.scope)
        action = _ACCEPT if status.is_accepted else _REJECT
        reason = self._texts.name(status.reason)[:_MAX_REASON]
        codes, unused = (status.category, status.code), ("",) * 7
        return ("STC", codes, self._date, action, amount_text(claim.charge), *unused, reason)

    def _totals(self, claims: Iterable[ReceivedClaim]) -> _Totals:
        totals = _Totals()
        for each in claims:
            totals.add(each.charge, is_accepted=self._statuses.of(each.scope).is_accepted)
        return totals

    def _summary(self, totals: _Totals, date: str, *, is_rejected: bool) -> Segment:
        """Return the STC of a level above the claims: received, or rejected as a whole."""
        status = (UNPROCESSABLE, SYNTAX_ERROR) if is_rejected else (*RECEIPT, "PR")
        action = _REJECT if is_rejected else _ACCEPT
        return ("STC", status, date, action, amount_text(totals.charge))


def _name(role: str, row: Sequence[str], instead: tuple[str, str]) -> Segment:
    """Return an NM1 like the one received, in another role; ``instead`` is for NM108 and NM109."""
    elements = (element_at(row, at)[:most] for at, most in enumerate(_NAME_WIDTHS, 2))
    kind, last, first, middle, _, suffix, qualifier, number = elements
    if not number:
        qualifier, number = instead
    person = (first, middle, "", suffix) if kind == "1" else ("", "", "", "")
    return ("NM1", role, kind or "2", last or _UNKNOWN, *person, qualifier, number)
