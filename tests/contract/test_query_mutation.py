"""S6: no query shows or changes a foreign row, though its WHERE is cut out.

The control in the same run cuts the scoped views out as well and goes past the guards: then every
query must leak, or the look for foreign rows would find nothing ever.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from longshore.domain.accounts.model import AccountId, AccountType
from longshore.domain.accounts.service import AccountService, KeyService
from longshore.domain.maps.model import Authorship
from longshore.domain.ports import RequestContext, Scope
from longshore.domain.users.model import UserRole
from longshore.domain.users.service import UserFacts
from longshore.kit.environment import Environment
from longshore.storage.errors import OutsideScopeError
from longshore.storage.isolation import TENANT_TABLES
from longshore.storage.queries import SQL_ROOT, Queries, Query, SqlValue, load_queries
from tests.support.clock import StoppedClock
from tests.support.database import Database, Engine, Execute
from tests.support.maps import a_map, a_map_service
from tests.support.shipments import run
from tests.support.trade_of_both import (
    FOREIGN_NUMBERS,
    TRADE_INSERTS,
    TRADE_NUMBERS,
    TRADE_VALUES,
    Trader,
    trade,
)
from tests.support.users import PASSWORD, People
from tests.support.vault import a_document, a_vault

pytestmark = pytest.mark.full("every query over full tables")

_CONDITIONS = re.compile(
    r"\bWHERE\b.*?(?=\bGROUP BY\b|\bORDER BY\b|\bLIMIT\b|\bRETURNING\b|\bUNION\b|\n\) AS\b|;)",
    re.DOTALL,
)
_VIEW = re.compile(r"\b(\w+)_scoped\b")

OWN = Scope(account_id=AccountId(1), environment=Environment.PRODUCTION)
FOREIGN = Scope(account_id=AccountId(2), environment=Environment.PRODUCTION)

# What a query is given: all of it leads to the foreign account or key.
VALUES: dict[str, SqlValue] = {
    "account_id": 2,
    "folded_name": "another",
    "key_id": 2,
    "replaced_by": 1,
    "digest": b"\0" * 32,
    "status": "suspended",
    "account_type": "developer-pro",
    "expires_at": 7,
    "revoked_at": 7,
    "used_at": 7,
    "retention_days": 7,
    "document_id": 3,
    "wrapped_key": b"exchanged",
    "environment": "production",
    "map_id": 7,
    "most": 50,
    "limit": 50,
    "offset": 0,
    "before": 2**60,
    **dict.fromkeys(("user_id", "session_id", "link_id"), 2),
    **dict.fromkeys(("seen_at", "logged_in_at", "now", "idle_since"), 7),
    "email": "Foreign@example.com",
    "folded_email": "foreign@example.com",
    "role": "viewer",
    "password_hash": "another",
    **dict.fromkeys(("id", "prefix", "fmt", "direction", "transaction_set", "since")),
}
# A map is changed to this, and its version with it.
VALUES |= {
    "name": "another",
    "source_fmt": "x12",
    "target_fmt": "json",
    "tx_set": "855",
    "direction": "inbound",
    "rule_count": 7,
    "locked": 1,
    "version_id": 7,
    "version": 1,
    "expected_version": 1,
}
VALUES |= {"bytes": 7, "records": 7, "max_bytes": 7, "max_records": 7, "is_near": 1}
VALUES |= {name: value for name, value in TRADE_VALUES.items() if name not in VALUES}
# Of these the WHERE is not what keeps them apart; the triggers and policies are tested elsewhere.
INSERTS = {"insert_account", "insert_api_key", "insert_vault_document"}
INSERTS |= {"insert_user", "insert_session", "insert_link", "insert_map", "insert_map_version"}
INSERTS |= TRADE_INSERTS | {"add_account_usage", "set_account_quota"}
# These concern tables without an owner, or none.
OWNERLESS = {"list_applied_migrations", "list_sealing_keys", "insert_sealing_key", "take_turn"}
OWNERLESS |= {"next_id", "insert_number_reserve"}
# These show nothing but numbers: ids, counts and times.
NUMBERS = {"count_vault_documents", "list_map_sources", "list_expired_vault_documents"}
NUMBERS |= TRADE_NUMBERS | {"find_account_usage", "list_account_usage"}
# These show how many there are of something, group by group: what counts is how many in all.
GROUPED = {"list_overdue_sets", "list_quarantined_reasons", "list_unusual_states", "list_latencies"}


# These set a column to what it is, to hold the row: no change can be seen of them.
CHANGING_NOTHING = {"lock_partner_identities", "let_following_be_first"}
# Without conditions this one shows the first row of all, of whichever account that is.
SHOWING_THE_FIRST = {"find_next_held"}


def without_conditions(query: Query) -> Query:
    return replace(query, text=_CONDITIONS.sub("", query.text))


def without_views(query: Query) -> Query:
    return replace(query, text=_VIEW.sub(r"\1", query.text))


def tenant_queries(engine: Engine) -> dict[str, Query]:
    queries = load_queries(engine.dialect)
    tenants = {name: query for name, query in queries.items() if _VIEW.search(query.text)}
    assert queries.keys() - tenants.keys() == INSERTS | OWNERLESS
    return tenants


def values_of(query: Query) -> dict[str, SqlValue]:
    return {name: VALUES[name] for name in query.parameters}


@pytest.fixture
async def filled(engine: Engine, clock: StoppedClock, keys: KeyService) -> Engine:
    """Two accounts with a key each and documents, the second one's marked."""
    async with engine.open() as database:
        accounts = AccountService(database.units, clock, database.revocations)
        for name in ("own", "foreign"):
            await accounts.create(name, AccountType.ENTERPRISE)
            await keys.create(name, Environment.PRODUCTION)
        people = People(database, clock)
        await people.administration.create("own", "own@example.com", UserRole.OWNER, PASSWORD)
        await people.with_session("foreign", "foreign@example.com", UserRole.OWNER)
        by_owner = RequestContext(
            account_id=AccountId(2), environment=Environment.PRODUCTION, actor="user 2"
        )
        following = UserFacts(email="next@example.com", role=UserRole.OWNER, password=None)
        await people.users.create(by_owner, following)
        vault = a_vault(database, clock)
        await vault.store(OWN, None, [a_document(filename="own.edi")])
        made = a_document("{}", filename="foreign.json", map_id=7)
        await vault.store(FOREIGN, a_document(filename="foreign.edi"), [made])
        maps = a_map_service(database, clock)
        own = replace(by_owner, account_id=AccountId(1))
        for _ in range(6):  # so that the foreign one is number 7, as its documents say
            await maps.create(own, a_map(name="own"), Authorship(saved_by="own@example.com"))
        await maps.create(by_owner, a_map(name="foreign"), Authorship(saved_by="Foreign"))
        for trader in (Trader(1, "own"), Trader(2, "foreign")):
            await trade(database, trader)
    return engine


async def rows_of(execute: Execute, account: int) -> list[tuple[object, ...]]:
    """Return all rows of an account, in every table; in an order that no plan decides."""
    rows = []
    for table in TENANT_TABLES:
        text = f"SELECT * FROM {table.name} WHERE {table.account_column} = {account}"
        found = await execute(Query(text, frozenset()), {})
        rows += sorted(map(tuple, found), key=repr)
    return rows


def texts(rows: Sequence[Sequence[object]]) -> set[object]:
    return {value for row in rows for value in row if isinstance(value, str | bytes)}


async def marks_of(execute: Execute) -> set[object]:
    """Return the texts that the foreign account alone has."""
    return texts(await rows_of(execute, 2)) - texts(await rows_of(execute, 1))


def leaks(name: str, rows: Sequence[Sequence[object]], marks: set[object]) -> bool:
    """Return whether a row holds a name, a digest or anything else of the foreign account.

    Of what shows numbers alone: the id of one of its rows, as many rows as all have, its time.
    """
    if name in GROUPED:
        return sum(int(str(row[0])) for row in rows) in FOREIGN_NUMBERS
    if name in NUMBERS:
        return any(row[0] in FOREIGN_NUMBERS for row in rows)
    return not marks.isdisjoint(texts(rows))


async def attempt(database: Database, name: str, query: Query) -> list[tuple[object, ...]]:
    try:
        return await run(database, OWN, name, writes=query.is_write, **values_of(query))
    except OutsideScopeError:
        return []
    except Exception as refused:  # noqa: BLE001 - SQLite's guard, by an error of its driver
        # A constraint between own rows may stop it too; nothing was changed then either.
        stops = "(?i)prohibited|not authorized|foreign key|may exist once"
        assert re.search(stops, str(refused))  # noqa: PT017 - right as well
        return []


async def found_in(engine: Engine, queries: Queries) -> set[str]:
    """Return the names of the queries that show or change a foreign row."""
    leaking = set()
    before, marks = await foreign_rows(engine)
    async with engine.open(queries) as database:
        for name in tenant_queries(engine):
            rows = await attempt(database, name, queries[name])
            changes = queries[name].is_write and (await foreign_rows(engine))[0] != before
            if changes or leaks(name, rows, marks):
                leaking.add(name)
    return leaking


async def foreign_rows(engine: Engine) -> tuple[list[tuple[object, ...]], set[object]]:
    """Return the rows of the foreign account, and the texts that it alone has."""
    async with engine.unguarded() as execute:
        return await rows_of(execute, 2), await marks_of(execute)


async def found_past_the_guards(engine: Engine, queries: Queries) -> set[str]:
    """Return the same of queries that no guard stops."""
    leaking = set()
    before, marks = await foreign_rows(engine)
    for name in tenant_queries(engine):
        async with engine.unguarded() as execute:
            try:
                rows = list(await execute(queries[name], values_of(queries[name])))
            except Exception as stopped:  # noqa: BLE001 - of two drivers
                # Only a constraint between rows stopped it, so it had reached them.
                assert re.search("(?i)foreign key|unique", str(stopped))  # noqa: PT017 - as above
                leaking.add(name)
                continue
            changes = queries[name].is_write and await rows_of(execute, 2) != before
            if leaks(name, rows, marks) or changes:
                leaking.add(name)
    return leaking


@pytest.mark.timeout(120)  # every query in three ways, each writing one looked at in every table
async def test_a_query_without_its_conditions_reaches_no_foreign_row(filled: Engine) -> None:
    mutants = {
        name: without_conditions(query) for name, query in load_queries(filled.dialect).items()
    }
    assert all("WHERE" not in query.text for query in mutants.values())
    assert await found_in(filled, mutants) == set()
    bare = {name: without_views(query) for name, query in mutants.items()}
    assert await found_in(filled, bare) == set()
    found = await found_past_the_guards(filled, bare)
    assert found | SHOWING_THE_FIRST == tenant_queries(filled).keys() - CHANGING_NOTHING


def test_no_query_replaces_rows_past_the_triggers() -> None:
    for path in SQL_ROOT.rglob("*.sql"):
        # As a statement: the function of that name takes its arguments at once.
        assert not re.search(
            r"\bREPLACE\b(?!\()", path.read_text(encoding="utf-8"), re.IGNORECASE
        ), path
