"""The findings of the reconciliation of requests and responses, from their stored numbers. Pure.

Source: x12.md section 2.12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

from longshore.domain.pairing.model import (
    PairedTransaction,
    Pairing,
    PairingFinding,
    PairingFindingCode,
    RequestTrace,
    ResponseTrace,
    TraceMatch,
    TracePlace,
    TraceState,
)
from longshore.domain.partners.model import Direction
from longshore.domain.transactions.model import TransactionId
from longshore.x12.traces import MAX_TRACES, PairingRole, TraceKind

MAX_FINDINGS: Final = 100
NO_NUMBER: Final = ""
"""The element of the row that is stored for a set without a number."""
_MISSING: Final[Mapping[PairingRole, str]] = {
    PairingRole.REQUEST: "The request has no number by which a response can name it.",
    PairingRole.RESPONSE: "The response has no number that names its request.",
}
_UNKNOWN: Final[Mapping[Direction, str]] = {
    Direction.INBOUND: "No request that was sent has this number.",
    Direction.OUTBOUND: "No request that was received has this number.",
}
"""By the direction of the response."""
_LATE: Final = "No response with this number was received in time."
_OF_CUT_REQUEST: Final = (
    f"The first {MAX_TRACES:,} numbers of the request do not include this one; the others were not"
    " compared."
)
_OF_CUT_RESPONSE: Final = (
    "A response has more numbers than are compared, so that no answer to this one is awaited."
)

Numbered = TypeVar("Numbered", RequestTrace, ResponseTrace, TraceMatch)


def counted(traces: Sequence[Numbered]) -> list[Numbered]:
    """Return the numbers that count: the TRN02s, or the BHT03 of a set that has none."""
    traced = [each for each in traces if each.place.kind is TraceKind.TRACE]
    return traced or [each for each in traces if each.place.element != NO_NUMBER]


def request_pairing(
    traces: Sequence[RequestTrace], responses: Sequence[PairedTransaction]
) -> Pairing:
    """Return what is known of the responses to a request that has at least one row."""
    own, total = counted(traces), traces[0].total
    is_cut = any(each.total > MAX_TRACES for each in responses)
    findings = [*_about_set(own, PairingRole.REQUEST, total)]
    for each in own:
        if each.state is TraceState.OVERDUE:
            findings.append(_at(each.place, PairingFindingCode.RESPONSE_OVERDUE, _LATE))
        elif each.state is TraceState.OPEN and is_cut:
            code = PairingFindingCode.TRACE_NOT_COMPARED
            findings.append(_at(each.place, code, _OF_CUT_RESPONSE))
    due = (each.due_at for each in own if each.state is TraceState.OPEN)
    return Pairing(
        role=PairingRole.REQUEST,
        number_count=len(own) + _left_off(total),
        paired_count=sum(each.state is TraceState.ANSWERED for each in own),
        due_at=max((each for each in due if each is not None), default=None),
        transactions=tuple(responses),
        findings=tuple(findings[:MAX_FINDINGS]),
        finding_count=len(findings),
    )


def response_pairing(traces: Sequence[ResponseTrace], direction: Direction) -> Pairing:
    """Return what is known of the requests of a response that has at least one row."""
    own, total = counted(traces), traces[0].total
    is_cut = any(each.request_total > MAX_TRACES for each in traces)
    unknown = [each.place for each in own if each.request_id is None]
    findings = [
        *_about_set(own, PairingRole.RESPONSE, total),
        *(_without_request(each, direction, is_cut=is_cut) for each in unknown),
    ]
    return Pairing(
        role=PairingRole.RESPONSE,
        number_count=len(own) + _left_off(total),
        paired_count=len(own) - len(unknown),
        due_at=None,
        transactions=tuple(_requests(traces)),
        findings=tuple(findings[:MAX_FINDINGS]),
        finding_count=len(findings),
    )


def unmatched_text(matches: Sequence[TraceMatch], direction: Direction) -> str:
    """Return what is said of a response that was just compared, ``""`` if it has requests."""
    own = counted(matches)
    unknown = [each.place for each in own if each.request_id is None]
    if not own:
        return _MISSING[PairingRole.RESPONSE]
    if not unknown:
        return ""
    first, others = unknown[0], len(unknown) - 1
    more = f" The same holds for {others} more of its numbers." if others else ""
    return f"{first.element} in segment {first.position}: {_UNKNOWN[direction]}{more}"


def _about_set(own: Sequence[Numbered], role: PairingRole, total: int) -> Iterator[PairingFinding]:
    """Yield what is said of a set as a whole."""
    if not own:
        yield PairingFinding(code=PairingFindingCode.TRACE_MISSING, message=_MISSING[role])
    if _left_off(total):
        text = (
            f"{_left_off(total):,} of its numbers are not compared; the first {MAX_TRACES:,} are."
        )
        yield PairingFinding(code=PairingFindingCode.TRACE_NOT_COMPARED, message=text)


def _left_off(total: int) -> int:
    return max(0, total - MAX_TRACES)


def _without_request(place: TracePlace, direction: Direction, *, is_cut: bool) -> PairingFinding:
    if is_cut:
        return _at(place, PairingFindingCode.TRACE_NOT_COMPARED, _OF_CUT_REQUEST)
    return _at(place, PairingFindingCode.RESPONSE_WITHOUT_REQUEST, _UNKNOWN[direction])


def _at(place: TracePlace, code: PairingFindingCode, message: str) -> PairingFinding:
    return PairingFinding(
        code=code, message=message, element=place.element, segment_position=place.position
    )


def _requests(traces: Sequence[ResponseTrace]) -> Iterator[PairedTransaction]:
    """Yield each request once, in the order of the numbers that it has."""
    linked: dict[TransactionId, list[ResponseTrace]] = {}
    for each in traces:
        if each.request_id is not None:
            linked.setdefault(each.request_id, []).append(each)
    for request_id, of_one in linked.items():
        yield PairedTransaction(
            transaction_id=request_id,
            number_count=len(of_one),
            is_ambiguous=any(each.is_ambiguous for each in of_one),
            total=of_one[0].request_total,
        )
