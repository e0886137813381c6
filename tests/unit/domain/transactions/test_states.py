"""The four axes of a transaction, the word they make, and what may be done with it."""

from collections.abc import Iterable
from enum import StrEnum
from itertools import product

import pytest

from longshore.domain.partners.model import Direction
from longshore.domain.transactions.errors import (
    ActionRefusedError,
    IllegalTransitionError,
    ReasonRequiredError,
)
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    States,
    TransactionStatus,
    ValidationStatus,
)
from longshore.domain.transactions.states import (
    TRANSITIONS,
    Action,
    Axis,
    check_action,
    delivered_by_ack,
    derived_status,
    is_allowed,
    step,
)

OUTCOMES = "accepted accepted_with_errors partially_accepted rejected"
# What contract.md section 5 says, and what an acknowledgement may find (pending, held).
CONTRACT: dict[Axis, dict[str, str]] = {
    Axis.PROCESSING: {
        "not_applicable": "",
        "received": "processing duplicate quarantined",
        "processing": "done duplicate quarantined failed",
        "quarantined": "processing",
        "failed": "processing",
        "done": "processing",
        "duplicate": "processing",
    },
    Axis.VALIDATION: {
        "not_checked": "valid valid_with_warnings invalid",
        "valid": "",
        "valid_with_warnings": "",
        "invalid": "",
    },
    Axis.DELIVERY: {
        "not_applicable": "",
        "pending": "sending held cancelled delivered",
        "held": "pending cancelled delivered",
        "sending": "sent delivered pending failed",
        "sent": "delivered pending failed",
        "failed": "pending delivered cancelled",
        "delivered": "pending",
        "cancelled": "",
    },
    Axis.ACK: {
        "not_expected": OUTCOMES,
        "pending": f"{OUTCOMES} overdue",
        "overdue": OUTCOMES,
        "accepted": "accepted_with_errors partially_accepted rejected",
        "accepted_with_errors": "accepted partially_accepted rejected",
        "partially_accepted": "accepted accepted_with_errors rejected",
        "rejected": "accepted accepted_with_errors partially_accepted",
    },
}
WORDS: dict[Axis, type[StrEnum]] = {
    Axis.PROCESSING: ProcessingStatus,
    Axis.VALIDATION: ValidationStatus,
    Axis.DELIVERY: DeliveryStatus,
    Axis.ACK: AckStatus,
}


def states(
    processing: str = "not_applicable",
    validation: str = "valid",
    delivery: str = "pending",
    ack: str = "pending",
) -> States:
    return States(
        ProcessingStatus(processing),
        ValidationStatus(validation),
        DeliveryStatus(delivery),
        AckStatus(ack),
    )


def test_the_table_is_the_contract() -> None:
    found = {
        axis: {str(start): {*map(str, ends)} for start, ends in steps.items()}
        for axis, steps in TRANSITIONS.items()
    }
    assert found == {
        axis: {start: set(ends.split()) for start, ends in steps.items()}
        for axis, steps in CONTRACT.items()
    }


@pytest.mark.parametrize("axis", Axis)
def test_every_state_has_its_row_and_no_other_step_is_taken(axis: Axis) -> None:
    for start, end in product(WORDS[axis], repeat=2):
        if end in TRANSITIONS[axis][start]:
            assert step(axis, start, end) is end  # type: ignore[type-var] # one enum per axis
        else:
            with pytest.raises(IllegalTransitionError):
                step(axis, start, end)  # type: ignore[type-var] # one enum per axis


def test_a_refused_step_names_those_there_are() -> None:
    with pytest.raises(IllegalTransitionError) as refused:
        step(Axis.DELIVERY, DeliveryStatus.SENT, DeliveryStatus.HELD)
    assert refused.value.message == (
        "The delivery_status of a transaction that is sent cannot become held;"
        " it can become delivered or failed or pending."
    )
    with pytest.raises(IllegalTransitionError, match="it stays so"):
        step(Axis.DELIVERY, DeliveryStatus.CANCELLED, DeliveryStatus.PENDING)


def test_a_replay_may_change_what_validation_said_and_nothing_else() -> None:
    valid, invalid = ValidationStatus.VALID, ValidationStatus.INVALID
    assert step(Axis.VALIDATION, valid, invalid, is_replay=True) is invalid
    with pytest.raises(IllegalTransitionError):
        step(Axis.DELIVERY, DeliveryStatus.SENT, DeliveryStatus.HELD, is_replay=True)


def test_an_acknowledgement_delivers_what_is_not_over() -> None:
    undelivered = {each for each in DeliveryStatus if delivered_by_ack(each) != "delivered"}
    assert undelivered == {DeliveryStatus.NOT_APPLICABLE, DeliveryStatus.CANCELLED}
    assert {delivered_by_ack(each) for each in undelivered} == undelivered


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (states(delivery="cancelled", ack="rejected"), "cancelled"),
        (states(delivery="failed", ack="rejected"), "rejected"),
        (states(delivery="delivered", ack="accepted"), "acknowledged"),
        (states(delivery="delivered", ack="accepted_with_errors"), "acknowledged"),
        (states(delivery="delivered", ack="partially_accepted"), "acknowledged"),
        (states(delivery="failed"), "failed"),
        (states(delivery="held"), "held"),
        (states(delivery="delivered", ack="overdue"), "delivered"),
        (states(delivery="sent"), "sent"),
        (states(delivery="sending", validation="invalid"), "sending"),
        (states(delivery="not_applicable", validation="invalid"), "invalid"),
        (states(delivery="pending", validation="invalid"), "queued"),
        (states(delivery="not_applicable"), "queued"),
    ],
)
def test_a_sent_one_has_the_first_word_that_holds(given: States, word: str) -> None:
    assert derived_status(Direction.OUTBOUND, given) == word


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (states("received"), "received"),
        (states("processing"), "processing"),
        (states("duplicate"), "duplicate"),
        (states("quarantined", "invalid"), "quarantined"),
        (states("failed"), "failed"),
        (states("done", "valid_with_warnings"), "processed"),
        (states("done", "invalid", ack="rejected"), "invalid"),
    ],
)
def test_a_received_one_has_the_word_of_its_processing(given: States, word: str) -> None:
    assert derived_status(Direction.INBOUND, given) == word


def all_states(processing: Iterable[ProcessingStatus]) -> Iterable[States]:
    axes = product(processing, ValidationStatus, DeliveryStatus, AckStatus)
    return (States(*each) for each in axes)


def test_every_word_is_used_and_nothing_is_without_one() -> None:
    sent = [ProcessingStatus.NOT_APPLICABLE]
    received = [each for each in ProcessingStatus if each not in sent]
    words = {derived_status(Direction.OUTBOUND, each) for each in all_states(sent)}
    words |= {derived_status(Direction.INBOUND, each) for each in all_states(received)}
    assert words == set(TransactionStatus)


@pytest.mark.parametrize(
    ("action", "deliveries"),
    [
        (Action.RETRY, {"pending", "failed", "delivered"}),
        (Action.REISSUE, {"failed", "delivered", "cancelled"}),
        (Action.CANCEL, {"pending", "held", "failed"}),
    ],
)
def test_an_action_is_allowed_in_these_states_of_delivery(
    action: Action, deliveries: set[str]
) -> None:
    outbound = {
        each.value
        for each in DeliveryStatus
        if is_allowed(action, Direction.OUTBOUND, states(delivery=each))
    }
    assert outbound == deliveries
    assert not any(
        is_allowed(action, Direction.INBOUND, states("done", delivery=each, ack="rejected"))
        for each in DeliveryStatus
    )


def test_a_rejected_one_may_be_reissued_wherever_it_is() -> None:
    for each in DeliveryStatus:
        assert is_allowed(Action.REISSUE, Direction.OUTBOUND, states(delivery=each, ack="rejected"))


def test_what_is_not_allowed_is_refused_with_the_reason() -> None:
    with pytest.raises(ActionRefusedError) as refused:
        check_action(Action.REISSUE, Direction.OUTBOUND, states(delivery="sending"), "")
    assert refused.value.code == "invalid_state"
    assert refused.value.message == (
        "This transaction cannot be reissued: its delivery is sending, and would have to be"
        " cancelled, delivered or failed, or its acknowledgement rejected."
    )
    with pytest.raises(
        ActionRefusedError,
        match=r"^Only what was sent can be retried; this transaction was received\.$",
    ):
        check_action(Action.RETRY, Direction.INBOUND, states("done"), "")


@pytest.mark.parametrize(
    ("action", "delivery", "needs_reason"),
    [
        (Action.CANCEL, "pending", True),
        (Action.RETRY, "delivered", True),
        (Action.RETRY, "failed", False),
        (Action.REISSUE, "delivered", False),
    ],
)
def test_to_cancel_and_to_send_again_have_to_be_explained(
    action: Action, delivery: str, *, needs_reason: bool
) -> None:
    given = states(delivery=delivery)
    check_action(action, Direction.OUTBOUND, given, "sent to the wrong folder")
    if needs_reason:
        with pytest.raises(ReasonRequiredError) as refused:
            check_action(action, Direction.OUTBOUND, given, "  ")
        assert refused.value.details[0].param == "reason"
    else:
        check_action(action, Direction.OUTBOUND, given, "")
