"""Removes everything an account has traded from the database of a data directory."""

from contextlib import closing
from pathlib import Path

from longshore.domain.ports import AccountId
from longshore.storage.sqlite.connection import driver_errors, open_unguarded
from longshore.storage.sqlite.data_directory import DATABASE_FILE
from longshore.storage.trade_removal import (
    LIVE_TABLES,
    TRADE_TABLES,
    LiveDocumentsError,
    count_live,
    delete_rows,
    forget_usage,
)


def remove_trade(data_dir: Path, account_id: AccountId) -> None:
    """Remove what an account has traded, all of it or nothing.

    Raises:
        LiveDocumentsError: It has documents of production; nothing was removed.
        StorageUnavailableError: The file is locked.
    """
    opened = open_unguarded(data_dir / DATABASE_FILE)
    with driver_errors(), closing(opened) as connection, connection:
        for table in LIVE_TABLES:
            [(count,)] = connection.execute(count_live(table, "?"), (account_id,)).fetchall()
            if count:
                raise LiveDocumentsError
        for table in TRADE_TABLES:
            connection.execute(delete_rows(table, "?"), (account_id,))
        connection.execute(forget_usage("?"), (account_id,))
