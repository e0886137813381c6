"""/api/stats: the figures and charts of the overview."""

from datetime import date
from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.overview.figures import MAX_SETS
from longshore.domain.overview.model import DEFAULT_DAYS, MAX_DAYS, Stats
from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.transaction_shapes import Ok
from longshore.http.envelope import Answer, json_answer
from longshore.http.limits import LimitClass
from longshore.http.listing import END, ImpossibleValuesError
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session_caller import VIEWER

OVERVIEW: Final = "Overview"

Day = Annotated[
    str,
    msgspec.Meta(
        description="A day of UTC, such as 2026-01-15.", extra_json_schema={"format": "date"}
    ),
]
Count = Annotated[int, msgspec.Meta(ge=0)]
AskedDay = Annotated[
    str,
    msgspec.Meta(
        pattern=f"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}{END}",
        max_length=10,
        extra={"text": "a day such as 2026-01-15"},
    ),
]


class TotalsItem(msgspec.Struct, kw_only=True):
    """The counts of the period, and of what is outstanding now."""

    count: Annotated[int, msgspec.Meta(description="Transactions stored in the period.")]
    failed: Annotated[
        int,
        msgspec.Meta(
            description="Of these, those that are failed, rejected, invalid, quarantined."
        ),
    ]
    pending_acks: Annotated[
        int, msgspec.Meta(description="Acknowledgements that are outstanding now.")
    ]
    oldest_unacked_seconds: Annotated[
        int | None,
        msgspec.Meta(
            description=(
                "For how long the oldest of them has been outstanding; null if there is none."
            )
        ),
    ]


class PreviousItem(msgspec.Struct, kw_only=True):
    """The same of as many days before the period."""

    count: Count
    failed: Count


class VolumeItem(msgspec.Struct, kw_only=True):
    """Transactions of one set on one day."""

    day: Day
    tx_set: Annotated[
        str,
        msgspec.Meta(
            description="Such as 850; empty of unreadable input; other of all sets that are not "
            f"among the {MAX_SETS} most frequent ones of the period."
        ),
    ]
    count: Count


class FailureItem(msgspec.Struct, kw_only=True):
    """The failures among what was stored on a day."""

    day: Day
    failed: Count
    count: Count


class AckLatencyItem(msgspec.Struct, kw_only=True):
    """The times that acknowledgements took that came on a day."""

    day: Day
    p50_s: Annotated[
        int | None, msgspec.Meta(description="Seconds that half of them took at most; null: none.")
    ]
    p95_s: Annotated[
        int | None, msgspec.Meta(description="Seconds that 95 % of them took at most; null: none.")
    ]


class RejectionItem(msgspec.Struct, kw_only=True):
    """Why partners rejected what was sent to them in the period."""

    code: Annotated[str, msgspec.Meta(description="Such as 7; empty where none was given.")]
    meaning: Annotated[str, msgspec.Meta(description="Such as Invalid code value.")]
    path: Annotated[str, msgspec.Meta(description="Such as PO1.06; empty of a whole set.")]
    error: Annotated[str, msgspec.Meta(description="What GET /api/acks takes as error for these.")]
    count: Annotated[int, msgspec.Meta(description="Sets that were rejected for this.")]


class StatsAnswer(msgspec.Struct, kw_only=True):
    """The figures of a period of days, in one environment."""

    ok: Ok = True
    environment: Annotated[
        Literal["sandbox", "production"],
        msgspec.Meta(description="Chosen by the header X-Environment."),
    ]
    first: Day = msgspec.field(name="from")
    last: Day = msgspec.field(name="to")
    bucket: Literal["day"] = "day"
    totals: TotalsItem
    previous: PreviousItem
    volume: Annotated[
        list[VolumeItem], msgspec.Meta(description="By day and set; none where nothing was stored.")
    ]
    failure: Annotated[list[FailureItem], msgspec.Meta(description="Every day of the period.")]
    ack_latency: Annotated[
        list[AckLatencyItem], msgspec.Meta(description="Every day of the period.")
    ]
    rejections: Annotated[
        list[RejectionItem], msgspec.Meta(description="At most 20, the most frequent first.")
    ]


class StatsParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The days of the figures. What is empty counts as absent."""

    first: Annotated[
        AskedDay | msgspec.UnsetType,
        msgspec.Meta(
            description=f"The first day, inclusive; if absent {DEFAULT_DAYS} days up to the last."
        ),
    ] = msgspec.field(name="from", default=msgspec.UNSET)
    last: Annotated[
        AskedDay | msgspec.UnsetType,
        msgspec.Meta(description="The last day, inclusive; today if absent."),
    ] = msgspec.field(name="to", default=msgspec.UNSET)
    bucket: Annotated[
        Literal["day"] | msgspec.UnsetType, msgspec.Meta(description="What is counted by.")
    ] = msgspec.UNSET


async def show_stats(user: SessionUser, call: Call[None]) -> Answer:
    asked, faults = call.parameters_as(StatsParameters), dict[str, str]()
    first, last = _day(asked.first, "from", faults), _day(asked.last, "to", faults)
    if faults:
        raise ImpossibleValuesError(faults)
    stats = await call.services.trading.overview.stats(request_context_of(user, call), first, last)
    return json_answer(_answer(user, stats))


def _day(text: str | msgspec.UnsetType, name: str, faults: dict[str, str]) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        faults[name] = "names a day that does not exist"
        return None


def _answer(user: SessionUser, stats: Stats) -> StatsAnswer:
    return StatsAnswer(
        environment=user.environment.value,
        first=str(stats.period.first),
        last=str(stats.period.last),
        totals=TotalsItem(
            count=stats.totals.count,
            failed=stats.totals.failed,
            pending_acks=stats.pending_acks,
            oldest_unacked_seconds=stats.oldest_unacked_seconds,
        ),
        previous=PreviousItem(count=stats.previous.count, failed=stats.previous.failed),
        volume=[
            VolumeItem(day=str(each.day), tx_set=each.tx_set, count=each.count)
            for each in stats.volume
        ],
        failure=[
            FailureItem(day=str(each.day), failed=each.failed, count=each.count)
            for each in stats.failures
        ],
        ack_latency=[
            AckLatencyItem(day=str(each.day), p50_s=each.p50_s, p95_s=each.p95_s)
            for each in stats.latencies
        ],
        rejections=[
            RejectionItem(
                code=each.code,
                meaning=each.meaning,
                path=each.path,
                error=each.error,
                count=each.count,
            )
            for each in stats.rejections
        ],
    )


_EXAMPLE: Final = {
    "ok": True,
    "environment": "sandbox",
    "from": "2026-01-15",
    "to": "2026-01-16",
    "bucket": "day",
    "totals": {"count": 12, "failed": 1, "pending_acks": 2, "oldest_unacked_seconds": 111600},
    "previous": {"count": 10, "failed": 0},
    "volume": [{"day": "2026-01-15", "tx_set": "850", "count": 12}],
    "failure": [
        {"day": "2026-01-15", "failed": 1, "count": 12},
        {"day": "2026-01-16", "failed": 0, "count": 0},
    ],
    "ack_latency": [
        {"day": "2026-01-15", "p50_s": 92, "p95_s": 640},
        {"day": "2026-01-16", "p50_s": None, "p95_s": None},
    ],
    "rejections": [
        {
            "code": "7",
            "meaning": "Invalid code value",
            "path": "PO1.06",
            "error": "7@PO1.06",
            "count": 1,
        }
    ],
}
OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/stats",
        operation_id="showStats",
        tag=OVERVIEW,
        summary="Show the figures of a period",
        description=(
            "Counts the transactions of the chosen environment by days of UTC, and what became of "
            "them, for the overview. Transactions and rejections count on the day the transaction "
            "was stored, latencies on the day the acknowledgement was received: to the second "
            "below ten minutes, to the minute below ten hours, else to the hour. At most "
            f"{MAX_DAYS} days at once."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=StatsParameters,
        response=Response(
            description="The figures.",
            shape=StatsAnswer,
            example=_EXAMPLE,
        ),
        handler=show_stats,
    ),
)
