"""What documents are found by, and what lists are narrowed by, is in indexes. See decision 0016.

Interchanges that were given up or called off were left ``queued`` until now.
"""

from typing import Final

import sqlalchemy as sa
from alembic import op

_TABLE: Final = "transactions"
_OWNER: Final = ("account_id", "environment")
_BY_TIME: Final = ("created_at", "id")
_AXES: Final = (
    "direction",
    "processing_status",
    "validation_status",
    "delivery_status",
    "ack_status",
)
_END: Final = """
UPDATE interchanges SET status = '{status}'
WHERE direction = 'outbound' AND status = 'queued' AND EXISTS (
    SELECT 1 FROM transactions
    WHERE interchange_id = interchanges.id AND delivery_status = '{status}')
"""


def upgrade() -> None:
    """Widen the indexes of lists of transactions, and add those of what documents are sought by."""
    for name in ("account_id_created_at_id", "by_time", "by_partner", "by_set"):
        op.drop_index(f"ix_transactions_{name}", _TABLE)
    _index("of_both", "account_id", *_BY_TIME, within="updated_at > 0")
    _index("by_time", *_OWNER, *_BY_TIME, "tx_set", *_AXES, "partner_id")
    _index("by_partner", *_OWNER, "partner_id", *_BY_TIME, "tx_set", *_AXES)
    _index("by_set", *_OWNER, "tx_set", *_BY_TIME, *_AXES, "partner_id")
    for number in ("isa_control_number", "gs_control_number", "st_control_number"):
        _index(f"account_id_{number}", "account_id", number)
    _index("account_id_parent_id", "account_id", "parent_id", within="parent_id IS NOT NULL")
    op.create_index(
        "ix_audit_entries_account_id_object_position",
        "audit_entries",
        ["account_id", "object", "position"],
    )
    _widen_rejections()
    _end_interchanges()


def _widen_rejections() -> None:
    """Let the index of what was rejected tell of which transaction that is."""
    name, table = "ix_acks_rejected", "acks"
    within = sa.text("result = 'rejected'")
    columns = ("direction", "ack_type", "matched", "complaints", "partner_id", "transaction_id")
    op.drop_index(name, table)
    op.create_index(
        name,
        table,
        [*_OWNER, "result", *_BY_TIME, *columns],
        sqlite_where=within,
        postgresql_where=within,
    )


def _end_interchanges() -> None:
    """Give interchanges that are not sent any more the status that says so."""
    for status in ("failed", "cancelled"):
        op.execute(_END.format(status=status))


def _index(name: str, *columns: str, within: str | None = None) -> None:
    condition = None if within is None else sa.text(within)
    op.create_index(
        f"ix_transactions_{name}",
        _TABLE,
        [*columns],
        sqlite_where=condition,
        postgresql_where=condition,
    )
