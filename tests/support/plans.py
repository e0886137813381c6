"""A production key of an account whose plan has no production, as a change of plan leaves it."""

from longshore.domain.accounts.keys import KeyFacts, issue
from longshore.domain.accounts.model import IssuedKey
from longshore.domain.accounts.service import fold
from longshore.domain.ports import SYSTEM
from longshore.domain.units import WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource
from tests.support.database import Database


async def key_beyond_plan(
    database: Database, ids: IdSource, clock: Clock, account_name: str
) -> IssuedKey:
    """Store a production key for an account without asking for its plan."""

    async def insert(unit: WriteUnit) -> IssuedKey:
        account = await unit.accounts.find(fold(account_name))
        assert account is not None
        facts = KeyFacts(environment=Environment.PRODUCTION)
        return await issue(unit, ids, account.id, facts, clock.now())

    return await database.units.write(SYSTEM, insert)
