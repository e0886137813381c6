"""GET /api/v1/acks: acknowledgements of partners, also outstanding ones, and ours.

Source: contract.md section 7.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from longshore.domain.accounts.model import ApiCaller, KeyScope
from longshore.domain.acks.model import Ack, AckError, AckForm, AckRowStatus
from longshore.domain.acks.store import AckQuery
from longshore.domain.pages import PageParameters
from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.transactions.model import AckStatus, TransactionId
from longshore.domain.users.model import SessionUser
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.ack_shapes import (
    ACKNOWLEDGEMENTS,
    ALL_TYPES,
    NO_ERROR,
    AckClaimItem,
    AckErrorItem,
    AckItem,
    AckListParameters,
    AcksAnswer,
    ClaimCountsItem,
    Outcome,
)
from longshore.http.api_v1.transaction_records import texts_of
from longshore.http.envelope import Answer, json_answer, utc_text
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import (
    ImpossibleValuesError,
    counted_for,
    id_of,
    moment_after,
    moment_from,
    page_of,
)
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.kit.environment import Environment

PATHS: Final[Mapping[type[AccountCaller], str]] = {
    ApiCaller: "/api/v1/acks",
    SessionUser: "/api/acks",
}
_FLAGS: Final = {"true": True, "false": False}
_OUTCOMES: Final[Mapping[AckStatus, Outcome]] = {
    AckStatus.ACCEPTED: "accepted",
    AckStatus.ACCEPTED_WITH_ERRORS: "accepted_with_errors",
    AckStatus.PARTIALLY_ACCEPTED: "partially_accepted",
    AckStatus.REJECTED: "rejected",
}
_FUNCTIONAL: Final = frozenset({AckForm.F997, AckForm.F999})


async def list_acks(caller: AccountCaller, call: Call[None]) -> Answer:
    """Return a page of what a key sees: in production the rows of both environments.

    Raises:
        ImpossibleValuesError: With a detail for each parameter that makes no sense.
    """
    given = texts_of(call.parameters_as(AckListParameters))
    query = replace(query_of(given), is_test=_flag(given, "test"))
    return await page_answer(caller, call, query, given)


async def page_answer(
    caller: AccountCaller, call: Call[None], query: AckQuery, given: Mapping[str, str]
) -> Answer:
    """Return the page that ``given`` asks for; the header ``Link`` names the next one."""
    path = PATHS[type(caller)]
    limit, offset, warnings = page_of(given.get("limit", ""), given.get("offset", ""))
    service = call.services.trading.acks
    asked = PageParameters(limit=limit, offset=offset, count_to=counted_for(caller))
    page = await service.page(request_context_of(caller, call), query, asked)
    answer = json_answer(
        AcksAnswer(
            environment=caller.environment.value,
            count=len(page.acks),
            total=page.total.count,
            total_is_exact=page.total.is_exact,
            limit=limit,
            offset=offset,
            has_more=page.has_more,
            acks=[item_of(each) for each in page.acks],
            warnings=warnings,
        )
    )
    if not page.has_more:
        return answer
    following = urlencode({**given, "limit": limit, "offset": offset + len(page.acks)})
    link = f'<{call.services.base_url}{path}?{following}>; rel="next"'  # RFC 8288
    return answer._replace(headers=(*answer.headers, (b"link", link.encode())))


def query_of(given: Mapping[str, str]) -> AckQuery:
    """Return which rows are asked for.

    Raises:
        ImpossibleValuesError: With a detail for each date that does not exist, or id too large.
    """
    faults: dict[str, str] = {}
    partner_id = id_of(given.get("partner_id", ""), "partner_id", faults)
    transaction_id = id_of(given.get("transaction_id", ""), "transaction_id", faults)
    since = moment_from(given.get("date_from", ""), "date_from", faults)
    before = moment_after(given.get("date_to", ""), "date_to", faults)
    if faults:
        raise ImpossibleValuesError(faults)
    direction = given.get("direction")
    error = given.get("error")
    return AckQuery(
        statuses=frozenset(map(AckRowStatus, _words(given, "status"))),
        results=frozenset(map(AckStatus, _words(given, "result"))),
        ack_types=_types(_words(given, "ack_type")),
        direction=None if direction is None else Direction(direction),
        partner_id=None if partner_id is None else PartnerId(partner_id),
        transaction_id=None if transaction_id is None else TransactionId(transaction_id),
        tx_sets=frozenset(_words(given, "tx_set")),
        is_overdue=_flag(given, "overdue"),
        is_due=_flag(given, "due"),
        is_open=_flag(given, "open"),
        complaint="" if error == NO_ERROR else error,
        since=since,
        before=before,
    )


def _flag(given: Mapping[str, str], name: str) -> bool | None:
    return _FLAGS[given[name]] if name in given else None


def _words(given: Mapping[str, str], name: str) -> list[str]:
    text = given.get(name)
    return text.split(",") if text else []


def _types(words: Sequence[str]) -> frozenset[AckForm]:
    """Return the types that are asked for; empty asks for all of them."""
    if ALL_TYPES in words:
        return frozenset()
    return frozenset(map(AckForm, words)) or _FUNCTIONAL


def item_of(ack: Ack) -> AckItem:
    """Return a row as contract.md section 7 writes it."""
    row, facts = ack.row, ack.row.facts
    counts = facts.claim_counts
    return AckItem(
        id=ack.id,
        ack_type=facts.ack_type.value,
        direction=row.direction.value,
        status=row.status,
        result=None if row.result is None else _OUTCOMES[row.result],
        overdue=row.is_overdue,
        matched=row.is_matched,
        weak_match=row.is_weak_match,
        ambiguous=row.is_ambiguous,
        conflict=row.is_conflict,
        transaction_id=row.transaction_id,
        business_key=ack.business_key,
        partner_id=row.partner_id,
        partner_name=ack.partner_name,
        tx_set=facts.tx_set,
        functional_group=facts.functional_group,
        isa_control_number=facts.isa_control_number,
        acked_gs_control_number=facts.acked_gs_control_number,
        acked_st_control_number=facts.acked_st_control_number,
        group_code=facts.group_code,
        transaction_code=facts.transaction_code,
        transaction_error_codes=[*facts.transaction_error_codes],
        sets_included=facts.sets_included,
        sets_received=facts.sets_received,
        sets_accepted=facts.sets_accepted,
        errors=[_error_of(each) for each in facts.errors],
        claims=[AckClaimItem(**asdict(each)) for each in facts.claims],
        claim_counts=None if counts is None else ClaimCountsItem(**asdict(counts)),
        expected_by=_text(row.expected_by),
        received_at=_text(row.received_at),
        sent_at=_text(row.sent_at if row.direction is Direction.OUTBOUND else None),
        doc_id=row.doc_id,
        is_test=row.environment is Environment.SANDBOX,
        created_at=utc_text(ack.created_at),
        updated_at=utc_text(ack.updated_at),
    )


def _error_of(error: AckError) -> AckErrorItem:
    return AckErrorItem(**asdict(error))


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else utc_text(moment)


ERROR_EXAMPLE: Final = {
    "level": "element",
    "segment_id": "PO1",
    "segment_position": 8,
    "loop_id": "PO1",
    "element_position": 6,
    "component_position": None,
    "repeat": None,
    "element_ref": "235",
    "code": "7",
    "code_meaning": "Invalid code value",
    "bad_value": "XX",
    "source": "AK4",
    "our_value": "XX",
    "our_path": "PO1[2].06",
    "our_offset": 611,
    "our_rule": "field_map[12]",
    "hint": "Allowed here: UP, VN, IN",
    "message": "",
}
ACK_EXAMPLE: Final = {
    "id": 881,
    "ack_type": "997",
    "direction": "inbound",
    "status": "received",
    "result": "rejected",
    "overdue": False,
    "matched": True,
    "weak_match": False,
    "ambiguous": False,
    "conflict": False,
    "transaction_id": 10042,
    "business_key": "PO-12345",
    "partner_id": 7,
    "partner_name": "Northwind Retail",
    "tx_set": "850",
    "functional_group": "PO",
    "isa_control_number": "000000077",
    "acked_gs_control_number": "123",
    "acked_st_control_number": "0001",
    "group_code": "R",
    "transaction_code": "R",
    "transaction_error_codes": ["5"],
    "sets_included": 1,
    "sets_received": 1,
    "sets_accepted": 0,
    "errors": [ERROR_EXAMPLE],
    "claims": [],
    "claim_counts": None,
    "expected_by": "2026-01-17T14:05:09",
    "received_at": "2026-01-15T14:06:41",
    "sent_at": None,
    "doc_id": None,
    "is_test": True,
    "created_at": "2026-01-15T14:05:09",
    "updated_at": "2026-01-15T14:06:41",
}
ACKS_RESPONSE: Final = Response(
    description="A page of acknowledgements.",
    shape=AcksAnswer,
    example={
        "ok": True,
        "environment": "sandbox",
        "count": 1,
        "total": 1,
        "total_is_exact": True,
        "limit": 50,
        "offset": 0,
        "has_more": False,
        "next_cursor": None,
        "acks": [ACK_EXAMPLE],
        "warnings": [],
    },
)
LIST_ACKS: Final[AnyOperation] = Operation(
    method="GET",
    path=PATHS[ApiCaller],
    operation_id="listAcks",
    tag=ACKNOWLEDGEMENTS,
    summary="List acknowledgements",
    description=(
        "A page of acknowledgements, the newest first: those that partners sent or have yet to "
        "send, and ours. There is one row for each set. All filters that are given have to fit; "
        "of several values in one, any. Without ack_type those of functional groups: 997 and "
        "999. The header Link has the address of the next page. Needs scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.REQUESTS,
    parameters=AckListParameters,
    response=ACKS_RESPONSE,
    handler=list_acks,
)
