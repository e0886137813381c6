"""GET /api/v1/partners: who documents are exchanged with, as a key sees it.

Source: contract.md section 8, service.md.
"""

from typing import Annotated, Any, Final, Literal

import msgspec

from longshore.domain.accounts.model import KeyScope
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.partners.model import (
    BreakerState,
    CircuitBreaker,
    ConnectionStatus,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.service import (
    ALL_STATUSES,
    VISIBLE_TO_API_KEY,
    KnownPartner,
    PartnerSearch,
)
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.transaction_shapes import Ok
from longshore.http.envelope import Answer, EnvironmentName, Notice, Time, json_answer, utc_text
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import Limit, Offset, Search, id_in_path, page_of
from longshore.http.operation import Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode
from longshore.x12.acks.profile import AckType

PARTNERS: Final = "Partners"
PartnerIdText = Annotated[str, msgspec.Meta(description="Id of a partner.")]


class CircuitBreakerItem(msgspec.Struct, kw_only=True):
    """The state of sending to the partner: always, or one document from time to time as a probe."""

    state: Annotated[
        BreakerState,
        msgspec.Meta(
            description="closed: they are sent. open: the destination fails, they wait."
            " half_open: a probe is being sent."
        ),
    ]
    opened_at: Annotated[Time | None, msgspec.Meta(description="Null while it is closed.")]
    next_probe_at: Annotated[Time | None, msgspec.Meta(description="Null while it is closed.")]


class PartnerItem(msgspec.Struct, kw_only=True):
    """A trading partner as lists show it."""

    id: int
    name: str
    partner_status: PartnerStatus
    inbound_url_test: Annotated[
        str,
        msgspec.Meta(
            description="Where the partner sends test documents to; keep it secret. Masked for "
            "keys without the scope submit and for viewers."
        ),
    ]
    inbound_url: Annotated[
        str,
        msgspec.Meta(
            description="The address for its live documents; shown only in production for an "
            "active "
            "partner, otherwise empty. Masked like inbound_url_test."
        ),
    ]
    isa_qualifier: str
    isa_id: str
    gs_id: Annotated[str, msgspec.Meta(description="Empty: the same as isa_id.")]
    edi_identity: Annotated[
        str,
        msgspec.Meta(
            description=("Qualifier and id, for example 01/123456789; empty without isa_id.")
        ),
    ]
    connection_type: Annotated[
        ConnectionType, msgspec.Meta(description="Of the environment of the caller.")
    ]
    connection_status: Annotated[
        ConnectionStatus, msgspec.Meta(description="Of the environment of the caller.")
    ]
    circuit_breaker: Annotated[
        CircuitBreakerItem, msgspec.Meta(description="Of the environment of the caller.")
    ]
    tx_sets: Annotated[
        list[str], msgspec.Meta(description="Agreed transaction sets; empty: every one.")
    ]
    version: Annotated[
        str, msgspec.Meta(description=("GS08 of sent documents, for example 004010."))
    ]
    ack_type: Annotated[
        AckType, msgspec.Meta(description="The acknowledgement that is sent, and expected.")
    ]
    ack_hours: Annotated[
        int, msgspec.Meta(description="Hours until an acknowledgement that lacks is overdue.")
    ]
    industry: str
    contact_email: str
    last_activity_at: Annotated[
        Time | None,
        msgspec.Meta(
            description=("Time of the last document in either direction; null before the first.")
        ),
    ]
    created_at: Time
    updated_at: Time


class PartnersAnswer(msgspec.Struct, kw_only=True):
    """Partners in the order of their ids."""

    ok: Ok = True
    environment: EnvironmentName
    count: Annotated[int, msgspec.Meta(description="Partners in this answer.")]
    total: Annotated[int, msgspec.Meta(description="Partners that fit, on all pages.")]
    limit: Annotated[int | None, msgspec.Meta(description="Null: all that follow were asked for.")]
    offset: int
    has_more: bool
    partners: list[PartnerItem]
    warnings: list[Notice]


class PartnerAnswer(msgspec.Struct, kw_only=True):
    """One partner."""

    ok: Ok = True
    environment: EnvironmentName
    partner: PartnerItem
    warnings: list[Notice]


class PartnersParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters and page of partners."""

    partner_status: Annotated[
        Literal["pending", "testing", "active", "inactive", "error"] | msgspec.UnsetType,
        msgspec.Meta(description="Only those in this status."),
    ] = msgspec.UNSET
    q: Annotated[
        Search | msgspec.UnsetType, msgspec.Meta(description="How the name begins, in any case.")
    ] = msgspec.UNSET
    limit: Annotated[
        Limit | msgspec.UnsetType,
        msgspec.Meta(description="Partners on a page, at most 200; all of them if absent."),
    ] = msgspec.UNSET
    offset: Annotated[
        Offset | msgspec.UnsetType,
        msgspec.Meta(description="Partners passed over before the page."),
    ] = msgspec.UNSET


class PartnerParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The partner that the path names."""

    id: PartnerIdText


async def list_for_key(caller: AccountCaller, call: Call[None]) -> Answer:
    return await listed(caller, call, VISIBLE_TO_API_KEY[caller.environment])


async def show_for_key(caller: AccountCaller, call: Call[None]) -> Answer:
    seen = VISIBLE_TO_API_KEY[caller.environment]
    partners = call.services.trading.partners
    known = await partners.get(request_context_of(caller, call), asked_partner(call), seen)
    members = members_of(known, caller, call.services.base_url)
    return json_answer(
        PartnerAnswer(
            environment=caller.environment.value,
            partner=PartnerItem(**members),
            warnings=[],
        )
    )


async def listed(
    caller: AccountCaller,
    call: Call[None],
    seen: frozenset[PartnerStatus] = ALL_STATUSES,
) -> Answer:
    """Answer with the partners that fit, of those that are ``seen``."""
    asked = call.parameters_as(PartnersParameters)
    limit, offset, warnings = page_of(asked.limit, asked.offset)
    search = PartnerSearch(
        statuses=seen & {PartnerStatus(asked.partner_status)} if asked.partner_status else seen,
        q=asked.q or "",
        limit=limit if asked.limit else None,
        offset=offset,
    )
    page = await call.services.trading.partners.page(request_context_of(caller, call), search)
    base_url, environment = call.services.base_url, caller.environment
    return json_answer(
        PartnersAnswer(
            environment=environment.value,
            count=len(page.partners),
            total=page.total,
            limit=search.limit,
            offset=offset,
            has_more=offset + len(page.partners) < page.total,
            partners=[PartnerItem(**members_of(each, caller, base_url)) for each in page.partners],
            warnings=warnings,
        )
    )


def asked_partner(call: Call[Any]) -> PartnerId:  # whatever the body is
    """Return the id of the partner that a path names.

    Raises:
        PartnerNotFoundError: It is no id, so no partner has it.
    """
    partner_id = id_in_path(call.parameters_as(PartnerParameters).id)
    if partner_id is None:
        raise PartnerNotFoundError
    return PartnerId(partner_id)


def members_of(
    known: KnownPartner, caller: AccountCaller, base_url: str
) -> dict[str, Any]:  # members of various types
    """Return a partner as a caller sees it in a list."""
    environment, is_masked = caller.environment, not caller.may_submit
    partner, terms = known.partner, known.partner.terms
    last, identity = partner.last_activity_at, terms.identity
    return {
        "id": partner.id,
        "name": terms.name,
        "partner_status": partner.status,
        "inbound_url_test": known.inbound_url(
            Environment.SANDBOX, base_url, environment, is_masked=is_masked
        ),
        "inbound_url": known.inbound_url(
            Environment.PRODUCTION, base_url, environment, is_masked=is_masked
        ),
        "isa_qualifier": identity.qualifier,
        "isa_id": identity.isa_id,
        "gs_id": identity.gs_id,
        "edi_identity": identity.edi_identity,
        "connection_type": terms.connections.of(environment).type,
        "connection_status": partner.connection_status(environment),
        "circuit_breaker": _breaker_of(partner.breaker(environment)),
        "tx_sets": list(terms.tx_sets),
        "version": terms.version,
        "ack_type": terms.ack_type,
        "ack_hours": terms.ack_hours,
        "industry": terms.industry,
        "contact_email": terms.contact_email,
        "last_activity_at": None if last is None else utc_text(last),
        "created_at": utc_text(partner.created_at),
        "updated_at": utc_text(partner.updated_at),
    }


def _breaker_of(breaker: CircuitBreaker) -> CircuitBreakerItem:
    opened_at, probe_at = breaker.opened_at, breaker.probe_at
    return CircuitBreakerItem(
        state=breaker.state,
        opened_at=None if opened_at is None else utc_text(opened_at),
        next_probe_at=None if probe_at is None else utc_text(probe_at),
    )


PARTNER_EXAMPLE: Final = {
    "id": 7,
    "name": "Northwind Retail",
    "partner_status": "testing",
    "inbound_url_test": "https://edi.example.com/edi/receive/"
    "T0w0S4yAA1u0l8mDqk3cHkzY5Wb7n2Vd9xRfGjLpQeE?env=test",
    "inbound_url": "",
    "isa_qualifier": "01",
    "isa_id": "123456789",
    "gs_id": "NWRETAIL",
    "edi_identity": "01/123456789",
    "connection_type": "http",
    "connection_status": "connected",
    "circuit_breaker": {"state": "closed", "opened_at": None, "next_probe_at": None},
    "tx_sets": ["850", "855", "856", "810", "997"],
    "version": "004010",
    "ack_type": "997",
    "ack_hours": 48,
    "industry": "retail",
    "contact_email": "edi@northwind.example",
    "last_activity_at": "2026-01-15T14:06:41",
    "created_at": "2026-01-02T09:00:00",
    "updated_at": "2026-01-15T14:06:41",
}
PARTNERS_RESPONSE: Final = Response(
    description="The partners, by id.",
    shape=PartnersAnswer,
    example={
        "ok": True,
        "environment": "sandbox",
        "count": 1,
        "total": 1,
        "limit": None,
        "offset": 0,
        "has_more": False,
        "partners": [PARTNER_EXAMPLE],
        "warnings": [],
    },
)
LIST_PARTNERS: Final = Operation(
    method="GET",
    path="/api/v1/partners",
    operation_id="listPartners",
    tag=PARTNERS,
    summary="List trading partners",
    description=(
        "Shows all partners that fit. A sandbox key sees those in status testing only. Needs "
        "scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.REQUESTS,
    parameters=PartnersParameters,
    response=PARTNERS_RESPONSE,
    handler=list_for_key,
)
SHOW_PARTNER: Final = Operation(
    method="GET",
    path="/api/v1/partners/{id}",
    operation_id="showPartner",
    tag=PARTNERS,
    summary="Show a trading partner",
    description="Gives one partner that the key sees. Needs scope read.",
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.REQUESTS,
    parameters=PartnerParameters,
    response=Response(
        description="The partner.",
        shape=PartnerAnswer,
        example={
            "ok": True,
            "environment": "sandbox",
            "partner": PARTNER_EXAMPLE,
            "warnings": [],
        },
    ),
    errors=frozenset({ErrorCode.NOT_FOUND}),
    handler=show_for_key,
)
