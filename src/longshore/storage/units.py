"""What a unit offers: the stores of every slice, bound to one transaction and so to one scope."""

from dataclasses import dataclass
from typing import Final

from longshore.domain.accounts.store import (
    AccountReadStore,
    AccountStore,
    ApiKeyReadStore,
    ApiKeyStore,
)
from longshore.domain.acks.store import AckReadStore, AckStore
from longshore.domain.audit.store import AuditReadStore, AuditStore
from longshore.domain.control_numbers.store import ControlNumberReadStore, ControlNumberStore
from longshore.domain.delivery.store import OutboxReadStore, OutboxStore
from longshore.domain.events.store import EventReadStore, EventStore
from longshore.domain.idempotency.store import IdempotencyReadStore, IdempotencyStore
from longshore.domain.maps.store import MapReadStore, MapStore
from longshore.domain.overview.store import OverviewReadStore
from longshore.domain.partners.store import (
    IdentityReadStore,
    IdentityStore,
    PartnerReadStore,
    PartnerStore,
    TokenReadStore,
    TokenStore,
)
from longshore.domain.reception.store import (
    InterchangeReadStore,
    InterchangeStore,
    ReceiptReadStore,
    ReceiptStore,
)
from longshore.domain.transactions.store import TransactionReadStore, TransactionStore
from longshore.domain.users.store import (
    LinkReadStore,
    LinkStore,
    SessionReadStore,
    SessionStore,
    UserReadStore,
    UserStore,
)
from longshore.domain.vault.store import VaultReadStore, VaultStore
from longshore.storage.accounts import SqlAccountStore, SqlApiKeyStore
from longshore.storage.acks import SqlAckStore
from longshore.storage.audit import SqlAuditStore
from longshore.storage.control_numbers import SqlControlNumberStore
from longshore.storage.delivery import SqlOutboxStore
from longshore.storage.events import SqlEventStore
from longshore.storage.idempotency import SqlIdempotencyStore
from longshore.storage.maps import SqlMapStore
from longshore.storage.overview import SqlOverviewStore
from longshore.storage.partners import SqlIdentityStore, SqlPartnerStore, SqlTokenStore
from longshore.storage.queries import Sql
from longshore.storage.reception import SqlInterchangeStore, SqlReceiptStore
from longshore.storage.transactions import SqlTransactionStore
from longshore.storage.users import SqlLinkStore, SqlSessionStore, SqlUserStore
from longshore.storage.vault import SqlVaultStore

AWAITED_ELSEWHERE: Final = "a write unit awaited something other than its stores"


@dataclass(frozen=True, slots=True)
class ReadUnit:
    """Stores without their writing methods, so that the type checker tells readers from writers."""

    accounts: AccountReadStore
    api_keys: ApiKeyReadStore
    vault: VaultReadStore
    maps: MapReadStore
    users: UserReadStore
    sessions: SessionReadStore
    links: LinkReadStore
    identities: IdentityReadStore
    partners: PartnerReadStore
    tokens: TokenReadStore
    control_numbers: ControlNumberReadStore
    receipts: ReceiptReadStore
    interchanges: InterchangeReadStore
    transactions: TransactionReadStore
    acks: AckReadStore
    outbox: OutboxReadStore
    events: EventReadStore
    audit: AuditReadStore
    idempotency: IdempotencyReadStore
    overview: OverviewReadStore


@dataclass(frozen=True, slots=True)
class WriteUnit:
    """Stores with all their methods."""

    accounts: AccountStore
    api_keys: ApiKeyStore
    vault: VaultStore
    maps: MapStore
    users: UserStore
    sessions: SessionStore
    links: LinkStore
    identities: IdentityStore
    partners: PartnerStore
    tokens: TokenStore
    control_numbers: ControlNumberStore
    receipts: ReceiptStore
    interchanges: InterchangeStore
    transactions: TransactionStore
    acks: AckStore
    outbox: OutboxStore
    events: EventStore
    audit: AuditStore
    idempotency: IdempotencyStore
    overview: OverviewReadStore


def read_unit(sql: Sql) -> ReadUnit:
    return ReadUnit(*_stores(sql))


def write_unit(sql: Sql) -> WriteUnit:
    return WriteUnit(*_stores(sql))


def _stores(
    sql: Sql,
) -> tuple[
    SqlAccountStore,
    SqlApiKeyStore,
    SqlVaultStore,
    SqlMapStore,
    SqlUserStore,
    SqlSessionStore,
    SqlLinkStore,
    SqlIdentityStore,
    SqlPartnerStore,
    SqlTokenStore,
    SqlControlNumberStore,
    SqlReceiptStore,
    SqlInterchangeStore,
    SqlTransactionStore,
    SqlAckStore,
    SqlOutboxStore,
    SqlEventStore,
    SqlAuditStore,
    SqlIdempotencyStore,
    SqlOverviewStore,
]:
    """Return the stores of all slices in the order of the units' members."""
    return (
        SqlAccountStore(sql),
        SqlApiKeyStore(sql),
        SqlVaultStore(sql),
        SqlMapStore(sql),
        SqlUserStore(sql),
        SqlSessionStore(sql),
        SqlLinkStore(sql),
        SqlIdentityStore(sql),
        SqlPartnerStore(sql),
        SqlTokenStore(sql),
        SqlControlNumberStore(sql),
        SqlReceiptStore(sql),
        SqlInterchangeStore(sql),
        SqlTransactionStore(sql),
        SqlAckStore(sql),
        SqlOutboxStore(sql),
        SqlEventStore(sql),
        SqlAuditStore(sql),
        SqlIdempotencyStore(sql),
        SqlOverviewStore(sql),
    )
