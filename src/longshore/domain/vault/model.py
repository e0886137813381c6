"""A document of the vault: what is known of it in plain columns, and what is sealed.

Plain are only the facts that lists are made of (reliability.md section 7). The content, its hash
and the lineage of a conversion are sealed under a key of the record. The hash because it would
tell whether a guessed content is the right one; what the file name shows of it is too short.

Source: service.md section 2 (vault document), contract.md section 9.

Refusals of the vault slice.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, NewType

from longshore.domain.pages import Total
from longshore.domain.ports import AccountId, DataKey
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError

VaultDocumentId = NewType("VaultDocumentId", int)

ROW_KIND: Final = "vault_document"


@unique
class VaultStatus(StrEnum):
    """What became of a document; service.md names the first one."""

    PROCESSED = "processed"
    PROCESSED_PARTLY = "processed_partly"
    """The source and the outputs of a conversion that left something of the source out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDocument:
    """A document to be stored.

    ``filename`` is made by us, never by the document. ``fmt``: ``x12``, ``json``, ``xml`` or
    ``csv``; ``direction``: ``inbound`` or ``outbound``; ``transaction_set``: ``""`` if it has none.
    ``map_id`` and ``map_version``: of the saved map that made it. ``explain``: the lineage of that
    conversion, as the text of a JSON object.
    """

    filename: str
    fmt: str
    direction: str
    transaction_set: str
    content: str
    map_id: int | None = None
    map_version: int | None = None
    explain: str | None = None
    status: VaultStatus = VaultStatus.PROCESSED


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedDocument:
    """The same, ready to be written: ``facts`` and ``content`` are sealed under ``key``.

    ``file_size``: bytes of the content in UTF-8.
    """

    filename: str
    fmt: str
    direction: str
    transaction_set: str
    map_id: int | None
    map_version: int | None
    file_size: int
    status: VaultStatus
    facts: bytes
    content: bytes
    key: DataKey


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultDocument:
    """What a list shows of a stored document. ``file_size``: bytes of its content in UTF-8.

    ``source_doc_id``: the stored document that this one was converted from.
    """

    id: VaultDocumentId
    environment: Environment
    filename: str
    fmt: str
    direction: str
    transaction_set: str
    status: VaultStatus
    file_size: int
    transaction_id: int | None
    map_id: int | None
    map_version: int | None
    source_doc_id: VaultDocumentId | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRecord:
    """A stored document as it lies in its row."""

    account_id: AccountId
    document: VaultDocument
    facts: bytes
    wrapped_key: bytes
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedDocument:
    """A stored document with its content, which is what was stored: its hash was compared.

    ``sha256``: of the content in UTF-8, in hexadecimal. ``explain``: as it was given.
    """

    document: VaultDocument
    content: str
    sha256: str
    explain: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultQuery:
    """Which documents of an environment are asked for; None and ``""`` ask for any.

    ``q``: an id, or how the file name begins. ``since`` inclusive, ``before`` exclusive.
    """

    environment: Environment
    q: str = ""
    fmt: str | None = None
    direction: str | None = None
    transaction_set: str | None = None
    map_id: int | None = None
    since: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultPage:
    """Documents of one page, newest first."""

    documents: tuple[VaultDocument, ...]
    total: Total
    has_more: bool


class DocumentNotFoundError(LongshoreError):
    """Nothing of this id is the caller's; the text is the same whatever was asked for."""

    def __init__(self) -> None:
        super().__init__(
            ErrorCode.NOT_FOUND,
            "There is no document with this id that you may see; an API key sees those of its"
            " own environment. A convert with save_to_vault answers the id as doc_id.",
        )
