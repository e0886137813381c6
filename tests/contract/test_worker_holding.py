"""What is held for a partner, and let go; and the simulator, whose answers come in at once."""

from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import TypeVar

import pytest

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.held_entries import Releaser
from longshore.domain.delivery.model import OutboxEntry
from longshore.domain.delivery.outcome import AttemptOutcome, FailureKind
from longshore.domain.delivery.ports import OutboundMessage, failed
from longshore.domain.interchanges.encryption import open_receipt
from longshore.domain.interchanges.store import ReceiptId, ReceiptStatus
from longshore.domain.partners.connections import (
    ConnectionType,
    SftpConnection,
    SimulatorConnection,
)
from longshore.domain.partners.model import (
    Connections,
    ConnectionStatus,
    PartnerId,
    PartnerStatus,
    PartnerTerms,
)
from longshore.domain.partners.status import PartnerState
from longshore.domain.partners.writer import PartnerWriter
from longshore.domain.ports import SYSTEM, Scope
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.transport.simulator import Simulator
from tests.support.clock import START, StoppedClock
from tests.support.database import CountedUnits, Database
from tests.support.dispatch import (
    BUSY,
    Destination,
    Order,
    Queued,
    a_trading_partner,
    a_worker,
    queued,
    seen,
    terms,
)
from tests.support.ports import some_ports
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST, read, write
from tests.support.vault import a_sealer

WAYS = frozenset({ConnectionType.HTTP, ConnectionType.SIMULATOR})
MINUTE = timedelta(minutes=1)
T = TypeVar("T")


class Interrupted(CountedUnits):
    """Units of which the first that writes for a partner comes after it became inactive."""

    def __init__(self, database: Database, partner_id: PartnerId) -> None:
        super().__init__(database.units)
        self._database, self._partner_id = database, partner_id

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        if scope != SYSTEM and not self.writes:
            await set_status(self._database, self._partner_id, PartnerStatus.INACTIVE)
        return await super().write(scope, work)


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


def a_releaser(database: Database, clock: StoppedClock) -> Releaser:
    return Releaser(some_ports(database, clock), WAYS)


async def set_status(database: Database, partner_id: PartnerId, to: PartnerStatus) -> None:
    async def work(unit: WriteUnit) -> bool:
        stored = await unit.partners.find(partner_id)
        assert stored is not None
        return await unit.partners.set_state(partner_id, stored.state, PartnerState(to), START)

    assert await write(database, LIVE, work)


@pytest.mark.parametrize(
    ("reason", "status", "environment", "connections"),
    [
        (
            (
                "partner_inactive",
                "The partner is inactive and takes no test documents. This one is held.",
            ),
            *(PartnerStatus.INACTIVE, SANDBOX, None),
        ),
        (
            (
                "partner_inactive",
                "The partner is testing and takes no live documents. This one is held.",
            ),
            *(PartnerStatus.TESTING, PRODUCTION, None),
        ),
        (
            (
                "not_configured",
                "The partner has no test connection. Set one up, and what is held is sent.",
            ),
            *(PartnerStatus.ACTIVE, SANDBOX, Connections()),
        ),
        (
            (
                "not_configured",
                (
                    "The test connection of the partner is SFTP, for which this installation lacks"
                    " a package. Set one up, and what is held is sent."
                ),
            ),
            *(PartnerStatus.ACTIVE, SANDBOX, Connections(test=SftpConnection(host="h", user="u"))),
        ),
    ],
)
async def test_nothing_is_attempted_for_a_partner_that_takes_nothing(
    database: Database,
    clock: StoppedClock,
    reason: tuple[str, str],
    status: PartnerStatus,
    environment: Environment,
    connections: Connections | None,
) -> None:
    given = terms(connections) if connections else terms()
    partner_id = await a_trading_partner(database, given, status)
    order = await queued(database, Order(partner_id=partner_id, environment=environment))
    http = Destination()
    await a_worker(database, clock, http).run_once()
    after = await seen(database, order)
    assert (http.parcels, after.attempts) == ([], [])
    assert (after.states, after.deliveries) == (["held"], ["held"])
    assert after.event_types == ["transaction.held"]
    assert (after.errors, after.messages) == ([reason], [reason[1]])
    assert await a_releaser(database, clock).run_once() == 0
    assert (await seen(database, order)).states == ["held"]


async def test_a_connection_that_is_gone_is_not_asked_again(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)

    async def disable(unit: WriteUnit) -> bool:
        gone = ConnectionStatus.DISABLED
        return await unit.partners.set_connection_status(partner_id, SANDBOX, gone)

    await write(database, LIVE, disable)
    http = Destination()
    orders = [
        await queued(database, Order(partner_id=partner_id, environment=each))
        for each in (SANDBOX, PRODUCTION)
    ]
    await a_worker(database, clock, http).run_once()
    after = [await seen(database, each) for each in orders]
    assert [each.states for each in after] == [["held"], ["done"]]
    reason = (
        "The test connection of the partner is disabled, since its destination answered 410 or"
        " showed another host key. Save the partner again, and what is held is sent."
    )
    assert [each.errors for each in after] == [[("connection_disabled", reason)], [None]]


HOST_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5"


def by_sftp(host_key: str) -> PartnerTerms:
    connection = SftpConnection(host="h", user="u", password="hush", host_key=host_key)
    return terms(Connections(test=connection))


async def confirm(database: Database, partner_id: PartnerId, host_key: str) -> None:
    async def work(unit: WriteUnit) -> None:
        stored = await unit.partners.find(partner_id)
        assert stored is not None
        assert LIVE.account_id is not None
        writer = PartnerWriter(unit, a_sealer(), LIVE.account_id)
        await writer.change(stored, by_sftp(host_key), START)

    await write(database, LIVE, work)


async def test_documents_wait_for_a_host_key_that_somebody_confirms(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database, by_sftp(""))
    order = await queued(database, Order(partner_id=partner_id))
    server = Destination(failed(FailureKind.HOST_KEY_CHANGED))
    sftp = {ConnectionType.SFTP: server}
    worker = a_worker(database, clock, Destination(), others=sftp)
    releaser = Releaser(some_ports(database, clock), sftp.keys())
    await worker.run_once()
    assert await releaser.run_once() == 0
    unconfirmed = (
        "Nobody has confirmed the host key of the test connection of the partner. Check the"
        " connection, compare the fingerprint with the partner's, and save the key: then what is"
        " held is sent."
    )
    held = await seen(database, order)
    assert (held.errors, server.parcels) == ([("host_key_unconfirmed", unconfirmed)], [])
    await confirm(database, partner_id, HOST_KEY)
    for _ in range(2):
        await releaser.run_once()
        await worker.run_once()
        clock.move(timedelta(seconds=10))
    held = await seen(database, order)
    assert (held.states, len(server.parcels)) == (["held"], 1)
    assert [error and error[0] for error in held.errors] == ["connection_disabled"]
    await confirm(database, partner_id, f"{HOST_KEY}x")
    assert await releaser.run_once() == 1
    await worker.run_once()
    assert (await seen(database, order)).states == ["done"]
    assert {each.file_name for each in server.parcels} == {"850_000000123_20260115140509.edi"}


async def test_what_was_held_is_sent_when_the_partner_takes_documents_again(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database)
    first = await queued(database, Order(partner_id=partner_id))
    http = Destination(BUSY)
    worker, releaser = a_worker(database, clock, http), a_releaser(database, clock)
    await worker.run_once()
    await set_status(database, partner_id, PartnerStatus.INACTIVE)
    clock.move(MINUTE)
    await worker.run_once()
    second = await queued(database, Order(partner_id=partner_id), clock.now())
    assert await worker.run_once() == 0
    assert await releaser.run_once() == 0
    code = (await seen(database, first)).errors[0]
    assert code is not None
    assert code[0] == "partner_inactive"
    await set_status(database, partner_id, PartnerStatus.ACTIVE)
    assert await releaser.run_once() == 1
    after = await seen(database, first)
    assert (after.deliveries, after.errors) == (["pending"], [None])
    while await worker.run_once():
        pass
    for each in (first, second):
        after = await seen(database, each)
        assert (after.states, after.deliveries) == (["done"], ["delivered"])
    types = (await seen(database, first)).event_types
    assert types[:3] == ["transaction.held", "transaction.released", "transaction.delivered"]


async def test_what_stays_held_costs_no_unit_that_writes(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database, status=PartnerStatus.INACTIVE)
    order = await queued(database, Order(partner_id=partner_id))
    await a_worker(database, clock, Destination()).run_once()
    units = CountedUnits(database.units)
    assert await Releaser(some_ports(database, clock, units=units), WAYS).run_once() == 0
    # The partners and one of them; what is suspended is looked at in any case.
    assert (units.reads, units.writes) == (2, 1)
    await set_status(database, partner_id, PartnerStatus.ACTIVE)
    interrupted = Interrupted(database, partner_id)
    assert await Releaser(some_ports(database, clock, units=interrupted), WAYS).run_once() == 0
    assert (await seen(database, order)).states == ["held"]


async def test_who_takes_over_after_a_hold_was_decided_is_not_disturbed(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database, status=PartnerStatus.INACTIVE)
    order = await queued(database, Order(partner_id=partner_id))
    worker = a_worker(database, clock, Destination())
    (entry,) = await worker.claim()
    await worker.hand_back(entry)
    await worker.do(entry)
    assert (await seen(database, order)).states == ["due"]


# ---- the simulator -------------------------------------------------------------------------------

DOCUMENT = (
    b"ISA*00*          *00*          *ZZ*ACMECORP       *01*123456789      "
    b"*260115*1405*U*00401*000000123*0*T*>~GS*PO*ACME*NWRETAIL*20260115*1405*123*X*004010~"
    b"ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~GE*1*123~IEA*1*000000123~"
)


async def simulated(
    database: Database, clock: StoppedClock, script: str, metadata: dict[str, str] | None = None
) -> tuple[Queued, Destination]:
    connections = Connections(test=SimulatorConnection(script=script))
    order = Order(
        partner_id=await a_trading_partner(database, terms(connections)),
        content=DOCUMENT,
        metadata=metadata or {},
    )
    document, http = await queued(database, order), Destination()
    others = {ConnectionType.SIMULATOR: Simulator(InlineCompute())}
    await a_worker(database, clock, http, others=others).run_once()
    return document, http


async def entries(database: Database, clock: StoppedClock) -> list[OutboxEntry]:
    """Return what there is to process within a day."""
    clock.move(timedelta(days=1))
    worker = a_worker(database, clock, Destination())
    return list(await worker.claim())


async def opened(database: Database, number: int | None) -> tuple[ReceiptStatus, bytes]:
    async def find(unit: ReadUnit) -> tuple[ReceiptStatus, bytes]:
        assert number is not None
        found = await unit.receipts.find(ReceiptId(number))
        assert found is not None
        return found[0].status, open_receipt(a_sealer(), *found).content

    return await read(database, TEST, find)


@pytest.mark.parametrize(
    ("script", "metadata", "results"),
    [
        ("accept", {}, [b"AK5*A~AK9*A*1*1*1"]),
        ("accept", {"simulate": "reject:4"}, [b"AK5*R*4~AK9*R*1*1*0"]),
        ("reject", {"simulate": "no such word"}, [b"AK5*R*5~AK9*R*1*1*0"]),
        ("duplicate", {}, [b"AK5*A~AK9*A*1*1*1", b"AK5*A~AK9*A*1*1*1"]),
        ("never", {}, []),
    ],
    ids=("accept", "by metadata", "no such word", "duplicate", "never"),
)
async def test_the_simulator_answers_by_the_script(
    database: Database,
    clock: StoppedClock,
    script: str,
    metadata: dict[str, str],
    results: list[bytes],
) -> None:
    order, http = await simulated(database, clock, script, metadata)
    after = await seen(database, order)
    assert (http.parcels, after.states, after.deliveries) == ([], ["done"], ["delivered"])
    jobs = await entries(database, clock)
    assert [each.new.kind for each in jobs] == ["receive"] * len(results)
    for job, result in zip(jobs, results, strict=True):
        status, content = await opened(database, job.new.receipt_id)
        assert status is ReceiptStatus.RECEIVED
        assert result in content


async def test_what_the_simulator_sends_late_is_processed_late(
    database: Database, clock: StoppedClock
) -> None:
    await simulated(database, clock, "late:600")
    worker = a_worker(database, clock, Destination())
    clock.move(timedelta(seconds=599))
    assert await worker.claim() == []
    clock.move(timedelta(seconds=1))
    assert [each.new.kind for each in await worker.claim()] == ["receive"]


async def test_what_the_simulator_cannot_read_it_does_not_answer() -> None:
    sent = await Simulator(InlineCompute()).send(
        OutboundMessage(
            connection=SimulatorConnection(), environment=SANDBOX, content=b"", message_id="m"
        )
    )
    assert (sent.verdict.outcome, sent.replies) == (AttemptOutcome.SUCCEEDED, ())


async def test_nobody_else_sees_for_whom_something_is_held(
    database: Database, clock: StoppedClock
) -> None:
    partner_id = await a_trading_partner(database, status=PartnerStatus.INACTIVE)
    await queued(database, Order(partner_id=partner_id))
    await a_worker(database, clock, Destination()).run_once()

    async def held(unit: ReadUnit) -> list[tuple[int, str, int]]:
        return [
            (*each[:1], each[1].value, each[2]) for each in await unit.outbox.list_held_partners()
        ]

    assert await read(database, SYSTEM, held) == [(1, "sandbox", partner_id)]
