"""The text of an interchange on its way into its rows, and what is known of it.

Source: contract.md section 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from longshore.domain.events.model import NewEvent
from longshore.domain.ports import AccountId, Sealer
from longshore.domain.reception.recording import SealedParts, seal_content
from longshore.domain.submission.drawing import NumbersWanted, draw_numbers
from longshore.domain.submission.numbering import counted_sets, envelope_numbers
from longshore.domain.submission.outlines import InterchangeOutline
from longshore.domain.submission.preparing import Addressees
from longshore.domain.submission.templates import Template, filled
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment


class InterchangeTemplate(NamedTuple):
    """An interchange as it is sent. ``parts``: its text, sealed, ``file_size`` bytes long.

    ``body_digest``: its hash, as of a receipt (``reception.digests``). ``is_allotted``: we gave it
    its numbers.
    """

    text: str
    outline: InterchangeOutline
    parts: SealedParts
    file_size: int
    body_digest: bytes
    is_allotted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unnumbered:
    """An interchange that is numbered in the unit. ``local_now``: in the partner's time zone."""

    owner: tuple[AccountId, Environment]
    addressees: Addressees
    template: Template
    local_now: datetime
    now: datetime


async def numbered(
    unit: WriteUnit, sealer: Sealer, given: Unnumbered
) -> tuple[InterchangeTemplate, tuple[NewEvent, ...]]:
    """Draw the numbers of an interchange; return it, and what is to be told of the numbers.

    It is sealed here and not before the unit: its bytes are only known now.

    Raises:
        NumbersExhaustedError: The partner's range has no free number.
    """
    (partner, own), template = given.addressees, given.template
    settings = partner.terms.settings
    wanted = NumbersWanted(
        owner=given.owner,
        partner=partner,
        own=own,
        groups=len(template.groups),
        sets=counted_sets(template.groups, settings),
    )
    drawn, events = await draw_numbers(unit, wanted, given.now)
    numbers = envelope_numbers(template.groups, drawn, settings, given.local_now)
    text, outline = filled(template, numbers)
    content = text.encode()
    letter = InterchangeTemplate(
        text=text,
        outline=outline,
        parts=seal_content(sealer, content, {}),
        file_size=len(content),
        body_digest=sha256(content).digest(),
        is_allotted=True,
    )
    return letter, events
