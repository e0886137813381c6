"""What a unit offers: the stores of every slice, bound to one transaction and one scope."""

from dataclasses import dataclass

from longshore.domain.accounts.store import (
    AccountReadStore,
    AccountStore,
    ApiKeyReadStore,
    ApiKeyStore,
)
from longshore.domain.ports import Scope
from longshore.storage.accounts import SqlAccountStore, SqlApiKeyStore
from longshore.storage.queries import Sql


@dataclass(frozen=True, slots=True)
class ReadUnit:
    """Stores without their writing methods, so that the type checker tells readers from writers."""

    accounts: AccountReadStore
    api_keys: ApiKeyReadStore


@dataclass(frozen=True, slots=True)
class WriteUnit:
    """Stores with all their methods."""

    accounts: AccountStore
    api_keys: ApiKeyStore


def read_unit(sql: Sql, scope: Scope) -> ReadUnit:
    return ReadUnit(SqlAccountStore(sql, scope), SqlApiKeyStore(sql, scope))


def write_unit(sql: Sql, scope: Scope) -> WriteUnit:
    return WriteUnit(SqlAccountStore(sql, scope), SqlApiKeyStore(sql, scope))
