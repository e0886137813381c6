"""GET /api/v1/documents/{doc_id}: a document of the vault, for programs."""

from typing import Annotated, Any, Final, Literal

import msgspec

from longshore.domain.accounts.model import ApiCaller, KeyScope
from longshore.domain.ports import RequestContext
from longshore.domain.vault.model import (
    DocumentNotFoundError,
    OpenedDocument,
    VaultDocument,
    VaultDocumentId,
)
from longshore.http.api_caller import API_KEY
from longshore.http.envelope import Answer, EnvironmentName, Time, json_answer
from longshore.http.limits import LimitClass
from longshore.http.listing import id_in_path
from longshore.http.operation import Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.services import HttpServices
from longshore.kit.errors import ErrorCode

DocumentId = Annotated[
    str, msgspec.Meta(description="Id of the document, the doc_id that convert answered.")
]


class VaultDocumentItem(msgspec.Struct, kw_only=True):
    """A stored document as lists show it."""

    id: Annotated[int, msgspec.Meta(description="The doc_id that convert answered.")]
    filename: Annotated[str, msgspec.Meta(description="Made by the service.")]
    fmt: Literal["x12", "json", "csv", "xml"]
    direction: Literal["inbound", "outbound"]
    file_size: Annotated[int, msgspec.Meta(description="Bytes of the content in UTF-8.")]
    transaction_set: Annotated[str, msgspec.Meta(description="Such as 850; empty if none.")]
    status: Annotated[
        Literal["processed", "processed_partly"],
        msgspec.Meta(
            description="processed_partly: the conversion left something of the source out."
        ),
    ]
    created_at: Time
    environment: Literal["sandbox", "production"]
    transaction_id: int | None
    map_id: Annotated[int | None, msgspec.Meta(description="The saved map that produced it.")]
    map_version: int | None
    source_doc_id: Annotated[
        int | None, msgspec.Meta(description="The stored document it was converted from.")
    ]


class VaultDocumentDetail(VaultDocumentItem, kw_only=True):
    """A stored document with its content."""

    content: str
    sha256: Annotated[str, msgspec.Meta(description="Of the content in UTF-8, hexadecimal.")]


class DocumentAnswer(msgspec.Struct, kw_only=True):
    """One stored document."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")] = True
    doc: VaultDocumentDetail
    environment: EnvironmentName


class DocumentParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The document that the path names."""

    doc_id: DocumentId


async def show_document(caller: ApiCaller, call: Call[None]) -> Answer:
    asked = call.parameters_as(DocumentParameters)
    opened = await read_document(call.services, request_context_of(caller, call), asked.doc_id)
    return json_answer(
        DocumentAnswer(
            doc=detail_of(opened),
            environment=caller.environment.value,
        )
    )


async def read_document(
    services: HttpServices, context: RequestContext, doc_id: str
) -> OpenedDocument:
    """Return the document of an id as it stands in a path; the audit log says so before.

    Raises:
        DocumentNotFoundError: It is no id, or the caller has no document of it.
    """
    number = id_in_path(doc_id)
    if number is None:
        raise DocumentNotFoundError
    return await services.vault.read(context, VaultDocumentId(number))


def item_of(document: VaultDocument) -> VaultDocumentItem:
    """Return a document as lists show it."""
    return VaultDocumentItem(**_members(document))


def detail_of(opened: OpenedDocument) -> VaultDocumentDetail:
    """Return a document with its content."""
    return VaultDocumentDetail(
        **_members(opened.document), content=opened.content, sha256=opened.sha256
    )


# Any: the members of a wire shape, of which each has a type of its own.
def _members(document: VaultDocument) -> dict[str, Any]:
    return {
        "id": document.id,
        "filename": document.filename,
        "fmt": document.fmt,
        "direction": document.direction,
        "file_size": document.file_size,
        "transaction_set": document.transaction_set,
        "status": document.status.value,
        "created_at": document.created_at.strftime("%Y-%m-%dT%H:%M:%S"),
        "environment": document.environment.value,
        "transaction_id": document.transaction_id,
        "map_id": document.map_id,
        "map_version": document.map_version,
        "source_doc_id": document.source_doc_id,
    }


DOCUMENT_EXAMPLE: Final = {
    "id": 5501,
    "filename": "850-1a2b3c4d.json",
    "fmt": "json",
    "direction": "inbound",
    "file_size": 17,
    "transaction_set": "850",
    "status": "processed",
    "created_at": "2026-01-15T14:05:09",
    "environment": "sandbox",
    "transaction_id": None,
    "map_id": 7,
    "map_version": 3,
    "source_doc_id": 5500,
}
DETAIL_EXAMPLE: Final = {
    **DOCUMENT_EXAMPLE,
    "content": '{"number":"PO-1"}',
    "sha256": "78e5367beb8a4448d1121da3adb1cf58a5c5c248e726ec8593754614e14143a7",
}
DOCUMENT: Final = Operation(
    method="GET",
    path="/api/v1/documents/{doc_id}",
    operation_id="showDocument",
    tag="Vault",
    summary="Fetch a stored document",
    description=(
        "Returns a document of the vault with its content. A sandbox key sees documents of the "
        "sandbox, a production key those of both environments of its account. Every call is "
        "recorded in the audit log. Needs scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.REQUESTS,
    parameters=DocumentParameters,
    response=Response(
        description="The document.",
        shape=DocumentAnswer,
        example={"ok": True, "doc": DETAIL_EXAMPLE, "environment": "sandbox"},
    ),
    errors=frozenset({ErrorCode.NOT_FOUND}),
    handler=show_document,
)
