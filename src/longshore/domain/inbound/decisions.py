"""Pure decisions about a received interchange and each of its sets.

In this order: whose it is (``reception/routing``), whether it can be answered at all (TA105),
whether it was received before (``reception/duplicates``), then group by group and set by set. All
of an interchange is assessed by the settings of the partner whose channel it came in; what was
agreed about a set and which map is run over it is said by the partner that its GS names.

Source: x12.md sections 2.4, 2.5, 3 and 4, contract.md section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from longshore.domain.inbound.dispositions import (
    NO_SET,
    InterchangeDisposition,
    ProcessingMode,
    ProcessingNotice,
    RoutedInterchange,
    SetDisposition,
    groups_by_set,
    sentence,
)
from longshore.domain.inbound.duplicates import (
    DUPLICATE_TA1,
    Earlier,
    Received,
    Repetition,
    RepetitionCheck,
    check_repetition,
)
from longshore.domain.inbound.parser import ParsedInterchange
from longshore.domain.inbound.routing import (
    ACKNOWLEDGEMENTS,
    PartnerChannel,
    RoutedGroup,
    Routing,
    is_agreed,
    route_interchange,
    text_of,
)
from longshore.domain.inbound.set_dispositions import (
    SET_NOT_AGREED_ACK,
    SET_NOT_CHECKED,
    SUSPENDED,
    SetDispositions,
    accepted_sets,
)
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import (
    Address,
    Identity,
    Pair,
    Partner,
    PartnerId,
    address_of,
    having,
)
from longshore.domain.partners.setting_kinds import OnError
from longshore.domain.transactions.model import ProcessingStatus
from longshore.x12.acks.assessment import ReceivedInterchange, assess_groups, assess_interchange
from longshore.x12.acks.build import AckPlan, plan_acks
from longshore.x12.acks.codes import Status
from longshore.x12.acks.profile import AckProfile, UnknownSets
from longshore.x12.control import GroupSummary
from longshore.x12.findings import Finding, FindingCode

_NOT_CHECKED_BY: Final = frozenset((FindingCode.NO_DEFINITION, FindingCode.GUIDE_UNKNOWN))


def route(
    read: ParsedInterchange,
    channel: PartnerChannel,
    own: Sequence[Identity],
    partners: Sequence[Partner],
    mode: ProcessingMode,
) -> RoutedInterchange:
    """Return whose an interchange is. ``partners`` is all of the account."""
    routing = route_interchange(read.addressed, channel, own, partners)
    pair = read.addressed.pair
    return RoutedInterchange(
        read=read,
        partner=channel.partner,
        partners={each.id: each for each in partners},
        routing=_forced(routing, read, channel.partner.id) if mode.is_forced else routing,
        pair=Pair(
            _found(pair.sender, [each.terms.identity for each in (channel.partner, *partners)]),
            _found(pair.receiver, own),
        ),
        mode=mode,
    )


def decide(
    routed: RoutedInterchange, new: Received, earlier: Sequence[Earlier]
) -> InterchangeDisposition:
    """Return what becomes of an interchange.

    ``new`` and ``earlier`` are it and those that were processed under its number and addresses,
    their digests keyed alike.
    """
    routing, received = routed.routing, routed.read.received
    if routing.reason is not None:
        error = ProcessingNotice(routing.reason.value, f"{sentence(text_of(routing.reason))}")
        return _set_aside(routed, error, routing.ta1_code)
    structure = assess_interchange(received.summary)
    if structure.status is Status.REJECTED and not routed.mode.is_forced:
        return _set_aside(routed, _refused(routed.read, structure.code))
    settings = routed.partner.terms.settings
    repetition = check_repetition(new, earlier, settings, routed.environment)
    if repetition.repetition not in routed.mode.repetitions:
        return _processed(routed, repetition)
    if repetition.repetition is Repetition.DUPLICATE:
        return _duplicate(routed, repetition)
    error = ProcessingNotice(
        DUPLICATE_TA1, "Its control number (ISA13) was used before, by another content."
    )
    disposition = _set_aside(routed, error, repetition.ta1_code)
    return replace(disposition, repetition=repetition)


# ---- whose it is ---------------------------------------------------------------------------------


def _found(address: Address, identities: Sequence[Identity]) -> Address:
    """Return the address of the identity that ``address`` matches, in the identity's spelling."""
    found = having(address, identities)
    return address_of(identities[found.indexes[0]]) if found.indexes else address


def _forced(routing: Routing, read: ParsedInterchange, partner_id: PartnerId) -> Routing:
    """Return a routing that sets nothing aside; what it would have is a warning.

    That ISA15 is P on a test channel stays known: nothing is answered as live.
    """
    groups = routing.groups or tuple(RoutedGroup(partner_id, None) for _ in read.addressed.groups)
    reasons = [routing.reason, *(group.reason for group in groups)]
    return routing._replace(
        reason=None,
        ta1_code="" if routing.reason else routing.ta1_code,
        groups=tuple(group._replace(reason=None) for group in groups),
        warnings=tuple(dict.fromkeys((*filter(None, reasons), *routing.warnings))),
    )


def _routing_notices(routed: RoutedInterchange) -> tuple[ProcessingNotice, ...]:
    return tuple(
        ProcessingNotice(note.value, sentence(text_of(note, is_warning=not routed.mode.is_forced)))
        for note in routed.routing.warnings
    )


# ---- what is not processed -----------------------------------------------------------------------


def _refused(read: ParsedInterchange, code: str) -> ProcessingNotice:
    """Return what is said of an interchange that its TA1 rejects, by the finding that says why."""
    why = next((each.message for each in read.findings if _is_about(each, code)), None)
    if why is None:
        why = "the elements of the ISA are not padded to their widths"
    return ProcessingNotice(code, sentence(why))


def _is_about(finding: Finding, code: str) -> bool:
    return finding.ack_code is not None and finding.ack_code.get("interchange") == code


def _set_aside(
    routed: RoutedInterchange, error: ProcessingNotice, ta1_code: str = ""
) -> InterchangeDisposition:
    sets = _unprocessed(routed, ProcessingStatus.QUARANTINED, error)
    if not sets:
        sets = (
            SetDisposition(
                index=NO_SET,
                group=None,
                partner_id=routed.partner.id,
                processing=ProcessingStatus.QUARANTINED,
                error=error,
            ),
        )
    return InterchangeDisposition(
        status=InterchangeStatus.QUARANTINED,
        sets=sets,
        reason=error.code,
        notices=_routing_notices(routed),
        plan=_ta1_alone(routed, ta1_code),
    )


def _duplicate(routed: RoutedInterchange, repetition: RepetitionCheck) -> InterchangeDisposition:
    return InterchangeDisposition(
        status=InterchangeStatus.DUPLICATE,
        sets=_unprocessed(routed, ProcessingStatus.DUPLICATE, None),
        notices=_routing_notices(routed),
        repetition=repetition,
        plan=_ta1_alone(routed, repetition.ta1_code),
    )


def _unprocessed(
    routed: RoutedInterchange, processing: ProcessingStatus, error: ProcessingNotice | None
) -> tuple[SetDisposition, ...]:
    groups = groups_by_set(routed.read.received.groups)
    return tuple(
        SetDisposition(
            index=index,
            group=groups.get(index),
            partner_id=routed.partner.id,
            processing=processing,
            error=error,
        )
        for index in routed.read.received.sets
    )


def _ta1_alone(routed: RoutedInterchange, ta1_code: str) -> AckPlan | None:
    """Return the TA1 that rejects an interchange, if it is due."""
    if routed.mode.is_forced:
        return None
    received = routed.read.received
    for code in filter(None, (routed.routing.ta1_code, ta1_code)):
        received = _with_code(received, code)
    return plan_acks(received, profile_of(routed))


def _with_code(received: ReceivedInterchange, ta1_code: str) -> ReceivedInterchange:
    summary = received.summary
    return replace(received, summary=replace(summary, codes=(ta1_code, *summary.codes)))


def profile_of(routed: RoutedInterchange) -> AckProfile:
    """Return the settings by which an interchange is acknowledged."""
    terms = routed.partner.terms
    profile = terms.settings.ack_profile(terms.ack_type, routed.environment)
    if profile.unknown_sets is UnknownSets.HOLD and routed.mode.is_forced:
        return replace(profile, unknown_sets=UnknownSets.ACCEPT)  # a person has chosen
    return profile


# ---- what is processed ---------------------------------------------------------------------------


def _processed(routed: RoutedInterchange, repetition: RepetitionCheck) -> InterchangeDisposition:
    received = _agreed(routed)
    profile = profile_of(routed)
    assessed = assess_groups(received, profile)
    if any(group.is_held for group in assessed):
        return _held(routed, received, profile)
    plan = _plan(routed, received, profile)
    # A person who wants it processed again wants what is good of it, whatever else was held back.
    settings = routed.partner.terms.settings
    passed = accepted_sets(assessed, OnError.SPLIT if routed.mode.is_forced else settings.on_error)
    is_acknowledged = plan is not None and bool(plan.groups)
    sets = SetDispositions(routed, passed, is_acknowledged=is_acknowledged).of(assessed)
    reasons = {each.error.code for each in sets if _is_set_aside(each) and each.error}
    is_set_aside = bool(sets) and all(map(_is_set_aside, sets))
    notices = _routing_notices(routed)
    if repetition.warning:
        message = "Its control number (ISA13) was used before, by another content."
        notices += (ProcessingNotice(repetition.warning, message),)
    return InterchangeDisposition(
        status=InterchangeStatus.QUARANTINED if is_set_aside else InterchangeStatus.PROCESSED,
        sets=sets,
        reason=min(reasons) if is_set_aside else None,
        notices=notices,
        repetition=repetition,
        plan=plan,
    )


def _held(
    routed: RoutedInterchange, received: ReceivedInterchange, profile: AckProfile
) -> InterchangeDisposition:
    """Return the verdict on an interchange with sets that were not checked; a TA1 is still due."""
    findings = (each for each in routed.read.findings if each.code in _NOT_CHECKED_BY)
    reasons = (f" ({each.path}: {each.message})" for each in findings)
    message = (
        f"It holds a transaction set that was not checked{next(reasons, '')}; release it to accept "
        "it unchecked."
    )
    plan = plan_acks(received, profile)
    is_due = plan is not None and plan.has_ta1
    return replace(
        _set_aside(routed, ProcessingNotice(SET_NOT_CHECKED, message)),
        plan=plan._replace(groups=()) if plan is not None and is_due else None,
    )


def _is_set_aside(disposition: SetDisposition) -> bool:
    """Tell whether a set was not looked at; what is held back was, and is answered."""
    is_suspended = disposition.error is not None and disposition.error.code == SUSPENDED
    return disposition.processing is ProcessingStatus.QUARANTINED and not is_suspended


def _agreed(routed: RoutedInterchange) -> ReceivedInterchange:
    """Return the groups that are processed, with what only we know of their sets."""
    received, routing = routed.read.received, routed.routing
    sets = dict(received.sets)
    groups = []
    for group, whose in zip(received.groups, routing.groups, strict=True):
        if whose.reason is not None:
            continue
        groups.append(group)
        for index in group.sets:
            if not _is_agreed(routed, group, index, whose.partner_id):
                sets[index] = replace(sets[index], codes=(*sets[index].codes, SET_NOT_AGREED_ACK))
    stored_answer = replace(received, groups=groups, sets=sets)
    return _with_code(stored_answer, routing.ta1_code) if routing.ta1_code else stored_answer


def _is_agreed(
    routed: RoutedInterchange, group: GroupSummary, index: int, partner_id: PartnerId
) -> bool:
    if group.functional_id == ACKNOWLEDGEMENTS:
        return True
    return is_agreed(routed.partners[partner_id], routed.read.received.sets[index].set_id)


def _plan(
    routed: RoutedInterchange, received: ReceivedInterchange, profile: AckProfile
) -> AckPlan | None:
    if not routed.mode.is_forced:
        return plan_acks(received, profile)
    if not routed.mode.is_acknowledged:
        return None
    # Its envelope may be what it was set aside for: that is passed over, and no TA1 reports it.
    passed_over = replace(received.summary, codes=(), is_fixed_width=True)
    plan = plan_acks(replace(received, summary=passed_over), profile)
    if plan is None or not plan.groups:
        return None
    return plan._replace(summary=received.summary, has_ta1=False)
