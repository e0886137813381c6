"""Stores of acknowledgements in a unit; the read store lacks every writing method.

A store belongs to one unit and its scope. The errors of an acknowledgement are sealed, in the place
``ack`` of the id and ``sealed_version``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from longshore.domain.acks.matching import SentGroup, SentInterchange
from longshore.domain.acks.model import Ack, AckForm, AckId, AckRowStatus, NewAck
from longshore.domain.pages import ALL
from longshore.domain.partners.model import Direction, Pair, PartnerId
from longshore.domain.ports import AccountId, KeyForRow
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.domain.transactions.store import SealedFacts
from longshore.kit.environment import Environment

ROW_KIND: Final = "ack"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedErrors:
    """The errors of an acknowledgement."""

    version: int
    """1 for what it was stored with."""
    wrapped_key: bytes
    facts: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAck:
    """A row as it lies there: in ``ack`` are no errors and no business key.

    ``version`` counts its changes.
    """

    ack: Ack
    version: int
    sealed: SealedErrors
    about: SealedFacts | None = None
    """The sealed facts of the transaction that it is about, None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AckQuery:
    """Filters of acknowledgements; None and empty ask for any, several values for any of them.

    ``since`` inclusive, ``before`` exclusive, of ``created_at``.
    """

    statuses: frozenset[AckRowStatus] = frozenset()
    results: frozenset[AckStatus] = frozenset()
    ack_types: frozenset[AckForm] = frozenset({AckForm.F997, AckForm.F999})
    direction: Direction | None = None
    partner_id: PartnerId | None = None
    transaction_id: TransactionId | None = None
    tx_sets: frozenset[str] = frozenset()
    is_overdue: bool | None = None
    is_due: bool | None = None
    """A day is known on which it is expected; of what was not delivered, or is held, none is."""
    is_open: bool | None = None
    """Nothing was made anew of its transaction that may stand in the place of that."""
    is_test: bool | None = None
    complaint: str | None = None
    """The word of one, ``""`` for rows without any."""
    since: datetime | None = None
    before: datetime | None = None


class AckReadStore(Protocol):
    """Acknowledgements, to be read."""

    async def find(self, ack_id: AckId) -> StoredAck | None:
        """Return the row with this id."""
        ...

    async def list(
        self,
        query: AckQuery,
        limit: int,
        offset: int = 0,
        behind: tuple[datetime, AckId] | None = None,
    ) -> Sequence[StoredAck]:
        """Return a page of what fits, newest first; of what is older than ``behind``."""
        ...

    async def count(self, query: AckQuery, most: int = ALL) -> int:
        """Return how many fit; ``most`` if there are more."""
        ...

    async def complaints_of(
        self, transaction_ids: Sequence[TransactionId]
    ) -> Mapping[TransactionId, Sequence[str]]:
        """Return the words of what was complained of in sets, by set; of none, no entry.

        Of several acknowledgements of a set the newest that complains counts, or the TA1 that
        rejects its interchange.
        """
        ...

    async def list_of_transaction(self, transaction_id: TransactionId) -> Sequence[StoredAck]:
        """Return the rows of a transaction, oldest first."""
        ...

    async def list_of_interchange(self, interchange_id: InterchangeId) -> Sequence[StoredAck]:
        """Return the rows of what came or goes in an interchange, oldest first."""
        ...

    async def list_sent_groups(
        self, environment: Environment, pair: Pair, gs_control_number: str
    ) -> Sequence[SentGroup]:
        """Return the groups we sent from ``pair.sender`` to its receiver with an equal GS06."""
        ...

    async def list_sent_interchanges(
        self, environment: Environment, pair: Pair, isa_control_number: str
    ) -> Sequence[SentInterchange]:
        """Return the interchanges we sent from ``pair.sender`` with an equal ISA13."""
        ...

    async def list_sent_by_reference(
        self, environment: Environment, pair: Pair, tx_set: str, digest: bytes
    ) -> Sequence[SentGroup]:
        """Return the newest sets we sent from ``pair.sender`` with a reference, at most 10.

        Each is in a group with itself alone. ``digest`` is its keyed hash, ``tx_set`` ``""`` for
        any set.
        """
        ...

    async def list_own_answers(self, interchange_id: InterchangeId) -> Sequence[InterchangeId]:
        """Return the interchanges in which we answered one that was received, oldest first."""
        ...

    async def list_overdue(self, now: datetime, most: int) -> Sequence[StoredAck]:
        """Return pending rows expected before ``now`` and not reported yet, oldest first."""
        ...


class AckStore(AckReadStore, Protocol):
    """Acknowledgements, to be read and changed."""

    async def insert(
        self,
        account_id: AccountId,
        new: NewAck,
        facts: bytes,
        key_for: KeyForRow,
        now: datetime,
    ) -> AckId:
        """Store a row at version 1; return its id."""
        ...

    async def answer(
        self,
        ack_id: AckId,
        expected_version: int,
        new: NewAck,
        sealed: SealedErrors,
        now: datetime,
    ) -> bool:
        """Make a row what was answered; False unless it is at ``expected_version``.

        The digests of earlier answers are kept with the new one. ``sealed.version`` is the one
        after that of the stored errors.
        """
        ...

    async def expect(
        self,
        ack_id: AckId,
        sent_at: datetime | None,
        expected_by: datetime | None,
        now: datetime,
    ) -> bool:
        """Note until when a pending row is expected; False if it is not pending any more.

        ``expected_by`` None: nobody knows yet, since what it answers is held.
        """
        ...

    async def mark_overdue(self, ack_id: AckId, now: datetime) -> bool:
        """Note that a row is overdue; False if it is answered, or was noted."""
        ...

    async def finish_ours(self, ack_id: AckId, to: AckRowStatus, at: datetime) -> bool:
        """Note that ours was sent or given up; False if that is known.

        One that was given up is sent by a retry; one that was sent stays so.
        """
        ...
