"""Submissions made again or at once: done once under a key, numbered without a gap (R7, R12)."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import TypeVar

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.idempotency.store import KEY_RETENTION
from longshore.domain.outbound.checks import OnInvalid
from longshore.domain.outbound.errors import DocumentInvalidError, PartnerChangedError
from longshore.domain.outbound.service import SubmitService
from longshore.domain.outbound.submission import SubmitOrder, Submitted
from longshore.domain.partners.model import Direction, PartnerId, PartnerStatus
from longshore.domain.partners.status import PartnerState
from longshore.domain.ports import Scope
from longshore.domain.transactions.model import Source
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.errors import LongshoreError
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.submitting import (
    BEG,
    CTT,
    SubmitSetup,
    a_set,
    a_submit_setup,
    an_interchange,
    context,
)
from tests.support.trading import LIVE, PRODUCTION, write

T = TypeVar("T")

TWINS = 64
LANES, RACERS = 8, 200
ONCE = {
    "interchanges": 1,
    "functional_groups": 1,
    "transactions": 1,
    "transaction_references": 1,
    "acks": 1,
    "outbox": 1,
    "control_counters": 2,
    "events": 2,
    "idempotency_keys": 1,
}
MISMATCH = "idempotency_mismatch"
USED_OTHERWISE = (
    "This Idempotency-Key was used with another body or path. Send what is new under a key of its"
    " own."
)


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    return await a_submit_setup(database, engine, clock, accounts)


def an_order(**members: object) -> SubmitOrder:
    given: dict[str, object] = {
        "partner_id": 1,
        "tx_set": "850",
        "direction": Direction.OUTBOUND,
        "content": a_set(),
        "idempotency_key": "K-1",
    }
    return SubmitOrder(**{**given, **members})  # type: ignore[arg-type]  # each as its field


# ---- one key -------------------------------------------------------------------------------------


async def test_64_twins_at_once_are_one_transaction_and_64_equal_answers(
    setup: SubmitSetup,
) -> None:
    await setup.partner()
    async with setup.engine.open() as one, setup.engine.open() as other:
        services = [setup.served(one), setup.served(other)] * (TWINS // 2)
        answers = await asyncio.gather(
            *(service.submit(context(), an_order()) for service in services)
        )
    assert len({each.content for each in answers}) == 1
    assert sorted(each.is_replayed for each in answers) == [False] + [True] * (TWINS - 1)
    assert await setup.counts() == ONCE


async def test_a_repeat_gets_the_first_answer_whatever_happened_since(setup: SubmitSetup) -> None:
    await setup.partner()
    first = await setup.submit(idempotency_key="K-1")
    await stopped(setup)
    setup.clock.move(KEY_RETENTION)
    again = await setup.submit(idempotency_key="K-1")
    assert again == Submitted(content=first.content, is_replayed=True)
    assert await setup.counts() == ONCE


async def test_another_request_under_the_key_is_refused(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit(idempotency_key="K-1")
    other = a_set("BEG*00*SA*PO-2**20240115", "PO1*1*1*EA*9.25**VP*A1", CTT)
    with pytest.raises(LongshoreError) as refused:
        await setup.submit(other, idempotency_key="K-1")
    assert (refused.value.code, refused.value.message) == (MISMATCH, USED_OTHERWISE)
    assert await setup.counts() == ONCE


async def test_of_two_requests_racing_for_a_key_one_is_refused(setup: SubmitSetup) -> None:
    await setup.partner()
    orders = (an_order(), an_order(business_key="B-1"))
    async with setup.engine.open() as one, setup.engine.open() as other:
        services = (setup.served(one), setup.served(other))
        done = await asyncio.gather(
            *(
                service.submit(context(), order)
                for service, order in zip(services, orders, strict=True)
            ),
            return_exceptions=True,
        )
    refused = [each for each in done if isinstance(each, LongshoreError)]
    assert [each.code for each in refused] == [MISMATCH]
    assert (await setup.counts())["transactions"] == 1


async def test_a_key_is_forgotten_after_its_time(setup: SubmitSetup) -> None:
    await setup.partner()
    await setup.submit(idempotency_key="K-1")
    setup.clock.move(KEY_RETENTION + timedelta(microseconds=1))
    again = await setup.submit(idempotency_key="K-1")
    assert (again.transaction_id, again.is_replayed) == (2, False)


async def test_each_environment_and_no_key_is_another_key(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    live = await setup.submit(by=context(PRODUCTION), idempotency_key="K-1")
    test = await setup.submit(idempotency_key="K-1", source=Source.CLI)
    plain = await setup.submit(source=Source.CLI)
    assert [each.transaction_id for each in (live, test, plain)] == [1, 2, 3]


async def test_a_document_that_is_refused_as_invalid_keeps_no_answer(setup: SubmitSetup) -> None:
    await setup.partner()
    bad = a_set(BEG, "PO1*1*1*EA*9.25**VP", CTT)
    for number in (1, 2):
        with pytest.raises(DocumentInvalidError) as refused:
            await setup.submit(bad, idempotency_key="K-1", on_invalid=OnInvalid.REJECT)
        assert refused.value.transaction_id == number
    assert (await setup.submit(idempotency_key="K-1")).transaction_id == 3


async def test_an_inbound_document_is_received_once_under_a_key(setup: SubmitSetup) -> None:
    await setup.partner()
    content = an_interchange(sender=("01", "123456789"), receiver=("ZZ", "ACMECORP"))
    first, again = [
        await setup.submit(content, direction=Direction.INBOUND, idempotency_key="K-1")
        for _ in range(2)
    ]
    assert (first.content, again.is_replayed) == (again.content, True)
    assert await setup.counts() == {"receipts": 1, "outbox": 1, "idempotency_keys": 1}


# ---- many at once --------------------------------------------------------------------------------


async def test_200_racing_submissions_draw_distinct_numbers_without_a_gap(
    setup: SubmitSetup,
) -> None:
    await setup.partner()

    async def lane(service: SubmitService) -> list[str]:
        order = an_order(idempotency_key=None)
        done = [await service.submit(context(), order) for _ in range(RACERS // LANES)]
        return [str(each.members()["control_numbers"]) for each in done]

    async with setup.engine.open() as one, setup.engine.open() as other:
        services = [setup.served(one), setup.served(other)] * (LANES // 2)
        lanes = await asyncio.gather(*map(lane, services))
    assert sorted(number for each in lanes for number in each) == sorted(
        str({"isa": f"{number:09d}", "gs": str(number), "st": ["0001"]})
        for number in range(1, RACERS + 1)
    )
    assert (await setup.counts())["transactions"] == RACERS


async def test_of_8_that_bring_the_same_number_one_is_taken(setup: SubmitSetup) -> None:
    await setup.partner(status=PartnerStatus.ACTIVE)
    order = an_order(content=an_interchange(usage="P"), idempotency_key=None)
    async with setup.engine.open() as one, setup.engine.open() as other:
        services = [setup.served(one), setup.served(other)] * 4
        done = await asyncio.gather(
            *(service.submit(context(PRODUCTION), order) for service in services),
            return_exceptions=True,
        )
    refused = [each.code for each in done if isinstance(each, LongshoreError)]
    assert refused == ["duplicate_interchange"] * 7
    assert (await setup.counts())["transactions"] == 1


# ---- a partner that changes meanwhile ------------------------------------------------------------


async def stopped(setup: SubmitSetup) -> None:
    start, to = PartnerState(PartnerStatus.TESTING), PartnerState(PartnerStatus.INACTIVE)

    async def work(unit: WriteUnit) -> bool:
        return await unit.partners.set_state(PartnerId(1), start, to, START)

    assert await write(setup.database, LIVE, work)


async def touched(setup: SubmitSetup) -> None:
    """Change a partner without changing anything of it but its version."""

    async def work(unit: WriteUnit) -> bool:
        stored = await unit.partners.find(PartnerId(1))
        assert stored is not None
        return await unit.partners.change(stored.id, stored.version, stored.facts, START)

    assert await write(setup.database, LIVE, work)


class Interrupted:
    """Units before whose writing something happens, as often as it is answer to."""

    def __init__(
        self, setup: SubmitSetup, happening: Callable[[SubmitSetup], Coroutine[object, None, None]]
    ) -> None:
        self._desk = setup
        self._happening = happening
        self.left = 1

    async def read(self, scope: Scope, work: Callable[[ReadUnit], Coroutine[object, None, T]]) -> T:
        return await self._desk.database.units.read(scope, work)

    async def write(
        self, scope: Scope, work: Callable[[WriteUnit], Coroutine[object, None, T]]
    ) -> T:
        if self.left:
            self.left -= 1
            await self._happening(self._desk)
        return await self._desk.database.units.write(scope, work)


async def test_a_partner_that_stops_meanwhile_gets_nothing(setup: SubmitSetup) -> None:
    await setup.partner()
    service = setup.served(units=Interrupted(setup, stopped))
    with pytest.raises(LongshoreError) as refused:
        await service.submit(context(), an_order(source=Source.CLI))
    assert refused.value.code == "partner_inactive"
    assert await setup.counts() == {}


async def test_a_document_is_prepared_anew_for_a_partner_that_changed(setup: SubmitSetup) -> None:
    await setup.partner()
    service = setup.served(units=Interrupted(setup, touched))
    assert (await service.submit(context(), an_order())).transaction_id == 1
    assert await setup.counts() == ONCE


async def test_a_partner_that_never_stands_still_is_given_up(setup: SubmitSetup) -> None:
    await setup.partner()
    units = Interrupted(setup, touched)
    units.left = 3
    with pytest.raises(PartnerChangedError) as refused:
        await setup.served(units=units).submit(context(), an_order())
    assert (refused.value.code, refused.value.message) == (
        "edit_conflict",
        "The partner was changed while the document was prepared for it. Try again.",
    )
    assert await setup.counts() == {}
