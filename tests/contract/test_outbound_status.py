"""What becomes of an interchange that is sent: each step, from wherever it stands."""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.interchanges.writer import step_outbound
from longshore.domain.units import WriteUnit
from tests.support.clock import START
from tests.support.database import Database
from tests.support.trading import LIVE, an_interchange, stored_interchange, write

QUEUED, SENT = InterchangeStatus.QUEUED, InterchangeStatus.SENT
FAILED, CANCELLED = InterchangeStatus.FAILED, InterchangeStatus.CANCELLED
# What it came to, and how one stands then that was queued, sent, given up and called off before.
# What arrived while an attempt was under way has arrived, even if that attempt is the last.
STEPS = {
    QUEUED: [QUEUED, QUEUED, QUEUED, CANCELLED],
    SENT: [SENT, SENT, SENT, CANCELLED],
    FAILED: [FAILED, SENT, FAILED, CANCELLED],
    CANCELLED: [CANCELLED, SENT, CANCELLED, CANCELLED],
}


@pytest.mark.parametrize("to", STEPS)
async def test_what_delivering_came_to_counts_where_it_may_follow(
    database: Database, accounts: AccountService, to: InterchangeStatus
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)

    async def stepped(start: InterchangeStatus) -> InterchangeStatus:
        number, _ = await stored_interchange(database, an_interchange(status=start))

        async def work(unit: WriteUnit) -> InterchangeStatus:
            await step_outbound(unit.interchanges, number, to, START)
            found = await unit.interchanges.find(number)
            assert found is not None
            return found[0].new.status

        return await write(database, LIVE, work)

    assert [await stepped(start) for start in (QUEUED, SENT, FAILED, CANCELLED)] == STEPS[to]
