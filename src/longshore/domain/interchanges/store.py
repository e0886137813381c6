"""Rows of receipts, interchanges and groups, and the stores that a unit offers for them.

A store belongs to one unit and its scope. The content of a receipt or an interchange and the facts
about it that people see are encrypted under one key, bound to ``receipt`` or ``interchange`` and
the id. Whoever decrypts them compares the content with a hash in the facts, which tells the two
apart.

Column values that come from a document are cut to the length of their place in X12 and keep visible
characters only: a document may hold NUL, which not every database stores. The document itself is
stored byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, NewType, Protocol

from longshore.domain.acks.model import GroupId
from longshore.domain.pages import ALL
from longshore.domain.partners.model import Address, Direction, InboundTokenId, Pair, PartnerId
from longshore.domain.ports import AccountId, KeyForRow
from longshore.domain.transactions.model import InterchangeId, Source
from longshore.kit.environment import Environment
from longshore.x12.control import GroupSummary, element_at

ReceiptId = NewType("ReceiptId", int)

RECEIPT_ROW_KIND: Final = "receipt"
INTERCHANGE_ROW_KIND: Final = "interchange"


@unique
class ReceiptStatus(StrEnum):
    """State of a receipt; the bytes are kept in any case."""

    RECEIVED = "received"
    PROCESSED = "processed"
    FAILED = "failed"


@unique
class InterchangeStatus(StrEnum):
    """State of an interchange. Of one that is sent it is what the last delivery came to."""

    RECEIVED = "received"
    PROCESSED = "processed"
    DUPLICATE = "duplicate"
    QUARANTINED = "quarantined"
    DISCARDED = "discarded"
    FAILED = "failed"
    QUEUED = "queued"
    SENT = "sent"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedContent:
    """Bytes and facts, encrypted with one key."""

    facts: bytes
    content: bytes
    wrapped_key: bytes = b""
    """Empty until the row has its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReceipt:
    """Bytes that came in, ``byte_count`` of them."""

    environment: Environment
    partner_id: PartnerId | None
    token_id: InboundTokenId | None
    source: Source
    byte_count: int
    digest: bytes
    """Keyed hash of the bytes."""
    key_digest: bytes | None = None
    """Keyed hash of the sender's ``Idempotency-Key``; without a token that of the transaction which
    the bytes correct.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReceipt:
    """A stored receipt."""

    id: ReceiptId
    account_id: AccountId
    new: NewReceipt
    status: ReceiptStatus
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInterchange:
    """An interchange to be stored, with the values of its envelope."""

    environment: Environment
    direction: Direction
    status: InterchangeStatus
    source: Source
    pair: Pair
    isa_control_number: str
    """ISA13."""
    isa_date: str
    """ISA09."""
    isa_time: str
    """ISA10."""
    version: str
    """ISA12."""
    usage_indicator: str
    """ISA15."""
    is_allotted: bool
    """We gave it its number."""
    file_size: int
    digest: bytes
    """Keyed hash of its body."""
    reason: str | None = None
    """The code of why it was set aside."""
    partner_id: PartnerId | None = None
    receipt_id: ReceiptId | None = None
    doc_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interchange:
    """A stored interchange."""

    id: InterchangeId
    account_id: AccountId
    new: NewInterchange
    sent_at: datetime | None
    """When it was handed over last."""
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGroup:
    """A functional group: GS01, GS02, GS03, GS06 and GS08 as they stand there."""

    functional_id: str
    sender_code: str
    receiver_code: str
    gs_control_number: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InterchangeQuery:
    """Filters of the interchanges of an environment; empty and None ask for any.

    ``since`` inclusive, ``before`` exclusive.
    """

    environment: Environment
    statuses: frozenset[InterchangeStatus] = frozenset()
    direction: Direction | None = None
    partner_id: PartnerId | None = None
    since: datetime | None = None
    before: datetime | None = None


class ReceiptReadStore(Protocol):
    """Receipts, to be read."""

    async def find(self, receipt_id: ReceiptId) -> tuple[StoredReceipt, SealedContent] | None:
        """Return the receipt with this id."""
        ...

    async def find_status(self, receipt_id: ReceiptId) -> ReceiptStatus | None:
        """Return how far the receipt with this id is; cheap, however many bytes it has."""
        ...

    async def find_duplicate(
        self, token_id: InboundTokenId, digest: bytes, since: datetime
    ) -> StoredReceipt | None:
        """Return the first receipt of the same bytes on the same token since then."""
        ...

    async def find_by_key(
        self, token_id: InboundTokenId, key_digest: bytes, since: datetime
    ) -> StoredReceipt | None:
        """Return the first receipt under the same ``Idempotency-Key`` on a token since then."""
        ...

    async def find_correction(self, key_digest: bytes) -> ReceiptId | None:
        """Return a receipt that corrects what this digest stands for, and is not processed."""
        ...

    async def has_corrections(self) -> bool:
        """Tell whether any correction waits to be processed."""
        ...

    async def list_unfinished(self, before: datetime, most: int) -> Sequence[StoredReceipt]:
        """Return receipts that came before a moment and are not processed, oldest first."""
        ...


class ReceiptStore(ReceiptReadStore, Protocol):
    """Receipts, to be read and changed."""

    async def insert(
        self,
        account_id: AccountId,
        new: NewReceipt,
        sealed: SealedContent,
        key_for: KeyForRow,
        now: datetime,
    ) -> ReceiptId:
        """Store a receipt; return its id."""
        ...

    async def finish(self, receipt_id: ReceiptId, status: ReceiptStatus, now: datetime) -> bool:
        """End a receipt that is ``received``; False if another has."""
        ...


class InterchangeReadStore(Protocol):
    """Interchanges and their groups, to be read."""

    async def find(self, interchange_id: InterchangeId) -> tuple[Interchange, SealedContent] | None:
        """Return the interchange with this id, its bytes sealed."""
        ...

    async def find_facts(self, interchange_id: InterchangeId) -> SealedContent | None:
        """Return what is sealed of the interchange with this id, without its bytes."""
        ...

    async def list(
        self,
        query: InterchangeQuery,
        limit: int,
        offset: int = 0,
        behind: tuple[datetime, InterchangeId] | None = None,
    ) -> Sequence[Interchange]:
        """Return a page of what fits, newest first; of what is older than ``behind``."""
        ...

    async def count(self, query: InterchangeQuery, most: int = ALL) -> int:
        """Return how many fit; ``most`` if there are more."""
        ...

    async def list_same_number(
        self, environment: Environment, pair: Pair, isa_control_number: str
    ) -> Sequence[Interchange]:
        """Return what was received of this pair with an equal ISA13, newest first."""
        ...

    async def list_of_receipt(self, receipt_id: ReceiptId) -> Sequence[Interchange]:
        """Return the interchanges of a receipt, in its order."""
        ...

    async def list_groups(
        self, interchange_id: InterchangeId
    ) -> Sequence[tuple[GroupId, NewGroup]]:
        """Return the groups of an interchange, in its order."""
        ...


class InterchangeStore(InterchangeReadStore, Protocol):
    """Interchanges and their groups, to be read and changed."""

    async def insert(
        self,
        account_id: AccountId,
        new: NewInterchange,
        sealed: SealedContent,
        key_for: KeyForRow,
        now: datetime,
    ) -> InterchangeId:
        """Store an interchange; return its id."""
        ...

    async def insert_group(
        self,
        account_id: AccountId,
        of: tuple[InterchangeId, NewInterchange],
        new: NewGroup,
        now: datetime,
    ) -> GroupId:
        """Store a group of an interchange that was stored in this unit; return its id."""
        ...

    async def step(
        self,
        interchange_id: InterchangeId,
        start: InterchangeStatus,
        to: InterchangeStatus,
        reason: str | None,
        now: datetime,
    ) -> bool:
        """Change the status; False if the interchange does not stand at ``start``."""
        ...

    async def hold(self, interchange_id: InterchangeId, now: datetime) -> None:
        """Keep others from changing an interchange until the unit ends."""
        ...

    async def set_sent(self, interchange_id: InterchangeId, at: datetime, now: datetime) -> None:
        """Note when an interchange and its groups were handed over, unless a later time is."""
        ...

    async def assign(
        self, interchange_id: InterchangeId, partner_id: PartnerId, now: datetime
    ) -> None:
        """Note whose interchange it is."""
        ...


_MAX_CHARS: Final = 35  # no id, number or version is as long
_SUBSTITUTE: Final = "?"


def plain(text: str) -> str:
    """Return a text of a document as a plain column takes it."""
    shown = text.strip()[:_MAX_CHARS]
    if shown.isprintable():
        return shown
    return "".join(each if each.isprintable() else _SUBSTITUTE for each in shown)


def plain_pair(pair: Pair) -> Pair:
    """Return the addresses of an interchange likewise."""
    return Pair(*(Address(plain(each.qualifier), plain(each.id)) for each in pair))


def plain_group(group: GroupSummary) -> NewGroup:
    """Return the row of a group likewise."""
    return NewGroup(
        functional_id=plain(group.functional_id),
        sender_code=plain(element_at(group.header, 2)),
        receiver_code=plain(element_at(group.header, 3)),
        gs_control_number=plain(group.control_number),
        version=plain(group.version),
    )
