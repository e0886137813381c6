"""Verdicts as values: what becomes of a received interchange and of each of its sets.

Also the audit entries for interchanges whose ISA15 contradicts the channel.

Source: x12.md section 4 (test and live).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from longshore.domain.audit.model import SEPARATION
from longshore.domain.delivery.model import JobKind
from longshore.domain.inbound.duplicates import Repetition, RepetitionCheck
from longshore.domain.inbound.parser import ParsedInterchange
from longshore.domain.inbound.routing import Routing, RoutingProblem, text_of
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import Pair, Partner, PartnerId, Route
from longshore.domain.partners.status import is_kept_from_live
from longshore.domain.transactions.model import (
    AckStatus,
    InterchangeId,
    ProcessingStatus,
    ValidationStatus,
)
from longshore.kit.environment import Environment
from longshore.x12.acks.build import AckPlan
from longshore.x12.control import GroupSummary

NO_SET: Final = 0


class ProcessingMode(NamedTuple):
    """The occasion on which an interchange is processed."""

    is_forced: bool
    """A person wants it in spite of whose it is and of its envelope; then there is no TA1, which
    was due once, when it came.
    """
    repetitions: frozenset[Repetition]
    """Of those, it is not processed."""
    is_acknowledged: bool = True


_DUPLICATE: Final = frozenset({Repetition.DUPLICATE})
PROCESSING_MODES: Final[Mapping[str, ProcessingMode]] = {
    JobKind.RECEIVE: ProcessingMode(
        is_forced=False, repetitions=_DUPLICATE | {Repetition.NUMBER_REJECTED}
    ),
    # What was set aside may have come once more since then, and have been processed.
    JobKind.RELEASE: ProcessingMode(is_forced=True, repetitions=_DUPLICATE),
    JobKind.REPLAY: ProcessingMode(is_forced=True, repetitions=frozenset(), is_acknowledged=False),
    JobKind.REPLAY_ACKNOWLEDGED: ProcessingMode(is_forced=True, repetitions=frozenset()),
}
"""By the kind of the entry that asks for it."""


class ProcessingNotice(NamedTuple):
    """Something to be said to people, without document content."""

    code: str
    message: str
    tx_index: int | None = None
    """Of a set, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDisposition:
    """The decision about a set."""

    index: int
    """From 1; ``NO_SET`` stands for an interchange that is set aside and has none."""
    group: int | None
    """Of its group in the interchange, from 0."""
    partner_id: PartnerId
    processing: ProcessingStatus
    validation: ValidationStatus = ValidationStatus.NOT_CHECKED
    ack: AckStatus = AckStatus.NOT_EXPECTED
    error: ProcessingNotice | None = None
    """The error that its record names."""
    route: Route | None = None
    """The route of a set that is passed on."""
    is_passed_on: bool = False
    """It was accepted, and nothing holds it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedInterchange:
    """An interchange of which it is known whose it is."""

    read: ParsedInterchange
    partner: Partner
    partners: Mapping[PartnerId, Partner]
    routing: Routing
    pair: Pair
    """Sender and receiver as the identities that they were found to be are written."""
    mode: ProcessingMode

    @property
    def environment(self) -> Environment:
        """That of all its rows."""
        return self.routing.environment


@dataclass(frozen=True, slots=True, kw_only=True)
class InterchangeDisposition:
    """The decision about an interchange."""

    status: InterchangeStatus
    sets: tuple[SetDisposition, ...]
    """In order of the document."""
    reason: str | None = None
    """The code of why it is set aside."""
    notices: tuple[ProcessingNotice, ...] = ()
    repetition: RepetitionCheck | None = None
    plan: AckPlan | None = None
    """The acknowledgement to be sent, if one is."""

    @property
    def is_processed(self) -> bool:
        """Return whether its groups are looked at."""
        return self.status is InterchangeStatus.PROCESSED

    @property
    def repeats(self) -> InterchangeId | None:
        """Return the interchange that it repeats; an id below 0 is of the same document."""
        if self.status is not InterchangeStatus.DUPLICATE:
            return None
        assert self.repetition is not None  # that is why
        assert self.repetition.earlier is not None
        return self.repetition.earlier.interchange_id


def sentence(text: str) -> str:
    """Return a text of ours as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."


def groups_by_set(groups: Sequence[GroupSummary]) -> dict[int, int]:
    """Return in which of the groups, from 0, each set stands; sets by index, from 1."""
    return {index: at for at, group in enumerate(groups) for index in group.sets}


def separations(routed: RoutedInterchange, channel: Environment) -> Iterator[ProcessingNotice]:
    """Yield the actions, each with its sentence. ``channel`` is the environment it came in."""
    routing = routed.routing
    if channel is not routed.environment:
        text = "ISA15 is not P over a live channel, so this is stored as test."
        yield ProcessingNotice(f"{SEPARATION}.stored_as_test", text)
    if RoutingProblem.USAGE_MISMATCH in routing.warnings:
        yield _notice(RoutingProblem.USAGE_MISMATCH)
    if any(
        is_kept_from_live(routed.partners[each.partner_id].status, routed.environment)
        for each in routing.groups
        if each.reason is RoutingProblem.PARTNER_INACTIVE
    ):
        yield _notice(RoutingProblem.PARTNER_INACTIVE)


def _notice(note: RoutingProblem) -> ProcessingNotice:
    return ProcessingNotice(f"{SEPARATION}.{note}", sentence(text_of(note)))
