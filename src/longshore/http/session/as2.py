"""/api/as2/identities: our AS2 identities in the environment that the page shows."""

from typing import Annotated, Any, Final, Literal

import msgspec

from longshore.as2.certificates import PemKeyPair, read_certificate_facts
from longshore.as2.exchange import make_pem_key_pair
from longshore.as2.keys import MAX_VALID_DAYS, VALID_DAYS
from longshore.domain.as2.errors import As2IdentityNotFoundError
from longshore.domain.as2.identities import check_name
from longshore.domain.as2.model import As2Identity
from longshore.domain.as2.profile import is_expiring, profile_text
from longshore.domain.as2.profile_file import profile_members
from longshore.domain.users.model import SessionUser
from longshore.http.edi.as2 import PATH
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
from longshore.http.session_caller import EDITOR, VIEWER
from longshore.kit.errors import ErrorCode

_SERIAL_BYTES: Final = 20
_ValidDays = Annotated[
    int,
    msgspec.Meta(
        ge=1,
        le=MAX_VALID_DAYS,
        description="Days that the certificate is valid.",
        extra={"text": f"a whole number of days from 1 to {MAX_VALID_DAYS}"},
    ),
]


class As2CertificateItem(msgspec.Struct, kw_only=True):
    """A certificate of ours. Its private key is never shown."""

    certificate: Annotated[str, msgspec.Meta(description="In PEM.")]
    subject: str
    not_after: Time
    fingerprint: Annotated[str, msgspec.Meta(description="SHA-256, in pairs of digits.")]
    signs: Annotated[bool, msgspec.Meta(description="Its key signs; both open messages.")]
    is_expiring: Annotated[bool, msgspec.Meta(description="Within 30 days, or it has expired.")]


class As2IdentityItem(msgspec.Struct, kw_only=True):
    """An AS2 identity."""

    id: int
    as2_name: str
    active: Annotated[bool, msgspec.Meta(description="Messages to it are received.")] = True
    certificates: Annotated[
        list[As2CertificateItem],
        msgspec.Meta(description="One, or two during a roll-over; that which signs comes first."),
    ]
    profile: Annotated[
        str, msgspec.Meta(description="What to send to a partner: name, URL and certificates.")
    ]
    profile_file: Annotated[
        dict[str, Any],
        msgspec.Meta(description="The same as a file, from which the partner makes a connection."),
    ]
    created_at: Time


class As2IdentitiesAnswer(msgspec.Struct, kw_only=True):
    """The AS2 identities of the account in the environment, the oldest first."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    identities: list[As2IdentityItem]


class As2IdentityAnswer(msgspec.Struct, kw_only=True):
    """An AS2 identity as it is now."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    identity: As2IdentityItem


class As2IdentityRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A new AS2 identity; its key is made by the server."""

    as2_name: Annotated[
        str, msgspec.Meta(description="At most 128 printable characters; unique, with its case.")
    ]
    valid_days: _ValidDays = VALID_DAYS


class As2KeyRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A new key."""

    valid_days: _ValidDays = VALID_DAYS


class As2IdentityParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The identity that the path names."""

    id: Annotated[str, msgspec.Meta(description="Id of the identity.")]


async def list_as2_identities(user: SessionUser, call: Call[None]) -> Answer:
    found = await call.services.trading.as2_identities.list(request_context_of(user, call))
    return json_answer(As2IdentitiesAnswer(identities=[_item(each, call) for each in found]))


async def create_as2_identity(user: SessionUser, call: Call[As2IdentityRequest]) -> Answer:
    name = call.body.as2_name
    check_name(name)
    pair = await _new_pair(name, call.body.valid_days, call)
    service = call.services.trading.as2_identities
    return _answer(await service.create(request_context_of(user, call), name, pair), call)


async def add_as2_key(user: SessionUser, call: Call[As2KeyRequest]) -> Answer:
    name = await _name(user, call)
    pair = await _new_pair(name, call.body.valid_days, call)
    service = call.services.trading.as2_identities
    return _answer(await service.add_key(request_context_of(user, call), name, pair), call)


async def switch_as2_keys(user: SessionUser, call: Call[None]) -> Answer:
    service, name = call.services.trading.as2_identities, await _name(user, call)
    return _answer(await service.switch_keys(request_context_of(user, call), name), call)


async def drop_as2_key(user: SessionUser, call: Call[None]) -> Answer:
    service, name = call.services.trading.as2_identities, await _name(user, call)
    return _answer(await service.drop_key(request_context_of(user, call), name), call)


async def delete_as2_identity(user: SessionUser, call: Call[None]) -> Answer:
    name = await _name(user, call)
    await call.services.trading.as2_identities.delete(request_context_of(user, call), name)
    return done()


# Any: the type of the body makes no difference here.
async def _name(user: SessionUser, call: Call[Any]) -> str:
    """Return the name of the identity in the path.

    Raises:
        As2IdentityNotFoundError: There is none in this environment.
    """
    wanted = id_in_path(call.parameters_as(As2IdentityParameters).id)
    for each in await call.services.trading.as2_identities.list(request_context_of(user, call)):
        if each.id == wanted:
            return each.name
    raise As2IdentityNotFoundError


async def _new_pair(name: str, valid_days: int, call: Call[Any]) -> PemKeyPair:
    serial = call.services.ids.token_bytes(_SERIAL_BYTES)
    return await call.services.compute.submit_to_executor(
        make_pem_key_pair, name, call.services.clock.now(), serial, valid_days
    )


def _answer(identity: As2Identity, call: Call[Any]) -> Answer:
    return json_answer(As2IdentityAnswer(identity=_item(identity, call)))


def _item(identity: As2Identity, call: Call[Any]) -> As2IdentityItem:
    now, url = call.services.clock.now(), call.services.base_url + PATH
    certificates = [
        As2CertificateItem(
            certificate=pem,
            subject=facts.subject,
            not_after=utc_text(facts.not_after),
            fingerprint=facts.fingerprint,
            signs=at == 0,
            is_expiring=is_expiring(facts, now),
        )
        for at, pem in enumerate(identity.certificates)
        for facts in (read_certificate_facts(pem),)
    ]
    return As2IdentityItem(
        id=identity.id,
        as2_name=identity.name,
        certificates=certificates,
        profile=profile_text(identity, url),
        profile_file=profile_members(identity, url),
        created_at=utc_text(identity.created_at),
    )


_TAG: Final = "AS2"
_EXAMPLE_ITEM: Final = {
    "id": 1,
    "as2_name": "ACME-TEST",
    "active": True,
    "certificates": [
        {
            "certificate": "-----BEGIN CERTIFICATE-----\n…",
            "subject": "Common Name: ACME-TEST",
            "not_after": "2028-01-15T14:05:09",
            "fingerprint": "1E:0E:D2:36:…",
            "signs": True,
            "is_expiring": False,
        }
    ],
    "profile": "AS2 profile for test documents\n…",
    "profile_file": {
        "format": "longshore-as2-profile-1",
        "environment": "sandbox",
        "as2_name": "ACME-TEST",
        "url": "https://edi.example.com/as2",
        "certificates": ["-----BEGIN CERTIFICATE-----\n…"],
    },
    "created_at": "2026-01-15T14:05:09",
}
_ONE: Final = Response(
    description="The identity as it is now.",
    shape=As2IdentityAnswer,
    example={"ok": True, "identity": _EXAMPLE_ITEM},
)
_ERRORS: Final = frozenset({ErrorCode.NOT_FOUND, ErrorCode.INVALID_STATE})

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/as2/identities",
        operation_id="listAs2Identities",
        tag=_TAG,
        summary="List AS2 identities",
        description="Returns our AS2 identities in the environment, with their certificates.",
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        response=Response(
            description="The identities.",
            shape=As2IdentitiesAnswer,
            example={"ok": True, "identities": [_EXAMPLE_ITEM]},
        ),
        handler=list_as2_identities,
    ),
    Operation(
        method="POST",
        path="/api/as2/identities",
        operation_id="createAs2Identity",
        tag=_TAG,
        summary="Create an AS2 identity",
        description=(
            "Makes a key and a certificate for an AS2 name, which belongs to one identity of the "
            "installation. The private key is stored encrypted and never shown. For editors."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        body=As2IdentityRequest,
        body_example={"as2_name": "ACME-TEST"},
        response=_ONE,
        errors=frozenset({ErrorCode.INVALID_STATE}),
        handler=create_as2_identity,
    ),
    Operation(
        method="POST",
        path="/api/as2/identities/{id}/add-key",
        operation_id="addAs2Key",
        tag=_TAG,
        summary="Add a second key",
        description=(
            "Begins a roll-over: the new key opens messages, and signs after switch-keys. Send "
            "its certificate to your partners before that. For editors."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=As2IdentityParameters,
        body=As2KeyRequest,
        body_example={},
        response=_ONE,
        errors=_ERRORS,
        handler=add_as2_key,
    ),
    Operation(
        method="POST",
        path="/api/as2/identities/{id}/switch-keys",
        operation_id="switchAs2Keys",
        tag=_TAG,
        summary="Sign with the other key",
        description="Signs with the second key from now on; both open messages. For editors.",
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=As2IdentityParameters,
        response=_ONE,
        errors=_ERRORS,
        handler=switch_as2_keys,
    ),
    Operation(
        method="POST",
        path="/api/as2/identities/{id}/drop-key",
        operation_id="dropAs2Key",
        tag=_TAG,
        summary="Delete the key that does not sign",
        description="Ends a roll-over. This cannot be undone. For editors.",
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=As2IdentityParameters,
        response=_ONE,
        errors=_ERRORS,
        handler=drop_as2_key,
    ),
    Operation(
        method="DELETE",
        path="/api/as2/identities/{id}",
        operation_id="deleteAs2Identity",
        tag=_TAG,
        summary="Delete an AS2 identity",
        description=(
            "Deletes an identity with its keys: messages to it are refused, and what is sent "
            "under its name fails. This cannot be undone. For editors."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=As2IdentityParameters,
        response=Response(
            description="The identity is deleted.", shape=DoneAnswer, example={"ok": True}
        ),
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=delete_as2_identity,
    ),
)
