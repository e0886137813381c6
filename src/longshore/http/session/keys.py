"""/api/keys: the API keys of an account, for whoever manages them in a browser."""

from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.accounts.keys import KEY_NAME_MAX_CHARS, OVERLAP_MAX_HOURS, KeyFacts
from longshore.domain.accounts.model import (
    ALL_SCOPES,
    ApiKey,
    ApiKeyId,
    IssuedKey,
    KeyScope,
    KeyStatus,
)
from longshore.domain.users.errors import OwnKeyNotFoundError
from longshore.domain.users.model import Confirmation, SessionUser
from longshore.http.envelope import (
    Answer,
    DoneAnswer,
    Time,
    done,
    json_answer,
    utc_text,
)
from longshore.http.limits import LimitClass
from longshore.http.listing import ImpossibleValuesError, Moment, id_in_path, moment_from
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.session.session import MAX_LOGIN_BYTES
from longshore.http.session_caller import EDITOR_AT_BROWSER, VIEWER, UserAtBrowser
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode

EnvironmentOfKey = Literal["sandbox", "production"]
ScopeName = Literal["read", "convert", "submit"]
StatusName = Literal["active", "grace", "revoked", "expired"]
Password = Annotated[
    str | None,
    msgspec.Meta(description="Required if the login is over 10 minutes old, otherwise ignored."),
]


class KeyRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The decisions about a new key."""

    name: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=KEY_NAME_MAX_CHARS,
            description="A name, for example of the program that uses it.",
            extra={"text": f"a name of 1 to {KEY_NAME_MAX_CHARS} characters"},
        ),
    ]
    environment: Annotated[
        EnvironmentOfKey, msgspec.Meta(description="production: for owners, by plan.")
    ]
    scopes: Annotated[
        Annotated[list[ScopeName], msgspec.Meta(min_length=1, extra={"text": "at least one scope"})]
        | None,
        msgspec.Meta(description="What it may do; absent: all."),
    ] = None
    expires_at: Annotated[
        Moment | None,
        msgspec.Meta(
            description="UTC, within 3,650 days; a date stands for its first instant. Absent: it "
            "works until it is revoked."
        ),
    ] = None
    password: Password = None


class RotationRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The time for which the old key still works."""

    overlap_hours: Annotated[
        int,
        msgspec.Meta(
            ge=0,
            le=OVERLAP_MAX_HOURS,
            description="0: the old key is refused from now on.",
            extra={"text": f"a whole number of hours from 0 to {OVERLAP_MAX_HOURS}"},
        ),
    ]
    password: Password = None


class RevocationRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """May be left out while the login is fresh."""

    password: Password = None


class KeyItem(msgspec.Struct, kw_only=True):
    """A key without its secret text."""

    id: int
    name: Annotated[str, msgspec.Meta(description='"" if it was made without one.')]
    prefix: Annotated[str, msgspec.Meta(description="Its first 13 characters.")]
    last4: Annotated[str, msgspec.Meta(description="Its last four characters.")]
    environment: EnvironmentOfKey
    scopes: list[ScopeName]
    status: Annotated[
        StatusName,
        msgspec.Meta(description="grace: it was rotated, and works until grace_until."),
    ]
    created_at: Time
    last_used_at: Annotated[Time | None, msgspec.Meta(description="Exact to a minute.")]
    last_used_ip: Annotated[
        str | None, msgspec.Meta(description="Client address; null: not recorded.")
    ]
    expires_at: Annotated[Time | None, msgspec.Meta(description="null: it does not expire.")]
    grace_until: Time | None


class KeysAnswer(msgspec.Struct, kw_only=True):
    """The keys of the account, of both environments, in the order they were made."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    count: int
    keys: list[KeyItem]


class IssuedKeyAnswer(msgspec.Struct, kw_only=True):
    """A new key, at the only time it is sent."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    key: Annotated[str, msgspec.Meta(description="A secret; it is not shown again.")]
    id: int


class RotatedKeyAnswer(IssuedKeyAnswer, kw_only=True):
    """A new key, and until when the old one works in addition."""

    old_expires_at: Time


class KeysParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters of keys."""

    status: Annotated[
        StatusName | msgspec.UnsetType, msgspec.Meta(description="Only keys that are this now.")
    ] = msgspec.UNSET


class KeyParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The key that the path names."""

    id: Annotated[str, msgspec.Meta(description="Id of the key.")]


async def list_keys(user: SessionUser, call: Call[None]) -> Answer:
    now = call.services.clock.now()
    asked = call.parameters_as(KeysParameters).status
    found = [_item(key, now) for key in await call.services.own_keys.list(user.scope)]
    keys = [item for item in found if not asked or item.status == asked]
    return json_answer(KeysAnswer(count=len(keys), keys=keys))


async def create_key(caller: UserAtBrowser, call: Call[KeyRequest]) -> Answer:
    body, faults = call.body, dict[str, str]()
    expires_at = moment_from(body.expires_at or msgspec.UNSET, "expires_at", faults)
    if faults:
        raise ImpossibleValuesError(faults)
    facts = KeyFacts(
        environment=Environment(body.environment),
        name=body.name,
        scopes=ALL_SCOPES if body.scopes is None else frozenset(map(KeyScope, body.scopes)),
        expires_at=expires_at,
    )
    issued: IssuedKey = await call.services.own_keys.create(
        _confirmation(caller, body.password, call.request_id), facts
    )
    return json_answer(
        IssuedKeyAnswer(
            key=issued.key,
            id=issued.record.id,
        )
    )


async def rotate_key(caller: UserAtBrowser, call: Call[RotationRequest]) -> Answer:
    body = call.body
    issued = await call.services.own_keys.rotate(
        _confirmation(caller, body.password, call.request_id), _key_id(call), body.overlap_hours
    )
    return json_answer(
        RotatedKeyAnswer(
            key=issued.key,
            id=issued.record.id,
            old_expires_at=utc_text(issued.old_expires_at),
        )
    )


async def revoke_key(caller: UserAtBrowser, call: Call[RevocationRequest]) -> Answer:
    await call.services.own_keys.revoke(
        _confirmation(caller, call.body.password, call.request_id), _key_id(call)
    )
    return done()


def _confirmation(caller: UserAtBrowser, password: str | None, request_id: str) -> Confirmation:
    ip = caller.visitor.ip
    return Confirmation(user=caller.user, password=password, ip=ip, request_id=request_id)


def _key_id(call: Call[RotationRequest] | Call[RevocationRequest]) -> ApiKeyId:
    number = id_in_path(call.parameters_as(KeyParameters).id)
    if number is None:
        raise OwnKeyNotFoundError
    return ApiKeyId(number)


def _item(key: ApiKey, now: datetime) -> KeyItem:
    status = key.status(now)
    expires_at = None if key.expires_at is None else utc_text(key.expires_at)
    return KeyItem(
        id=key.id,
        name=key.name,
        prefix=key.prefix,
        last4=key.last_four,
        environment=key.environment.value,
        scopes=[scope.value for scope in KeyScope if scope in key.scopes],
        status=status.value,
        created_at=utc_text(key.created_at),
        last_used_at=None if key.last_used_at is None else utc_text(key.last_used_at),
        last_used_ip=None,
        expires_at=expires_at,
        grace_until=expires_at if status is KeyStatus.GRACE else None,
    )


_TAG: Final = "Keys"
_CONFIRMED: Final = frozenset({
    ErrorCode.PASSWORD_REQUIRED,
    ErrorCode.INVALID_LOGIN,
    ErrorCode.RATE_LIMITED,
})
_FRESH_LOGIN_TEXT: Final = "A login over 10 minutes old needs the password again."

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/keys",
        operation_id="listKeys",
        tag=_TAG,
        summary="List API keys",
        description="Shows the keys of both environments, revoked and expired ones too.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=KeysParameters,
        response=Response(
            description="The keys.",
            shape=KeysAnswer,
            example={
                "ok": True,
                "count": 1,
                "keys": [
                    {
                        "id": 7,
                        "name": "ci",
                        "prefix": "svc_test_x7Kd",
                        "last4": "9f2c",
                        "environment": "sandbox",
                        "scopes": ["read", "convert", "submit"],
                        "status": "active",
                        "created_at": "2026-01-02T09:00:00",
                        "last_used_at": "2026-01-15T14:05:00",
                        "last_used_ip": None,
                        "expires_at": None,
                        "grace_until": None,
                    }
                ],
            },
        ),
        handler=list_keys,
    ),
    Operation(
        method="POST",
        path="/api/keys",
        operation_id="createKey",
        tag=_TAG,
        summary="Make an API key",
        description=(
            "Makes a key and sends it, the only time. For editors; a production key for owners, "
            f"and by plan. {_FRESH_LOGIN_TEXT}"
        ),
        caller=EDITOR_AT_BROWSER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        body=KeyRequest,
        body_example={"name": "ci", "environment": "sandbox"},
        max_body_bytes=MAX_LOGIN_BYTES,
        response=Response(
            description="The key was created.",
            shape=IssuedKeyAnswer,
            example={"ok": True, "key": "svc_test_…", "id": 7},
        ),
        errors=_CONFIRMED,
        handler=create_key,
    ),
    Operation(
        method="POST",
        path="/api/keys/{id}/rotate",
        operation_id="rotateKey",
        tag=_TAG,
        summary="Replace an API key",
        description=(
            "Makes a key with the rights of another, which works for some hours more. For "
            f"editors; a production key for owners, and by plan. {_FRESH_LOGIN_TEXT}"
        ),
        caller=EDITOR_AT_BROWSER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=KeyParameters,
        body=RotationRequest,
        body_example={"overlap_hours": 24},
        max_body_bytes=MAX_LOGIN_BYTES,
        response=Response(
            description="The key was replaced.",
            shape=RotatedKeyAnswer,
            example={
                "ok": True,
                "key": "svc_test_…",
                "id": 8,
                "old_expires_at": "2026-01-16T14:05:09",
            },
        ),
        errors=_CONFIRMED | {ErrorCode.NOT_FOUND, ErrorCode.INVALID_STATE},
        handler=rotate_key,
    ),
    Operation(
        method="DELETE",
        path="/api/keys/{id}",
        operation_id="revokeKey",
        tag=_TAG,
        summary="Revoke an API key",
        description=(
            "Refuses the key from its next request on; there is no way back. For editors; a "
            f"production key for owners. {_FRESH_LOGIN_TEXT}"
        ),
        caller=EDITOR_AT_BROWSER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=KeyParameters,
        body=RevocationRequest,
        body_example={},
        max_body_bytes=MAX_LOGIN_BYTES,
        response=Response(
            description="The key is revoked.", shape=DoneAnswer, example={"ok": True}
        ),
        errors=_CONFIRMED | {ErrorCode.NOT_FOUND},
        handler=revoke_key,
    ),
)
