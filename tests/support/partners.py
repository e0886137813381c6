"""Partners as services store them, for tests."""

from dataclasses import replace

from longshore.domain.events.model import SealedEvent
from longshore.domain.partners.model import NewPartner, PartnerId
from longshore.domain.partners.parser import read_partner
from longshore.domain.partners.service import PartnerService
from longshore.domain.partners.store import SealedToken, StoredPartner
from longshore.domain.ports import AccountId, RequestContext
from longshore.domain.units import ReadUnit
from longshore.kit.clock import Clock
from longshore.transport.addresses import Destinations
from tests.support.clock import CountedIds
from tests.support.database import Database
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST, read
from tests.support.vault import a_sealer

LOOPBACK_ALLOWED = Destinations(["127.0.0.0/8"])
FIRST = PartnerId(1)
OWN = RequestContext(
    account_id=AccountId(1), environment=SANDBOX, actor="user 5", ip="192.0.2.7", request_id="req_1"
)
OWN_LIVE = replace(OWN, environment=PRODUCTION)
NEIGHBOUR = replace(OWN, account_id=AccountId(2))
URL = "https://edi.example.com/in"
HTTP = {
    "type": "http",
    "url": URL,
    "headers": {"X-Key": "hush-header"},
    "basic": {"user": "us", "password": "hush-word"},
}
KEYED = {"type": "http", "url": URL, "headers": {"X-Key": "hush-key"}}
SFTP = {"type": "sftp", "host": "files.example.com", "user": "us", "private_key": "hush-key"}


def a_partner_service(database: Database, clock: Clock, seed: str = "tokens") -> PartnerService:
    return PartnerService(database.units, clock, a_sealer(), CountedIds(seed), LOOPBACK_ALLOWED)


def new_partner(name: str = "Northwind Retail", **members: object) -> NewPartner:
    return read_partner({"name": name, **members}, is_new=True)


def changed_partner(name: str = "Northwind Retail", **members: object) -> NewPartner:
    return read_partner({"name": name, **members}, is_new=False)


async def stored_partner(database: Database, partner_id: PartnerId = FIRST) -> StoredPartner:
    async def work(unit: ReadUnit) -> StoredPartner | None:
        return await unit.partners.find(partner_id)

    found = await read(database, TEST, work)
    assert found is not None
    return found


async def open_tokens(database: Database, clock: Clock) -> list[SealedToken]:
    async def work(unit: ReadUnit) -> list[SealedToken]:
        return [*await unit.tokens.list_open(clock.now())]

    return await read(database, TEST, work)


async def audited(database: Database) -> list[str]:
    """Return who did what to which object, oldest first."""

    async def work(unit: ReadUnit) -> list[str]:
        entries = await unit.audit.list_after(AccountId(1), 0, 100)
        return [f"{each.entry.actor} {each.entry.action} {each.entry.object}" for each in entries]

    return await read(database, LIVE, work)


async def events(database: Database) -> list[SealedEvent]:
    async def work(unit: ReadUnit) -> list[SealedEvent]:
        return [*await unit.events.list_after(SANDBOX, 0, 100)]

    return await read(database, TEST, work)
