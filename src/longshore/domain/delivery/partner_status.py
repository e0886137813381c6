"""The status of a partner as deliveries change it: ``error`` after failures, ``active`` again.

Source: contract.md section 8.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.status import Cause, allowed_steps, step
from longshore.domain.partners.store import StoredPartner
from longshore.domain.ports import WORKER
from longshore.domain.units import WriteUnit

_LEADS_TO: Final = {Cause.SUCCESS: PartnerStatus.ACTIVE, Cause.FAILURE: PartnerStatus.ERROR}


async def step_partner(
    unit: WriteUnit, stored: StoredPartner, cause: Cause, now: datetime
) -> tuple[NewEvent, ...]:
    """Change the status of a partner that fails or works again; in other statuses it stays."""
    start, to = stored.state, _LEADS_TO[cause]
    if to not in allowed_steps(start, cause):
        return ()
    if not await unit.partners.set_state(stored.id, start, step(start, to, cause), now):
        return ()
    data = {
        "partner_id": stored.id,
        "partner_status": to.value,
        "previous_status": start.status.value,
    }
    return (NewEvent(type=EventType.PARTNER_STATUS_CHANGED, data=data, actor=WORKER),)
