"""Whose a received interchange is: by the channel it came in, by its ISA and by each GS.

The channel authenticates, the ISA only addresses. So an interchange that names another sender than
the partner whose channel it came in is never processed as live; on a test channel it is, for that
partner, with a warning that says what production would do.

    channel   ISA15         stored as
    live      P             live
    live      anything else test, and passed to nothing live
    test      anything      test; P is a warning and TA1 E 020

A channel that many partners share, as the mailbox of a VAN, authenticates none of them: the ISA
says whose an interchange is, and one of nobody is set aside, on a test channel as well.

Source: x12.md section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final, NamedTuple

from longshore.domain.partners.envelopes import INFORMATION, LIVE, environment_of
from longshore.domain.partners.model import (
    AddressMatches,
    Direction,
    Identity,
    Pair,
    Partner,
    PartnerId,
    Route,
    having,
    pair_of,
)
from longshore.domain.partners.status import takes_documents
from longshore.kit.environment import Environment
from longshore.x12.acks.assessment import ReceivedInterchange
from longshore.x12.writer.headers import GroupHeader

ACKNOWLEDGEMENTS: Final = "FA"
TEST_INDICATOR_TA1: Final = "020"


@unique
class RoutingProblem(StrEnum):
    """A problem of routing: a reason of quarantine, or a warning."""

    IDENTITY_MISMATCH = "identity_mismatch"
    UNKNOWN_SENDER = "unknown_sender"
    UNKNOWN_RECEIVER = "unknown_receiver"
    PARTNER_INACTIVE = "partner_inactive"
    USAGE_MISMATCH = "usage_mismatch"
    ID_CASE = "id_case"


TA1_CODES: Final = {
    RoutingProblem.IDENTITY_MISMATCH: "006",
    RoutingProblem.UNKNOWN_SENDER: "006",
    RoutingProblem.UNKNOWN_RECEIVER: "009",
}
"""The TA1 code of a quarantined interchange, if one is due."""

_TEXTS: Final = {
    RoutingProblem.IDENTITY_MISMATCH: "the sender in the ISA is not the partner this came from",
    RoutingProblem.UNKNOWN_SENDER: "the sender in the ISA is none of your partners",
    RoutingProblem.UNKNOWN_RECEIVER: "the receiver in the ISA is none of your identities",
    RoutingProblem.PARTNER_INACTIVE: "the partner takes no such documents at present",
    RoutingProblem.USAGE_MISMATCH: "ISA15 is P over a test channel, so this is processed as test",
    RoutingProblem.ID_CASE: "an id in the ISA is written in another case than in the settings",
}


def text_of(note: RoutingProblem, *, is_warning: bool = False) -> str:
    """Return what a note says, without content of the document; of a warning, what it forgives."""
    is_forgiven = is_warning and note in TA1_CODES
    return f"{_TEXTS[note]}; production would quarantine it" if is_forgiven else _TEXTS[note]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerChannel:
    """The way a document came in: whose it is, and for which environment."""

    partner: Partner
    environment: Environment
    is_shared: bool = False
    """Documents of many partners come in this way, so that the ISA alone says whose each is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressedGroup:
    """GS01 to GS03 of a group that was received."""

    functional_id: str
    sender: str
    receiver: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressedInterchange:
    """An interchange as it is routed by."""

    pair: Pair
    usage: str
    """ISA15, trimmed."""
    groups: tuple[AddressedGroup, ...]


def addressed(received: ReceivedInterchange) -> AddressedInterchange:
    """Return an interchange that was read as it is routed by."""
    header = received.summary.header
    heads = [GroupHeader.of(each.header) for each in received.groups]
    return AddressedInterchange(
        pair=pair_of(header),
        usage=header[15].strip(),
        groups=tuple(
            AddressedGroup(
                functional_id=head.functional_id, sender=head.sender, receiver=head.receiver
            )
            for head in heads
        ),
    )


class RoutedGroup(NamedTuple):
    """The partner of a group."""

    partner_id: PartnerId
    reason: RoutingProblem | None
    """The reason why it is not processed, None if it is."""


class Routing(NamedTuple):
    """Whose an interchange is, and what becomes of it."""

    environment: Environment
    """Of all its rows."""
    reason: RoutingProblem | None
    """Why all of it is quarantined, or None; then ``groups`` is empty."""
    ta1_code: str
    """The code of its TA1, if one is due, ``""`` for nothing of ours."""
    is_acknowledged: bool
    """Whether 997 or 999 may be made at all."""
    groups: tuple[RoutedGroup, ...]
    warnings: tuple[RoutingProblem, ...]


def route_interchange(
    given: AddressedInterchange,
    channel: PartnerChannel,
    own: Sequence[Identity],
    partners: Sequence[Partner],
) -> Routing:
    """Return whose a received interchange is. ``partners`` is all of the account."""
    is_test_channel = channel.environment is Environment.SANDBOX
    is_forgiving = is_test_channel and not channel.is_shared
    sharing = having(given.pair.sender, [each.terms.identity for each in partners])
    receiver = having(given.pair.receiver, own)
    senders = [partners[at] for at in sharing.indexes]
    faults = [*_faults(senders, receiver, channel)]
    notes = [] if sharing.is_exact and receiver.is_exact else [RoutingProblem.ID_CASE]
    ta1_code = ""
    if is_test_channel and given.usage == LIVE:
        notes.append(RoutingProblem.USAGE_MISMATCH)
        ta1_code = TEST_INDICATOR_TA1
    environment = environment_of(given.usage, channel.environment)
    reason = faults[0] if faults and not is_forgiving else None
    groups: tuple[RoutedGroup, ...] = ()
    if reason is None:
        notes = [*faults, *notes]
        among = [] if faults else senders
        groups = tuple(
            _route_group(group, among, channel.partner, environment) for group in given.groups
        )
    return Routing(
        environment=environment,
        reason=reason,
        ta1_code=_refusal_code(reason, channel) if reason else ta1_code,
        is_acknowledged=given.usage != INFORMATION,
        groups=groups,
        warnings=tuple(notes),
    )


def _refusal_code(reason: RoutingProblem, channel: PartnerChannel) -> str:
    """Return the code of the TA1 that says so; ``""`` if there is nobody to tell it."""
    is_nobodys = channel.is_shared and reason is RoutingProblem.UNKNOWN_SENDER
    return "" if is_nobodys else TA1_CODES[reason]


def sender_of(pair: Pair, partners: Sequence[Partner]) -> Partner | None:
    """Return the partner that the ISA names as the sender; None if there is none."""
    found = having(pair.sender, [each.terms.identity for each in partners])
    return partners[found.indexes[0]] if found.indexes else None


def _faults(
    senders: Sequence[Partner], receiver: AddressMatches, channel: PartnerChannel
) -> list[RoutingProblem]:
    """Return what is wrong with the addresses, the sender first."""
    faults = []
    if not senders:
        faults.append(RoutingProblem.UNKNOWN_SENDER)
    elif channel.partner.id not in {each.id for each in senders}:
        faults.append(RoutingProblem.IDENTITY_MISMATCH)
    if not receiver.indexes:
        faults.append(RoutingProblem.UNKNOWN_RECEIVER)
    return faults


def _route_group(
    group: AddressedGroup, senders: Sequence[Partner], own: Partner, environment: Environment
) -> RoutedGroup:
    """Return whose a group is: of several partners with this ISA id, the one that GS02 names."""
    named = [each for each in senders if each.terms.identity.group_id == group.sender]
    is_own = own in named or not named
    partner = own if is_own else named[0]
    is_answer = group.functional_id == ACKNOWLEDGEMENTS
    if is_answer or takes_documents(partner.status, environment):
        return RoutedGroup(partner.id, None)
    return RoutedGroup(partner.id, RoutingProblem.PARTNER_INACTIVE)


def is_agreed(partner: Partner, tx_set: str) -> bool:
    """Tell whether sets of this code were agreed (else AK502 1); without a list, all are."""
    agreed = partner.terms.tx_sets
    return not agreed or tx_set in agreed


def route_of(partner: Partner, tx_set: str, direction: Direction) -> Route | None:
    """Return what is to be done with sets of this code, None if nothing is."""
    return next(
        (
            route
            for route in partner.terms.routes
            if (route.tx_set, route.direction) == (tx_set, direction)
        ),
        None,
    )
