"""POST /api/partners/{id}/check-connection: whether a server can be reached, and its host key."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.partners import PARTNERS, PartnerParameters, asked_partner
from longshore.http.envelope import Answer, EnvironmentName, json_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session_caller import EDITOR
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode


class ConnectionCheckBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The connection to be checked: that for test or for live documents."""

    environment: EnvironmentName


class ConnectionCheckItem(msgspec.Struct, kw_only=True):
    """The result for the stored connection."""

    code: Annotated[
        str,
        msgspec.Meta(
            description="succeeded, host_key_unconfirmed, or the code of a failed delivery."
        ),
    ]
    message: Annotated[str, msgspec.Meta(description="For people.")]
    host_key: Annotated[
        str | None,
        msgspec.Meta(description="The key that the server showed, for host_key; null if none."),
    ]
    fingerprint: Annotated[
        str | None,
        msgspec.Meta(
            description="SHA-256 of the key, or of the certificate of an FTPS server, to compare."
        ),
    ]


class ConnectionCheckAnswer(msgspec.Struct, kw_only=True):
    """The result of a check."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    check: ConnectionCheckItem


async def check_connection(user: SessionUser, call: Call[ConnectionCheckBody]) -> Answer:
    found = await call.services.trading.connection_checks.check(
        request_context_of(user, call), asked_partner(call), Environment(call.body.environment)
    )
    shown = found.host_key
    return json_answer(
        ConnectionCheckAnswer(
            check=ConnectionCheckItem(
                code=found.code,
                message=found.message,
                host_key=None if shown is None else shown.text,
                fingerprint=found.fingerprint,
            )
        )
    )


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="POST",
        path="/api/partners/{id}/check-connection",
        operation_id="checkPartnerConnection",
        tag=PARTNERS,
        summary="Check the AS2, SFTP or FTPS connection of a partner",
        description=(
            "Connects to the server as it is stored and sends no document. By AS2, it looks "
            "for our identity and the partner's certificate, and asks the URL for its "
            "headers: an answer with any status will do. By SFTP, if no host key is "
            "confirmed, or the server shows another one, the answer has the key that it "
            "showed, and nothing of the login was sent. By FTPS, if the system does not trust the "
            "certificate and it is not the confirmed one, the code is certificate_invalid and "
            "fingerprint is that of the certificate. Otherwise it logs in and looks for the "
            "folders. For editors."
        ),
        caller=EDITOR,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=PartnerParameters,
        body=ConnectionCheckBody,
        body_example={"environment": "sandbox"},
        response=Response(
            description="What was found.",
            shape=ConnectionCheckAnswer,
            example={
                "ok": True,
                "check": {
                    "code": "host_key_unconfirmed",
                    "message": "The server shows the host key SHA256:… (ssh-ed25519). …",
                    "host_key": "ssh-ed25519 AAAA…",
                    "fingerprint": "SHA256:…",
                },
            },
        ),
        errors=frozenset({ErrorCode.NOT_FOUND, ErrorCode.INVALID_STATE}),
        handler=check_connection,
    ),
)
