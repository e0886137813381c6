"""/api/audit: who did what, for the owners of an account."""

from typing import Annotated, Final

import msgspec

from longshore.domain.audit.service import AuditEntry, AuditFilters
from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.transaction_shapes import Line, Ok
from longshore.http.envelope import Answer, Notice, Time, json_answer, utc_text
from longshore.http.limits import LimitClass
from longshore.http.listing import (
    END,
    Id,
    ImpossibleValuesError,
    Limit,
    Moment,
    id_of,
    moment_after,
    moment_from,
    page_of,
)
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session_caller import OWNER

Action = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^[a-z_.]*{END}",
        max_length=60,
        extra={"text": "an action such as document.read, or its first word"},
    ),
]


class AuditItem(msgspec.Struct, kw_only=True):
    """An entry of the audit log."""

    id: Annotated[int, msgspec.Meta(description="Position in the log of the account, from 1.")]
    at: Time
    actor: Annotated[str, msgspec.Meta(description="Such as key 3, user 5, worker, operator.")]
    action: Annotated[str, msgspec.Meta(description="Such as document.read.")]
    object: Annotated[str, msgspec.Meta(description="Such as document 17.")]
    ip: Annotated[str, msgspec.Meta(description="Empty where there was no request.")]
    request_id: Annotated[str, msgspec.Meta(description="Empty where there was no request.")]
    detail: Annotated[str, msgspec.Meta(description="A text for people; often empty.")]


class AuditAnswer(msgspec.Struct, kw_only=True):
    """Entries of the audit log, newest first."""

    ok: Ok = True
    count: Annotated[int, msgspec.Meta(description="Entries in this answer.")]
    limit: int
    has_more: Annotated[
        bool,
        msgspec.Meta(description="Whether older entries are to be looked at, though none may fit."),
    ]
    next_before: Annotated[
        int | None, msgspec.Meta(description="What to ask for next as before; null at the end.")
    ]
    entries: list[AuditItem]
    warnings: list[Notice]


class AuditFilterParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters of audit entries."""

    actor: Annotated[
        Line | msgspec.UnsetType, msgspec.Meta(description="Actor, exactly as in actor.")
    ] = msgspec.UNSET
    action: Annotated[
        Action | msgspec.UnsetType,
        msgspec.Meta(description="What was done: document.read, or all that begins with document."),
    ] = msgspec.UNSET
    object: Annotated[
        Line | msgspec.UnsetType,
        msgspec.Meta(description="Object, exactly as in object, for example document 17."),
    ] = msgspec.UNSET
    date_from: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Done on this day or at this UTC time, or later."),
    ] = msgspec.UNSET
    date_to: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Done on this day or at this UTC time, or earlier."),
    ] = msgspec.UNSET


class AuditParameters(AuditFilterParameters, kw_only=True):
    """Filters and page of audit entries."""

    limit: Annotated[
        Limit | msgspec.UnsetType, msgspec.Meta(description="50 if absent, at most 200.")
    ] = msgspec.UNSET
    before: Annotated[
        Id | msgspec.UnsetType, msgspec.Meta(description="Only entries with a smaller id.")
    ] = msgspec.UNSET


async def list_audit(user: SessionUser, call: Call[None]) -> Answer:
    asked = call.parameters_as(AuditParameters)
    faults: dict[str, str] = {}
    before = id_of(asked.before, "before", faults)
    filters = audit_filters_of(asked, faults)
    limit, _, warnings = page_of(asked.limit, msgspec.UNSET)
    context = request_context_of(user, call)
    page = await call.services.trading.audit.page(context, filters, before, limit)
    return json_answer(
        AuditAnswer(
            count=len(page.entries),
            limit=limit,
            has_more=page.next_before is not None,
            next_before=page.next_before,
            entries=[item_of(each) for each in page.entries],
            warnings=warnings,
        )
    )


def audit_filters_of(asked: AuditFilterParameters, faults: dict[str, str]) -> AuditFilters:
    """Return the filters of a request.

    Args:
        asked: The parameters of the query.
        faults: The faults of other parameters, which are refused together with these.

    Raises:
        ImpossibleValuesError: With a detail for each parameter that makes no sense.
    """
    filters = AuditFilters(
        actor=asked.actor or "",
        action=asked.action or "",
        object=asked.object or "",
        since=moment_from(asked.date_from, "date_from", faults),
        before=moment_after(asked.date_to, "date_to", faults),
    )
    if faults:
        raise ImpossibleValuesError(faults)
    return filters


def item_of(given: AuditEntry) -> AuditItem:
    """Return an entry as answers show it."""
    entry = given.entry
    return AuditItem(
        id=entry.position,
        at=utc_text(entry.created_at),
        actor=entry.actor,
        action=entry.action,
        object=entry.object,
        ip=entry.ip,
        request_id=entry.request_id,
        detail=given.detail,
    )


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/audit",
        operation_id="listAudit",
        tag="Account",
        summary="Read the audit log",
        description=(
            "All actions in the account, in both environments, newest first. One call searches "
            "at most 10,000 entries: with has_more there are older ones to search, even if none "
            "was found here. For owners."
        ),
        caller=OWNER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=AuditParameters,
        response=Response(
            description="Entries, newest first.",
            shape=AuditAnswer,
            example={
                "ok": True,
                "count": 1,
                "limit": 50,
                "has_more": False,
                "next_before": None,
                "entries": [
                    {
                        "id": 12,
                        "at": "2026-01-15T14:05:09",
                        "actor": "user 5",
                        "action": "document.read",
                        "object": "document 17",
                        "ip": "192.0.2.7",
                        "request_id": "req_01JD3K8Q2V",
                        "detail": "",
                    }
                ],
                "warnings": [],
            },
        ),
        handler=list_audit,
    ),
)
