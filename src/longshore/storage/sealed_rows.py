"""Rows with encrypted content: a row gets its id first, because its key is bound to the id."""

from longshore.domain.ports import KeyForRow
from longshore.storage.queries import Sql


async def next_row(sql: Sql, table: str, key_for: KeyForRow) -> tuple[int, bytes]:
    """Return the id of the next row of ``table`` and the wrapped key for it.

    The row must be inserted next: on SQLite the id is reserved by the insert alone.
    """
    row = await sql.fetch_one("next_id", table_name=table)
    assert row is not None
    row_id: int = row["id"]
    return row_id, key_for(row_id)
