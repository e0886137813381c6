"""What an attempt says of a partner: whether the connection works, and whether the trade does.

Source: contract.md section 8.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from longshore.domain.acting import WORKER
from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.partners.model import ConnectionStatus, PartnerStatus
from longshore.domain.partners.status import Cause, allowed_steps, step
from longshore.domain.partners.store import StoredPartner
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment

_LEADS_TO: Final = {Cause.SUCCESS: PartnerStatus.ACTIVE, Cause.FAILURE: PartnerStatus.ERROR}


async def note_connection(
    unit: WriteUnit,
    stored: StoredPartner,
    environment: Environment,
    verdict: AttemptVerdict,
) -> None:
    """Note whether the connection of an environment works."""
    status = ConnectionStatus.FAILING
    if verdict.outcome is AttemptOutcome.SUCCEEDED:
        status = ConnectionStatus.CONNECTED
    elif verdict.disables:
        status = ConnectionStatus.DISABLED
    await unit.partners.set_connection_status(stored.id, environment, status)


async def step_partner(
    unit: WriteUnit, stored: StoredPartner, cause: Cause, now: datetime
) -> tuple[NewEvent, ...]:
    """Step a partner that failed or works again; of one in any other status nothing changes."""
    start, to = stored.standing, _LEADS_TO[cause]
    if to not in allowed_steps(start, cause):
        return ()
    if not await unit.partners.set_standing(stored.id, start, step(start, to, cause), now):
        return ()
    data = {
        "partner_id": stored.id,
        "partner_status": to.value,
        "previous_status": start.status.value,
    }
    return (NewEvent(type=EventType.PARTNER_STATUS_CHANGED, data=data, actor=WORKER),)
