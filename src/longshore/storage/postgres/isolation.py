"""Isolation on PostgreSQL: forced row security, and views that read with the rights of who asks.

The statements that guard each table of the declaration; ``migrate`` runs them at the end of every
upgrade, after it has taken the views away, since a view would hold its table's columns fast. So no
migration has to think of them.

Three policies let rows through. ``tenant``: those of ``app.account`` (and ``app.env``). ``system``,
on the tables of the system scope: all, while ``app.system`` is on. ``maintenance``, for the owner
of the tables alone: all, while ``app.maintenance`` is on. Row security binds the owner too, who
without it would migrate or back up no rows and not notice.
"""

from collections.abc import Iterator
from typing import Final

from longshore.storage.isolation import SHARED_TABLES, TenantTable

APP_ROLE: Final = "longshore_app"

# A role belongs to the whole server: another database of ours may have made it, or an
# administrator, in which case this login needs no right to create roles.
PREPARE_ROLE: Final = (
    f"""
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
        CREATE ROLE {APP_ROLE} NOLOGIN NOSUPERUSER NOBYPASSRLS;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END $$
""",
    f"""
DO $$
BEGIN
    SET LOCAL ROLE {APP_ROLE};
    RESET ROLE;
EXCEPTION WHEN insufficient_privilege THEN
    GRANT {APP_ROLE} TO CURRENT_USER;
END $$
""",
)


def shared_grants() -> Iterator[str]:
    """Yield what lets the application read the tables without an owner."""
    for name in sorted(SHARED_TABLES):
        yield f"GRANT SELECT ON {name} TO {APP_ROLE}"


def guards(table: TenantTable) -> Iterator[str]:
    """Yield the statements that guard one table; they may be run again."""
    yield f"ALTER TABLE {table.name} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {table.name} FORCE ROW LEVEL SECURITY"
    yield from _policy(table, "tenant", APP_ROLE, _inside(table))
    yield f"DROP POLICY IF EXISTS system ON {table.name}"
    if table.in_system_scope:
        yield from _policy(table, "system", APP_ROLE, _is_on("app.system"))
    yield from _policy(table, "maintenance", "CURRENT_USER", _is_on("app.maintenance"))
    yield (
        f"CREATE VIEW {table.view} WITH (security_invoker = true) AS"  # noqa: S608 - our names
        f" SELECT * FROM {table.name}"
    )
    yield f"GRANT SELECT ON {table.view} TO {APP_ROLE}"
    changes = "" if table.is_append_only else ", UPDATE, DELETE"
    yield f"GRANT SELECT, INSERT{changes} ON {table.name} TO {APP_ROLE}"
    yield f"GRANT USAGE ON SEQUENCE {table.name}_id_seq TO {APP_ROLE}"


def _policy(table: TenantTable, name: str, role: str, condition: str) -> Iterator[str]:
    yield f"DROP POLICY IF EXISTS {name} ON {table.name}"
    yield (
        f"CREATE POLICY {name} ON {table.name} TO {role}"
        f" USING ({condition}) WITH CHECK ({condition})"
    )


def _inside(table: TenantTable) -> str:
    # After the first transaction of a session an unset setting is '', not NULL.
    account = "NULLIF(current_setting('app.account', true), '')::bigint"
    condition = f"{table.account_column} = {account}"
    if table.environment_column is None:
        return condition
    return (
        f"{condition} AND current_setting('app.env', true)"
        f" IN ('production', {table.environment_column})"
    )


def _is_on(setting: str) -> str:
    return f"current_setting('{setting}', true) = 'on'"
