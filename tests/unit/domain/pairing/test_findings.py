"""The findings of requests and responses, from the numbers that are stored."""

from datetime import UTC, datetime

from longshore.domain.pairing.findings import (
    MAX_FINDINGS,
    request_pairing,
    response_pairing,
    unmatched_text,
)
from longshore.domain.pairing.model import (
    PairedTransaction,
    Pairing,
    RequestTrace,
    ResponseTrace,
    TraceMatch,
    TracePlace,
    TraceState,
)
from longshore.domain.partners.model import Direction
from longshore.domain.transactions.model import TransactionId
from longshore.x12.traces import MAX_TRACES, TraceKind

DUE = datetime(2026, 1, 16, tzinfo=UTC)
BHT = TracePlace(kind=TraceKind.REFERENCE, element="BHT03", position=2)
NONE = TracePlace(kind=TraceKind.REFERENCE, element="", position=1)


def trn(position: int) -> TracePlace:
    return TracePlace(kind=TraceKind.TRACE, element="TRN02", position=position)


def of_request(
    place: TracePlace,
    state: TraceState = TraceState.OPEN,
    due_at: datetime | None = None,
    total: int = 3,
) -> RequestTrace:
    return RequestTrace(place=place, total=total, state=state, due_at=due_at)


def of_response(
    place: TracePlace, request_id: int | None, *, total: int = 2, request_total: int = 0
) -> ResponseTrace:
    return ResponseTrace(
        place=place,
        total=total,
        request_id=None if request_id is None else TransactionId(request_id),
        is_ambiguous=request_id == 8,
        request_total=request_total,
    )


def other_side(transaction_id: int, number_count: int, total: int) -> PairedTransaction:
    return PairedTransaction(
        transaction_id=TransactionId(transaction_id),
        number_count=number_count,
        is_ambiguous=transaction_id == 8,
        total=total,
    )


def said(found: Pairing) -> list[tuple[str, str, int | None]]:
    assert len(found.findings) == min(found.finding_count, MAX_FINDINGS)
    return [(each.code.value, each.element, each.segment_position) for each in found.findings]


def test_a_request_tells_how_many_are_answered_and_until_when_the_others_are_awaited() -> None:
    answered = of_request(trn(8), TraceState.ANSWERED, DUE.replace(day=17))
    traces = [of_request(BHT), answered, of_request(trn(12), due_at=DUE), of_request(trn(16))]
    found = request_pairing(traces, [other_side(7, 1, 1)])
    assert (found.number_count, found.paired_count, found.due_at) == (3, 1, DUE)
    assert found.transactions == (other_side(7, 1, 1),)
    assert said(found) == []


def test_what_is_overdue_is_a_finding_at_its_place() -> None:
    traces = [of_request(BHT), of_request(trn(8), TraceState.OVERDUE, DUE)]
    found = request_pairing(traces, ())
    assert said(found) == [("response_overdue", "TRN02", 8)]
    assert found.findings[0].message == "No response with this number was received in time."
    assert (found.number_count, found.paired_count, found.due_at) == (1, 0, None)


def test_numbers_that_are_not_compared_are_told_of_both_sides() -> None:
    cut = MAX_TRACES + 3
    traces = [of_request(BHT, total=cut), of_request(trn(8), total=cut)]
    found = request_pairing(traces, [other_side(7, 1, cut)])
    assert said(found) == [("trace_not_compared", "", None), ("trace_not_compared", "TRN02", 8)]
    assert found.findings[0].message == ("3 of its numbers are not compared; the first 1,000 are.")
    assert found.number_count == 4
    answer = [
        of_response(trn(8), 7, total=cut, request_total=cut),
        of_response(trn(12), None, total=cut),
    ]
    found = response_pairing(answer, Direction.INBOUND)
    assert said(found) == [("trace_not_compared", "", None), ("trace_not_compared", "TRN02", 12)]
    assert found.transactions == (other_side(7, 1, cut),)


def test_a_response_tells_its_requests_and_the_numbers_of_none() -> None:
    answer = [of_response(BHT, 7), of_response(trn(8), 8), of_response(trn(12), None)]
    found = response_pairing(answer, Direction.OUTBOUND)
    assert said(found) == [("response_without_request", "TRN02", 12)]
    assert found.findings[0].message == "No request that was received has this number."
    assert (found.number_count, found.paired_count, found.due_at) == (2, 1, None)
    assert found.transactions == (other_side(7, 1, 0), other_side(8, 1, 0))


def test_bht03_counts_where_there_is_no_trn02_and_a_set_without_both_says_so() -> None:
    assert said(response_pairing([of_response(BHT, None)], Direction.INBOUND)) == [
        ("response_without_request", "BHT03", 2)
    ]
    assert said(response_pairing([of_response(NONE, None)], Direction.INBOUND)) == [
        ("trace_missing", "", None)
    ]
    found = request_pairing([of_request(NONE, total=0)], ())
    assert (said(found), found.number_count) == ([("trace_missing", "", None)], 0)


def test_of_many_findings_the_first_are_listed() -> None:
    answer = [of_response(trn(at), None) for at in range(MAX_FINDINGS + 1)]
    assert response_pairing(answer, Direction.INBOUND).finding_count == MAX_FINDINGS + 1


def test_the_event_of_a_response_names_the_first_number_of_no_request() -> None:
    def match(place: TracePlace, request_id: int | None) -> TraceMatch:
        return TraceMatch(
            response_trace_id=1,
            place=place,
            request_id=None if request_id is None else TransactionId(request_id),
            is_ambiguous=False,
        )

    unknown = [match(BHT, None), match(trn(8), None), match(trn(12), 7), match(trn(16), None)]
    assert unmatched_text(unknown, Direction.INBOUND) == (
        "TRN02 in segment 8: No request that was sent has this number."
        " The same holds for 1 more of its numbers."
    )
    assert unmatched_text(unknown[:3], Direction.OUTBOUND) == (
        "TRN02 in segment 8: No request that was received has this number."
    )
    assert unmatched_text([match(BHT, None), match(trn(12), 7)], Direction.INBOUND) == ""
    assert unmatched_text([match(NONE, None)], Direction.INBOUND) == (
        "The response has no number that names its request."
    )
