"""/api/users: the people of an account, for its owners."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.users.errors import UserNotFoundError
from longshore.domain.users.model import IssuedLink, SessionUser, User, UserId, UserRole
from longshore.domain.users.service import UserFacts
from longshore.http.envelope import (
    Answer,
    DoneAnswer,
    Time,
    done,
    json_answer,
    utc_text,
)
from longshore.http.limits import LimitClass
from longshore.http.listing import id_in_path
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.session import RoleName
from longshore.http.session_caller import OWNER
from longshore.kit.errors import ErrorCode


class UserRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The decisions of an owner about a user."""

    email: Annotated[str, msgspec.Meta(description="Must be unique across all accounts.")]
    role: RoleName
    password: Annotated[
        str | None,
        msgspec.Meta(
            description="At least 12 characters, at most 1,024 bytes, not easy to guess. Absent: "
            "of a new user, a link is made to set one; of another, it stays."
        ),
    ] = None


class UserItem(msgspec.Struct, kw_only=True):
    """A user."""

    id: int
    email: str
    role: RoleName
    has_password: Annotated[
        bool, msgspec.Meta(description=("A user without a password cannot log in."))
    ]
    created_at: Time
    last_login_at: Time | None


class UsersAnswer(msgspec.Struct, kw_only=True):
    """All users of the account, in the order they were made."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    count: int
    users: list[UserItem]


class UserAnswer(msgspec.Struct, kw_only=True):
    """One user."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    user: UserItem


class CreatedUserAnswer(UserAnswer, kw_only=True):
    """A new user, and if no password was given the way to set one."""

    setup_link: Annotated[
        str | None,
        msgspec.Meta(description="To be given to the user; it works once and is not shown again."),
    ]
    setup_expires_at: Time | None


class UserParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The user that the path names."""

    id: Annotated[str, msgspec.Meta(description="Id of the user.")]


async def list_users(caller: SessionUser, call: Call[None]) -> Answer:
    users = [_item(user) for user in await call.services.users.list(caller.scope)]
    return json_answer(UsersAnswer(count=len(users), users=users))


async def create_user(caller: SessionUser, call: Call[UserRequest]) -> Answer:
    created = await call.services.users.create(request_context_of(caller, call), _facts(call.body))
    link = created.link
    return json_answer(
        CreatedUserAnswer(
            user=_item(created.user),
            setup_link=_link_text(link, call.services.base_url),
            setup_expires_at=None if link is None else utc_text(link.expires_at),
        )
    )


async def change_user(caller: SessionUser, call: Call[UserRequest]) -> Answer:
    user_id = _user_id(call.parameters_as(UserParameters))
    context = request_context_of(caller, call)
    user = await call.services.users.change(context, user_id, _facts(call.body))
    return json_answer(UserAnswer(user=_item(user)))


async def delete_user(caller: SessionUser, call: Call[None]) -> Answer:
    user_id = _user_id(call.parameters_as(UserParameters))
    await call.services.users.remove(request_context_of(caller, call), user_id)
    return done()


def _facts(body: UserRequest) -> UserFacts:
    return UserFacts(email=body.email, role=UserRole(body.role), password=body.password)


def _user_id(asked: UserParameters) -> UserId:
    number = id_in_path(asked.id)
    if number is None:
        raise UserNotFoundError
    return UserId(number)


def _link_text(link: IssuedLink | None, base_url: str) -> str | None:
    return None if link is None else f"{base_url}/setup#token={link.token}"


def _item(user: User) -> UserItem:
    return UserItem(
        id=user.id,
        email=user.email,
        role=user.role.value,
        has_password=user.has_password,
        created_at=utc_text(user.created_at),
        last_login_at=None if user.last_login_at is None else utc_text(user.last_login_at),
    )


_TAG: Final = "Users"
_USER_EXAMPLE: Final = {
    "id": 2,
    "email": "grace@example.com",
    "role": "editor",
    "has_password": False,
    "created_at": "2026-01-15T14:05:09",
    "last_login_at": None,
}
_BODY_EXAMPLE: Final = {"email": "grace@example.com", "role": "editor"}

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/users",
        operation_id="listUsers",
        tag=_TAG,
        summary="List users",
        description="Shows everybody who may log in for the account. For owners.",
        caller=OWNER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(
            description="The users.",
            shape=UsersAnswer,
            example={"ok": True, "count": 1, "users": [_USER_EXAMPLE]},
        ),
        handler=list_users,
    ),
    Operation(
        method="POST",
        path="/api/users",
        operation_id="createUser",
        tag=_TAG,
        summary="Add a user",
        description=(
            "Makes a user. Without a password the answer has a link by which the user sets one "
            "within 24 hours; no mail is sent. For owners."
        ),
        caller=OWNER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        body=UserRequest,
        body_example=_BODY_EXAMPLE,
        response=Response(
            description="The user was created.",
            shape=CreatedUserAnswer,
            example={
                "ok": True,
                "user": _USER_EXAMPLE,
                "setup_link": "https://edi.example.com/setup#token="
                "T0w0S4yAA1u0l8mDqk3cHkzY5Wb7n2Vd9xRfGjLpQeE",
                "setup_expires_at": "2026-01-16T14:05:09",
            },
        ),
        errors=frozenset({ErrorCode.INVALID_STATE, ErrorCode.RATE_LIMITED}),
        handler=create_user,
    ),
    Operation(
        method="PUT",
        path="/api/users/{id}",
        operation_id="changeUser",
        tag=_TAG,
        summary="Change a user",
        description=(
            "Sets address and role, and the password if one is given; that ends the sessions of "
            "the user. The last owner stays owner (409). For owners."
        ),
        caller=OWNER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        body=UserRequest,
        body_example=_BODY_EXAMPLE,
        parameters=UserParameters,
        response=Response(
            description="The user was changed.",
            shape=UserAnswer,
            example={"ok": True, "user": _USER_EXAMPLE},
        ),
        errors=frozenset({
            ErrorCode.NOT_FOUND,
            ErrorCode.INVALID_STATE,
            ErrorCode.RATE_LIMITED,
        }),
        handler=change_user,
    ),
    Operation(
        method="DELETE",
        path="/api/users/{id}",
        operation_id="deleteUser",
        tag=_TAG,
        summary="Remove a user",
        description=(
            "Removes a user and ends their sessions. The last owner stays (409). For owners."
        ),
        caller=OWNER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=UserParameters,
        response=Response(
            description="The user was removed.", shape=DoneAnswer, example={"ok": True}
        ),
        errors=frozenset({ErrorCode.NOT_FOUND, ErrorCode.INVALID_STATE}),
        handler=delete_user,
    ),
)
