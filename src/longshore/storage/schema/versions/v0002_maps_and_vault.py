"""Users and their sessions, saved maps, and the vault; retention of accounts, names of keys."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    """Make the tables of the browser application, of maps and of stored documents."""
    integer = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("accounts", sa.Column("retention_days", integer))
    op.add_column("api_keys", sa.Column("name", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "users",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("account_id", integer, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("folded_email", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("created_at", integer, nullable=False),
        sa.Column("last_login_at", integer),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_users_account_id"),
        sa.UniqueConstraint("folded_email", name="uq_users_folded_email"),
        sa.CheckConstraint("role IN ('owner', 'editor', 'viewer')", name="ck_users_role"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_users_account_id_id", "users", ["account_id", "id"])

    op.create_table(
        "sessions",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("account_id", integer, nullable=False),
        sa.Column("user_id", integer, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("ip", sa.Text, nullable=False),
        sa.Column("created_at", integer, nullable=False),
        sa.Column("last_seen_at", integer, nullable=False),
        sa.Column("expires_at", integer, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sessions_user_id"),
        sa.UniqueConstraint("digest", name="uq_sessions_digest"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sessions_account_id_user_id", "sessions", ["account_id", "user_id"])

    op.create_table(
        "one_time_links",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("account_id", integer, nullable=False),
        sa.Column("user_id", integer),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("created_at", integer, nullable=False),
        sa.Column("expires_at", integer, nullable=False),
        sa.Column("used_at", integer),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_one_time_links_account_id"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_one_time_links_user_id"),
        sa.UniqueConstraint("digest", name="uq_one_time_links_digest"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_one_time_links_account_id", "one_time_links", ["account_id"])

    op.create_table(
        "maps",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("account_id", integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("source_fmt", sa.Text, nullable=False),
        sa.Column("target_fmt", sa.Text, nullable=False),
        sa.Column("tx_set", sa.Text, nullable=False),
        sa.Column("direction", sa.Text, nullable=False),
        sa.Column("version", integer, nullable=False),
        sa.Column("rule_count", integer, nullable=False),
        sa.Column("locked", integer, nullable=False),
        sa.Column("created_at", integer, nullable=False),
        sa.Column("updated_at", integer, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_maps_account_id"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_maps_account_id_id", "maps", ["account_id", "id"])

    op.create_table(
        "map_versions",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("account_id", integer, nullable=False),
        sa.Column("map_id", integer, nullable=False),
        sa.Column("version", integer, nullable=False),
        sa.Column("rule_count", integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("wrapped_key", sa.LargeBinary, nullable=False),
        sa.Column("added", integer, nullable=False),
        sa.Column("removed", integer, nullable=False),
        sa.Column("changed", integer, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("saved_by", sa.Text, nullable=False),
        sa.Column("saved_at", integer, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_map_versions_account_id"),
        sa.ForeignKeyConstraint(["map_id"], ["maps.id"], name="fk_map_versions_map_id"),
        sa.UniqueConstraint("map_id", "version", name="uq_map_versions_map_id_version"),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_map_versions_account_id_id", "map_versions", ["account_id", "id"])

    op.create_table(
        "vault_documents",
        sa.Column("id", integer, sa.Identity(always=True), primary_key=True),
        sa.Column("account_id", integer, nullable=False),
        sa.Column("environment", sa.Text, nullable=False),
        sa.Column("filename", sa.Text, nullable=False),
        sa.Column("fmt", sa.Text, nullable=False),
        sa.Column("direction", sa.Text, nullable=False),
        sa.Column("transaction_set", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("file_size", integer, nullable=False),
        sa.Column("transaction_id", integer),
        sa.Column("map_id", integer),
        sa.Column("map_version", integer),
        sa.Column("source_doc_id", integer),
        sa.Column("created_at", integer, nullable=False),
        sa.Column("facts", sa.LargeBinary, nullable=False),
        sa.Column("wrapped_key", sa.LargeBinary, nullable=False),
        # Last: what a list skips lies behind what it reads.
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_vault_documents_account_id"
        ),
        sa.CheckConstraint(
            "environment IN ('sandbox', 'production')", name="ck_vault_documents_environment"
        ),
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    op.create_index("ix_vault_documents_account_id_id", "vault_documents", ["account_id", "id"])
    op.create_index(
        "ix_vault_documents_account_id_map_id", "vault_documents", ["account_id", "map_id", "id"]
    )
    op.create_index(
        "ix_vault_documents_account_id_created_at", "vault_documents", ["account_id", "created_at"]
    )

    op.create_table(
        "sealing_keys",
        sa.Column("key_id", sa.LargeBinary, primary_key=True),
        sa.Column("created_at", integer, nullable=False),
        sqlite_strict=True,
    )
