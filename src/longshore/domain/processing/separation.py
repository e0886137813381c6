"""What the audit log says of received interchanges where test and live are kept apart. Pure.

Source: x12.md section 4 (test and live).
"""

from __future__ import annotations

from collections.abc import Iterator

from longshore.domain.audit.model import SEPARATION
from longshore.domain.partners.status import is_kept_from_live
from longshore.domain.processing.verdicts import ProcessingNotice, RoutedInterchange, sentence
from longshore.domain.reception.routing import RoutingNote, text_of
from longshore.kit.environment import Environment


def separations(routed: RoutedInterchange, channel: Environment) -> Iterator[ProcessingNotice]:
    """Yield the actions, each with its sentence. ``channel``: the environment it came in."""
    routing = routed.routing
    if channel is not routed.environment:
        text = "ISA15 is not P over a live channel, so this is stored as test."
        yield ProcessingNotice(f"{SEPARATION}.stored_as_test", text)
    if RoutingNote.USAGE_MISMATCH in routing.warnings:
        yield _notice(RoutingNote.USAGE_MISMATCH)
    if any(
        is_kept_from_live(routed.partners[each.partner_id].status, routed.environment)
        for each in routing.groups
        if each.reason is RoutingNote.PARTNER_INACTIVE
    ):
        yield _notice(RoutingNote.PARTNER_INACTIVE)


def _notice(note: RoutingNote) -> ProcessingNotice:
    return ProcessingNotice(f"{SEPARATION}.{note}", sentence(text_of(note)))
