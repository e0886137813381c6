"""The ledger of migrations; accounts and their API keys."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    """Make the first tables."""
    integer = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "schema_migrations",
        sa.Column("number", integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("applied_at", integer, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "accounts",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("folded_name", sa.Text, nullable=False),
        sa.Column("account_type", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", integer, nullable=False),
        sa.UniqueConstraint("folded_name", name="uq_accounts_folded_name"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_table(
        "api_keys",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("account_id", integer, nullable=False),
        sa.Column("environment", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("prefix", sa.Text, nullable=False),
        sa.Column("last_four", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("created_at", integer, nullable=False),
        sa.Column("expires_at", integer),
        sa.Column("revoked_at", integer),
        sa.Column("replaced_by", integer),
        sa.Column("last_used_at", integer),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_api_keys_account_id"),
        sa.ForeignKeyConstraint(["replaced_by"], ["api_keys.id"], name="fk_api_keys_replaced_by"),
        sa.UniqueConstraint("digest", name="uq_api_keys_digest"),
        sa.CheckConstraint(
            "environment IN ('sandbox', 'production')", name="ck_api_keys_environment"
        ),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_api_keys_account_id_id", "api_keys", ["account_id", "id"])
