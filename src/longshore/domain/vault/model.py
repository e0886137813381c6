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
    """State of a document; service.md names the first one."""

    PROCESSED = "processed"
    PROCESSED_PARTLY = "processed_partly"
    """The source and the outputs of a conversion that left something of the source out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDocument:
    """A document to be stored.

    ``filename`` is made by us, never by the document.
    """

    filename: str
    fmt: str
    """``x12``, ``json``, ``xml`` or ``csv``."""
    direction: str
    """``inbound`` or ``outbound``."""
    transaction_set: str
    """``""`` if it has none."""
    content: str
    map_id: int | None = None
    """The id of the saved map that made it."""
    map_version: int | None = None
    """The version of the saved map that made it."""
    explain: str | None = None
    """The lineage of that conversion, as the text of a JSON object."""
    status: VaultStatus = VaultStatus.PROCESSED


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedDocument:
    """The same, ready to be written: ``facts`` and ``content`` are sealed under ``key``."""

    filename: str
    fmt: str
    direction: str
    transaction_set: str
    map_id: int | None
    map_version: int | None
    file_size: int
    """Bytes of the content in UTF-8."""
    status: VaultStatus
    facts: bytes
    content: bytes
    key: DataKey


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultDocument:
    """The entry of a stored document in a list."""

    id: VaultDocumentId
    environment: Environment
    filename: str
    fmt: str
    direction: str
    transaction_set: str
    status: VaultStatus
    file_size: int
    """Bytes of its content in UTF-8."""
    transaction_id: int | None
    map_id: int | None
    map_version: int | None
    source_doc_id: VaultDocumentId | None
    """The stored document that this one was converted from."""
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
    """A stored document with its content, which is what was stored: its hash was compared."""

    document: VaultDocument
    content: str
    sha256: str
    """Of the content in UTF-8, in hexadecimal."""
    explain: str | None
    """As it was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultQuery:
    """Filters of the documents of an environment; None and ``""`` ask for any."""

    environment: Environment
    q: str = ""
    """An id, or how the file name begins. ``since`` inclusive, ``before`` exclusive."""
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
