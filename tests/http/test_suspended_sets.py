"""What the API shows of sets that are kept back with a rejected one: nobody got them."""

import asyncio
from collections.abc import Iterator

import pytest

from longshore.domain.partners.setting_kinds import OnError
from longshore.domain.partners.settings import PartnerSettings
from longshore.http.app import create_app
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer
from tests.support.processing import Trade, a_trade, case, terms

PLACE = "/api/v1/transactions"


@pytest.fixture
def client(own_world: World) -> Iterator[ApiClient]:
    with calling(create_app(own_world.services(RecordedEngine()))) as client:
        yield client


def received(world: World, on_error: OnError) -> Trade:
    """Return a trade in which 850/0001 came twice in one group: the second is rejected."""
    agreed = terms(settings=PartnerSettings(on_error=on_error))

    async def receive() -> Trade:
        trade = await a_trade(world.database, StoppedClock(), agreed)
        await trade.receive(case(29))
        return trade

    return asyncio.run(receive())


@pytest.mark.parametrize(
    ("on_error", "first"),
    [
        (OnError.SPLIT, ("processed", "accepted", None)),
        (OnError.SUSPEND_GROUP, ("quarantined", "accepted", "suspended")),
        (OnError.SUSPEND_INTERCHANGE, ("quarantined", "accepted", "suspended")),
    ],
)
def test_a_set_that_is_suspended_is_shown_as_quarantined(
    own_world: World, client: ApiClient, on_error: OnError, first: tuple[str, str, str | None]
) -> None:
    received(own_world, on_error)
    headers = bearer(own_world.keys.sandbox)
    shown = client.get(f"{PLACE}?sort=id", headers=headers).json()["transactions"][:2]
    assert [
        (each["status"], each["ack_status"], each["last_error"] and each["last_error"]["code"])
        for each in shown
    ] == [first, ("invalid", "rejected", "set_control_number_repeated")]
    waiting = client.get(f"{PLACE}?status=quarantined", headers=headers).json()
    assert waiting["total"] == (first[0] == "quarantined")


def test_its_interchange_was_processed_and_answered(own_world: World) -> None:
    trade = received(own_world, OnError.SUSPEND_INTERCHANGE)

    async def found() -> tuple[list[str], list[str]]:
        told = [name for name, number in await trade.events() if number == 1]
        return [each.new.status.value for each in await trade.interchanges()], told

    statuses, told = asyncio.run(found())
    assert statuses == ["processed"]
    assert told == ["transaction.received", "transaction.validated", "transaction.quarantined"]
