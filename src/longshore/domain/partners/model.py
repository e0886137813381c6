"""A trading partner: identity, agreed terms, connections, routes, and the tokens of its URL.

An account has one partner row for test and live; what differs between them is the connection
(sandbox documents take the test one) and the inbound token.

Source: contract.md sections 8 and 15, transports.md section 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, NamedTuple, NewType

from longshore.domain.partners.connections import Connection, ConnectionType, NoConnection
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment
from longshore.x12.acks.profile import AckType

PartnerId = NewType("PartnerId", int)
OwnIdentityId = NewType("OwnIdentityId", int)
InboundTokenId = NewType("InboundTokenId", int)


@unique
class Direction(StrEnum):
    """The direction of documents: from the partner to us, or from us to the partner."""

    INBOUND = "inbound"
    OUTBOUND = "outbound"


@unique
class PartnerStatus(StrEnum):
    """The stage of the trade with a partner; its steps are in ``status``."""

    PENDING = "pending"
    TESTING = "testing"
    ACTIVE = "active"
    INACTIVE = "inactive"
    ERROR = "error"


@unique
class ConnectionStatus(StrEnum):
    """State of a connection: not tried yet, working, or failing."""

    NOT_CONFIGURED = "not_configured"
    UNVERIFIED = "unverified"
    CONNECTED = "connected"
    FAILING = "failing"
    DISABLED = "disabled"


@unique
class BreakerState(StrEnum):
    """State of the circuit breaker of a connection."""

    CLOSED = "closed"
    """Everything is sent."""
    OPEN = "open"
    """Nothing is sent until the next probe."""
    HALF_OPEN = "half_open"
    """One document is being sent as a probe; its result closes or opens the breaker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitBreaker:
    """The circuit breaker of a connection. Times are aware UTC."""

    state: BreakerState = BreakerState.CLOSED
    opened_at: datetime | None = None
    """Since when it has not been closed; None while it is."""
    probe_at: datetime | None = None
    """When the next probe may be made; None while it is closed."""


CLOSED_BREAKER: Final = CircuitBreaker()


def first_connection_status(connection_type: ConnectionType) -> ConnectionStatus:
    """Return what is known of a connection of this type as long as nothing was sent over it."""
    is_none = connection_type is ConnectionType.NONE
    return ConnectionStatus.NOT_CONFIGURED if is_none else ConnectionStatus.UNVERIFIED


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """An address of a party: ISA05/06 or ISA07/08 without padding, and GS02 or GS03.

    ``gs_id`` ``""``: the same as ``isa_id``.
    """

    qualifier: str
    isa_id: str
    gs_id: str = ""

    @property
    def group_id(self) -> str:
        """Return the value of GS02 or GS03."""
        return self.gs_id or self.isa_id

    @property
    def edi_identity(self) -> str:
        """Qualifier and id in one text, ``01/123456789``; ``""`` where there is no id."""
        return f"{self.qualifier}/{self.isa_id}" if self.isa_id else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnIdentity:
    """One of the identities of an account."""

    id: OwnIdentityId
    identity: Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """The two connections of a partner."""

    test: Connection = field(default_factory=NoConnection)
    live: Connection = field(default_factory=NoConnection)

    def of(self, environment: Environment) -> Connection:
        """Return the one that documents of an environment take."""
        return self.live if environment is Environment.PRODUCTION else self.test


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The route of the sets of one code: the map that is run, and whether its output is kept."""

    tx_set: str
    direction: Direction = Direction.INBOUND
    map_id: int | None = None
    """None: the sets are recorded and not converted."""
    save_to_vault: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerTerms:
    """The agreement with a partner, complete and checked.

    Without ``own_identity_id`` the first identity of the account is used. Without ``tx_sets`` every
    set is agreed. ``version`` is the GS08 of what is sent, and ``ack_type`` the acknowledgement
    that we send and expect.
    """

    name: str
    identity: Identity
    own_identity_id: OwnIdentityId | None = None
    tx_sets: tuple[str, ...] = ()
    version: str = "004010"
    ack_type: AckType = AckType.AUTO
    ack_hours: int = 48
    industry: str = ""
    contact_email: str = ""
    connections: Connections = field(default_factory=Connections)
    settings: PartnerSettings = field(default_factory=PartnerSettings)
    routes: tuple[Route, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPartner:
    """The members of a partner in a POST or PUT request."""

    terms: PartnerTerms
    status: PartnerStatus | None = None
    """None: the request does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partner:
    """A stored partner. Times are aware UTC."""

    id: PartnerId
    account_id: AccountId
    version: int
    """Counts changes, for ``If-Match``."""
    status: PartnerStatus
    status_before: PartnerStatus | None
    """What ``inactive`` goes back to, None while it is something else."""
    terms: PartnerTerms
    test_status: ConnectionStatus
    """Of the test connection."""
    live_status: ConnectionStatus
    """Of the live connection."""
    last_activity_at: datetime | None
    """The last document sent or received, None before the first."""
    created_at: datetime
    updated_at: datetime
    test_breaker: CircuitBreaker = CLOSED_BREAKER
    live_breaker: CircuitBreaker = CLOSED_BREAKER

    def connection_status(self, environment: Environment) -> ConnectionStatus:
        """Return the status of the connection that documents of an environment are sent over."""
        return self.live_status if environment is Environment.PRODUCTION else self.test_status

    def breaker(self, environment: Environment) -> CircuitBreaker:
        """Return the circuit breaker of the connection that an environment uses."""
        return self.live_breaker if environment is Environment.PRODUCTION else self.test_breaker


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundToken:
    """The facts of the token in a partner's inbound URL; the token itself is sealed."""

    id: InboundTokenId
    account_id: AccountId
    partner_id: PartnerId
    environment: Environment
    digest: bytes
    """SHA-256 of its text, by which it is looked up."""
    created_at: datetime
    expires_at: datetime | None = None
    """When a rotated one stops, None for the newest. Times are aware UTC."""
    revoked_at: datetime | None = None

    def is_valid(self, now: datetime) -> bool:
        """Tell whether documents are taken under it at ``now``."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class Address(NamedTuple):
    """Qualifier and id of one side of an ISA, without padding."""

    qualifier: str
    id: str


class Pair(NamedTuple):
    """The sender and the receiver of a document."""

    sender: Address
    receiver: Address

    def swapped(self) -> Pair:
        """Return the pair of an answer."""
        return Pair(self.receiver, self.sender)


class AddressMatches(NamedTuple):
    """The addresses of a list that match one address."""

    indexes: tuple[int, ...]
    is_exact: bool
    """False if they are written in another case."""


def pair_of(isa: list[str]) -> Pair:
    """Return who sends to whom by the id and the elements of an ISA."""
    texts = [element.rstrip(" ") for element in isa]
    return Pair(Address(texts[5], texts[6]), Address(texts[7], texts[8]))


def address_of(identity: Identity) -> Address:
    """Return where somebody is addressed."""
    return Address(identity.qualifier, identity.isa_id)


def having(address: Address, all_of: Iterable[Identity]) -> AddressMatches:
    """Return which identities have an address: exactly, else ignoring case.

    An identity without id has none.
    """
    known = [address_of(each) for each in all_of]
    exact = _where(known, lambda each: each == address)
    if exact:
        return AddressMatches(exact, is_exact=True)
    folded = (address.qualifier.casefold(), address.id.casefold())
    found = _where(known, lambda each: (each.qualifier.casefold(), each.id.casefold()) == folded)
    return AddressMatches(found, is_exact=not found)


def known_pair(pair: Pair, one: Identity, other: Identity) -> Pair:
    """Return a pair with the two identities written as in the settings, where it is theirs."""
    return Pair(*(_known(address, (one, other)) for address in pair))


def _known(address: Address, identities: tuple[Identity, ...]) -> Address:
    found = having(address, identities).indexes
    return address_of(identities[found[0]]) if found else address


def _where(known: list[Address], is_meant: Callable[[Address], bool]) -> tuple[int, ...]:
    return tuple(at for at, each in enumerate(known) if each.id and is_meant(each))
