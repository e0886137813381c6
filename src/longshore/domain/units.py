"""The unit of work: the stores of every slice, in one database transaction.

The stores are imported for the type checker alone: at run time this module knows no slice, so that
every slice can name its unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from longshore.domain.accounts.store import (
        AccountReadStore,
        AccountStore,
        ApiKeyReadStore,
        ApiKeyStore,
    )
    from longshore.domain.acks.store import AckReadStore, AckStore
    from longshore.domain.as2.store import (
        As2IdentityReadStore,
        As2IdentityStore,
        As2ReceiptReadStore,
        As2ReceiptStore,
    )
    from longshore.domain.audit.store import AuditReadStore, AuditStore
    from longshore.domain.control_numbers.store import ControlNumberReadStore, ControlNumberStore
    from longshore.domain.definitions.store import DefinitionReadStore, DefinitionStore
    from longshore.domain.delivery.store import OutboxReadStore, OutboxStore
    from longshore.domain.events.store import EventReadStore, EventStore
    from longshore.domain.idempotency.store import IdempotencyReadStore, IdempotencyStore
    from longshore.domain.interchanges.store import (
        InterchangeReadStore,
        InterchangeStore,
        ReceiptReadStore,
        ReceiptStore,
    )
    from longshore.domain.maps.store import MapReadStore, MapStore
    from longshore.domain.overview.store import OverviewReadStore
    from longshore.domain.pairing.store import PairingReadStore, PairingStore
    from longshore.domain.partners.store import (
        IdentityReadStore,
        IdentityStore,
        PartnerReadStore,
        PartnerStore,
        TokenReadStore,
        TokenStore,
    )
    from longshore.domain.ports import Scope
    from longshore.domain.transactions.store import TransactionReadStore, TransactionStore
    from longshore.domain.usage.store import UsageReadStore, UsageStore
    from longshore.domain.users.store import (
        LinkReadStore,
        LinkStore,
        SessionReadStore,
        SessionStore,
        UserReadStore,
        UserStore,
    )
    from longshore.domain.vault.store import VaultReadStore, VaultStore
    from longshore.domain.webhooks.store import WebhookReadStore, WebhookStore

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReadUnit:
    """Stores without their writing methods, so that the type checker tells readers from writers."""

    accounts: AccountReadStore
    api_keys: ApiKeyReadStore
    vault: VaultReadStore
    maps: MapReadStore
    definitions: DefinitionReadStore
    users: UserReadStore
    sessions: SessionReadStore
    links: LinkReadStore
    identities: IdentityReadStore
    partners: PartnerReadStore
    tokens: TokenReadStore
    as2_identities: As2IdentityReadStore
    as2_receipts: As2ReceiptReadStore
    control_numbers: ControlNumberReadStore
    receipts: ReceiptReadStore
    interchanges: InterchangeReadStore
    transactions: TransactionReadStore
    acks: AckReadStore
    pairing: PairingReadStore
    outbox: OutboxReadStore
    webhooks: WebhookReadStore
    events: EventReadStore
    audit: AuditReadStore
    idempotency: IdempotencyReadStore
    overview: OverviewReadStore
    usage: UsageReadStore


@dataclass(frozen=True, slots=True)
class WriteUnit(ReadUnit):
    """Stores with all their methods."""

    accounts: AccountStore
    api_keys: ApiKeyStore
    vault: VaultStore
    maps: MapStore
    definitions: DefinitionStore
    users: UserStore
    sessions: SessionStore
    links: LinkStore
    identities: IdentityStore
    partners: PartnerStore
    tokens: TokenStore
    as2_identities: As2IdentityStore
    as2_receipts: As2ReceiptStore
    control_numbers: ControlNumberStore
    receipts: ReceiptStore
    interchanges: InterchangeStore
    transactions: TransactionStore
    acks: AckStore
    pairing: PairingStore
    outbox: OutboxStore
    webhooks: WebhookStore
    events: EventStore
    audit: AuditStore
    idempotency: IdempotencyStore
    usage: UsageStore


class Units(Protocol):
    """Runs a function inside one database transaction (architecture.md section 5).

    ``work`` awaits nothing but the stores of its unit, changes nothing else (it may run twice),
    and returns plain values. An exception rolls back this unit alone and reaches the caller.
    """

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        """Return what ``work`` returns from one consistent snapshot.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        ...

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        """Return what ``work`` returns, after its changes are durable.

        Raises:
            LongshoreError: ``storage_unavailable``; nothing was changed.
        """
        ...

    def defer(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, object]]
    ) -> None:
        """Queue ``work`` as a write unit that nobody waits for.

        For advisory facts such as the last use of a key: a failure is dropped, a stop in good
        order runs it first, a crash may lose it.
        """
        ...
