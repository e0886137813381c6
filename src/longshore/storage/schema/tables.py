"""The tables of Longshore, declared once for both engines; migrations must lead to exactly these.

Columns: integer ids that are never reused, integer microseconds UTC, JSON as text, content and
digests as bytes. Each tenant table has ``account_id`` (``accounts`` itself: ``id``) and, where
reliability.md section 5 says so, ``environment``. Every constraint has a name. Those of trading
stand in ``trading_tables``, those that tell what happened in ``ledger_tables``.
"""

import sqlalchemy as sa

from longshore.storage.schema import ledger_tables, trading_tables
from longshore.storage.schema.declaring import ID as _ID
from longshore.storage.schema.declaring import INTEGER as _INTEGER
from longshore.storage.schema.declaring import metadata

# Whoever takes the metadata from here has the tables of these modules in it.
__all__ = ["ledger_tables", "metadata", "trading_tables"]

schema_migrations = sa.Table(
    "schema_migrations",
    metadata,
    sa.Column("number", _INTEGER, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False),
    sa.Column("applied_at", _INTEGER, nullable=False),
    sqlite_strict=True,
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", _ID, sa.Identity(always=True), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("folded_name", sa.Text, nullable=False),
    sa.Column("account_type", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("created_at", _INTEGER, nullable=False),
    sa.Column("retention_days", _INTEGER),
    sa.UniqueConstraint("folded_name", name="uq_accounts_folded_name"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)

api_keys = sa.Table(
    "api_keys",
    metadata,
    sa.Column("id", _ID, sa.Identity(always=True), primary_key=True),
    sa.Column("account_id", _INTEGER, nullable=False),
    sa.Column("environment", sa.Text, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.Column("prefix", sa.Text, nullable=False),
    sa.Column("last_four", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("created_at", _INTEGER, nullable=False),
    sa.Column("expires_at", _INTEGER),
    sa.Column("revoked_at", _INTEGER),
    sa.Column("replaced_by", _INTEGER),
    sa.Column("last_used_at", _INTEGER),
    sa.Column("name", sa.Text, nullable=False, server_default=""),
    sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_api_keys_account_id"),
    sa.ForeignKeyConstraint(["replaced_by"], ["api_keys.id"], name="fk_api_keys_replaced_by"),
    sa.UniqueConstraint("digest", name="uq_api_keys_digest"),
    sa.CheckConstraint("environment IN ('sandbox', 'production')", name="ck_api_keys_environment"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
sa.Index("ix_api_keys_account_id_id", api_keys.c.account_id, api_keys.c.id)

users = sa.Table(
    "users",
    metadata,
    sa.Column("id", _ID, sa.Identity(always=True), primary_key=True),
    sa.Column("account_id", _INTEGER, nullable=False),
    sa.Column("email", sa.Text, nullable=False),
    sa.Column("folded_email", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("password_hash", sa.Text),
    sa.Column("created_at", _INTEGER, nullable=False),
    sa.Column("last_login_at", _INTEGER),
    sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_users_account_id"),
    sa.UniqueConstraint("folded_email", name="uq_users_folded_email"),
    sa.CheckConstraint("role IN ('owner', 'editor', 'viewer')", name="ck_users_role"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
sa.Index("ix_users_account_id_id", users.c.account_id, users.c.id)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", _ID, sa.Identity(always=True), primary_key=True),
    sa.Column("account_id", _INTEGER, nullable=False),
    sa.Column("user_id", _INTEGER, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.Column("ip", sa.Text, nullable=False),
    sa.Column("created_at", _INTEGER, nullable=False),
    sa.Column("last_seen_at", _INTEGER, nullable=False),
    sa.Column("expires_at", _INTEGER, nullable=False),
    sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id"),
    sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sessions_user_id"),
    sa.UniqueConstraint("digest", name="uq_sessions_digest"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
sa.Index("ix_sessions_account_id_user_id", sessions.c.account_id, sessions.c.user_id)

one_time_links = sa.Table(
    "one_time_links",
    metadata,
    sa.Column("id", _ID, sa.Identity(always=True), primary_key=True),
    sa.Column("account_id", _INTEGER, nullable=False),
    sa.Column("user_id", _INTEGER),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.Column("created_at", _INTEGER, nullable=False),
    sa.Column("expires_at", _INTEGER, nullable=False),
    sa.Column("used_at", _INTEGER),
    sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_one_time_links_account_id"),
    sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_one_time_links_user_id"),
    sa.UniqueConstraint("digest", name="uq_one_time_links_digest"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
sa.Index("ix_one_time_links_account_id", one_time_links.c.account_id)

maps = sa.Table(
    "maps",
    metadata,
    sa.Column("id", _ID, sa.Identity(always=True), primary_key=True),
    sa.Column("account_id", _INTEGER, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("source_fmt", sa.Text, nullable=False),
    sa.Column("target_fmt", sa.Text, nullable=False),
    sa.Column("tx_set", sa.Text, nullable=False),
    sa.Column("direction", sa.Text, nullable=False),
    sa.Column("version", _INTEGER, nullable=False),
    sa.Column("rule_count", _INTEGER, nullable=False),
    sa.Column("locked", _INTEGER, nullable=False),
    sa.Column("created_at", _INTEGER, nullable=False),
    sa.Column("updated_at", _INTEGER, nullable=False),
    sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_maps_account_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
sa.Index("ix_maps_account_id_id", maps.c.account_id, maps.c.id)

map_versions = sa.Table(
    "map_versions",
    metadata,
    sa.Column("id", _ID, sa.Identity(always=True), primary_key=True),
    sa.Column("account_id", _INTEGER, nullable=False),
    sa.Column("map_id", _INTEGER, nullable=False),
    sa.Column("version", _INTEGER, nullable=False),
    sa.Column("rule_count", _INTEGER, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("wrapped_key", sa.LargeBinary, nullable=False),
    sa.Column("added", _INTEGER, nullable=False),
    sa.Column("removed", _INTEGER, nullable=False),
    sa.Column("changed", _INTEGER, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("saved_by", sa.Text, nullable=False),
    sa.Column("saved_at", _INTEGER, nullable=False),
    sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_map_versions_account_id"),
    sa.ForeignKeyConstraint(["map_id"], ["maps.id"], name="fk_map_versions_map_id"),
    sa.UniqueConstraint("map_id", "version", name="uq_map_versions_map_id_version"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
sa.Index("ix_map_versions_account_id_id", map_versions.c.account_id, map_versions.c.id)

vault_documents = sa.Table(
    "vault_documents",
    metadata,
    sa.Column("id", _ID, sa.Identity(always=True), primary_key=True),
    sa.Column("account_id", _INTEGER, nullable=False),
    sa.Column("environment", sa.Text, nullable=False),
    sa.Column("filename", sa.Text, nullable=False),
    sa.Column("fmt", sa.Text, nullable=False),
    sa.Column("direction", sa.Text, nullable=False),
    sa.Column("transaction_set", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("file_size", _INTEGER, nullable=False),
    sa.Column("transaction_id", _INTEGER),
    sa.Column("map_id", _INTEGER),
    sa.Column("map_version", _INTEGER),
    sa.Column("source_doc_id", _INTEGER),
    sa.Column("created_at", _INTEGER, nullable=False),
    sa.Column("facts", sa.LargeBinary, nullable=False),
    sa.Column("wrapped_key", sa.LargeBinary, nullable=False),
    # Last: what a list skips lies behind what it reads.
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_vault_documents_account_id"),
    sa.CheckConstraint(
        "environment IN ('sandbox', 'production')", name="ck_vault_documents_environment"
    ),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
sa.Index("ix_vault_documents_account_id_id", vault_documents.c.account_id, vault_documents.c.id)
sa.Index(
    "ix_vault_documents_account_id_map_id",
    vault_documents.c.account_id,
    vault_documents.c.map_id,
    vault_documents.c.id,
)
sa.Index(
    "ix_vault_documents_account_id_created_at",
    vault_documents.c.account_id,
    vault_documents.c.created_at,
)

sealing_keys = sa.Table(
    "sealing_keys",
    metadata,
    sa.Column("key_id", sa.LargeBinary, primary_key=True),
    sa.Column("created_at", _INTEGER, nullable=False),
    sqlite_strict=True,
)
