"""Stores of the transactions slice in a unit; the read store lacks every writing method.

A store belongs to one unit and its scope. Business key, references, metadata and last error are
sealed as one text, in the place ``transaction`` of the id and ``sealed_version``; for the search of
equal references stand keyed hashes (``domain/ports.py``, purpose ``REFERENCE``).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from longshore.domain.pages import ALL
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import AccountId, KeyForRow
from longshore.domain.transactions.lists import DEFAULT_SORT, Position, Sort, TransactionFilters
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    NewTransaction,
    Transaction,
    TransactionId,
)
from longshore.domain.transactions.states import Axis, AxisStatus
from longshore.kit.environment import Environment

ROW_KIND: Final = "transaction"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedFacts:
    """The sealed values of a transaction."""

    version: int
    """1 for what it was stored with."""
    wrapped_key: bytes
    facts: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedTransaction:
    """A transaction as it lies in its row.

    In ``transaction`` is nothing of what is sealed: no business key, references, metadata and last
    error.
    """

    transaction: Transaction
    group_id: int | None
    output_doc_id: int | None
    """The document that the partner's map made of it."""
    sealed: SealedFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDigests:
    """Keyed hashes of a text that is searched as a reference, of each environment."""

    test: bytes = b""
    live: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionQuery:
    """Filters of transactions, as the store takes them.

    The two digests stand for ``business_key`` and ``q`` of the filters.
    """

    filters: TransactionFilters
    business_key: SearchDigests = SearchDigests()
    q: SearchDigests = SearchDigests()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """The page of a list that is asked for."""

    limit: int
    offset: int = 0
    sort: Sort = DEFAULT_SORT
    behind: Position | None = None
    """The position from a cursor; then ``offset`` is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Links of a transaction that are known later; None leaves them as they are."""

    partner_id: PartnerId | None = None
    doc_id: int | None = None
    output_doc_id: int | None = None
    duplicate_of: TransactionId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionRow:
    """A transaction to be stored."""

    record: NewTransaction
    facts: bytes
    group_id: int | None = None
    digest: bytes | None = None
    """Keyed hash of ST to SE, None where there is none."""


class TransactionReadStore(Protocol):
    """Transactions, to be read."""

    async def find(self, transaction_id: TransactionId) -> SealedTransaction | None:
        """Return the transaction with this id."""
        ...

    async def list(self, query: TransactionQuery, page: PageRequest) -> Sequence[SealedTransaction]:
        """Return a page of what fits, in the order that is asked for."""
        ...

    async def count(self, query: TransactionQuery, most: int = ALL) -> int:
        """Return how many fit; ``most`` if there are more."""
        ...

    async def list_of_interchange(
        self, interchange_id: InterchangeId
    ) -> Sequence[SealedTransaction]:
        """Return the transactions of an interchange, in its order."""
        ...

    async def list_ids(self, interchange_id: InterchangeId) -> Sequence[TransactionId]:
        """Return the ids of the transactions of an interchange, in its order."""
        ...

    async def list_related(self, interchange_id: InterchangeId) -> Sequence[TransactionId]:
        """Return the sets of an interchange that were made of others, or others of them."""
        ...

    async def list_made_of(self, transaction_id: TransactionId) -> Sequence[TransactionId]:
        """Return what was made of a transaction, and of that again, oldest first."""
        ...

    async def list_duplicates(
        self, environment: Environment, partner_id: PartnerId, digest: bytes, since: datetime
    ) -> Sequence[TransactionId]:
        """Return what a partner sent with the same content since then, oldest first."""
        ...


class TransactionStore(TransactionReadStore, Protocol):
    """Transactions, to be read and changed."""

    async def insert(
        self, account_id: AccountId, new: TransactionRow, key_for: KeyForRow, now: datetime
    ) -> TransactionId:
        """Store a transaction at version 1; return its id.

        Its document is reported it, unless it is that of another already.
        """
        ...

    async def set_facts(
        self, transaction_id: TransactionId, new: SealedFacts, now: datetime
    ) -> bool:
        """Exchange what is sealed; False unless ``new.version`` is the one after the stored."""
        ...

    async def add_references(
        self,
        owner: tuple[AccountId, Environment],
        transaction_id: TransactionId,
        digests: Collection[bytes],
    ) -> None:
        """Let a transaction be found by these."""
        ...

    async def step(
        self,
        transaction_id: TransactionId,
        axis: Axis,
        start: AxisStatus,
        to: AxisStatus,
        now: datetime,
    ) -> bool:
        """Make a step of one axis; False if the transaction does not stand at ``start``."""
        ...

    async def step_deliveries(
        self,
        interchange_id: InterchangeId,
        start: DeliveryStatus | tuple[DeliveryStatus, ...],
        to: DeliveryStatus,
        now: datetime,
    ) -> Sequence[TransactionId]:
        """Make a step of all sets of an interchange that stand at ``start``; return them.

        Of a tuple, they stand at one of its statuses.
        """
        ...

    async def hold_interchange(self, interchange_id: InterchangeId) -> None:
        """Let no other unit go on that holds the same interchange, until this one ends."""
        ...

    async def lock_chain(self, root: TransactionId) -> None:
        """Lock the resend chain that begins with a transaction until the unit ends."""
        ...

    async def count_attempt(self, interchange_id: InterchangeId, now: datetime) -> None:
        """Count an attempt to deliver the sets of an interchange."""
        ...

    async def link(self, transaction_id: TransactionId, links: Links, now: datetime) -> None:
        """Note what belongs to a transaction; documents are reported it as by ``insert``."""
        ...
