"""The status of a partner: its transitions, why a document is held, and terms that never work.

    pending → testing
    testing → active, inactive
    active → testing, inactive, error
    inactive → the state before
    error → active, inactive

Nobody requests ``error``: the service sets it on an active partner, and the next success ends it. A
partner that leaves ``error`` by way of ``inactive`` comes back as ``active``. Terms that never work
are refused when they are saved; ``read_partner`` still reads what was stored before.

Source: contract.md sections 5 (``last_error.code``) and 8.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum, unique
from typing import Final, NamedTuple

from longshore.domain.partners.connections import (
    Connection,
    ConnectionType,
    FileServerConnection,
    lacks_host_key,
    target_of,
)
from longshore.domain.partners.errors import IllegalPartnerStepError, InvalidPartnerError
from longshore.domain.partners.members import RequestFaults
from longshore.domain.partners.model import (
    Connections,
    ConnectionStatus,
    Partner,
    PartnerStatus,
    PartnerTerms,
)
from longshore.domain.partners.settings import (
    DEFAULT_SETTINGS,
    PARAM,
    PLANNED_SETTINGS,
    PartnerSettings,
)
from longshore.domain.partners.targets import DestinationRules
from longshore.kit.environment import Environment


def refuse_unusable(terms: PartnerTerms, destinations: DestinationRules) -> None:
    """Refuse terms that name what is not built yet, or an address that nothing is sent to.

    Raises:
        InvalidPartnerError: With a detail for each.
    """
    faults = RequestFaults()
    _check_connections(terms.connections, destinations, faults)
    _check_settings(terms.settings, faults)
    if faults.details:
        raise InvalidPartnerError(faults.details)


def _check_connections(
    connections: Connections, destinations: DestinationRules, faults: RequestFaults
) -> None:
    sides: tuple[tuple[str, Connection], ...] = (
        ("test", connections.test),
        ("live", connections.live),
    )
    for side, connection in sides:
        param, target = f"connections.{side}", target_of(connection)
        if target is not None:
            refusal = destinations.refusal(target, may_be_plain=side == "test")
            if refusal:
                member = "host" if isinstance(connection, FileServerConnection) else "url"
                faults.add(f"{param}.{member}", refusal)


def _check_settings(settings: PartnerSettings, faults: RequestFaults) -> None:
    for name in PLANNED_SETTINGS:
        if getattr(settings, name) != getattr(DEFAULT_SETTINGS, name):
            text = f'The setting "{name}" is not built yet, so it has no effect. Leave it out.'
            faults.add(f"{PARAM}.{name}", text)


PARTNER_INACTIVE: Final = "partner_inactive"
NOT_CONFIGURED: Final = "not_configured"
CONNECTION_DISABLED: Final = "connection_disabled"
HOST_KEY_UNCONFIRMED: Final = "host_key_unconfirmed"

_SIDES: Final = {Environment.SANDBOX: "test", Environment.PRODUCTION: "live"}


class HoldReason(NamedTuple):
    """Why a document is held: for programs and for people."""

    code: str
    """The ``last_error.code`` of the transaction."""
    message: str
    """One or two sentences without document content: what is missing and what to do."""


def hold_reason(
    partner: Partner, environment: Environment, sendable: Collection[ConnectionType]
) -> HoldReason | None:
    """Return why nothing of an environment is sent to a partner now; None if it is.

    ``sendable`` is the types of connections that there is a transport for.
    """
    side = _SIDES[environment]
    if not takes_documents(partner.status, environment):
        text = f"The partner is {partner.status} and takes no {side} documents. This one is held."
        return HoldReason(PARTNER_INACTIVE, text)
    connection = partner.terms.connections.of(environment)
    if connection.type not in sendable:
        return missing_connection(partner, environment)
    if lacks_host_key(connection):
        text = (
            f"Nobody has confirmed the host key of the {side} connection of the partner. Check the"
            " connection, compare the fingerprint with the partner's, and save the key: then what"
            " is held is sent."
        )
        return HoldReason(HOST_KEY_UNCONFIRMED, text)
    if partner.connection_status(environment) is ConnectionStatus.DISABLED:
        text = (
            f"The {side} connection of the partner is disabled, since its destination answered 410"
            " or showed another host key. Save the partner again, and what is held is sent."
        )
        return HoldReason(CONNECTION_DISABLED, text)
    return None


def missing_connection(partner: Partner, environment: Environment) -> HoldReason:
    """Return the reason of a document that no connection of the partner can send."""
    side, kind = _SIDES[environment], partner.terms.connections.of(environment).type
    lack = (
        f"The partner has no {side} connection."
        if kind is ConnectionType.NONE
        else f"The {side} connection of the partner is {kind.upper()}, for which this installation"
        " lacks a package."
    )
    return HoldReason(NOT_CONFIGURED, f"{lack} Set one up, and what is held is sent.")


@unique
class Cause(StrEnum):
    """The cause of a step: a person, a breaker long open or a dead letter, a delivery."""

    PERSON = "person"
    FAILURE = "failure"
    SUCCESS = "success"


class PartnerState(NamedTuple):
    """The status of a partner, and what ``inactive`` goes back to; None while it is another."""

    status: PartnerStatus
    before: PartnerStatus | None = None


_PERSON: Final = frozenset({Cause.PERSON})
STEPS: Final[Mapping[tuple[PartnerStatus, PartnerStatus], frozenset[Cause]]] = {
    (PartnerStatus.PENDING, PartnerStatus.TESTING): _PERSON,
    (PartnerStatus.TESTING, PartnerStatus.ACTIVE): _PERSON,
    (PartnerStatus.TESTING, PartnerStatus.INACTIVE): _PERSON,
    (PartnerStatus.ACTIVE, PartnerStatus.TESTING): _PERSON,
    (PartnerStatus.ACTIVE, PartnerStatus.INACTIVE): _PERSON,
    (PartnerStatus.ACTIVE, PartnerStatus.ERROR): frozenset({Cause.FAILURE}),
    (PartnerStatus.INACTIVE, PartnerStatus.TESTING): _PERSON,
    (PartnerStatus.INACTIVE, PartnerStatus.ACTIVE): _PERSON,
    (PartnerStatus.ERROR, PartnerStatus.ACTIVE): frozenset({Cause.PERSON, Cause.SUCCESS}),
    (PartnerStatus.ERROR, PartnerStatus.INACTIVE): _PERSON,
}
"""The allowed steps, with the causes of each; of ``inactive`` the one that leads back."""

FIRST_STATUSES: Final = (PartnerStatus.TESTING, PartnerStatus.PENDING)
"""The statuses in which a new partner may begin; the first is the default."""


def allowed_steps(state: PartnerState, cause: Cause = Cause.PERSON) -> tuple[PartnerStatus, ...]:
    """Return where ``cause`` may lead a partner to."""
    status, before = state
    return tuple(
        to
        for (start, to), causes in STEPS.items()
        if start is status and cause in causes and (before is None or before is to)
    )


def step(state: PartnerState, to: PartnerStatus, cause: Cause = Cause.PERSON) -> PartnerState:
    """Return the standing of a partner after a step; to stay where it is is none, and allowed.

    Raises:
        IllegalPartnerStepError: There is no such step from here.
    """
    if to is state.status:
        return state
    allowed = allowed_steps(state, cause)
    if to not in allowed:
        raise IllegalPartnerStepError(_reason(state, to, allowed), allowed)
    if to is not PartnerStatus.INACTIVE:
        return PartnerState(to)
    is_error = state.status is PartnerStatus.ERROR
    return PartnerState(to, PartnerStatus.ACTIVE if is_error else state.status)


def _reason(state: PartnerState, to: PartnerStatus, allowed: tuple[PartnerStatus, ...]) -> str:
    if to is PartnerStatus.ERROR:
        return "A partner becomes error by failing deliveries only, and only while it is active."
    next_steps = f"it can become {' or '.join(allowed)}" if allowed else "it stays so"
    return f"A partner that is {state.status} cannot become {to}; {next_steps}."


def takes_documents(status: PartnerStatus, environment: Environment) -> bool:
    """Tell whether documents of an environment may be sent to and taken from a partner.

    Live ones while it is active, or fails; test ones in ``testing`` as well.
    """
    is_live = status in {PartnerStatus.ACTIVE, PartnerStatus.ERROR}
    return is_live or (environment is Environment.SANDBOX and status is PartnerStatus.TESTING)


def is_kept_from_live(status: PartnerStatus, environment: Environment) -> bool:
    """Tell whether a partner takes no documents of an environment because they are live."""
    takes_tests = takes_documents(status, Environment.SANDBOX)
    return takes_tests and not takes_documents(status, environment)


def is_visible(status: PartnerStatus, key_environment: Environment) -> bool:
    """Tell whether a key sees a partner at all; a sandbox key sees those in testing only."""
    return key_environment is Environment.PRODUCTION or status is PartnerStatus.TESTING
