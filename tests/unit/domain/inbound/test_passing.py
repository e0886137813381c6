"""Which sets of a received interchange are passed on, and what we answer."""

import pytest

from longshore.domain.inbound.set_dispositions import accepted_sets, answers, validation_status
from longshore.domain.partners.envelopes import environment_of
from longshore.domain.partners.setting_kinds import OnError
from longshore.domain.transactions.model import AckStatus, ValidationStatus
from longshore.kit.environment import Environment
from longshore.x12.acks.assessment import GroupAssessment, assess_groups, received_interchanges
from longshore.x12.acks.profile import AckProfile, CountMismatch, RejectLevel
from longshore.x12.findings import Finding, Severity
from tests.unit.x12.acks.acknowledged import a_result, an_error, walked
from tests.unit.x12.documents import a_group, a_set, interchange

PROFILE = AckProfile(
    reject_level=RejectLevel.LENIENT, count_mismatch=CountMismatch.ACCEPT_WITH_ERRORS
)
BODY = "BEG*00*SA*PO-1**20240115"
REJECTS = a_result(an_error("QQQ", 3, "1"))
BEARABLE = a_result(an_error("BEG", 2, "8", "4", at=3))
# Sets 1 to 3 stand in the first group, 4 in the second.
DOCUMENT = interchange(
    *a_group(*(each for at in (1, 2, 3) for each in a_set(BODY, number=f"000{at}")), sets=3),
    *a_group(*a_set(BODY), number="8"),
    "IEA*2*000000101",
)


def judged(document: str = DOCUMENT, *, has_faults: bool = True) -> tuple[GroupAssessment, ...]:
    results = {2: REJECTS, 3: BEARABLE} if has_faults else {}
    (received,) = received_interchanges(walked(document).envelope, results)
    return assess_groups(received, PROFILE)


@pytest.mark.parametrize(
    ("on_error", "passed"),
    [
        (OnError.SPLIT, {1, 3, 4}),
        (OnError.SUSPEND_GROUP, {4}),
        (OnError.SUSPEND_INTERCHANGE, set()),
    ],
)
def test_a_rejected_set_keeps_back_what_the_partner_wants(
    on_error: OnError, passed: set[int]
) -> None:
    assert accepted_sets(judged(), on_error) == passed
    assert accepted_sets(judged(has_faults=False), on_error) == {1, 2, 3, 4}


def test_a_group_rejected_as_such_has_nothing_to_pass_on() -> None:
    document = interchange(*a_group(*a_set(BODY))[:-1], "GE*1*99", "IEA*1*000000101")
    groups = judged(document, has_faults=False)
    assert [group.status for group in groups] == ["R"]
    assert accepted_sets(groups, OnError.SPLIT) == frozenset()
    empty = interchange(*a_group(sets=0)[:-1], "GE*0*99", *a_group(*a_set(BODY)), "IEA*2*000000101")
    assert (
        accepted_sets(judged(empty, has_faults=False), OnError.SUSPEND_INTERCHANGE) == frozenset()
    )


@pytest.mark.parametrize("on_error", OnError)
def test_an_acknowledgement_is_suspended_by_nothing(on_error: OnError) -> None:
    said = a_set("AK1*PO*55", "AK9*A*1*1*1", set_id="997")
    rejected = a_group(*a_set("QQQ*1"), number="8")
    own = tuple(each.replace("GS*PO*", "GS*FA*") for each in a_group(*said))
    document = interchange(*own, *rejected, "IEA*2*000000101")
    (received,) = received_interchanges(walked(document).envelope, {2: REJECTS})
    assert accepted_sets(assess_groups(received, PROFILE), on_error) == {1}


def test_each_set_is_answered_by_itself() -> None:
    first, second = judged()
    assert answers(first, is_acknowledged=True) == {
        1: AckStatus.ACCEPTED,
        2: AckStatus.REJECTED,
        3: AckStatus.ACCEPTED_WITH_ERRORS,
    }
    assert answers(second, is_acknowledged=False) == {4: AckStatus.NOT_EXPECTED}


def test_acknowledgements_are_not_answered() -> None:
    document = interchange(
        *a_group(*a_set("AK1*PO*1", "AK9*A*1*1*1", set_id="997")), "IEA*1*000000101"
    ).replace("GS*PO", "GS*FA")
    (group,) = judged(document, has_faults=False)
    assert answers(group, is_acknowledged=True) == {1: AckStatus.NOT_EXPECTED}


def finding(severity: Severity) -> Finding:
    return Finding(code="made_by_hand", severity=severity, message="")


@pytest.mark.parametrize(
    ("severities", "status"),
    [
        ([], ValidationStatus.VALID),
        ([Severity.INFO], ValidationStatus.VALID),
        ([Severity.INFO, Severity.WARNING], ValidationStatus.VALID_WITH_WARNINGS),
        ([Severity.WARNING, Severity.ERROR], ValidationStatus.INVALID),
    ],
)
def test_validation_says_the_worst(severities: list[Severity], status: ValidationStatus) -> None:
    assert validation_status(map(finding, severities)) is status


def test_live_takes_both_a_live_channel_and_p() -> None:
    usages = ("P", "T", "I", "", "p", "PP")
    live = Environment.PRODUCTION
    assert [each for each in usages if environment_of(each, live) is live] == ["P"]
    assert all(environment_of(each, Environment.SANDBOX) is not live for each in usages)
