"""A TA1 between the last group and IEA: the acknowledgements of the interchange are matched."""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.partners.model import PartnerStatus
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.exchange import MINUTE, Exchange, an_exchange, letter, orders
from tests.support.processing import summary
from tests.unit.x12.documents import a_set

TA1 = "TA1*000000055*240115*0930*A*000~"


@pytest.fixture
async def exchange(accounts: AccountService, database: Database, clock: StoppedClock) -> Exchange:
    await accounts.create("own", AccountType.ENTERPRISE)
    return await an_exchange(database, clock, status=PartnerStatus.TESTING)


async def test_what_was_sent_is_acknowledged_and_the_place_is_a_warning(
    exchange: Exchange,
) -> None:
    await exchange.send(orders())
    exchange.clock.move(MINUTE)
    answer = a_set("AK1*PO*55", "AK2*850*0001", "AK5*A", "AK9*A*1*1*1", set_id="997")
    text = letter("FA", answer, head={"e13": "000000900"}).replace("IEA*", f"{TA1}IEA*")
    await exchange.push(text)
    assert await exchange.ack_states() == [("delivered", "accepted")]
    (interchange,) = await exchange.interchanges()
    assert (interchange.new.status.value, interchange.new.reason) == ("processed", None)
    assert summary(await exchange.records()) == [("997", "done", "valid", "not_expected")]
    _, facts = await exchange.content(interchange)
    assert [(each["code"], each["severity"], each["segment_id"]) for each in facts["findings"]] == [
        ("ta1_after_group", "warning", "TA1")
    ]
    assert "ack.unmatched" not in await exchange.ack_events()
