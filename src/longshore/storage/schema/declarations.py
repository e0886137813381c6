"""Declarations of tables: the types of their columns, and what every tenant table has."""

from collections.abc import Iterator, Mapping
from typing import Final

import sqlalchemy as sa

metadata: Final = sa.MetaData()

ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INTEGER: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_Kind = sa.types.TypeEngine[int] | sa.types.TypeEngine[str] | sa.types.TypeEngine[bytes]
_TYPES: Final[Mapping[str, _Kind]] = {
    "integer": INTEGER,
    "text": sa.Text(),
    "blob": sa.LargeBinary(),
}
_ENVIRONMENTS: Final = "environment IN ('sandbox', 'production')"


def columns(declared: str) -> Iterator[sa.Column[object]]:
    """Yield columns that are declared as ``name:type`` or, if they may be NULL, ``name:type?``."""
    for each in declared.split():
        name, _, type_name = each.partition(":")
        is_nullable = type_name.endswith("?")
        yield sa.Column(name, _TYPES[type_name.removesuffix("?")], nullable=is_nullable)


def tenant_table(
    name: str, declared: str, *constraints: sa.Constraint, has_environment: bool = False
) -> sa.Table:
    """Declare a table whose rows belong to accounts: an id, the owner, then what is declared."""
    owner = "account_id:integer environment:text" if has_environment else "account_id:integer"
    table = sa.Table(
        name,
        metadata,
        sa.Column("id", ID, sa.Identity(), primary_key=True),
        *columns(owner),
        *columns(declared),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=f"fk_{name}_account_id"),
        *constraints,
        sqlite_strict=True,
        sqlite_autoincrement=True,
    )
    if "environment" in table.c:
        table.append_constraint(sa.CheckConstraint(_ENVIRONMENTS, name=f"ck_{name}_environment"))
    sa.Index(f"ix_{name}_account_id_id", table.c.account_id, table.c.id)
    return table


def refers(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    """Return that ``column`` of ``table`` is an id of ``target``."""
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=f"fk_{table}_{column}")


def once(table: str, *names: str) -> sa.UniqueConstraint:
    """Return that no two rows of ``table`` have the same in all these columns."""
    return sa.UniqueConstraint(*names, name=f"uq_{table}_{'_'.join(names)}")


def index(
    table: sa.Table, *names: str, within: str | None = None, called: str | None = None
) -> None:
    """Declare an index, ``within`` the rows that this condition holds for.

    Its name ends with ``called``, or else with its columns.
    """
    condition = None if within is None else sa.text(within)
    sa.Index(
        f"ix_{table.name}_{called or '_'.join(names)}",
        *(table.c[name] for name in names),
        sqlite_where=condition,
        postgresql_where=condition,
    )
