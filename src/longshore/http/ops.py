"""Operations for operators and their monitors: alive, ready, numbers."""

from contextlib import suppress
from typing import Annotated, Final, Literal

import msgspec

from longshore.http.api_caller import ANYONE
from longshore.http.envelope import Answer, json_answer
from longshore.http.front import stopping
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.telemetry import metrics


class HealthAnswer(msgspec.Struct, kw_only=True):
    """The state of this process."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    status: Literal["alive", "ready"]


async def answer_alive(_: None, __: Call[None]) -> Answer:
    return json_answer(HealthAnswer(status="alive"))


async def answer_ready(_: None, call: Call[None]) -> Answer:
    if call.services.readiness.is_stopping:
        raise stopping()
    await call.services.check_storage()
    return json_answer(HealthAnswer(status="ready"))


async def answer_metrics(_: None, call: Call[None]) -> Answer:
    shared = None
    with suppress(LongshoreError):  # the other numbers are known without the database
        oldest_due_seconds = await call.services.trading.backlog.oldest_seconds()
        stored = await call.services.usage.total_usage()
        shared = metrics.SharedFigures(oldest_due_seconds, stored.bytes, stored.records)
    text = call.services.metrics.render(shared)
    return Answer(text, metrics.CONTENT_TYPE.encode())


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/healthz",
        operation_id="health",
        tag="Operation",
        summary="Is the process alive?",
        description="Answers as long as the process runs. Checks nothing else.",
        caller=ANYONE,
        scope=None,
        limit_class=LimitClass.NONE,
        response=Response(
            description="Alive.", shape=HealthAnswer, example={"ok": True, "status": "alive"}
        ),
        handler=answer_alive,
    ),
    Operation(
        method="GET",
        path="/readyz",
        operation_id="readiness",
        tag="Operation",
        summary="Shall it be sent requests?",
        description="503 while the storage does not answer, and once it is asked to stop.",
        caller=ANYONE,
        scope=None,
        limit_class=LimitClass.NONE,
        response=Response(
            description="Ready.", shape=HealthAnswer, example={"ok": True, "status": "ready"}
        ),
        errors=frozenset({ErrorCode.STORAGE_UNAVAILABLE}),
        handler=answer_ready,
    ),
    Operation(
        method="GET",
        path="/metrics",
        operation_id="metrics",
        tag="Operation",
        summary="Counters for Prometheus",
        description=(
            "Requests, times, sizes, refusals and deliveries. No label holds content, an id or a "
            "path."
        ),
        caller=ANYONE,
        scope=None,
        limit_class=LimitClass.NONE,
        response=Response(
            description="The Prometheus text format.", media_type=metrics.CONTENT_TYPE
        ),
        handler=answer_metrics,
    ),
)
