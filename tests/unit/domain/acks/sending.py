"""What we had sent, and acknowledgements of it, for the tests of reconciling."""

from collections.abc import Sequence
from datetime import datetime

from longshore.domain.acks.matching import (
    AckDecision,
    AckOrigin,
    SentGroup,
    SentInterchange,
    SentSetState,
    content_digest,
    reconcile_group,
    reconcile_ta1,
)
from longshore.domain.acks.model import GroupId
from longshore.domain.partners.model import Address, Pair
from longshore.domain.transactions.model import (
    AckStatus,
    InterchangeId,
    TransactionId,
)
from longshore.x12.acks.read import GroupAck, read_group_ack, read_ta1
from longshore.x12.delimiters import Delimiters
from tests.unit.domain.trading import HOUR, NOW

MARKS = Delimiters("*", "~", ":", "^")
WE, A, B = Address("ZZ", "ACMECORP"), Address("01", "123456789"), Address("01", "987654321")
TO_A, TO_B = Pair(WE, A), Pair(WE, B)
FROM_A = AckOrigin(TO_A.swapped(), "NWRETAIL", "ACMEGS", NOW)


def a_sent_set(
    number: int = 1,
    ack: AckStatus = AckStatus.PENDING,
    *,
    is_resent: bool = False,
) -> SentSetState:
    return SentSetState(
        transaction_id=TransactionId(10_000 + number),
        set_id="850",
        control_number=f"{number:04d}",
        ack=ack,
        is_resent=is_resent,
    )


def a_sent_group(  # noqa: PLR0913 - a group has as many members
    *sets: SentSetState,
    group_id: int = 1,
    pair: Pair = TO_A,
    control_number: str = "55",
    functional_id: str = "PO",
    gs_sender: str = "ACMEGS",
    sent_at: datetime | None = NOW - HOUR,
    answers: frozenset[bytes] = frozenset(),
) -> SentGroup:
    return SentGroup(
        group_id=GroupId(group_id),
        interchange_id=InterchangeId(9000 + group_id),
        pair=pair,
        gs_sender=gs_sender,
        gs_receiver="NWRETAIL",
        functional_id=functional_id,
        control_number=control_number,
        sent_at=sent_at,
        sets=sets or (a_sent_set(),),
        answers=answers,
    )


def a_sent_interchange(
    *sets: SentSetState,
    control_number: str = "000000077",
    date: str = "240114",
    answers: frozenset[bytes] = frozenset(),
) -> SentInterchange:
    return SentInterchange(
        interchange_id=InterchangeId(9001),
        pair=TO_A,
        control_number=control_number,
        date=date,
        time="2359",
        sent_at=NOW - HOUR,
        sets=sets or (a_sent_set(),),
        answers=answers,
    )


def rows_of(*segments: str) -> list[list[str]]:
    return [each.split("*") for each in ("ST*997*0001", *segments, "SE*9*0001")]


def a_997(*segments: str) -> GroupAck:
    return read_group_ack(rows_of(*segments), MARKS)


def digest_of(*segments: str) -> bytes:
    return content_digest(rows_of(*segments))


def reconciled(*segments: str, candidates: Sequence[SentGroup]) -> AckDecision:
    """Return what a 997 of partner A with these segments changes."""
    return reconcile_group(a_997(*segments), digest_of(*segments), FROM_A, candidates)


def reconciled_ta1(segment: str, *candidates: SentInterchange) -> AckDecision:
    row = segment.split("*")
    return reconcile_ta1(read_ta1(row, 2), content_digest([row]), FROM_A, candidates)


def axes(decision: AckDecision) -> list[str]:
    return [each.ack.value for each in decision.sets]


def events(decision: AckDecision) -> list[tuple[str, int | None]]:
    return [(each.type.value, each.transaction_id) for each in decision.events]
