"""/api/account: the account of a session, its identities, and how long it keeps documents."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.accounts.model import Account
from longshore.domain.accounts.service import RETENTION_MAX_DAYS
from longshore.domain.partners.identities import MAX_IDENTITIES, WantedIdentity
from longshore.domain.partners.model import Identity, OwnIdentity
from longshore.domain.usage.store import AccountUsage
from longshore.domain.users.model import SessionUser
from longshore.http.envelope import Answer, json_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session_caller import OWNER, VIEWER
from longshore.kit.errors import ErrorCode

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
    gs_id: Annotated[str, msgspec.Meta(description="Empty: the same as isa_id.")]


class IdentityBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """An interchange identity as it shall be."""

    id: Annotated[
        int | None, msgspec.Meta(description="Which one is changed; absent, it is a new one.")
    ] = None
    qualifier: Annotated[str, msgspec.Meta(description="Such as ZZ or 01.")]
    isa_id: Annotated[str, msgspec.Meta(description="At most 15 characters of ASCII.")]
    gs_id: Annotated[str | None, msgspec.Meta(description="The same as isa_id if absent.")] = None


class AccountItem(msgspec.Struct, kw_only=True):
    """The account."""

    id: int
    name: str
    account_type: Literal["developer", "developer-pro", "enterprise"]
    status: Literal["active", "suspended"]
    identities: Annotated[
        list[IdentityItem],
        msgspec.Meta(description="The first is used with partners that name no other."),
    ]
    retention_days: Annotated[
        int | None, msgspec.Meta(description="Days documents are stored; null: forever.")
    ]
    stored_bytes: Annotated[
        int, msgspec.Meta(description="Of receipts, interchanges and vault documents.")
    ]
    stored_records: Annotated[
        int,
        msgspec.Meta(description="Receipts, interchanges, transactions and vault documents."),
    ]
    max_stored_bytes: Annotated[int, msgspec.Meta(description="The quota; 0: there is none.")]
    max_stored_records: Annotated[int, msgspec.Meta(description="The quota; 0: there is none.")]


class AccountAnswer(msgspec.Struct, kw_only=True):
    """The account of the session."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    account: AccountItem


class AccountRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The decisions of the owner about the account."""

    retention_days: Annotated[
        RetentionDays | None,
        msgspec.Meta(description="Days documents are stored; null: forever."),
    ]
    identities: Annotated[
        list[IdentityBody] | None,
        msgspec.Meta(
            description=f"All of them, 1 to {MAX_IDENTITIES}: one that is left out is removed, "
            "unless a partner names it. Absent: they stay."
        ),
    ] = None


async def show_account(user: SessionUser, call: Call[None]) -> Answer:
    account = await call.services.accounts.own(user.scope)
    identities = await call.services.trading.identities.list(request_context_of(user, call))
    usage = await call.services.usage.find(user.account_id, user.scope)
    return _answer(account, identities, usage)


async def change_account(user: SessionUser, call: Call[AccountRequest]) -> Answer:
    service, context = call.services.trading.identities, request_context_of(user, call)
    # First, because it alone may be refused.
    if call.body.identities is None:
        identities = await service.list(context)
    else:
        identities = await service.replace(context, list(map(_wanted, call.body.identities)))
    days = call.body.retention_days
    account = await call.services.accounts.set_own_retention(context, days)
    usage = await call.services.usage.find(user.account_id, user.scope)
    return _answer(account, identities, usage)


def _wanted(body: IdentityBody) -> WantedIdentity:
    identity = Identity(qualifier=body.qualifier, isa_id=body.isa_id, gs_id=body.gs_id or "")
    return WantedIdentity(body.id, identity)


def _item(own: OwnIdentity) -> IdentityItem:
    each = own.identity
    return IdentityItem(id=own.id, qualifier=each.qualifier, isa_id=each.isa_id, gs_id=each.gs_id)


def _answer(account: Account, identities: Sequence[OwnIdentity], usage: AccountUsage) -> Answer:
    return json_answer(
        AccountAnswer(
            account=AccountItem(
                id=account.id,
                name=account.name,
                account_type=account.account_type.value,
                status=account.status.value,
                identities=list(map(_item, identities)),
                retention_days=account.retention_days,
                stored_bytes=usage.bytes,
                stored_records=usage.records,
                max_stored_bytes=usage.max_bytes or 0,
                max_stored_records=usage.max_records or 0,
            ),
        )
    )


_EXAMPLE: Final = {
    "ok": True,
    "account": {
        "id": 1,
        "name": "demo",
        "account_type": "developer",
        "status": "active",
        "identities": [{"id": 1, "qualifier": "ZZ", "isa_id": "DEMO", "gs_id": ""}],
        "retention_days": 90,
        "stored_bytes": 48_210,
        "stored_records": 31,
        "max_stored_bytes": 10_737_418_240,
        "max_stored_records": 0,
    },
}
OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/account",
        operation_id="showAccount",
        tag="Account",
        summary="Show the account",
        description=(
            "Returns the account, its interchange identities, how long documents are stored, how "
            "much is stored, and the quota for it."
        ),
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
            "Sets how long documents are stored, in both environments. Older documents are "
            "deleted within the hour; this cannot be undone. Also sets the interchange "
            "identities, if given. For owners."
        ),
        caller=OWNER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        body=AccountRequest,
        body_example={
            "retention_days": 90,
            "identities": [{"id": 1, "qualifier": "01", "isa_id": "987654321", "gs_id": "ACME"}],
        },
        response=Response(
            description="The account as it is now.", shape=AccountAnswer, example=_EXAMPLE
        ),
        errors=frozenset({ErrorCode.INVALID_STATE}),
        handler=change_account,
    ),
)
