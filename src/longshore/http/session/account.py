"""/api/account: the account of a session, and how long it keeps documents."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.accounts.model import Account
from longshore.domain.accounts.service import RETENTION_MAX_DAYS
from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.documents import Warnings
from longshore.http.endpoint import ignored_notices
from longshore.http.envelope import Answer, json_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.session_caller import OWNER, VIEWER

RetentionDays = Annotated[
    int,
    msgspec.Meta(
        ge=1,
        le=RETENTION_MAX_DAYS,
        extra={"text": f"a whole number of days from 1 to {RETENTION_MAX_DAYS}, or null"},
    ),
]


class IdentityItem(msgspec.Struct, kw_only=True):
    """An interchange identity of the account."""

    id: int
    qualifier: str
    isa_id: str
    gs_id: str


class AccountItem(msgspec.Struct, kw_only=True):
    """The account."""

    id: int
    name: str
    account_type: Literal["developer", "developer-pro", "enterprise"]
    status: Literal["active", "suspended"]
    identities: Annotated[
        list[IdentityItem], msgspec.Meta(description="Empty until there are partners.")
    ]
    retention_days: Annotated[
        int | None, msgspec.Meta(description="Days documents are kept; null: for ever.")
    ]


class AccountAnswer(msgspec.Struct, kw_only=True):
    """The account of the session."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    account: AccountItem
    warnings: Warnings = msgspec.UNSET


class AccountRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What the owner decides about the account."""

    retention_days: Annotated[
        RetentionDays | None,
        msgspec.Meta(description="Days stored documents are kept; null: for ever."),
    ]


async def show_account(user: SessionUser, call: Call[None]) -> Answer:
    return _answer(await call.services.accounts.own(user.scope), call.ignored)


async def change_account(user: SessionUser, call: Call[AccountRequest]) -> Answer:
    days = call.body.retention_days
    account = await call.services.accounts.set_own_retention(user.scope, days)
    return _answer(account, call.ignored)


def _answer(account: Account, ignored: tuple[str, ...]) -> Answer:
    return json_answer(
        AccountAnswer(
            account=AccountItem(
                id=account.id,
                name=account.name,
                account_type=account.account_type.value,
                status=account.status.value,
                identities=[],
                retention_days=account.retention_days,
            ),
            warnings=ignored_notices(ignored) or msgspec.UNSET,
        )
    )


_EXAMPLE: Final = {
    "ok": True,
    "account": {
        "id": 1,
        "name": "demo",
        "account_type": "developer",
        "status": "active",
        "identities": [],
        "retention_days": 90,
    },
}
OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/account",
        operation_id="showAccount",
        tag="Account",
        summary="Show the account",
        description="Tells whose session it is, and how long documents are kept.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(description="The account.", shape=AccountAnswer, example=_EXAMPLE),
        handler=show_account,
    ),
    Operation(
        method="PUT",
        path="/api/account",
        operation_id="changeAccount",
        tag="Account",
        summary="Change the account",
        description=(
            "Sets how long stored documents are kept, of both environments. What is older is "
            "removed within the hour, and cannot be brought back. For owners."
        ),
        caller=OWNER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        body=AccountRequest,
        body_example={"retention_days": 90},
        response=Response(
            description="The account as it is now.", shape=AccountAnswer, example=_EXAMPLE
        ),
        handler=change_account,
    ),
)
