"""Units of work: the stores of every slice, bound to one transaction and so to one scope."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from longshore.domain.units import WriteUnit
from longshore.storage.accounts import SqlAccountStore, SqlApiKeyStore
from longshore.storage.acks import SqlAckStore
from longshore.storage.audit import SqlAuditStore
from longshore.storage.control_numbers import SqlControlNumberStore
from longshore.storage.delivery import SqlOutboxStore
from longshore.storage.events import SqlEventStore
from longshore.storage.idempotency import SqlIdempotencyStore
from longshore.storage.interchanges import SqlInterchangeStore, SqlReceiptStore
from longshore.storage.maps import SqlMapStore
from longshore.storage.overview import SqlOverviewStore
from longshore.storage.partners import SqlIdentityStore, SqlPartnerStore, SqlTokenStore
from longshore.storage.queries import Sql
from longshore.storage.transactions import SqlTransactionStore
from longshore.storage.users import SqlLinkStore, SqlSessionStore, SqlUserStore
from longshore.storage.vault import SqlVaultStore

_STORES: Final[Mapping[str, Callable[[Sql], object]]] = MappingProxyType({
    "accounts": SqlAccountStore,
    "api_keys": SqlApiKeyStore,
    "vault": SqlVaultStore,
    "maps": SqlMapStore,
    "users": SqlUserStore,
    "sessions": SqlSessionStore,
    "links": SqlLinkStore,
    "identities": SqlIdentityStore,
    "partners": SqlPartnerStore,
    "tokens": SqlTokenStore,
    "control_numbers": SqlControlNumberStore,
    "receipts": SqlReceiptStore,
    "interchanges": SqlInterchangeStore,
    "transactions": SqlTransactionStore,
    "acks": SqlAckStore,
    "outbox": SqlOutboxStore,
    "events": SqlEventStore,
    "audit": SqlAuditStore,
    "idempotency": SqlIdempotencyStore,
    "overview": SqlOverviewStore,
})
AWAITED_ELSEWHERE: Final = "a write unit awaited something other than its stores"


class _SqlUnit(WriteUnit):
    """The stores over one transaction, each made when it is first asked for."""

    __slots__ = ("_sql",)
    _sql: Sql

    def __init__(self, sql: Sql) -> None:
        object.__setattr__(self, "_sql", sql)

    def __getattr__(self, name: str) -> object:
        if name not in _STORES:
            raise AttributeError(name)
        store = _STORES[name](self._sql)
        object.__setattr__(self, name, store)
        return store


def open_unit(sql: Sql) -> WriteUnit:
    """Return the stores over one transaction; who only reads takes them as a ``ReadUnit``."""
    return _SqlUnit(sql)
