"""The states of a transaction: one table of the steps of its four axes.

An acknowledgement proves that a set arrived. So it leads to ``delivered`` from wherever delivery
was, ``pending`` and ``held`` among them: an attempt can have arrived whose answer was lost.

Source: contract.md section 5 (table of steps, derived ``status``, actions).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final, TypeVar

from longshore.domain.partners.model import Direction
from longshore.domain.transactions.errors import (
    ActionRefusedError,
    IllegalTransitionError,
    ReasonRequiredError,
)
from longshore.domain.transactions.model import (
    ACK_OUTCOMES,
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    States,
    TransactionStatus,
    ValidationStatus,
)

AxisStatus = TypeVar("AxisStatus", ProcessingStatus, ValidationStatus, DeliveryStatus, AckStatus)


@unique
class Axis(StrEnum):
    """The four things that are known of a transaction."""

    PROCESSING = "processing_status"
    VALIDATION = "validation_status"
    DELIVERY = "delivery_status"
    ACK = "ack_status"


_P, _V, _D, _A = ProcessingStatus, ValidationStatus, DeliveryStatus, AckStatus
_AGAIN: Final = frozenset({_P.PROCESSING})  # release or replay by a person
TRANSITIONS: Final[Mapping[Axis, Mapping[StrEnum, frozenset[StrEnum]]]] = {
    Axis.PROCESSING: {
        _P.NOT_APPLICABLE: frozenset(),
        _P.RECEIVED: frozenset({_P.PROCESSING, _P.DUPLICATE, _P.QUARANTINED}),
        _P.PROCESSING: frozenset({_P.DONE, _P.DUPLICATE, _P.QUARANTINED, _P.FAILED}),
        _P.DONE: _AGAIN,
        _P.DUPLICATE: _AGAIN,
        _P.QUARANTINED: _AGAIN,
        _P.FAILED: _AGAIN,
    },
    Axis.VALIDATION: {
        _V.NOT_CHECKED: frozenset(_V) - {_V.NOT_CHECKED},
        _V.VALID: frozenset(),
        _V.VALID_WITH_WARNINGS: frozenset(),
        _V.INVALID: frozenset(),
    },
    Axis.DELIVERY: {
        _D.NOT_APPLICABLE: frozenset(),
        _D.PENDING: frozenset({_D.SENDING, _D.HELD, _D.CANCELLED, _D.DELIVERED}),
        _D.HELD: frozenset({_D.PENDING, _D.CANCELLED, _D.DELIVERED}),
        _D.SENDING: frozenset({_D.SENT, _D.DELIVERED, _D.PENDING, _D.FAILED}),
        _D.SENT: frozenset({_D.DELIVERED, _D.PENDING, _D.FAILED}),
        _D.DELIVERED: frozenset({_D.PENDING}),
        _D.FAILED: frozenset({_D.PENDING, _D.DELIVERED, _D.CANCELLED}),
        _D.CANCELLED: frozenset(),
    },
    Axis.ACK: {
        _A.NOT_EXPECTED: ACK_OUTCOMES,
        _A.PENDING: ACK_OUTCOMES | {_A.OVERDUE},
        _A.OVERDUE: ACK_OUTCOMES,
        **{outcome: ACK_OUTCOMES - {outcome} for outcome in ACK_OUTCOMES},
    },
}
"""From a state of an axis to those that may follow it."""


def step(axis: Axis, start: AxisStatus, end: AxisStatus, *, is_replay: bool = False) -> AxisStatus:
    """Return ``end``. ``is_replay`` is validation runs again, which may change all it had said.

    Raises:
        IllegalTransitionError: There is no such step.
    """
    allowed = TRANSITIONS[axis][start]
    if end not in allowed and not (is_replay and axis is Axis.VALIDATION):
        raise IllegalTransitionError(axis, start, end, sorted(allowed))
    return end


def delivered_by_ack(delivery: DeliveryStatus) -> DeliveryStatus:
    """Return what an acknowledgement makes of delivery: ``delivered``, unless that is over."""
    may = DeliveryStatus.DELIVERED in TRANSITIONS[Axis.DELIVERY][delivery]
    return DeliveryStatus.DELIVERED if may else delivery


# ---- the derived status --------------------------------------------------------------------------

_BY_DELIVERY: Final[Mapping[DeliveryStatus, TransactionStatus]] = {
    state: TransactionStatus(state)
    for state in (_D.FAILED, _D.HELD, _D.DELIVERED, _D.SENT, _D.SENDING)
}


def derived_status(direction: Direction, states: States) -> TransactionStatus:
    """Return the four axes in one word: the first that holds."""
    if direction is Direction.OUTBOUND:
        return _outbound(states)
    if states.processing is not _P.DONE:
        return TransactionStatus(states.processing)
    is_invalid = states.validation is _V.INVALID
    return TransactionStatus.INVALID if is_invalid else TransactionStatus.PROCESSED


def _outbound(states: States) -> TransactionStatus:
    delivery, ack = states.delivery, states.ack
    if delivery is _D.CANCELLED:
        return TransactionStatus.CANCELLED
    if ack is _A.REJECTED:
        return TransactionStatus.REJECTED
    if ack in ACK_OUTCOMES:
        return TransactionStatus.ACKNOWLEDGED
    if delivery in _BY_DELIVERY:
        return _BY_DELIVERY[delivery]
    is_invalid = states.validation is _V.INVALID and delivery is _D.NOT_APPLICABLE
    return TransactionStatus.INVALID if is_invalid else TransactionStatus.QUEUED


# ---- actions -------------------------------------------------------------------------------------


@unique
class Action(StrEnum):
    """An action on a transaction that was sent, or was to be."""

    RETRY = "retry"
    REISSUE = "reissue"
    CANCEL = "cancel"


ACTIONS: Final[Mapping[Action, frozenset[DeliveryStatus]]] = {
    Action.RETRY: frozenset({_D.PENDING, _D.FAILED, _D.DELIVERED}),
    Action.REISSUE: frozenset({_D.FAILED, _D.DELIVERED, _D.CANCELLED}),
    Action.CANCEL: frozenset({_D.PENDING, _D.HELD, _D.FAILED}),
}
"""The delivery states in which an action is allowed; reissue also of what was rejected."""
_DONE: Final[Mapping[Action, str]] = {
    Action.RETRY: "retried",
    Action.REISSUE: "reissued",
    Action.CANCEL: "cancelled",
}


def is_allowed(action: Action, direction: Direction, states: States) -> bool:
    """Tell whether an action may be done. Of what was received, none."""
    if direction is Direction.INBOUND:
        return False
    is_rejected = action is Action.REISSUE and states.ack is _A.REJECTED
    return is_rejected or states.delivery in ACTIONS[action]


def check_action(action: Action, direction: Direction, states: States, reason: str) -> None:
    """Make sure that an action may be done, and is explained where it has to be.

    Raises:
        ActionRefusedError: The state does not allow it.
        ReasonRequiredError: It is a cancellation, or what was delivered is sent again.
    """
    done = _DONE[action]
    if direction is Direction.INBOUND:
        raise ActionRefusedError(
            f"Only what was sent can be {done}; this transaction was received."
        )
    if not is_allowed(action, direction, states):
        *others, last = sorted(ACTIONS[action])
        allowed = f"{', '.join(others)} or {last}"
        also = ", or its acknowledgement rejected" if action is Action.REISSUE else ""
        raise ActionRefusedError(
            f"This transaction cannot be {done}: its delivery is {states.delivery}, and would have"
            f" to be {allowed}{also}."
        )
    sends_again = action is Action.RETRY and states.delivery is _D.DELIVERED
    if (action is Action.CANCEL or sends_again) and not reason.strip():
        raise ReasonRequiredError(action)
