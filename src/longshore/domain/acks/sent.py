"""What we had sent, as far as an acknowledgement of it is concerned; and which of it one answers.

Source: x12.md section 2.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar

from longshore.domain.acks.model import GroupId
from longshore.domain.partners.addresses import Pair
from longshore.domain.transactions.model import (
    ACK_OUTCOMES,
    AckStatus,
    InterchangeId,
    TransactionId,
)
from longshore.x12.acks.read import GroupAck, ReceivedTa1
from longshore.x12.control import is_same_number


@dataclass(frozen=True, slots=True, kw_only=True)
class SentSetState:
    """A set that we had sent, and what was answered so far.

    ``is_resent``: a person had it sent once more after the last answer, or after a TA1 refused it.
    """

    transaction_id: TransactionId
    set_id: str
    control_number: str
    ack: AckStatus
    is_resent: bool = False

    @property
    def is_answered(self) -> bool:
        """Whether the partner has said what became of it."""
        return self.ack in ACK_OUTCOMES


@dataclass(frozen=True, slots=True, kw_only=True)
class SentGroup:
    """A group that we had sent.

    ``gs_sender`` and ``gs_receiver``: GS02 and GS03. ``sent_at`` None: nothing is known to have
    arrived. ``answers``: digests of the acknowledgements received for it.
    """

    group_id: GroupId
    interchange_id: InterchangeId
    pair: Pair
    gs_sender: str
    gs_receiver: str
    functional_id: str
    control_number: str
    sent_at: datetime | None
    sets: tuple[SentSetState, ...]
    answers: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class SentInterchange:
    """An interchange that we had sent, with its sets. ``date`` and ``time``: ISA09 and ISA10."""

    interchange_id: InterchangeId
    pair: Pair
    control_number: str
    date: str
    time: str
    sent_at: datetime | None
    sets: tuple[SentSetState, ...]
    answers: frozenset[bytes] = frozenset()


class AckOrigin(NamedTuple):
    """The envelope an acknowledgement came in. ``gs_sender``, ``gs_receiver``: of its own GS.

    ``pair``: the identities that its addresses were found to be, so that another case of letters
    in its ISA does no harm.
    """

    pair: Pair
    gs_sender: str
    gs_receiver: str
    received_at: datetime


SentT = TypeVar("SentT", SentGroup, SentInterchange)


class Match(NamedTuple):
    """What an acknowledgement answers. ``is_weak``: the application ids did not fit."""

    is_weak: bool
    is_ambiguous: bool


def matching_group(
    ack: GroupAck, origin: AckOrigin, candidates: Sequence[SentGroup]
) -> tuple[SentGroup, Match] | None:
    """Return the group that a 997 or 999 answers, or None.

    ``candidates``: groups we sent in the same environment; those of other pairs are passed over.
    """
    own = origin.pair.swapped()
    of_pair = [
        each
        for each in candidates
        if each.pair == own
        and each.functional_id == ack.functional_id
        and is_same_number(each.control_number, ack.control_number)
    ]
    exact = [
        each
        for each in of_pair
        if (each.gs_sender, each.gs_receiver) == (origin.gs_receiver, origin.gs_sender)
    ]
    return _one_of(exact or of_pair, origin.received_at, is_weak=not exact)


def matching_interchange(
    ta1: ReceivedTa1, origin: AckOrigin, candidates: Sequence[SentInterchange]
) -> tuple[SentInterchange, Match] | None:
    """Return the interchange that a TA1 answers, or None."""
    own = origin.pair.swapped()
    found = [
        each
        for each in candidates
        if each.pair == own
        and is_same_number(each.control_number, ta1.control_number)
        and (each.date, each.time) == (ta1.date, ta1.time)
    ]
    return _one_of(found, origin.received_at, is_weak=False)


def _one_of(
    found: Sequence[SentT], received_at: datetime, *, is_weak: bool
) -> tuple[SentT, Match] | None:
    """Return the only one; else the latest sent before that is unanswered, else the latest."""
    if not found:
        return None
    sent_before = [each for each in found if each.sent_at and each.sent_at <= received_at]
    waiting = [each for each in sent_before if not any(one.is_answered for one in each.sets)]
    chosen = max(waiting or found, key=_seconds)
    return chosen, Match(is_weak=is_weak, is_ambiguous=len(found) > 1)


def _seconds(sent: SentGroup | SentInterchange) -> float:
    return sent.sent_at.timestamp() if sent.sent_at else 0.0
