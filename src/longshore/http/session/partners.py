"""/api/partners: trading partners, for the pages of the service."""

from typing import Final

import msgspec

from longshore.domain.accounts.keys import OVERLAP_DEFAULT_HOURS
from longshore.domain.control_numbers.service import CounterView
from longshore.domain.control_numbers.store import MissingNumbers
from longshore.domain.partners.model import NewPartner
from longshore.domain.partners.parser import partner_members, read_partner
from longshore.domain.partners.service import KnownPartner
from longshore.domain.partners.status import PartnerState, allowed_steps
from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.partners import (
    PARTNER_EXAMPLE,
    PARTNERS,
    PARTNERS_RESPONSE,
    PartnerParameters,
    PartnersParameters,
    asked_partner,
    listed,
    members_of,
)
from longshore.http.envelope import (
    Answer,
    DoneAnswer,
    done,
    json_answer,
    utc_text,
)
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.partners_shapes import (
    ControlNumbersAnswer,
    CounterItem,
    MissingItem,
    PartnerBody,
    PartnerDetail,
    PartnerDetailAnswer,
    PartnerMembers,
    RotateTokenBody,
    RouteItem,
    ShownConnections,
)
from longshore.http.session_caller import EDITOR, VIEWER
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode

_MEMBERS: Final = PartnerMembers.__struct_fields__


async def list_partners(user: SessionUser, call: Call[None]) -> Answer:
    return await listed(user, call)


async def show_partner(user: SessionUser, call: Call[None]) -> Answer:
    partners = call.services.trading.partners
    known = await partners.get(request_context_of(user, call), asked_partner(call))
    return _detail(known, user, call.services.base_url)


async def create_partner(user: SessionUser, call: Call[PartnerBody]) -> Answer:
    new = _read(call.body, is_new=True)
    known = await call.services.trading.partners.create(request_context_of(user, call), new)
    return _detail(known, user, call.services.base_url)


async def change_partner(user: SessionUser, call: Call[PartnerBody]) -> Answer:
    partner_id, new = asked_partner(call), _read(call.body, is_new=False)
    known = await call.services.trading.partners.change(
        request_context_of(user, call), partner_id, call.expected_version, new
    )
    return _detail(known, user, call.services.base_url)


async def delete_partner(user: SessionUser, call: Call[None]) -> Answer:
    partners, partner_id = call.services.trading.partners, asked_partner(call)
    await partners.delete(request_context_of(user, call), partner_id, call.expected_version)
    return done()


async def rotate_token(user: SessionUser, call: Call[RotateTokenBody]) -> Answer:
    hours = call.body.overlap_hours
    known = await call.services.trading.partners.rotate_token(
        request_context_of(user, call),
        asked_partner(call),
        Environment(call.body.environment),
        OVERLAP_DEFAULT_HOURS if hours is None else hours,
    )
    return _detail(known, user, call.services.base_url)


async def show_control_numbers(user: SessionUser, call: Call[None]) -> Answer:
    service, context = call.services.trading.control_numbers, request_context_of(user, call)
    counters = await service.of_partner(context, asked_partner(call))
    missing = await service.missing_of_partner(context, asked_partner(call))
    return json_answer(
        ControlNumbersAnswer(
            counters=[_counter(each) for each in counters],
            missing=[_missing(each) for each in missing],
        )
    )


def _read(body: PartnerBody, *, is_new: bool) -> NewPartner:
    given = msgspec.to_builtins(body)
    return read_partner({name: given[name] for name in _MEMBERS}, is_new=is_new)


def _detail(known: KnownPartner, user: SessionUser, base_url: str) -> Answer:
    """Answer with a partner, and its version as the ``ETag``, for ``If-Match`` of a change."""
    partner, environment = known.partner, user.environment
    agreed = partner_members(partner.terms, partner.status)
    detail = PartnerDetail(
        **members_of(known, user, base_url),
        revision=partner.version,
        allowed_statuses=list(allowed_steps(PartnerState(partner.status, partner.status_before))),
        own_identity_id=partner.terms.own_identity_id,
        connections=msgspec.convert(agreed["connections"], ShownConnections),
        settings=msgspec.convert(agreed["settings"], dict),
        routes=msgspec.convert(agreed["routes"], list[RouteItem]),
    )
    answer = json_answer(
        PartnerDetailAnswer(environment=environment.value, partner=detail, warnings=[])
    )
    return answer._replace(headers=(*answer.headers, (b"etag", b'"%d"' % partner.version)))


def _missing(gap: MissingNumbers) -> MissingItem:
    return MissingItem(
        kind=gap.kind.value,
        environment=gap.environment.value,
        from_=gap.first,
        to=gap.last,
        since=utc_text(gap.since),
    )


def _counter(view: CounterView) -> CounterItem:
    return CounterItem(
        kind=view.kind.value,
        environment=view.environment.value,
        last=view.last,
        min=view.range.least,
        max=view.range.most,
        left=view.left,
        days_left=view.days_left,
    )


_BODY_EXAMPLE: Final = {
    "name": "Northwind Retail",
    "isa_qualifier": "01",
    "isa_id": "123456789",
    "gs_id": "NWRETAIL",
    "tx_sets": ["850", "855", "856", "810", "997"],
    "ack_type": "997",
    "connections": {"test": {"type": "http", "url": "https://edi.example.com/in"}},
    "routes": [{"tx_set": "850", "direction": "inbound", "map_id": 7, "save_to_vault": True}],
}
_DETAIL_EXAMPLE: Final = {
    "ok": True,
    "environment": "sandbox",
    "partner": {
        **PARTNER_EXAMPLE,
        "revision": 3,
        "allowed_statuses": ["active", "inactive"],
        "own_identity_id": None,
        "connections": {
            "test": {
                "type": "http",
                "url": "https://edi.example.com/in",
                "headers": {},
                "content_type": "application/edi-x12",
                "basic": None,
            },
            "live": {"type": "none"},
        },
        "settings": {"ta1": "on_request", "control_min": 1, "control_max": 999_999_999},
        "routes": [{"tx_set": "850", "direction": "inbound", "map_id": 7, "save_to_vault": True}],
    },
    "warnings": [],
}
_STATE: Final = frozenset({ErrorCode.NOT_FOUND, ErrorCode.INVALID_STATE})
_PARTNER: Final = Response(
    description="The partner.", shape=PartnerDetailAnswer, example=_DETAIL_EXAMPLE
)

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/partners",
        operation_id="listPartnersInSession",
        tag=PARTNERS,
        summary="List trading partners",
        description=(
            "Shows all partners that fit, of every status: a partner is the same in both "
            "environments, but for its connection and its URL."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=PartnersParameters,
        response=PARTNERS_RESPONSE,
        handler=list_partners,
    ),
    Operation(
        method="POST",
        path="/api/partners",
        operation_id="createPartner",
        tag=PARTNERS,
        summary="Add a trading partner",
        description="Makes a partner, with an inbound URL for each environment. For editors.",
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        body=PartnerBody,
        body_example=_BODY_EXAMPLE,
        response=_PARTNER,
        errors=frozenset({ErrorCode.INVALID_STATE}),
        handler=create_partner,
    ),
    Operation(
        method="GET",
        path="/api/partners/{id}",
        operation_id="showPartnerInSession",
        tag=PARTNERS,
        summary="Show a trading partner",
        description="Returns all settings but no secrets: <name>_set shows that a secret is set.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=PartnerParameters,
        response=_PARTNER,
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=show_partner,
    ),
    Operation(
        method="PUT",
        path="/api/partners/{id}",
        operation_id="changePartner",
        tag=PARTNERS,
        summary="Change a trading partner",
        description=(
            "Replaces the whole partner; absent members get their defaults, but secrets stay. "
            "If-Match names the edited revision. A partner_status that cannot follow the "
            "current one gives 409 invalid_state. For editors."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=PartnerParameters,
        is_versioned=True,
        body=PartnerBody,
        body_example=_BODY_EXAMPLE,
        response=_PARTNER,
        errors=_STATE,
        handler=change_partner,
    ),
    Operation(
        method="DELETE",
        path="/api/partners/{id}",
        operation_id="deletePartner",
        tag=PARTNERS,
        summary="Remove a trading partner",
        description=(
            "Deletes a partner without exchanged documents, and its inbound URLs; otherwise 409 "
            "invalid_state: make it inactive instead. For editors."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=PartnerParameters,
        is_versioned=True,
        response=Response(
            description="The partner was removed.", shape=DoneAnswer, example={"ok": True}
        ),
        errors=_STATE,
        handler=delete_partner,
    ),
    Operation(
        method="POST",
        path="/api/partners/{id}/rotate-token",
        operation_id="rotatePartnerToken",
        tag=PARTNERS,
        summary="Give an inbound URL a new token",
        description=(
            "The answer shows the URL with the new token; documents under the old one are taken "
            "for overlap_hours more. For editors."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=PartnerParameters,
        body=RotateTokenBody,
        body_example={"environment": "sandbox", "overlap_hours": 24},
        response=_PARTNER,
        errors=frozenset({ErrorCode.NOT_FOUND, ErrorCode.EDIT_CONFLICT}),
        handler=rotate_token,
    ),
    Operation(
        method="GET",
        path="/api/partners/{id}/control-numbers",
        operation_id="showControlNumbers",
        tag=PARTNERS,
        summary="Show the control numbers towards a partner",
        description=(
            "Tells where each counter stands and how long its range lasts, and which ISA13 the "
            "partner passed over in what came in the last 90 days, at most 100 gaps; in the "
            "sandbox those of the sandbox, in production those of both environments."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=PartnerParameters,
        response=Response(
            description="The counters.",
            shape=ControlNumbersAnswer,
            example={
                "ok": True,
                "counters": [
                    {
                        "kind": "isa",
                        "environment": "sandbox",
                        "last": 905,
                        "min": 1,
                        "max": 999_999_999,
                        "left": 999_999_094,
                        "days_left": 66_299_387,
                    }
                ],
                "missing": [
                    {
                        "kind": "isa",
                        "environment": "sandbox",
                        "from": 41,
                        "to": 43,
                        "since": "2026-01-15T14:05:09",
                    }
                ],
                "warnings": [],
            },
        ),
        errors=_STATE,
        handler=show_control_numbers,
    ),
)
