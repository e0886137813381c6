"""Detection of interchanges that were received before, and the decision about them.

    number   content   received before                    result
    same     same      within the window                  duplicate
    same     other     within the window                  rejected, or accepted with a warning
    same     any       earlier, with other ISA09/ISA10    accepted: the counter rolled over
    other    a set's   ever                               accepted with a warning

An interchange with the same number, date and time is the same one however long ago it came.

Source: x12.md section 3 (inbound duplicates).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final, NamedTuple

from longshore.domain.partners.setting_kinds import DuplicateNumber
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.transactions.model import InterchangeId
from longshore.kit.environment import Environment

DUPLICATE_TA1: Final = "025"


@unique
class Repetition(StrEnum):
    """The relation of a received interchange to those received before."""

    NEW = "new"
    DUPLICATE = "duplicate"
    NUMBER_REJECTED = "number_rejected"
    NUMBER_ACCEPTED = "number_accepted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """The facts by which duplicates are recognised."""

    sha256: bytes
    """Of its text (``digests``)."""
    date: str
    """ISA09."""
    time: str
    """ISA10."""
    received_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """One received before, with the same addresses, number and environment."""

    interchange_id: InterchangeId
    received: Received


class RepetitionCheck(NamedTuple):
    """Result of the search for an earlier interchange."""

    repetition: Repetition
    earlier: Earlier | None = None
    """The interchange that it repeats, or shares its number with."""
    ta1_code: str = ""
    """The code of its TA1, if one is due."""
    is_acknowledged_again: bool = False
    """The acknowledgement of the earlier one is sent anew."""
    warning: str = ""
    """``duplicate_number``, or ``""``."""

    @property
    def is_processed(self) -> bool:
        """Return whether its sets are processed."""
        return self.repetition in {Repetition.NEW, Repetition.NUMBER_ACCEPTED}


_NEW: Final = RepetitionCheck(Repetition.NEW)
_BY_DEFAULT: Final = {
    Environment.PRODUCTION: DuplicateNumber.REJECT,
    Environment.SANDBOX: DuplicateNumber.ACCEPT_WARN,
}


def check_repetition(
    new: Received,
    earlier: Sequence[Earlier],
    settings: PartnerSettings,
    environment: Environment,
) -> RepetitionCheck:
    """Return what an interchange is to those received before under its addresses and number.

    ``earlier`` is in any order; those that were duplicates themselves may be left out.
    """
    window = timedelta(days=settings.dup_window_days)
    counting = [each for each in earlier if _counts(each.received, new, window)]
    if not counting:
        return _NEW
    same = [each for each in counting if each.received.sha256 == new.sha256]
    if same:
        return RepetitionCheck(
            Repetition.DUPLICATE,
            same[0],
            DUPLICATE_TA1,
            is_acknowledged_again=settings.reack_duplicates,
        )
    latest = max(counting, key=_received_at)
    rule = settings.duplicate_number or _BY_DEFAULT[environment]
    if rule is DuplicateNumber.REJECT:
        return RepetitionCheck(Repetition.NUMBER_REJECTED, latest, DUPLICATE_TA1)
    return RepetitionCheck(Repetition.NUMBER_ACCEPTED, latest, warning="duplicate_number")


def _counts(earlier: Received, new: Received, window: timedelta) -> bool:
    is_recent = new.received_at - earlier.received_at <= window
    return is_recent or (earlier.date, earlier.time) == (new.date, new.time)


def _received_at(earlier: Earlier) -> datetime:
    return earlier.received.received_at
