"""GET /api/v1/ping: is my key good, and which environment does it choose?"""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.accounts.model import ApiCaller
from longshore.http.api_caller import API_KEY
from longshore.http.envelope import Answer, EnvironmentName, json_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import Call, Operation, Response


class PingAnswer(msgspec.Struct, kw_only=True):
    """The key is good."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    message: str
    environment: EnvironmentName
    account: Annotated[str, msgspec.Meta(description="Name of the account.")]
    account_type: Annotated[
        Literal["developer", "developer-pro", "enterprise"],
        msgspec.Meta(description="The plan; production keys need developer-pro or enterprise."),
    ]


async def ping(caller: ApiCaller, _: Call[None]) -> Answer:
    return json_answer(
        PingAnswer(
            message=f"Hello, {caller.account_name}: this key works.",
            environment=caller.environment.value,
            account=caller.account_name,
            account_type=caller.account_type.value,
        )
    )


PING: Final = Operation(
    method="GET",
    path="/api/v1/ping",
    operation_id="ping",
    tag="Key",
    summary="Check an API key",
    description="Returns the account and the environment of the key. Needs no scope.",
    caller=API_KEY,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    response=Response(
        description="The key is good.",
        shape=PingAnswer,
        example={
            "ok": True,
            "message": "Hello, demo: this key works.",
            "environment": "sandbox",
            "account": "demo",
            "account_type": "developer",
        },
    ),
    handler=ping,
)
