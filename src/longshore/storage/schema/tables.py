"""The tables of Longshore, declared once for both engines; migrations must lead to exactly these.

Columns: integer ids that are never reused, integer microseconds UTC, JSON as text, content and
digests as bytes. Each tenant table has ``account_id`` (``accounts`` itself: ``id``) and, where
reliability.md section 5 says so, ``environment``. Every constraint has a name. Those of trading
stand in ``trading_tables``, those that tell what happened in ``ledger_tables``.
"""

import sqlalchemy as sa

from longshore.storage.schema import ledger_tables, trading_tables
from longshore.storage.schema.declarations import (
    ID,
    INTEGER,
    columns,
    index,
    metadata,
    once,
    refers,
    tenant_table,
)

# Whoever takes the metadata from here has the tables of these modules in it.
__all__ = ["ledger_tables", "metadata", "trading_tables"]

schema_migrations = sa.Table(
    "schema_migrations",
    metadata,
    sa.Column("number", INTEGER, primary_key=True, autoincrement=False),
    *columns("name:text sha256:text applied_at:integer"),
    sqlite_strict=True,
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", ID, sa.Identity(), primary_key=True),
    *columns(
        "name:text folded_name:text account_type:text status:text created_at:integer"
        " retention_days:integer?"
    ),
    once("accounts", "folded_name"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)

account_usage = tenant_table(
    "account_usage",
    "stored_bytes:integer stored_records:integer is_near_quota:integer"
    " max_bytes:integer? max_records:integer?",
    once("account_usage", "account_id"),
)

api_keys = tenant_table(
    "api_keys",
    "digest:blob prefix:text last_four:text scopes:text created_at:integer expires_at:integer?"
    " revoked_at:integer? replaced_by:integer? last_used_at:integer? name:text",
    refers("api_keys", "replaced_by", "api_keys"),
    once("api_keys", "digest"),
    has_environment=True,
)

users = tenant_table(
    "users",
    "email:text folded_email:text role:text password_hash:text? created_at:integer"
    " last_login_at:integer?",
    once("users", "folded_email"),
    sa.CheckConstraint("role IN ('owner', 'editor', 'viewer')", name="ck_users_role"),
)

sessions = tenant_table(
    "sessions",
    "user_id:integer digest:blob ip:text created_at:integer last_seen_at:integer"
    " expires_at:integer",
    refers("sessions", "user_id", "users"),
    once("sessions", "digest"),
)
index(sessions, "account_id", "user_id")

one_time_links = tenant_table(
    "one_time_links",
    "user_id:integer? digest:blob created_at:integer expires_at:integer used_at:integer?",
    refers("one_time_links", "user_id", "users"),
    once("one_time_links", "digest"),
)

maps = tenant_table(
    "maps",
    "name:text source_fmt:text target_fmt:text tx_set:text direction:text version:integer"
    " rule_count:integer locked:integer created_at:integer updated_at:integer",
)

map_versions = tenant_table(
    "map_versions",
    "map_id:integer version:integer rule_count:integer body:blob wrapped_key:blob added:integer"
    " removed:integer changed:integer note:text saved_by:text saved_at:integer",
    refers("map_versions", "map_id", "maps"),
    once("map_versions", "map_id", "version"),
)

definitions = tenant_table(
    "definitions",
    "tx_set:text release:text guide:text title:blob format:text file_name:text digest:text"
    " size:integer created_at:integer wrapped_key:blob content:blob",
    once("definitions", "account_id", "environment", "tx_set", "release", "guide"),
    has_environment=True,
)

# ``content`` is the last column: a list reads only what stands before it.
vault_documents = tenant_table(
    "vault_documents",
    "filename:text fmt:text direction:text transaction_set:text status:text file_size:integer"
    " transaction_id:integer? map_id:integer? map_version:integer? source_doc_id:integer?"
    " created_at:integer facts:blob wrapped_key:blob content:blob",
    has_environment=True,
)
index(vault_documents, "account_id", "map_id", "id", called="account_id_map_id")
index(vault_documents, "account_id", "created_at")

sealing_keys = sa.Table(
    "sealing_keys",
    metadata,
    sa.Column("key_id", sa.LargeBinary, primary_key=True),
    *columns("created_at:integer"),
    sqlite_strict=True,
)
