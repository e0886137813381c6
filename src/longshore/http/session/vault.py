"""/api/vault: the stored documents, for the pages of the service."""

from dataclasses import replace
from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.accounts.model import AccountType
from longshore.domain.pages import PageParameters
from longshore.domain.users.model import SessionUser
from longshore.domain.vault.model import VaultQuery
from longshore.http.api_v1.documents import (
    DETAIL_EXAMPLE,
    DOCUMENT_EXAMPLE,
    DocumentId,
    VaultDocumentDetail,
    VaultDocumentItem,
    detail_of,
    item_of,
    read_document,
)
from longshore.http.downloads import ANY_BYTES, attachment, without_formulas
from longshore.http.envelope import Answer, Notice, json_answer
from longshore.http.limits import LimitClass
from longshore.http.listing import (
    MAX_COUNTED,
    Id,
    ImpossibleValuesError,
    Limit,
    Moment,
    Offset,
    Search,
    TotalIsExact,
    id_of,
    moment_after,
    moment_from,
    page_of,
)
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session_caller import VIEWER
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode

Set = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9A-Za-z]*(?!\n)$",
        max_length=6,
        extra={"text": "the code of a transaction set, such as 850"},
    ),
]


class VaultListAnswer(msgspec.Struct, kw_only=True):
    """A page of stored documents, newest first, without their content."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    environment: Annotated[
        Literal["sandbox", "production"],
        msgspec.Meta(description="Chosen by the header X-Environment."),
    ]
    count: Annotated[int, msgspec.Meta(description="Documents on this page.")]
    total: Annotated[int, msgspec.Meta(description="Documents that fit, on all pages.")]
    total_is_exact: TotalIsExact
    limit: int
    offset: int
    has_more: bool
    docs: list[VaultDocumentItem]
    warnings: list[Notice]


class VaultAnswer(msgspec.Struct, kw_only=True):
    """One stored document."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    environment: Annotated[
        str,
        msgspec.Meta(
            pattern="^(sandbox|production)$",
            description="That of the document, whatever the header X-Environment says.",
        ),
    ]
    doc: VaultDocumentDetail


class VaultListParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Filters and page of documents."""

    q: Annotated[
        Search | msgspec.UnsetType,
        msgspec.Meta(description="An id, or how the file name begins."),
    ] = msgspec.UNSET
    fmt: Annotated[
        Literal["x12", "json", "csv", "xml"] | msgspec.UnsetType,
        msgspec.Meta(description="Format of the content."),
    ] = msgspec.UNSET
    direction: Annotated[
        Literal["inbound", "outbound"] | msgspec.UnsetType,
        msgspec.Meta(description="Direction that was given when it was stored."),
    ] = msgspec.UNSET
    transaction_set: Annotated[
        Set | msgspec.UnsetType, msgspec.Meta(description="Code of the set, such as 850.")
    ] = msgspec.UNSET
    map_id: Annotated[
        Id | msgspec.UnsetType, msgspec.Meta(description="The saved map that produced it.")
    ] = msgspec.UNSET
    date_from: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Stored on this day or at this UTC time, or later."),
    ] = msgspec.UNSET
    date_to: Annotated[
        Moment | msgspec.UnsetType,
        msgspec.Meta(description="Stored on this day or at this UTC time, or earlier."),
    ] = msgspec.UNSET
    limit: Annotated[
        Limit | msgspec.UnsetType,
        msgspec.Meta(description="Documents on a page: 50 if absent, at most 200."),
    ] = msgspec.UNSET
    offset: Annotated[
        Offset | msgspec.UnsetType,
        msgspec.Meta(description="Documents passed over before the page."),
    ] = msgspec.UNSET


class VaultParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The document that the path names."""

    id: DocumentId


class DownloadParameters(VaultParameters, kw_only=True):
    """The document, and whether its exact bytes are asked for."""

    raw: Annotated[
        Literal["true", "false"] | msgspec.UnsetType,
        msgspec.Meta(
            description="true: the bytes as they are stored. Else a CSV file gets an apostrophe "
            "before what a spreadsheet program would take for a formula."
        ),
    ] = msgspec.UNSET


async def list_vault(user: SessionUser, call: Call[None]) -> Answer:
    asked = call.parameters_as(VaultListParameters)
    query = _query(user, asked)
    limit, offset, warnings = page_of(asked.limit, asked.offset)
    page = await call.services.vault.list(
        user.scope, query, PageParameters(limit=limit, offset=offset, count_to=MAX_COUNTED)
    )
    return json_answer(
        VaultListAnswer(
            environment=user.environment.value,
            count=len(page.documents),
            total=page.total.count,
            total_is_exact=page.total.is_exact,
            limit=limit,
            offset=offset,
            has_more=page.has_more,
            docs=[item_of(document) for document in page.documents],
            warnings=warnings,
        )
    )


async def show_vault_document(user: SessionUser, call: Call[None]) -> Answer:
    asked = call.parameters_as(VaultParameters)
    opened = await read_document(call.services, request_context_of(_in_all(user), call), asked.id)
    environment = opened.document.environment.value
    return json_answer(VaultAnswer(environment=environment, doc=detail_of(opened)))


async def download_vault_document(user: SessionUser, call: Call[None]) -> Answer:
    asked = call.parameters_as(DownloadParameters)
    opened = await read_document(call.services, request_context_of(_in_all(user), call), asked.id)
    content = opened.content
    if opened.document.fmt == "csv" and asked.raw != "true":
        content = without_formulas(content)
    return attachment(content.encode(), opened.document.filename)


def _in_all(user: SessionUser) -> SessionUser:
    """Return a user as one who sees both environments, where the plan has both.

    service.md knows no environment header here: the id alone decides which document is meant.
    """
    if user.account_type is AccountType.DEVELOPER:
        return user
    return replace(user, environment=Environment.PRODUCTION)


def _query(user: SessionUser, asked: VaultListParameters) -> VaultQuery:
    """Return what is asked for.

    Raises:
        ImpossibleValuesError: A date that does not exist, or an id that is too large.
    """
    faults: dict[str, str] = {}
    query = VaultQuery(
        environment=user.environment,
        q=asked.q or "",
        fmt=asked.fmt or None,
        direction=asked.direction or None,
        transaction_set=asked.transaction_set or None,
        map_id=id_of(asked.map_id, "map_id", faults),
        since=moment_from(asked.date_from, "date_from", faults),
        before=moment_after(asked.date_to, "date_to", faults),
    )
    if faults:
        raise ImpossibleValuesError(faults)
    return query


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="GET",
        path="/api/vault",
        operation_id="listVault",
        tag="Vault",
        summary="List stored documents",
        description=(
            "Shows the documents of the chosen environment, newest first. All filters that are "
            "given have to fit."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=VaultListParameters,
        response=Response(
            description="A page of documents.",
            shape=VaultListAnswer,
            example={
                "ok": True,
                "environment": "sandbox",
                "count": 1,
                "total": 1,
                "total_is_exact": True,
                "limit": 50,
                "offset": 0,
                "has_more": False,
                "docs": [DOCUMENT_EXAMPLE],
                "warnings": [],
            },
        ),
        handler=list_vault,
    ),
    Operation(
        method="GET",
        path="/api/vault/{id}",
        operation_id="showVaultDocument",
        tag="Vault",
        summary="Show a stored document",
        description=(
            "Gives a document with its content, of either environment of the account: the id "
            "decides, whatever environment is chosen. The audit log says who did, each time."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=VaultParameters,
        response=Response(
            description="The document.",
            shape=VaultAnswer,
            example={"ok": True, "environment": "sandbox", "doc": DETAIL_EXAMPLE},
        ),
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=show_vault_document,
    ),
    Operation(
        method="GET",
        path="/api/vault/{id}/download",
        operation_id="downloadVaultDocument",
        tag="Vault",
        summary="Save a stored document as a file",
        description=(
            "Gives the content as an attachment; the id decides, as for the record. The audit log "
            "says who did, each time."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.REQUESTS,
        parameters=DownloadParameters,
        response=Response(description="The content.", media_type=ANY_BYTES.decode()),
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=download_vault_document,
    ),
)
