"""/api/attention: what somebody should look at."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.overview.attention import MAX_ITEMS, RECENT_DAYS
from longshore.domain.overview.model import AttentionItem, AttentionKind, AttentionSeverity
from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.transaction_shapes import Ok
from longshore.http.envelope import Answer, Time, json_answer, utc_text
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.stats import OVERVIEW
from longshore.http.session_caller import VIEWER


class AttentionRow(msgspec.Struct, kw_only=True):
    """Something that somebody should look at, several of a kind in one."""

    kind: AttentionKind
    severity: AttentionSeverity
    title: Annotated[str, msgspec.Meta(description="For people, with the count.")]
    count: int
    since: Annotated[
        Time | None, msgspec.Meta(description="When the oldest began; null if unknown.")
    ]
    href: Annotated[
        str, msgspec.Meta(description="The page that lists these: a path that begins with /app.")
    ]


class AttentionAnswer(msgspec.Struct, kw_only=True):
    """The things that need attention in one environment."""

    ok: Ok = True
    environment: Annotated[
        Literal["sandbox", "production"],
        msgspec.Meta(description="Chosen by the header X-Environment."),
    ]
    items: list[AttentionRow]
    has_more: Annotated[bool, msgspec.Meta(description="Whether there is more than is listed.")]


async def show_attention(user: SessionUser, call: Call[None]) -> Answer:
    items = await call.services.trading.overview.attention(request_context_of(user, call))
    return json_answer(
        AttentionAnswer(
            environment=user.environment.value,
            items=[_row(each) for each in items[:MAX_ITEMS]],
            has_more=len(items) > MAX_ITEMS,
        )
    )


def _row(item: AttentionItem) -> AttentionRow:
    return AttentionRow(
        kind=item.kind,
        severity=item.severity,
        title=item.title,
        count=item.count,
        since=None if item.since is None else utc_text(item.since),
        href=item.href,
    )


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/attention",
        operation_id="showAttention",
        tag=OVERVIEW,
        summary="Show what needs attention",
        description=(
            "Groups what somebody should look at in the chosen environment: what partners rejected "
            f"or sent invalid in the last {RECENT_DAYS} days, and what waits now: quarantined "
            "interchanges, deliveries that failed, connections that fail, acknowledgements that "
            "are overdue, control numbers that run out. The most severe first, then what began "
            f"last; at most {MAX_ITEMS}."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(
            description="What needs attention.",
            shape=AttentionAnswer,
            example={
                "ok": True,
                "environment": "sandbox",
                "items": [
                    {
                        "kind": "rejected",
                        "severity": "error",
                        "title": "9 \N{MULTIPLICATION SIGN} Invalid code value at PO1.06, Shop",
                        "count": 9,
                        "since": "2026-01-15T14:06:41",
                        "href": "/app/acks?tab=received&result=rejected&partner_id=7"
                        "&error=7%40PO1.06&date_from=2026-01-01",
                    }
                ],
                "has_more": False,
            },
        ),
        handler=show_attention,
    ),
)
