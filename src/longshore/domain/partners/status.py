"""The status machine of a partner, as one table.

    pending → testing
    testing → active, inactive
    active → testing, inactive, error
    inactive → the state before
    error → active, inactive

``error`` is never asked for: the service sets it on an active partner, and the next success ends
it. Who leaves ``error`` by way of ``inactive`` comes back as ``active``.

Source: contract.md section 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final, NamedTuple

from longshore.domain.partners.errors import IllegalPartnerStepError
from longshore.domain.partners.model import PartnerStatus
from longshore.kit.environment import Environment


@unique
class Cause(StrEnum):
    """What makes a step: a person, a breaker long open or a dead letter, a delivery."""

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
"""Which steps there are, and what may make them; of ``inactive`` the one that leads back."""

FIRST_STATUSES: Final = (PartnerStatus.TESTING, PartnerStatus.PENDING)
"""What a new partner may begin with; the first is the default."""


def allowed_steps(standing: PartnerState, cause: Cause = Cause.PERSON) -> tuple[PartnerStatus, ...]:
    """Return where ``cause`` may lead a partner to."""
    status, before = standing
    return tuple(
        to
        for (start, to), causes in STEPS.items()
        if start is status and cause in causes and (before is None or before is to)
    )


def step(standing: PartnerState, to: PartnerStatus, cause: Cause = Cause.PERSON) -> PartnerState:
    """Return the standing of a partner after a step; to stay where it is is none, and allowed.

    Raises:
        IllegalPartnerStepError: There is no such step from here.
    """
    if to is standing.status:
        return standing
    allowed = allowed_steps(standing, cause)
    if to not in allowed:
        raise IllegalPartnerStepError(_reason(standing, to, allowed), allowed)
    if to is not PartnerStatus.INACTIVE:
        return PartnerState(to)
    is_error = standing.status is PartnerStatus.ERROR
    return PartnerState(to, PartnerStatus.ACTIVE if is_error else standing.status)


def _reason(standing: PartnerState, to: PartnerStatus, allowed: tuple[PartnerStatus, ...]) -> str:
    if to is PartnerStatus.ERROR:
        return "A partner becomes error by failing deliveries only, and only while it is active."
    way = f"it can become {' or '.join(allowed)}" if allowed else "it stays so"
    return f"A partner that is {standing.status} cannot become {to}; {way}."


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
