"""Terms of a partner that could never work: refused when they are saved, not when they are read.

What was stored before is still read and shown, so ``read_partner`` takes it.
"""

from __future__ import annotations

from longshore.domain.partners.connection_members import PLANNED_TYPES, not_built
from longshore.domain.partners.connections import Connection, HttpConnection
from longshore.domain.partners.errors import InvalidPartnerError
from longshore.domain.partners.members import RequestFaults
from longshore.domain.partners.model import Connections, PartnerTerms
from longshore.domain.partners.settings import (
    DEFAULT_SETTINGS,
    PARAM,
    PLANNED_SETTINGS,
    PartnerSettings,
)
from longshore.domain.partners.targets import DestinationRules, read_target


def refuse_unusable(terms: PartnerTerms, destinations: DestinationRules) -> None:
    """Refuse terms that name what is not built yet, or an address that nothing is sent to.

    Raises:
        InvalidPartnerError: With a detail for each.
    """
    faults = RequestFaults()
    _judge_connections(terms.connections, destinations, faults)
    _judge_settings(terms.settings, faults)
    if faults.details:
        raise InvalidPartnerError(faults.details)


def _judge_connections(
    connections: Connections, destinations: DestinationRules, faults: RequestFaults
) -> None:
    sides: tuple[tuple[str, Connection], ...] = (
        ("test", connections.test),
        ("live", connections.live),
    )
    for side, connection in sides:
        param = f"connections.{side}"
        if connection.type in PLANNED_TYPES:
            faults.extend((not_built(connection.type, param),))
        elif isinstance(connection, HttpConnection):
            target = read_target(connection.url)
            refusal = destinations.refusal(target, may_be_plain=side == "test")
            if refusal:
                faults.add(f"{param}.url", refusal)


def _judge_settings(settings: PartnerSettings, faults: RequestFaults) -> None:
    for name in PLANNED_SETTINGS:
        if getattr(settings, name) != getattr(DEFAULT_SETTINGS, name):
            text = f'The setting "{name}" is not built yet, so it has no effect. Leave it out.'
            faults.add(f"{PARAM}.{name}", text)
