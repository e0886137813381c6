"""A 277CA or an 824 changes the status of a transaction by the rules of x12.md section 2.10."""

from dataclasses import replace
from time import process_time

import pytest

from longshore.domain.acks.application import (
    ClaimOutcome,
    OurClaim,
    claim_outcome,
    reconcile_advice,
    reconcile_claims,
)
from longshore.domain.acks.complaints import complaints_of
from longshore.domain.acks.matching import AckDecision, SentSetState
from longshore.domain.acks.model import AckFacts, AckForm, ClaimCounts
from longshore.domain.transactions.model import AckStatus, TransactionId
from longshore.x12.acks.read_answers import (
    AdviceAck,
    AdvisedOriginal,
    AnsweredClaim,
    ClaimAck,
    ReportedStatus,
)
from tests.unit.domain.acks.sending import (
    FROM_A,
    TO_B,
    a_sent_group,
    a_sent_set,
    axes,
    events,
    reconciled,
)

ACCEPTED = ReportedStatus("A2", "20", is_accepted=True)
REJECTED = ReportedStatus("A7", "684", is_accepted=False)
UNCLEAR = ReportedStatus("A4", "35")
OURS = {"A": [OurClaim("CLM.01", 10)], "B": [OurClaim("CLM[2].01", 20)]}


def an_answer(**claims: ReportedStatus) -> ClaimAck:
    found = [AnsweredClaim(number, status) for number, status in claims.items()]
    return ClaimAck(reference="BATCH", status=ACCEPTED, claims=found)


@pytest.mark.parametrize(
    ("answer", "status", "is_ambiguous"),
    [
        (an_answer(A=ACCEPTED, B=ACCEPTED), "accepted", False),
        (an_answer(A=ACCEPTED), "accepted", False),
        (an_answer(A=ACCEPTED, B=REJECTED), "partially_accepted", False),
        (an_answer(B=REJECTED), "partially_accepted", False),
        (an_answer(A=REJECTED, B=REJECTED), "rejected", False),
        (an_answer(A=REJECTED, B=REJECTED, C=ACCEPTED), "rejected", True),
        (an_answer(A=ACCEPTED, B=UNCLEAR), "accepted", True),
        (an_answer(C=REJECTED), None, True),
        (an_answer(), "accepted", False),
        (replace(an_answer(A=ACCEPTED), status=REJECTED), "rejected", False),
        (replace(an_answer(), status=UNCLEAR), None, True),
        (replace(an_answer(A=ACCEPTED), has_rejected_provider=True), "partially_accepted", False),
    ],
)
def test_the_claims_of_ours_decide(
    answer: ClaimAck, status: str | None, *, is_ambiguous: bool
) -> None:
    found = claim_outcome(answer, OURS)
    assert (found.status, found.is_ambiguous) == (status, is_ambiguous)


def test_a_document_that_was_not_looked_at_leaves_doubt() -> None:
    found = claim_outcome(an_answer(A=REJECTED), None)
    assert (found.status, found.is_ambiguous) == (AckStatus.REJECTED, True)
    assert found.counts == ClaimCounts(rejected=1, listed=1)


def test_claims_with_one_number_are_placed_one_after_the_other() -> None:
    places = {"A": [OurClaim("CLM.01", 10), OurClaim("CLM[2].01", 20)]}
    answer = ClaimAck(claims=[AnsweredClaim("A", ACCEPTED)] * 3)
    found = claim_outcome(answer, places)
    assert [each.our_path for each in found.claims] == ["CLM.01", "CLM[2].01", ""]
    assert (found.counts.not_ours, found.counts.unanswered) == (1, 0)


def test_a_hundred_thousand_claims_cost_ten_times_ten_thousand() -> None:
    def cost(count: int) -> float:
        claims = [AnsweredClaim(f"C-{at % (count // 2)}", ACCEPTED) for at in range(count)]
        ours = {each.number: [OurClaim("CLM.01", 0)] for each in claims}
        begin = process_time()
        found = claim_outcome(ClaimAck(claims=claims), ours)
        assert (found.counts.accepted, len(found.claims)) == (count, 1_000)
        return process_time() - begin

    small = min(cost(10_000) for _ in range(3))
    assert cost(100_000) < 30 * small


def decided(state: SentSetState, status: AckStatus | None) -> tuple[str, bool, list[str]]:
    """Return the axis of a set after a 277CA, whether it is a conflict, and the events."""
    outcome = ClaimOutcome(status=status, is_ambiguous=False, claims=(), counts=ClaimCounts())
    decision = reconcile_claims(
        an_answer(), b"new", FROM_A, [a_sent_group(state)], {TransactionId(10_001): outcome}
    )
    (only,) = decision.sets
    return only.ack.value, only.is_conflict, [name for name, _ in events(decision)]


@pytest.mark.parametrize(
    ("state", "answer", "expected"),
    [
        (a_sent_set(), AckStatus.ACCEPTED, ("accepted", False)),
        (a_sent_set(), None, ("pending", False)),
        (a_sent_set(1, AckStatus.ACCEPTED), AckStatus.REJECTED, ("rejected", False)),
        (
            a_sent_set(1, AckStatus.ACCEPTED_WITH_ERRORS),
            AckStatus.ACCEPTED,
            ("accepted_with_errors", False),
        ),
        (a_sent_set(1, AckStatus.REJECTED), AckStatus.ACCEPTED, ("rejected", True)),
        (
            replace(
                a_sent_set(1, AckStatus.PARTIALLY_ACCEPTED),
                application=AckStatus.PARTIALLY_ACCEPTED,
            ),
            AckStatus.ACCEPTED,
            ("partially_accepted", True),
        ),
        (
            a_sent_set(1, AckStatus.REJECTED, is_resent=True),
            AckStatus.ACCEPTED,
            ("accepted", False),
        ),
    ],
)
def test_an_application_answer_makes_no_set_better(
    state: SentSetState, answer: AckStatus | None, expected: tuple[str, bool]
) -> None:
    assert decided(state, answer)[:2] == expected


def functional(
    application: AckStatus, status: str, *, has_functional: bool = True
) -> tuple[str, str, bool]:
    """Return axis, row and conflict after a 997 for a set that a 277CA or 824 answered."""
    state = replace(
        a_sent_set(1, application), application=application, has_functional=has_functional
    )
    segments = ("AK1*PO*55", f"AK9*{status}*1*1*{int(status != 'R')}")
    (only,) = reconciled(*segments, candidates=[a_sent_group(state)]).sets
    assert only.result is not None
    return only.ack.value, only.result.value, only.is_conflict


def test_a_997_that_comes_later_undoes_nothing_and_contradicts_by_rejecting_alone() -> None:
    rejected, accepted = AckStatus.REJECTED, AckStatus.ACCEPTED
    late = [(rejected, "A"), (rejected, "R"), (accepted, "E"), (accepted, "R")]
    assert [functional(*each, has_functional=False) for each in late] == [
        ("rejected", "accepted", False),
        ("rejected", "rejected", False),
        ("accepted_with_errors", "accepted_with_errors", False),
        ("rejected", "rejected", True),
    ]
    assert functional(accepted, "A") == ("accepted", "accepted", True)


def test_a_trace_of_nothing_is_unmatched_and_one_of_several_is_ambiguous() -> None:
    def matched(*groups: int) -> AckDecision:
        candidates = [a_sent_group(group_id=each) for each in groups]
        return reconcile_claims(an_answer(), b"new", FROM_A, candidates, {})

    assert events(matched()) == [("ack.unmatched", None)]
    assert events(reconcile_claims(an_answer(), b"new", FROM_A, [a_sent_group(pair=TO_B)], {})) == [
        ("ack.unmatched", None)
    ]
    found = matched(1, 2)
    assert found.match is not None
    assert (found.match.is_ambiguous, found.match.is_weak) == (True, False)
    assert axes(found) == ["accepted"]


# ---- 824 -----------------------------------------------------------------------------------------


def advised(*originals: str, sets: int = 2, answers: frozenset[bytes] = frozenset()) -> AckDecision:
    """Return the decision about ``TR 0001 850`` and the like, for a group of 850s."""
    found = []
    for each in originals:
        status, number, set_id = (*each.split(" "), "", "")[:3]
        found.append(AdvisedOriginal(status, "", "55", number, set_id))
    group = a_sent_group(*(a_sent_set(at) for at in range(1, sets + 1)), answers=answers)
    return reconcile_advice(AdviceAck("55", found, []), b"new", FROM_A, [group])


@pytest.mark.parametrize(
    ("originals", "expected"),
    [
        (("TA 0001",), ["accepted"]),
        (("TC 0001 850", "TE 0002"), ["accepted_with_errors"] * 2),
        (("GA",), ["accepted", "accepted"]),
        (("GR  850",), ["rejected", "rejected"]),
        (("TP 0002",), ["partially_accepted"]),
        (("IR 0001", "IA 0002"), ["partially_accepted", "accepted"]),
        (("TA 0001", "TR 0001", "TE 0001", "TR 0001"), ["rejected"]),
        (("GA", "TR 0002"), ["accepted", "rejected"]),
        (("ZZ 0001", "TA 0001"), ["accepted"]),
        (("TA 0001", "ZZ 0001"), ["accepted"]),
    ],
)
def test_an_oti_is_about_the_sets_that_it_names(
    originals: tuple[str, ...], expected: list[str]
) -> None:
    assert axes(advised(*originals)) == expected


@pytest.mark.parametrize("status", ["ZZ", "", "XA", "IZ"])
def test_a_status_that_is_not_known_decides_nothing(status: str) -> None:
    (only,) = advised(f"{status} 0001").sets
    assert (only.answer, only.ack, only.is_ambiguous) == (None, AckStatus.PENDING, True)


def test_what_is_not_ours_is_kept_and_a_copy_changes_nothing() -> None:
    decision = advised("TR 0001", "TR 0009", "TR 0001 810")
    assert [each.set_number for each in decision.unknown_originals] == ["0009", "0001"]
    nothing = advised("TR 0009")
    assert (len(nothing.unknown_originals), events(nothing)) == (1, [("ack.unmatched", None)])
    copy = advised("TR 0001", answers=frozenset({b"new"}))
    assert (copy.is_duplicate, copy.sets) == (True, ())


def test_complaints_name_rejected_claims_by_category() -> None:
    outcome = claim_outcome(an_answer(A=REJECTED, B=ACCEPTED), OURS)
    facts = AckFacts(ack_type=AckForm.F277CA, claims=outcome.claims, claim_counts=outcome.counts)
    (complaint,) = complaints_of(facts)
    assert (complaint.word, complaint.text) == (
        "A7@CLM",
        "CLM: Rejected, information is invalid (A7)",
    )


def test_an_answer_is_summed_up_in_one_sentence() -> None:
    counts = ClaimCounts(accepted=2, rejected=1, unclear=1, not_ours=3)
    facts = AckFacts(ack_type=AckForm.F277CA, claim_counts=counts)
    assert facts.summary == "277CA by claim: 2 accepted, 1 rejected, 1 unclear, 3 not ours."
    assert AckFacts(ack_type=AckForm.F824).summary == "824, no errors listed."
    assert AckFacts(ack_type=AckForm.F997).summary == ""
