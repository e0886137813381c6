"""Months of invented traffic, made by the services: what is in it, and that nothing else is."""

from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from typing import TypeVar

import pytest

from longshore.demo.accounts import AccountPorts, DemoAccount, find_or_make, login_by
from longshore.demo.failure_scenarios import REJECTED_ORDER, failure_scenarios
from longshore.demo.maps import SPECIAL
from longshore.demo.period import DemoPeriod
from longshore.demo.plan import DemoPlan, order_traffic, sort_events
from longshore.demo.runner import ConcurrentWorkerError
from longshore.demo.sandbox import DemoContents, SandboxInUseError, SeparatorInIdentityError, fill
from longshore.demo.sandbox_units import SimulatedClock
from longshore.demo.services import DemoTarget
from longshore.domain.accounts.errors import AccountSuspendedError
from longshore.domain.accounts.model import AccountStatus
from longshore.domain.acks.encryption import open_ack
from longshore.domain.audit.service import AuditAdministration
from longshore.domain.delivery.model import (
    ClaimRequest,
    JobKind,
    NewOutboxEntry,
    OutboxEntry,
    OutboxId,
)
from longshore.domain.interchanges.store import Interchange, InterchangeQuery
from longshore.domain.partners.model import Direction
from longshore.domain.partners.store import PartnerQuery
from longshore.domain.ports import AccountId, Scope
from longshore.domain.transactions.encryption import open_transaction
from longshore.domain.transactions.lists import SORTS, TransactionFilters
from longshore.domain.transactions.model import Transaction
from longshore.domain.transactions.store import PageRequest, TransactionQuery
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.users.changes import new_user
from longshore.domain.users.model import UserRole
from longshore.kit.environment import Environment
from longshore.storage.queries import Query
from tests.support.clock import CountedIds
from tests.support.database import Database, Engine
from tests.support.submitting import TABLES
from tests.support.trading import (
    FOREIGN_LIVE,
    LIVE,
    PRODUCTION,
    a_partner,
    an_interchange,
    read,
    stored_interchange,
    write,
)
from tests.support.vault import a_sealer, an_index

pytestmark = pytest.mark.timeout(120)  # to fill a sandbox takes seconds

PERIOD = DemoPeriod.of(date(2026, 3, 20), 12, datetime(2026, 3, 21, 8, 0, tzinfo=UTC))
WANTED = DemoPlan(period=PERIOD, documents=45, seed=7)
SEALER = a_sealer()

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Demo:
    """The filled sandbox of account 1. ``due``: what was due in account 2 before it was filled."""

    database: Database
    engine: Engine
    target: DemoTarget
    filled: DemoContents
    due: OutboxEntry

    async def transactions(self) -> list[Transaction]:
        """Return all of account 1, of both environments, oldest first."""
        query = TransactionQuery(filters=TransactionFilters())
        page = PageRequest(limit=10_000, sort=SORTS["id"])
        found = await read(self.database, LIVE, lambda unit: unit.transactions.list(query, page))
        return [open_transaction(SEALER, each) for each in found]

    async def interchanges(self) -> Sequence[Interchange]:
        """Return those of the sandbox, newest first."""
        query = InterchangeQuery(environment=self.target.context.environment)
        return await read(
            self.database, LIVE, lambda unit: unit.interchanges.list(query, 10_000, 0)
        )

    async def outbox(self) -> Mapping[tuple[int, str], int]:
        """Return how many entries each account has in each state."""
        text = "SELECT account_id, state, count(*) FROM outbox GROUP BY account_id, state"
        async with self.engine.unguarded() as execute:
            rows = await execute(Query(text, frozenset()), {})
        return {(account, state): count for account, state, count in rows}

    async def counts(self) -> Mapping[str, int]:
        """Return how many rows there are in each table."""
        found = {}
        async with self.engine.unguarded() as execute:
            for table in (*TABLES, "partners", "maps", "api_keys", "accounts"):
                query = Query(f"SELECT count(*) FROM {table}", frozenset())
                ((found[table],),) = await execute(query, {})
        return found


def ports(database: Database, name: str) -> AccountPorts:
    return AccountPorts(
        units=database.units,
        revocations=database.revocations,
        sealer=SEALER,
        ids=CountedIds(f"ids of {name}"),
        clock=SimulatedClock(PERIOD.start),
    )


async def a_target(database: Database, name: str) -> DemoTarget:
    made = await find_or_make(ports(database, name), name)
    return DemoTarget(
        account=made.account,
        units=database.units,
        sealer=SEALER,
        index=an_index(),
        ids=CountedIds(name),
        cursor_key=bytes(32),
    )


class UnitsWithStolenWork:
    """Units of a database on which somebody else takes all work: a claim finds none."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self.defer = units.defer

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        return await self._units.read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        done = await self._units.write(scope, work)

        async def take(unit: WriteUnit) -> object:
            request = ClaimRequest(
                owner="robber",
                now=PERIOD.end,
                lease_until=PERIOD.end + timedelta(days=1),
                most=100,
            )
            return await unit.outbox.claim(request)

        await self._units.write(scope, take)
        return done


async def live_work_of_a_neighbour(database: Database) -> OutboxEntry:
    """Store a live document of account 2 that is due since before the demo begins."""
    await find_or_make(ports(database, "neighbour"), "neighbour")
    new = an_interchange(environment=PRODUCTION, usage_indicator="P")
    number, _ = await stored_interchange(database, new, FOREIGN_LIVE)
    entry = NewOutboxEntry(
        kind=JobKind.DOCUMENT,
        environment=PRODUCTION,
        due_at=PERIOD.start,
        partner_id=await a_partner(database, given=FOREIGN_LIVE),
        order_key="2/PO",
        interchange_id=number,
    )

    async def insert(unit: WriteUnit) -> OutboxId:
        return await unit.outbox.insert(AccountId(2), entry, PERIOD.start)

    return await found_entry(database, await write(database, FOREIGN_LIVE, insert))


async def found_entry(database: Database, entry_id: OutboxId) -> OutboxEntry:
    found = await read(database, FOREIGN_LIVE, lambda unit: unit.outbox.find(entry_id))
    assert found is not None
    return found


async def the_same_seed_gives_the_same_traffic_on_both_databases(demo: Demo) -> None:
    assert (demo.filled.partners, demo.filled.interchanges) == (9, 102)
    assert demo.filled.by_status == {
        "delivered": 30,
        "acknowledged": 14,
        "rejected": 4,
        "processed": 41,
        "duplicate": 3,
        "quarantined": 5,
        "invalid": 2,
        "failed": 3,
    }
    records = await demo.transactions()
    found = [
        (each.created_at.isoformat(), each.record.facts.tx_set, each.record.business_key)
        for each in records
    ]
    digest = sha256(repr(found).encode()).hexdigest()[:16]
    first = ("2026-03-09T07:13:30+00:00", "850", "PO-20001")
    assert (len(found), found[0], digest) == (102, first, "c41dc94df9914da7")


async def partners_skip_no_number_but_the_one_of_an_unknown_sender(demo: Demo) -> None:
    def order_of(each: Interchange) -> tuple[str, int]:
        return each.new.pair.sender.id, int(each.new.isa_control_number)

    async def received(unit: ReadUnit) -> list[tuple[str, int]]:
        asked = InterchangeQuery(environment=Environment.SANDBOX, direction=Direction.INBOUND)
        found = await unit.interchanges.list(asked, 200)
        return sorted({order_of(each) for each in found if each.new.isa_control_number})

    numbers = await read(demo.database, LIVE, received)
    gaps = [
        (sender, later - number)
        for (sender, number), (other, later) in pairwise(numbers)
        if sender == other and later - number > 1
    ]
    # One of its interchanges names an unknown sender.
    assert (len(numbers), gaps) == (46, [("MAPLESTREET", 2)])


async def an_order_is_rejected_for_what_our_map_writes(demo: Demo) -> None:
    (order,) = [
        each
        for each in await demo.transactions()
        if each.record.business_key == REJECTED_ORDER and each.record.facts.tx_set == "850"
    ]
    stored = await read(demo.database, LIVE, lambda unit: unit.acks.list_of_transaction(order.id))
    (ack,) = [open_ack(SEALER, each).row for each in stored]
    (error,) = ack.facts.errors
    assert (order.partner_name, order.record.states.ack, ack.facts.transaction_code) == (
        *("Northwind Retail", "rejected", "R"),
    )
    assert (error.source, error.element_position, error.code) == ("AK4", 6, "7")
    assert (error.our_path, error.our_value, error.our_rule) == ("PO1.06", "XX", "field_map[16]")
    (saved,) = [
        each.head
        for each in await read(demo.database, LIVE, lambda unit: unit.maps.list())
        if each.head.name == "Order to 850"
    ]
    assert (saved.source_fmt, saved.target_fmt, order.record.doc_id is None) == (
        *("json", "x12", False),
    )


async def everything_happens_in_the_sandbox_and_within_the_period(demo: Demo) -> None:
    records = await demo.transactions()
    assert {each.is_test for each in records} == {True}
    moments = [at for each in records for at in (each.created_at, each.updated_at)]
    assert PERIOD.start <= min(moments) <= max(moments) <= PERIOD.end


async def what_is_due_elsewhere_is_left_alone(demo: Demo) -> None:
    assert await found_entry(demo.database, demo.due.id) == demo.due


async def nothing_is_left_to_be_done(demo: Demo) -> None:
    outbox = await demo.outbox()
    assert {state for account, state in outbox if account == 1} == {"done", "dead"}


async def partners_stand_as_their_traffic_went(demo: Demo) -> None:
    stored = await read(
        demo.database, LIVE, lambda unit: unit.partners.list(PartnerQuery(), None, 0)
    )
    stand = {each.facts.name: (each.state.status.value, each.test_status.value) for each in stored}
    working = ("Northwind Retail", "Lakeside Foods", "Bluebird Hardware", "Cedar Valley Supply")
    assert stand == {
        "Simulator": ("testing", "unverified"),
        **dict.fromkeys(
            (*working, "Juniper Home Goods", "Maple Street Grocers"), ("testing", "connected")
        ),
        "Harborline Outfitters": ("testing", "failing"),
        "Quarry Tool Works": ("pending", "not_configured"),
    }
    overdue = Counter(
        each.partner_name
        for each in await demo.transactions()
        if each.record.states.ack == "overdue" and each.record.states.delivery == "delivered"
    )
    assert overdue == {"Bluebird Hardware": 4, "Cedar Valley Supply": 1}


async def each_thing_that_can_fail_is_there(demo: Demo) -> None:
    inbound = [each.new for each in await demo.interchanges() if each.new.receipt_id]
    assert Counter((each.status.value, each.reason) for each in inbound) == {
        ("processed", None): 43,
        ("duplicate", None): 3,
        ("quarantined", "partner_inactive"): 2,
        ("quarantined", "not_x12"): 2,
        ("quarantined", "022"): 1,
    }
    sets = Counter(
        (each.record.direction.value, each.record.facts.tx_set)
        for each in await demo.transactions()
    )
    both = {"850": (21, 14), "855": (5, 5), "856": (2, 6), "810": (3, 1)}
    answers = {"997": (15, 17), "999": (3, 8), "": (2, 0)}
    for tx_set, counts in {**both, **answers}.items():
        assert (sets["inbound", tx_set], sets["outbound", tx_set]) == counts


async def control_numbers_have_no_gap_and_the_audit_log_holds(demo: Demo) -> None:
    sent: dict[str, list[int]] = {}
    for each in await demo.interchanges():
        if each.new.direction is Direction.OUTBOUND:
            sent.setdefault(each.new.pair.receiver.id, []).append(int(each.new.isa_control_number))
    assert {name: len(numbers) for name, numbers in sent.items()} == {
        "NORTHWIND": 12,
        "LAKESIDE": 7,
        "BLUEBIRD": 7,
        "CEDARVALLEY": 5,
        "HARBORLINE": 4,
        "JUNIPER": 6,
        "MAPLESTREET": 9,
        "NOBODYKNOWN": 1,
    }
    assert all(sorted(numbers) == [*range(1, len(numbers) + 1)] for numbers in sent.values())
    verification = await AuditAdministration(demo.database.units).verify(AccountId(1))
    length = await read(demo.database, LIVE, lambda unit: unit.audit.length(AccountId(1)))
    assert (verification.broken_at, verification.entries) == (None, length)


async def a_second_run_is_refused_and_changes_nothing(demo: Demo) -> None:
    before = await demo.counts()
    with pytest.raises(SandboxInUseError) as refused:
        await fill(demo.target, WANTED)
    assert refused.value.message == (
        "The sandbox of account 'demo' is in use: it has documents, maps, or partners other"
        " than the simulator. The demo fills an empty sandbox. Name another account with --account,"
        " or empty this one with --reset."
    )
    assert await demo.counts() == before


CLAIMS = (
    the_same_seed_gives_the_same_traffic_on_both_databases,
    partners_skip_no_number_but_the_one_of_an_unknown_sender,
    an_order_is_rejected_for_what_our_map_writes,
    everything_happens_in_the_sandbox_and_within_the_period,
    what_is_due_elsewhere_is_left_alone,
    nothing_is_left_to_be_done,
    partners_stand_as_their_traffic_went,
    each_thing_that_can_fail_is_there,
    control_numbers_have_no_gap_and_the_audit_log_holds,
    a_second_run_is_refused_and_changes_nothing,
)


async def test_a_filled_sandbox_holds_what_is_claimed_of_it(
    engine: Engine, database: Database
) -> None:
    target = await a_target(database, "demo")
    due = await live_work_of_a_neighbour(database)
    filled = await fill(target, WANTED)
    demo = Demo(database=database, engine=engine, target=target, filled=filled, due=due)
    for claim in CLAIMS:  # together: to fill it takes seconds
        await claim(demo)


async def test_who_cannot_trade_is_not_filled(database: Database) -> None:
    target = await a_target(database, "demo")
    suspended = replace(target.account, status=AccountStatus.SUSPENDED)
    with pytest.raises(AccountSuspendedError):
        await fill(replace(target, account=suspended), WANTED)

    async def rename(unit: WriteUnit) -> bool:
        (own,) = await unit.identities.list()
        return await unit.identities.change(own.id, replace(own.identity, isa_id="A*B"))

    assert await write(database, LIVE, rename)
    with pytest.raises(SeparatorInIdentityError) as refused:
        await fill(target, WANTED)
    assert "holds one of the characters * ~ > ^" in refused.value.message
    partners = await read(database, LIVE, lambda unit: unit.partners.count(PartnerQuery()))
    assert partners == 1


async def test_who_can_log_in_is_known(database: Database) -> None:
    known = ports(database, "demo")
    first, second = [(await find_or_make(known, name)).account for name in ("demo", "other")]
    assert (await find_or_make(known, "DEMO")) == DemoAccount(account=first, key=None)
    assert [await login_by(known, each) for each in (first, second)] == ["link", "nobody"]

    async def insert(unit: WriteUnit) -> object:
        return await unit.users.insert(
            new_user(second.id, "ada@example.com", UserRole.OWNER, None, PERIOD.start)
        )

    await write(database, FOREIGN_LIVE, insert)
    assert [await login_by(known, each) for each in (first, second)] == ["nobody", "user"]


async def test_what_another_process_takes_ends_the_demo(database: Database) -> None:
    target = await a_target(database, "demo")
    with pytest.raises(ConcurrentWorkerError, match="Stop each `longshore worker`"):
        await fill(replace(target, units=UnitsWithStolenWork(database.units)), WANTED)


def test_a_plan_depends_on_its_seed_only() -> None:
    first, again, other = (
        sort_events(PERIOD, [*order_traffic(each), *failure_scenarios(each)])
        for each in (WANTED, WANTED, replace(WANTED, seed=8))
    )
    assert first == again != other


@pytest.mark.parametrize("days", [10, 14, 31, 90, 366])
def test_the_order_to_look_for_is_answered_in_any_period(days: int) -> None:
    for last in range(1, 8):
        period = DemoPeriod.of(date(2026, 3, last), days, datetime(2026, 3, 8, tzinfo=UTC))
        events = failure_scenarios(replace(WANTED, period=period))
        moments = [at for at, act in events if getattr(act, "kind", "") == SPECIAL]
        assert period.start <= min(moments) < moments[0] < period.end - timedelta(hours=2)
