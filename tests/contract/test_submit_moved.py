"""Partner and identity may change while a document is prepared; ids may differ in case."""

from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import ParamSpec, TypeVar

import pytest

from longshore.compute.inline import InlineCompute
from longshore.domain.accounts.service import AccountService
from longshore.domain.partners.model import Identity, PartnerId, PartnerStatus
from longshore.domain.partners.status import PartnerState
from longshore.domain.transactions.model import DeliveryStatus, TransactionId
from longshore.domain.transactions.states import Axis
from longshore.domain.units import WriteUnit
from longshore.kit.errors import LongshoreError
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.submitting import SubmitSetup, a_submit_setup, an_action, an_interchange, context
from tests.support.trading import LIVE, PRODUCTION, write

P = ParamSpec("P")
T = TypeVar("T")


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


class Meanwhile(InlineCompute):
    """Lets something happen once, while a document is prepared."""

    def __init__(self, happens: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self._happens = [happens]

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        made = await super().run(function, *args, **kwargs)
        while self._happens:
            await self._happens.pop()()
        return made


async def rename(unit: WriteUnit) -> None:
    (own,) = await unit.identities.list()
    await unit.identities.change(own.id, Identity(qualifier="ZZ", isa_id="ACMENEW"))


async def stop(unit: WriteUnit) -> None:
    stored = await unit.partners.find(PartnerId(1))
    assert stored is not None
    to = PartnerState(PartnerStatus.INACTIVE, PartnerStatus.TESTING)
    assert await unit.partners.set_state(PartnerId(1), stored.state, to, START)


async def fail(unit: WriteUnit) -> None:
    way = (DeliveryStatus.PENDING, DeliveryStatus.SENDING, DeliveryStatus.FAILED)
    for start, to in pairwise(way):
        await unit.transactions.step(TransactionId(1), Axis.DELIVERY, start, to, START)


async def test_a_document_goes_out_under_the_identity_that_holds(setup: SubmitSetup) -> None:
    await setup.partner()
    setup.service = setup.served(compute=Meanwhile(lambda: write(setup.database, LIVE, rename)))
    await setup.submit()
    assert "*ACMENEW        *" in await setup.sent(1)


async def test_a_reissue_heeds_what_became_of_the_partner_meanwhile(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit()
    await write(setup.database, LIVE, fail)
    before = await setup.counts()
    service = setup.tracker(compute=Meanwhile(lambda: write(setup.database, LIVE, stop)))
    with pytest.raises(LongshoreError) as refused:
        await service.reissue(context(), an_action(TransactionId(1)))
    assert refused.value.code == "edit_conflict"
    assert await setup.counts() == before


async def test_a_number_is_used_whatever_the_case_of_the_id(setup: SubmitSetup) -> None:
    them = Identity(qualifier="ZZ", isa_id="NORTHWIND")
    await setup.partner(status=PartnerStatus.ACTIVE, identity=them)
    live = context(PRODUCTION)
    await setup.submit(an_interchange(usage="P", receiver=("ZZ", "northwind")), by=live)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(an_interchange(usage="P", receiver=("ZZ", "NORTHWIND")), by=live)
    assert refused.value.code == "duplicate_interchange"


@pytest.mark.parametrize("head", ["##HEADER\n", ""])
async def test_what_we_would_refuse_to_receive_is_not_sent_live(
    setup: SubmitSetup, head: str
) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    text = an_interchange(usage="P")
    loose = head + text if head else text.replace("ACMECORP       *", "ACMECORP*")
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(loose, by=context(PRODUCTION))
    assert (refused.value.code, await setup.outbox()) == ("invalid_parameter", [])
