"""Removal of the trade of an account, for a demo that begins anew, on both databases.

The account, its keys, users, audit log and the sequences of its ids stay. Used while no server and
no worker runs on the database.
"""

from typing import Final

from longshore.storage.errors import DatabaseRefusedError

# What refers to others comes first.
TRADE_TABLES: Final = (
    "as2_receipts",
    "delivery_attempts",
    "webhook_deliveries",
    "webhook_endpoints",
    "outbox",
    "transaction_references",
    "response_traces",
    "request_traces",
    "acks",
    "transactions",
    "functional_groups",
    "interchanges",
    "receipts",
    "partner_tokens",
    "partners",
    "definitions",
    "map_versions",
    "maps",
    "vault_documents",
    "idempotency_keys",
    "events",
    "control_counters",
    "as2_identities",
    "identities",
)
LIVE_TABLES: Final = ("receipts", "interchanges", "vault_documents")
"""Tables that have rows of production as soon as an account is used in production."""


class LiveDocumentsError(DatabaseRefusedError):
    """The account has documents of production, which are never removed."""

    def __init__(self) -> None:
        super().__init__(
            "The account has live documents: nothing was removed. Name another account with"
            " --account."
        )


def count_live(table: str, parameter: str) -> str:
    """Return the query that counts the rows of production of an account."""
    return f"SELECT count(*) FROM {table} WHERE account_id = {parameter} AND environment = 'production'"  # noqa: E501, S608 # house: sql-texts - each table of a list above


def forget_usage(parameter: str) -> str:
    """Return the statement that sets what an account has stored to nothing; its quota stays."""
    nothing = "stored_bytes = 0, stored_records = 0"
    return f"UPDATE account_usage SET {nothing} WHERE account_id = {parameter}"  # noqa: S608 # house: sql-texts - next to the statements that empty tables


def delete_rows(table: str, parameter: str) -> str:
    """Return the statement that removes the rows of an account."""
    return f"DELETE FROM {table} WHERE account_id = {parameter}"  # noqa: S608 # house: sql-texts - each table of a list above
