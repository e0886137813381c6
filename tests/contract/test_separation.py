"""Test and live are kept apart, and the audit log tells each time they had to be; on both engines.

Examples 70 and 71 of x12.md section 5.2.
"""

from collections.abc import Sequence

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.audit.writer import open_detail
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.inbound.intake import IntakeService
from longshore.domain.outbound.errors import SubmitRefusedError
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.partners.model import Direction, InboundTokenId, PartnerId, PartnerStatus
from longshore.domain.partners.status import PartnerState
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import DeliveryStatus, Source, TransactionId
from longshore.domain.transactions.states import Axis
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.dispatch import Destination, Order, a_trading_partner, a_worker, queued
from tests.support.ports import some_ports
from tests.support.processing import a_trade, case_text, live
from tests.support.submitting import SubmitSetup, a_set, a_submit_setup, an_interchange, context
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST, a_partner, read, write
from tests.support.vault import a_sealer

AuditedSeparations = list[tuple[str, str, str]]
OWN = AccountId(1)
A_LIVE_ONE = an_interchange(usage="P")
MISMATCH = "ISA15 is P, but the key is a sandbox key; it is a test document."


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


async def audited_separations(database: Database) -> AuditedSeparations:
    """Return who, what and of what the audit log says of test and live, oldest first."""
    return [(actor, action, of) for actor, action, of, _ in await entries(database)]


async def entries(database: Database) -> list[tuple[str, str, str, str]]:
    async def work(unit: ReadUnit) -> list[tuple[str, str, str, str]]:
        found = [each.entry for each in await unit.audit.list_after(OWN, 0, 1_000)]
        return [
            (each.actor, each.action, each.object, open_detail(a_sealer(), each))
            for each in found
            if each.action.startswith("separation.")
        ]

    return await read(database, LIVE, work)


# ---- submitting ----------------------------------------------------------------------------------


async def test_71_a_usage_that_is_rewritten_is_told_of(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit(A_LIVE_ONE)
    assert await entries(setup.database) == [
        (
            "key 3",
            "separation.usage_restamped",
            "interchange 1",
            "ISA15 was P and is T now, since the key is a sandbox key.",
        )
    ]
    assert "*T*>~" in await setup.sent()


async def test_71_a_usage_that_may_not_be_rewritten_is_refused_and_told_of(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    before = await setup.counts()
    with pytest.raises(SubmitRefusedError):
        await setup.submit(A_LIVE_ONE, restamp=False)
    assert await entries(setup.database) == [
        ("key 3", "separation.usage_mismatch", "partner 1", MISMATCH)
    ]
    added = await setup.counts()
    assert added == {**before, "audit_entries": before.get("audit_entries", 0) + 1}


async def test_a_live_document_that_is_simulated_as_test_is_told_of(setup: SubmitSetup) -> None:
    await setup.partner()
    arrived = an_interchange(usage="P", sender=("01", "123456789"), receiver=("ZZ", "ACMECORP"))
    await setup.submit(arrived, direction=Direction.INBOUND)
    assert await entries(setup.database) == [
        ("key 3", "separation.usage_mismatch", "receipt 1", MISMATCH)
    ]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (PartnerStatus.TESTING, [("key 3", "separation.partner_inactive", "partner 1")]),
        (PartnerStatus.INACTIVE, []),
    ],
)
async def test_a_live_document_for_a_partner_in_testing_is_refused_and_told_of(
    setup: SubmitSetup, status: PartnerStatus, expected: AuditedSeparations
) -> None:
    await setup.partner(status=status)
    with pytest.raises(SubmitRefusedError):
        await setup.submit(A_LIVE_ONE, by=context(PRODUCTION))
    assert await audited_separations(setup.database) == expected


async def test_a_sandbox_key_that_names_a_live_partner_finds_none_and_is_told_of(
    setup: SubmitSetup,
) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    with pytest.raises(PartnerNotFoundError):
        await setup.submit(source=Source.API)
    assert await audited_separations(setup.database) == [
        ("key 3", "separation.partner_not_shown", "partner 1")
    ]


async def test_what_does_not_concern_live_is_not_told_of(setup: SubmitSetup) -> None:
    await setup.partner()
    with pytest.raises(SubmitRefusedError):
        await setup.submit(tx_set="810")
    with pytest.raises(PartnerNotFoundError):
        await setup.submit(partner_id=99)
    await setup.submit(an_interchange())
    await setup.submit(a_set())
    assert await audited_separations(setup.database) == []


async def test_a_dry_run_leaves_nothing_in_the_log(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.partner("Live Retail", status=PartnerStatus.ACTIVE)
    before = await setup.counts()
    with pytest.raises(SubmitRefusedError):
        await setup.submit(A_LIVE_ONE, restamp=False, dry_run=True)
    with pytest.raises(PartnerNotFoundError):
        await setup.submit(partner_id=2, source=Source.API, dry_run=True)
    await setup.submit(A_LIVE_ONE, dry_run=True)
    assert await setup.counts() == before


async def test_a_live_document_is_not_reissued_to_a_partner_back_in_testing(
    setup: SubmitSetup,
) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    await setup.submit(A_LIVE_ONE, by=context(PRODUCTION))
    await set_status(setup.database, PartnerStatus.ACTIVE, PartnerStatus.TESTING)

    async def fail(unit: WriteUnit) -> None:
        start, number = DeliveryStatus.PENDING, TransactionId(1)
        for to in (DeliveryStatus.SENDING, DeliveryStatus.FAILED):
            assert await unit.transactions.step(number, Axis.DELIVERY, start, to, START)
            start = to

    await write(setup.database, LIVE, fail)
    with pytest.raises(SubmitRefusedError):
        await setup.reissue(1, "They lost it.", by=context(PRODUCTION))
    assert await audited_separations(setup.database) == [
        ("key 3", "separation.partner_inactive", "transaction 1")
    ]


async def set_status(database: Database, start: PartnerStatus, to: PartnerStatus) -> None:
    async def work(unit: WriteUnit) -> bool:
        return await unit.partners.set_state(
            PartnerId(1), PartnerState(start), PartnerState(to), START
        )

    assert await write(database, LIVE, work)


# ---- sending -------------------------------------------------------------------------------------


async def test_a_live_document_that_waits_for_a_partner_in_testing_is_held_and_told_of(
    setup: SubmitSetup,
) -> None:
    database, http = setup.database, Destination()
    partner_id = await a_trading_partner(database, status=PartnerStatus.TESTING)
    for environment in (PRODUCTION, SANDBOX):
        await queued(database, Order(partner_id=partner_id, environment=environment))
    await a_worker(database, setup.clock, http).run_once()
    assert [each.environment for each in http.parcels] == [SANDBOX]
    assert await audited_separations(database) == [
        ("worker", "separation.partner_inactive", "interchange 1")
    ]


# ---- receiving -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("_case", "content", "channel", "expected"),
    [
        ("70 T, live address", case_text(1), PRODUCTION, ["stored_as_test"]),
        ("70 P, test address", live(case_text(1)), SANDBOX, ["usage_mismatch"]),
        ("T, test address", case_text(1), SANDBOX, []),
    ],
)
async def test_what_came_in_over_the_other_channel_is_told_of(
    setup: SubmitSetup, _case: str, content: bytes, channel: Environment, expected: Sequence[str]
) -> None:
    trade = await a_trade(setup.database, setup.clock)
    await trade.receive(content, TEST if channel is SANDBOX else LIVE)
    (stored,) = await trade.interchanges(SANDBOX)
    of = f"interchange {stored.id}"
    assert await audited_separations(setup.database) == [
        ("worker", f"separation.{each}", of) for each in expected
    ]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (PartnerStatus.TESTING, [("worker", "separation.partner_inactive", "interchange 1")]),
        (PartnerStatus.INACTIVE, []),
        (PartnerStatus.ACTIVE, []),
    ],
)
async def test_a_live_document_from_a_partner_in_testing_is_told_of(
    setup: SubmitSetup, status: PartnerStatus, expected: AuditedSeparations
) -> None:
    trade = await a_trade(setup.database, setup.clock)
    if status is not PartnerStatus.ACTIVE:
        await set_status(setup.database, PartnerStatus.ACTIVE, status)
    await trade.receive(live(case_text(1)), LIVE)
    assert await audited_separations(setup.database) == expected


async def test_a_request_that_contradicts_its_address_is_told_of(setup: SubmitSetup) -> None:
    partner_id = await a_partner(setup.database)
    channel = InboundChannel(
        account_id=OWN,
        environment=SANDBOX,
        partner_id=partner_id,
        token_id=InboundTokenId(4),
    )
    units = setup.database.units
    intake = IntakeService(some_ports(setup.database, setup.clock, units=units))
    await intake.note_contradiction(channel, "192.0.2.7", "req_1")
    assert await entries(setup.database) == [
        (
            "token 4",
            "separation.env_contradiction",
            "partner 1",
            "The request named another environment than its address is of: sandbox.",
        )
    ]
