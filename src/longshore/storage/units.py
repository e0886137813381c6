"""What a unit offers: the stores of every slice, bound to one transaction and so to one scope."""

from dataclasses import dataclass
from typing import Final

from longshore.domain.accounts.store import (
    AccountReadStore,
    AccountStore,
    ApiKeyReadStore,
    ApiKeyStore,
)
from longshore.domain.maps.store import MapReadStore, MapStore
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
from longshore.storage.maps import SqlMapStore
from longshore.storage.queries import Sql
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
    )
