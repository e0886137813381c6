"""Stores of the partners slice in a unit; the read stores lack every writing method.

A store belongs to one unit and its scope: it sees and changes rows of the scope's account only.
``connections``, ``settings`` and ``routes`` are kept as the JSON texts they are given as;
what is secret in a connection is sealed apart from it, in the place ``partner_secrets`` of the
partner's id and ``sealed_version``. A token is sealed in the place ``partner_token`` of its id.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from longshore.domain.accounts.model import Account
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.model import (
    CLOSED_BREAKER,
    CircuitBreaker,
    ConnectionStatus,
    Identity,
    InboundToken,
    InboundTokenId,
    OwnIdentity,
    OwnIdentityId,
    PartnerId,
    PartnerStatus,
)
from longshore.domain.partners.status import PartnerState
from longshore.domain.ports import AccountId, KeyForRow
from longshore.kit.environment import Environment

SECRETS_ROW_KIND: Final = "partner_secrets"
TOKEN_ROW_KIND: Final = "partner_token"  # noqa: S105 - a kind of place, no secret


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerFacts:
    """The members of a partner's terms that its row stores unencrypted."""

    name: str
    folded_name: str
    """The name without case; unique in an account."""
    identity: Identity
    own_identity_id: OwnIdentityId | None
    tx_sets: tuple[str, ...]
    version: str
    ack_type: str
    ack_hours: int
    industry: str
    contact_email: str
    test_type: str
    """The type of the test connection."""
    live_type: str
    """The type of the live connection."""
    connections: str
    settings: str
    routes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedSecrets:
    """The secrets of a partner's connections, encrypted."""

    version: int
    """0: none were stored yet."""
    wrapped_key: bytes
    secrets: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPartner:
    """A partner as it lies in its row. ``version`` counts changes, for ``If-Match``."""

    id: PartnerId
    account_id: AccountId
    version: int
    state: PartnerState
    facts: PartnerFacts
    test_status: ConnectionStatus
    live_status: ConnectionStatus
    sealed: SealedSecrets
    last_activity_at: datetime | None
    created_at: datetime
    updated_at: datetime
    test_breaker: CircuitBreaker = CLOSED_BREAKER
    live_breaker: CircuitBreaker = CLOSED_BREAKER


class PartnerAddress(NamedTuple):
    """The facts of a partner that routing needs."""

    id: PartnerId
    status: PartnerStatus
    identity: Identity
    own_identity_id: OwnIdentityId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerQuery:
    """Filters of partners; empty asks for any."""

    statuses: frozenset[PartnerStatus] = frozenset()
    folded_prefix: str = ""
    """The beginning of the folded name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedToken:
    """A token as it lies in its row."""

    token: InboundToken
    wrapped_key: bytes
    sealed: bytes


class IdentityReadStore(Protocol):
    """The account's own identities, to be read."""

    async def list(self) -> Sequence[OwnIdentity]:
        """Return all of them, in the order they were made."""
        ...


class IdentityStore(IdentityReadStore, Protocol):
    """The account's own identities, to be read and changed."""

    async def insert(
        self, account_id: AccountId, identity: Identity, now: datetime
    ) -> OwnIdentity | None:
        """Store an identity and return it; None if the account has it."""
        ...

    async def change(self, identity_id: OwnIdentityId, identity: Identity) -> bool:
        """Make it another; False if there is none.

        Raises:
            NotUniqueError: Out of the unit: the account has that one already.
        """
        ...

    async def delete(self, identity_id: OwnIdentityId) -> bool:
        """Remove an identity; False if there is none, or a partner names it."""
        ...


class PartnerReadStore(Protocol):
    """Partners, to be read."""

    async def find(self, partner_id: PartnerId) -> StoredPartner | None:
        """Return the partner with this id."""
        ...

    async def list(
        self, query: PartnerQuery, limit: int | None = None, offset: int = 0
    ) -> Sequence[StoredPartner]:
        """Return a page of those that fit, by id; without ``limit`` all that follow."""
        ...

    async def list_as2(self, environment: Environment, as2_to: str) -> Sequence[StoredPartner]:
        """Return those with this AS2 name in their connection for an environment, by id."""
        ...

    async def list_connected(self, by: ConnectionType) -> Sequence[StoredPartner]:
        """Return those with a connection of a type for either environment, by id."""
        ...

    async def count(self, query: PartnerQuery) -> int:
        """Return how many fit."""
        ...

    async def list_addresses(self) -> Sequence[PartnerAddress]:
        """Return how each partner is addressed, by id."""
        ...


class PartnerStore(PartnerReadStore, Protocol):
    """Partners, to be read and changed."""

    async def lock_identities(self, account_id: AccountId) -> None:
        """Make other units that ask for it wait until this one ends."""
        ...

    async def insert(
        self, account_id: AccountId, facts: PartnerFacts, status: PartnerStatus, now: datetime
    ) -> PartnerId | None:
        """Store a partner at version 1, without secrets; None if the name is taken."""
        ...

    async def change(
        self, partner_id: PartnerId, expected_version: int, facts: PartnerFacts, now: datetime
    ) -> bool:
        """Change a partner and count its version up; False unless it is at ``expected_version``.

        Raises:
            NotUniqueError: Out of the unit: another partner has the name.
        """
        ...

    async def set_secrets(self, partner_id: PartnerId, new: SealedSecrets) -> bool:
        """Store secrets; False unless ``new.version`` is the one after that of the stored."""
        ...

    async def set_state(
        self, partner_id: PartnerId, start: PartnerState, to: PartnerState, now: datetime
    ) -> bool:
        """Make a step of the status and count the version up; False if it stands elsewhere."""
        ...

    async def set_breaker(
        self,
        partner_id: PartnerId,
        environment: Environment,
        start: CircuitBreaker,
        to: CircuitBreaker,
    ) -> bool:
        """Change the circuit breaker of a connection; False if it was changed since ``start``."""
        ...

    async def set_connection_status(
        self, partner_id: PartnerId, environment: Environment, status: ConnectionStatus
    ) -> bool:
        """Note what is known of a connection; False if it was known, or there is no partner."""
        ...

    async def record_activity(self, partner_id: PartnerId, at: datetime) -> None:
        """Note that a document was sent or received, unless a later one is noted."""
        ...

    async def delete(self, partner_id: PartnerId, expected_version: int) -> bool:
        """Remove a partner and its tokens.

        False unless it is at ``expected_version`` and was never traded with: receipts,
        interchanges and transactions keep their partner. Asked in a production scope, which alone
        sees those of both environments.
        """
        ...


class TokenReadStore(Protocol):
    """Tokens of inbound URLs, to be read."""

    async def find_by_digest(self, digest: bytes) -> tuple[InboundToken, Account] | None:
        """Return the token with this SHA-256 and its account, whether it is valid or not."""
        ...

    async def list_open(self, now: datetime) -> Sequence[SealedToken]:
        """Return the tokens of the account that are valid now, the newest first."""
        ...


class TokenStore(TokenReadStore, Protocol):
    """Tokens of inbound URLs, to be read and changed."""

    async def insert(self, new: InboundToken, sealed: bytes, key_for: KeyForRow) -> InboundTokenId:
        """Store a token and return its id; the id of ``new`` is ignored."""
        ...

    async def end_others(self, stored: InboundToken, expires_at: datetime) -> int:
        """Let the other tokens of its partner and environment end then, if not before; count."""
        ...

    async def revoke_all(self, partner_id: PartnerId, at: datetime) -> int:
        """Revoke what is not revoked of a partner; return how many."""
        ...
