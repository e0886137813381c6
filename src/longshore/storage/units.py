"""What a unit offers: the stores of every slice, bound to one transaction and so to one scope."""

from dataclasses import dataclass
from typing import Final

from longshore.domain.accounts.store import (
    AccountReadStore,
    AccountStore,
    ApiKeyReadStore,
    ApiKeyStore,
)
from longshore.storage.accounts import SqlAccountStore, SqlApiKeyStore
from longshore.storage.queries import Sql

AWAITED_ELSEWHERE: Final = "a write unit awaited something other than its stores"


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


def read_unit(sql: Sql) -> ReadUnit:
    return ReadUnit(SqlAccountStore(sql), SqlApiKeyStore(sql))


def write_unit(sql: Sql) -> WriteUnit:
    return WriteUnit(SqlAccountStore(sql), SqlApiKeyStore(sql))
