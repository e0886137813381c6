"""Units of work: the stores of every slice, bound to one transaction and so to one scope."""

from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

from longshore.domain.units import WriteUnit
from longshore.storage.accounts import SqlAccountStore, SqlApiKeyStore
from longshore.storage.acks import SqlAckStore
from longshore.storage.as2 import SqlAs2IdentityStore, SqlAs2ReceiptStore
from longshore.storage.audit import SqlAuditStore
from longshore.storage.control_numbers import SqlControlNumberStore
from longshore.storage.definitions import SqlDefinitionStore
from longshore.storage.delivery import SqlOutboxStore
from longshore.storage.events import SqlEventStore
from longshore.storage.idempotency import SqlIdempotencyStore
from longshore.storage.interchanges import SqlInterchangeStore, SqlReceiptStore
from longshore.storage.maps import SqlMapStore
from longshore.storage.overview import SqlOverviewStore
from longshore.storage.pairing import SqlPairingStore
from longshore.storage.partners import SqlIdentityStore, SqlPartnerStore, SqlTokenStore
from longshore.storage.queries import Sql
from longshore.storage.transactions import SqlTransactionStore
from longshore.storage.usage import SqlUsageStore, StoredAmounts
from longshore.storage.users import SqlLinkStore, SqlSessionStore, SqlUserStore
from longshore.storage.vault import SqlVaultStore
from longshore.storage.webhooks import SqlWebhookStore

T = TypeVar("T")

AWAITED_ELSEWHERE: Final = "a write unit awaited something other than its stores"


class UnitEnding:
    """The end of a unit: it stores events, audit entries, and how much it has stored.

    In this one order their rows are held, which all units of an account write.
    """

    def __init__(self, sql: Sql) -> None:
        self.events = SqlEventStore(sql)
        self.audit = SqlAuditStore(sql, self.events)
        self.stored = StoredAmounts()

    async def store(self, sql: Sql) -> None:
        """Store it, statement by statement."""
        await self.audit.store_appended()
        await self.stored.record(sql)


async def write_in(sql: Sql, work: Callable[[WriteUnit], Coroutine[object, None, T]]) -> T:
    """Run ``work`` on the stores over one transaction, and store what comes last."""
    ending = UnitEnding(sql)
    value = await work(open_unit(sql, ending))
    await ending.store(sql)
    return value


def open_unit(sql: Sql, ending: UnitEnding | None = None) -> WriteUnit:
    """Return the stores over one transaction; who only reads takes them as a ``ReadUnit``."""
    ending = ending or UnitEnding(sql)
    stored = ending.stored
    return WriteUnit(
        accounts=SqlAccountStore(sql),
        api_keys=SqlApiKeyStore(sql),
        vault=SqlVaultStore(sql, stored),
        maps=SqlMapStore(sql, stored),
        definitions=SqlDefinitionStore(sql, stored),
        users=SqlUserStore(sql),
        sessions=SqlSessionStore(sql),
        links=SqlLinkStore(sql),
        identities=SqlIdentityStore(sql),
        partners=SqlPartnerStore(sql),
        tokens=SqlTokenStore(sql),
        as2_identities=SqlAs2IdentityStore(sql),
        as2_receipts=SqlAs2ReceiptStore(sql),
        control_numbers=SqlControlNumberStore(sql),
        receipts=SqlReceiptStore(sql, stored),
        interchanges=SqlInterchangeStore(sql, stored),
        transactions=SqlTransactionStore(sql, stored),
        acks=SqlAckStore(sql),
        pairing=SqlPairingStore(sql),
        outbox=SqlOutboxStore(sql),
        webhooks=SqlWebhookStore(sql),
        events=ending.events,
        audit=ending.audit,
        idempotency=SqlIdempotencyStore(sql),
        overview=SqlOverviewStore(sql),
        usage=SqlUsageStore(sql),
    )
