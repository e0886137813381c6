"""Read the claims of an 837 for its 277CA: who sent them, for whom, how much, and when.

The rows of a set are read one after the other, by their ids and qualifiers alone, so that a faulty
set and the guides of 4010 and 5010, professional, institutional and dental, are read alike.

Source: x12.md section 2.8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from longshore.x12.control import element_at
from longshore.x12.envelope_dates import is_date

CLAIMS: Final = "837"  # ST01
_AMOUNT = re.compile(r"-?[0-9]{0,15}(\.[0-9]{0,4})?")
_DATE = re.compile("[0-9]{8}(-[0-9]{8})?")
_NOBODY: Final = ("NM1",)
_SERVICE_DATES: Final = frozenset(("472", "434"))  # DTP01: of a service, of a statement
_PROVIDER_LEVEL: Final = "20"  # HL03
_SUBSCRIBER_LEVEL: Final = "22"
_PATIENT_LEVEL: Final = "23"
_TAX_IDS: Final = frozenset(("EI", "SY"))  # REF01
_AFTER_ST: Final = 2  # the position of BHT; ST has 1


@dataclass(slots=True, eq=False)
class ClaimScope:
    """A part of an 837 that claims depend on: the heading, a provider, a person, or a claim.

    An error in it is an error of every claim inside.
    """

    position: int
    """The position of its first segment, ST = 1. It extends to the next scope."""
    parent: ClaimScope | None
    """The scope that it is inside."""


@dataclass(slots=True, eq=False)
class BillingProvider:
    """A billing provider (HL03 20) and its claims."""

    scope: ClaimScope
    name: Sequence[str] = _NOBODY
    """The elements of its NM1*85."""
    tax_id: str = ""
    claims: list[ReceivedClaim] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class ReceivedClaim:
    """A claim: its CLM, and whose it is."""

    scope: ClaimScope
    number: str
    """CLM01."""
    charge: Decimal
    """CLM02; zero if it is no number."""
    patient: Sequence[str]
    """The elements of the patient's NM1, which is the subscriber's if they are one person."""
    member: Sequence[str]
    """The elements of the subscriber's NM1."""
    first_date: str = ""
    last_date: str = ""
    """The period of its services, CCYYMMDD; ``""`` where no date was read."""


@dataclass(slots=True, eq=False)
class ClaimBatch:
    """All claims of one 837."""

    reference: str = ""
    """BHT03."""
    submitter: Sequence[str] = _NOBODY
    receiver: Sequence[str] = _NOBODY
    """The elements of NM1*41 and NM1*40."""
    scopes: list[ClaimScope] = field(default_factory=lambda: [ClaimScope(1, None)])
    """In order of position."""
    providers: list[BillingProvider] = field(default_factory=list)

    @property
    def claim_count(self) -> int:
        """The number of its claims."""
        return sum(len(each.claims) for each in self.providers)


class ClaimReader:
    """Reads one 837; ``batch`` is what was read so far."""

    def __init__(self) -> None:
        self.batch = ClaimBatch()
        self._level = ""
        # The scopes that are open: of the provider, of the subscriber, and the innermost.
        self._provider = self._subscriber = self._scope = self.batch.scopes[0]
        self._member: Sequence[str] = _NOBODY
        self._patient: Sequence[str] = _NOBODY
        self._claim: ReceivedClaim | None = None
        self._readers: Mapping[str, Callable[[int, list[str]], None]] = {
            "BHT": self._beginning,
            "HL": self._level_begins,
            "NM1": self._name,
            "REF": self._reference,
            "CLM": self._claim_begins,
            "DTP": self._date,
        }

    def take(self, position: int, row: list[str]) -> None:
        """Read the segment at ``position``, ST = 1."""
        read = self._readers.get(row[0])
        if read is not None:
            read(position, row)

    def _beginning(self, position: int, row: list[str]) -> None:
        if position == _AFTER_ST:
            self.batch.reference = element_at(row, 3)

    def _level_begins(self, position: int, row: list[str]) -> None:
        self._claim = None
        self._level = element_at(row, 3)
        if self._level == _PROVIDER_LEVEL:
            self._provider = self._subscriber = self._begin(position, self.batch.scopes[0])
            self._scope = self._provider
            self.batch.providers.append(BillingProvider(self._scope))
            self._member = self._patient = _NOBODY
        elif self._level == _SUBSCRIBER_LEVEL:
            self._scope = self._subscriber = self._begin(position, self._provider)
            self._member = self._patient = _NOBODY
        else:
            self._scope = self._begin(position, self._subscriber)
            self._patient = _NOBODY

    def _begin(self, position: int, parent: ClaimScope) -> ClaimScope:
        scope = ClaimScope(position, parent)
        self.batch.scopes.append(scope)
        return scope

    def _name(self, _position: int, row: list[str]) -> None:
        if self._claim is not None:
            return
        role = element_at(row, 1)
        if role == "41" and not self._level:
            self.batch.submitter = row
        elif role == "40" and not self._level:
            self.batch.receiver = row
        elif role == "85" and self._level == _PROVIDER_LEVEL:
            self.batch.providers[-1].name = row
        elif role == "IL" and self._level == _SUBSCRIBER_LEVEL:
            self._member = self._patient = row
        elif role == "QC":
            self._patient = row

    def _reference(self, _position: int, row: list[str]) -> None:
        if self._level == _PROVIDER_LEVEL and element_at(row, 1) in _TAX_IDS:
            self.batch.providers[-1].tax_id = element_at(row, 2)

    def _claim_begins(self, position: int, row: list[str]) -> None:
        if not self.batch.providers:
            self.batch.providers.append(BillingProvider(self._scope))
        charge = element_at(row, 2)
        is_number = _AMOUNT.fullmatch(charge) and charge.strip("-.")
        self._claim = ReceivedClaim(
            self._begin(position, self._scope),
            number=element_at(row, 1),
            charge=Decimal(charge) if is_number else Decimal(0),
            patient=self._patient,
            member=self._member,
        )
        self.batch.providers[-1].claims.append(self._claim)

    def _date(self, _position: int, row: list[str]) -> None:
        claim, text = self._claim, element_at(row, 3)
        if claim is None or element_at(row, 1) not in _SERVICE_DATES or not _DATE.fullmatch(text):
            return
        first, last = text[:8], text[-8:]
        if not is_date(first) or not is_date(last):
            return
        claim.first_date = min(claim.first_date or first, first)
        claim.last_date = max(claim.last_date, last)
