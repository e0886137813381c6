"""Which steps a partner's status may take, and who may make them."""

import itertools

import pytest

from longshore.domain.partners.errors import IllegalPartnerStepError
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.status import (
    STEPS,
    Cause,
    PartnerState,
    allowed_steps,
    step,
    takes_documents,
)
from longshore.kit.environment import Environment

PENDING, TESTING, ACTIVE, INACTIVE, ERROR = PartnerStatus
PERSONS = {
    (PENDING, TESTING),
    (TESTING, ACTIVE),
    (TESTING, INACTIVE),
    (ACTIVE, TESTING),
    (ACTIVE, INACTIVE),
    (INACTIVE, TESTING),
    (INACTIVE, ACTIVE),
    (ERROR, ACTIVE),
    (ERROR, INACTIVE),
}


@pytest.mark.parametrize(("start", "end"), [*itertools.permutations(PartnerStatus, 2)])
def test_a_person_makes_exactly_the_steps_of_the_table(
    start: PartnerStatus, end: PartnerStatus
) -> None:
    before = end if start is INACTIVE else None
    if (start, end) in PERSONS:
        assert step(PartnerState(start, before), end).status is end
    else:
        with pytest.raises(IllegalPartnerStepError) as refused:
            step(PartnerState(start, before), end)
        assert refused.value.code == "invalid_state"


@pytest.mark.parametrize("status", PartnerStatus)
def test_only_an_active_partner_becomes_error_and_never_by_a_person(status: PartnerStatus) -> None:
    assert (ERROR in allowed_steps(PartnerState(status), Cause.FAILURE)) is (status is ACTIVE)
    assert ERROR not in allowed_steps(PartnerState(status))


def test_a_success_ends_an_error_and_nothing_else() -> None:
    ends = {status: allowed_steps(PartnerState(status), Cause.SUCCESS) for status in PartnerStatus}
    assert ends == {PENDING: (), TESTING: (), ACTIVE: (), INACTIVE: (), ERROR: (ACTIVE,)}


@pytest.mark.parametrize(("start", "back"), [(TESTING, TESTING), (ACTIVE, ACTIVE), (ERROR, ACTIVE)])
def test_inactive_goes_back_to_the_state_before_and_nowhere_else(
    start: PartnerStatus, back: PartnerStatus
) -> None:
    rest = step(PartnerState(start), INACTIVE)
    assert rest == PartnerState(INACTIVE, back)
    assert allowed_steps(rest) == (back,)
    assert step(rest, back) == PartnerState(back, None)


def test_to_stay_is_no_step() -> None:
    assert step(PartnerState(INACTIVE, ACTIVE), INACTIVE) == PartnerState(INACTIVE, ACTIVE)


@pytest.mark.parametrize(
    ("start", "end", "cause", "text"),
    [
        (
            PENDING,
            ACTIVE,
            Cause.PERSON,
            "A partner that is pending cannot become active; it can become testing.",
        ),
        (
            TESTING,
            PENDING,
            Cause.PERSON,
            "A partner that is testing cannot become pending; it can become active or inactive.",
        ),
        (
            PENDING,
            ACTIVE,
            Cause.SUCCESS,
            "A partner that is pending cannot become active; it stays so.",
        ),
        (
            ACTIVE,
            ERROR,
            Cause.PERSON,
            "A partner becomes error by failing deliveries only, and only while it is active.",
        ),
    ],
)
def test_a_refused_step_says_which_ones_there_are(
    start: PartnerStatus, end: PartnerStatus, cause: Cause, text: str
) -> None:
    with pytest.raises(IllegalPartnerStepError) as refused:
        step(PartnerState(start), end, cause)
    assert refused.value.message == text
    assert refused.value.details[0].allowed == allowed_steps(PartnerState(start), cause)


def test_the_table_names_every_state() -> None:
    assert {start for start, _ in STEPS} == set(PartnerStatus)


@pytest.mark.parametrize(
    ("status", "taken"),
    [
        (PENDING, set()),
        (TESTING, {Environment.SANDBOX}),
        (ACTIVE, {Environment.SANDBOX, Environment.PRODUCTION}),
        (INACTIVE, set()),
        (ERROR, {Environment.SANDBOX, Environment.PRODUCTION}),
    ],
)
def test_live_documents_need_a_live_partner(status: PartnerStatus, taken: set[Environment]) -> None:
    assert {each for each in Environment if takes_documents(status, each)} == taken
