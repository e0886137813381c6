"""What the audit log says of submissions where test and live are kept apart.

What is accepted is told of in the unit that stores it; what is refused, in a unit of its own
(``refusals``).

Source: x12.md section 4 (test and live).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from longshore.domain.acting import RequestContext
from longshore.domain.audit.model import SEPARATION, NewEntry
from longshore.domain.audit.recording import entry_of
from longshore.domain.submission.checks import Remark

PARTNER_NOT_SHOWN: Final = f"{SEPARATION}.partner_not_shown"
_NOT_SHOWN: Final = "A sandbox key sees partners in testing alone; to it, this one is not there."


def separations(acting: RequestContext, remarks: Iterable[Remark], of: str) -> list[NewEntry]:
    """Return what is said of remarks; ``of``: what was stored, or whom it was for."""
    return [
        entry_of(acting, f"{SEPARATION}.{each.code}", of, each.message)
        for each in remarks
        if each.is_separation
    ]


def not_shown(acting: RequestContext, partner_id: int) -> NewEntry:
    """Return what is said of a partner that a key does not see."""
    return entry_of(acting, PARTNER_NOT_SHOWN, f"partner {partner_id}", _NOT_SHOWN)
