"""What documents are found by, and what lists are narrowed by, is in indexes. See decision 0016.

Until now an interchange of ours was ``queued`` until it was first sent, and ``sent`` ever after.
Its status says now what its last delivery came to: what became of its sets or, of one without any,
of its last entry in the outbox.
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
_STANDS: Final = """
UPDATE interchanges SET status = '{status}'
WHERE direction = 'outbound' AND status IN ('queued', 'sent') AND EXISTS (
    SELECT 1 FROM transactions AS t
    WHERE t.interchange_id = interchanges.id AND t.delivery_status IN ({deliveries}))
"""
_STANDS_ALONE: Final = """
UPDATE interchanges SET status = '{status}'
WHERE direction = 'outbound' AND status IN ('queued', 'sent') AND NOT EXISTS (
    SELECT 1 FROM transactions AS t WHERE t.interchange_id = interchanges.id)
  AND (SELECT o.state FROM outbox AS o
       WHERE o.account_id = interchanges.account_id AND o.interchange_id = interchanges.id
       ORDER BY o.id DESC LIMIT 1) IN ({states})
"""
_STATUSES: Final = (
    ("failed", "'failed'", "'dead'"),
    ("cancelled", "'cancelled'", "'cancelled'"),
    ("queued", "'pending', 'held', 'sending'", "'due', 'leased', 'held'"),
)
"""The statuses, and the deliveries of sets and the states of entries that they follow from."""


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
    _follow_deliveries()


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


def _follow_deliveries() -> None:
    """Give interchanges that we sent, or are to send, the status that their delivery came to."""
    for status, deliveries, states in _STATUSES:
        op.execute(_STANDS.format(status=status, deliveries=deliveries))
        op.execute(_STANDS_ALONE.format(status=status, states=states))


def _index(name: str, *columns: str, within: str | None = None) -> None:
    condition = None if within is None else sa.text(within)
    op.create_index(
        f"ix_transactions_{name}",
        _TABLE,
        [*columns],
        sqlite_where=condition,
        postgresql_where=condition,
    )
