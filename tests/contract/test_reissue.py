"""A set that is sent again under new numbers: in an interchange and a record of its own."""

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.audit.writer import open_detail
from longshore.domain.delivery.model import OutboxState
from longshore.domain.events.writer import open_message
from longshore.domain.outbound.checks import OnInvalid
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.status import PartnerState
from longshore.domain.ports import Scope
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    InterchangeId,
    Source,
    TransactionId,
    ValidationStatus,
)
from longshore.domain.transactions.states import Axis
from longshore.domain.units import WriteUnit
from longshore.kit.errors import LongshoreError
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.submitting import (
    ACCOUNT,
    BEG,
    CTT,
    PO1,
    SubmitSetup,
    a_set,
    a_submit_setup,
    an_interchange,
    context,
)
from tests.support.trading import FOREIGN_LIVE, LIVE, PRODUCTION, TEST, read, write
from tests.support.vault import a_sealer

SECOND = a_set("BEG*00*SA*PO-2**20240115", PO1, CTT, number="0002")


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


async def stepped(
    setup: SubmitSetup, number: int, *way: DeliveryStatus, ack: AckStatus | None = None
) -> None:
    """Let delivery of a record go a way from ``pending``, and its acknowledgement end so."""

    async def work(unit: WriteUnit) -> None:
        start, transaction_id = DeliveryStatus.PENDING, TransactionId(number)
        for to in way:
            assert await unit.transactions.step(transaction_id, Axis.DELIVERY, start, to, START)
            start = to
        if ack is not None:
            pending = AckStatus.PENDING
            assert await unit.transactions.step(transaction_id, Axis.ACK, pending, ack, START)

    await write(setup.database, LIVE, work)


async def messages(setup: SubmitSetup) -> list[str]:
    return [open_message(a_sealer(), each) for each in await setup.events()]


async def test_only_the_set_of_the_record_is_sent_again(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit(a_set() + SECOND, metadata={"batch": "7"}, business_key="B-1")
    await stepped(setup, 2, DeliveryStatus.SENDING, DeliveryStatus.FAILED)
    number = await setup.reissue(2, "they lost it", by=context(actor="user 5"))
    assert number == 3
    assert await setup.sent(2) == (
        "ISA*00*          *00*          *ZZ*ACMECORP       *01*123456789      *260115*1405*U*00401"
        "*000000002*0*T*>~GS*PO*ACMECORP*NWRETAIL*20260115*1405*2*X*004010~ST*850*0001~"
        "BEG*00*SA*PO-2**20240115~PO1*1*1*EA*9.25**VP*A1~CTT*1~SE*5*0001~GE*1*2~IEA*1*000000002~"
    )
    found = (await setup.record(3)).record
    assert (found.parent_id, found.metadata, found.business_key) == (2, {"batch": "7"}, "B-1")
    assert [each.value for each in found.facts.references] == ["PO-2"]
    assert (found.states.delivery, found.states.ack) == (DeliveryStatus.PENDING, AckStatus.PENDING)
    (entry,) = await setup.outbox(2)
    assert (entry.state, entry.new.order_key) == (OutboxState.DUE, "1/PO")


async def test_the_old_record_stays_as_it_was_and_what_was_done_is_told(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit()
    await stepped(setup, 1, DeliveryStatus.SENDING, DeliveryStatus.DELIVERED)
    before = await setup.record(1)
    await setup.reissue(1, "they lost it", by=context(actor="user 5"))
    assert await setup.record(1) == before
    answer = [(each.type, each.transaction_id) for each in await setup.events()]
    assert answer[2:] == [("transaction.validated", 2), ("transaction.queued", 2)]
    assert (await messages(setup))[2:] == ["Reissued from transaction 1: they lost it", ""]
    (chained,) = await read(
        setup.database, LIVE, lambda unit: unit.audit.list_newest(ACCOUNT, None, 10)
    )
    entry = chained.entry
    assert (entry.actor, entry.action, entry.object) == (
        "user 5",
        "transaction.reissue",
        "transaction 1",
    )
    assert (entry.ip, entry.request_id) == ("192.0.2.7", "req_1")
    assert open_detail(a_sealer(), entry) == "they lost it"


@pytest.mark.parametrize("ack", [AckStatus.REJECTED, AckStatus.ACCEPTED])
async def test_what_was_rejected_may_be_sent_again_wherever_its_delivery_is(
    setup: SubmitSetup, ack: AckStatus
) -> None:
    await setup.partner()
    await setup.submit()
    await stepped(setup, 1, ack=ack)
    before = await setup.counts()
    if ack is AckStatus.REJECTED:
        assert await setup.reissue(1) == 2
        return
    with pytest.raises(LongshoreError) as refused:
        await setup.reissue(1)
    assert (refused.value.code, refused.value.message) == (
        "invalid_state",
        (
            "This transaction cannot be reissued: its delivery is pending, and would have to be"
            " cancelled, delivered or failed, or its acknowledgement rejected."
        ),
    )
    assert await setup.counts() == before


async def test_what_was_cancelled_may_be_sent_again(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit(an_interchange(a_set(), SECOND))
    await stepped(setup, 1, DeliveryStatus.CANCELLED)
    assert await setup.reissue(1) == 3
    assert "BEG*00*SA*PO-1**20240115~" in await setup.sent(2)


async def test_what_was_invalid_stays_so_and_keeps_its_way_in(setup: SubmitSetup) -> None:
    await setup.partner()
    bad = a_set(BEG, "PO1*1*1*EA*9.25**VP", CTT)
    await setup.submit(bad, source=Source.CLI)
    await setup.submit(bad, on_invalid=OnInvalid.STORE)
    await stepped(setup, 1, DeliveryStatus.CANCELLED)
    await setup.reissue(1)
    found = (await setup.record(3)).record
    assert (found.states.validation, found.source) == (ValidationStatus.INVALID, Source.CLI)
    with pytest.raises(LongshoreError) as refused:
        await setup.reissue(2)
    assert refused.value.code == "invalid_state"


async def test_a_live_one_stays_live_and_a_test_of_a_live_key_a_test(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    await setup.submit(by=context(PRODUCTION))
    await setup.submit(an_interchange(usage="I"), by=context(PRODUCTION))
    for number, usage in ((1, "P"), (2, "I")):
        await stepped(setup, number, DeliveryStatus.CANCELLED)
        again = await setup.reissue(number, by=context(PRODUCTION))
        found = (await setup.record(again)).record
        assert found.facts.usage_indicator == usage
        assert found.environment is (await setup.record(number)).record.environment


@pytest.mark.parametrize("scope", [TEST, FOREIGN_LIVE])
async def test_what_is_not_the_callers_is_not_there(setup: SubmitSetup, scope: Scope) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    await setup.submit(by=context(PRODUCTION))
    await stepped(setup, 1, DeliveryStatus.CANCELLED)
    before = await setup.counts()
    caller = context()
    assert scope.account_id is not None
    assert scope.environment is not None
    other = type(caller)(account_id=scope.account_id, environment=scope.environment, actor="key 9")
    with pytest.raises(LongshoreError) as refused:
        await setup.reissue(1, by=other)
    assert (refused.value.code, refused.value.message) == (
        "not_found",
        "There is no such transaction, or it is not yours.",
    )
    assert await setup.counts() == before


async def test_a_partner_that_takes_no_documents_gets_none(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit()
    await stepped(setup, 1, DeliveryStatus.CANCELLED)
    start, to = PartnerState(PartnerStatus.TESTING), PartnerState(PartnerStatus.INACTIVE)

    async def stop(unit: WriteUnit) -> bool:
        (partner,) = await unit.partners.list_addresses()
        return await unit.partners.set_state(partner.id, start, to, START)

    assert await write(setup.database, LIVE, stop)
    before = await setup.counts()
    with pytest.raises(LongshoreError) as refused:
        await setup.reissue(1)
    assert (refused.value.code, refused.value.message) == (
        "partner_inactive",
        "The partner is inactive and takes no such documents.",
    )
    assert await setup.counts() == before


async def test_a_stray_set_is_found_again(setup: SubmitSetup) -> None:
    await setup.partner()
    head, _, rest = an_interchange(SECOND).partition("GS*")
    await setup.submit(head + a_set() + "GS*" + rest)
    references = [(await setup.record(number)).record.facts.references for number in (1, 2)]
    assert [each[0].value for each in references] == ["PO-2", "PO-1"]
    await stepped(setup, 2, DeliveryStatus.CANCELLED)
    assert await setup.reissue(2) == 3
    assert "BEG*00*SA*PO-1**20240115~" in await setup.sent(2)
    assert "PO-2" not in await setup.sent(2)
    assert InterchangeId(2) == (await setup.record(3)).record.interchange_id
