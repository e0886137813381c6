"""The tables of Longshore, declared once for both engines; migrations must lead to exactly these.

Columns: integer ids that are never reused, integer microseconds UTC, JSON as text, content and
digests as bytes. Each tenant table has ``account_id`` (``accounts`` itself: ``id``) and, where
reliability.md section 5 says so, ``environment``. Every constraint has a name.
"""

from typing import Final

import sqlalchemy as sa

metadata: Final = sa.MetaData()

_ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_INTEGER: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

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
    sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_api_keys_account_id"),
    sa.ForeignKeyConstraint(["replaced_by"], ["api_keys.id"], name="fk_api_keys_replaced_by"),
    sa.UniqueConstraint("digest", name="uq_api_keys_digest"),
    sa.CheckConstraint("environment IN ('sandbox', 'production')", name="ck_api_keys_environment"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
sa.Index("ix_api_keys_account_id_id", api_keys.c.account_id, api_keys.c.id)
