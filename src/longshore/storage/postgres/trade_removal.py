"""Removes everything an account has traded from a PostgreSQL database."""

from longshore.domain.ports import AccountId
from longshore.storage.postgres.errors import driver_errors
from longshore.storage.postgres.migrate import owner_connection
from longshore.storage.postgres.queries import session_query
from longshore.storage.trade_removal import (
    LIVE_TABLES,
    TRADE_TABLES,
    LiveDocumentsError,
    count_live,
    delete_rows,
    forget_usage,
)


async def remove_trade_postgres(url: str, account_id: AccountId) -> None:
    """Remove what an account has traded, all of it or nothing.

    Raises:
        LiveDocumentsError: It has documents of production; nothing was removed.
        StorageUnavailableError: The server cannot be reached.
    """
    async with owner_connection(url) as connection:
        with driver_errors():
            async with connection.transaction():
                await connection.execute(session_query("let_owner_in"))
                for table in LIVE_TABLES:
                    if await connection.fetchval(count_live(table, "$1"), account_id):
                        raise LiveDocumentsError
                for table in TRADE_TABLES:
                    await connection.execute(delete_rows(table, "$1"), account_id)
                await connection.execute(forget_usage("$1"), account_id)
