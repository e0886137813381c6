"""Submissions on a real database: an account, its partners, what was submitted and stored."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import OutboxEntry
from longshore.domain.events.model import SealedEvent
from longshore.domain.interchanges.encryption import open_interchange
from longshore.domain.maps.running import ConvertedDocument, MapConversion, MapOutput
from longshore.domain.outbound.service import SubmitService
from longshore.domain.outbound.submission import SubmitOrder, Submitted
from longshore.domain.partners.connections import SimulatorConnection
from longshore.domain.partners.encryption import facts_of
from longshore.domain.partners.model import (
    Connections,
    Direction,
    Identity,
    OwnIdentity,
    PartnerId,
    PartnerStatus,
    PartnerTerms,
)
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import AccountId, RequestContext
from longshore.domain.transactions.encryption import open_transaction
from longshore.domain.transactions.model import (
    DeliveryStatus,
    InterchangeId,
    Transaction,
    TransactionId,
)
from longshore.domain.transactions.reissue import ActionOrder
from longshore.domain.transactions.service import TransactionService
from longshore.domain.transactions.states import derived_status
from longshore.domain.transactions.store import SealedTransaction
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.environment import Environment
from longshore.storage.queries import Query
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.ports import some_ports
from tests.support.tracking import Shipping, states
from tests.support.trading import LIVE, SANDBOX, read, write
from tests.support.vault import a_sealer

ACCOUNT = AccountId(1)
US = Identity(qualifier="ZZ", isa_id="ACMECORP")
THEM = Identity(qualifier="01", isa_id="123456789", gs_id="NWRETAIL")
BEG = "BEG*00*SA*PO-1**20240115"
PO1 = "PO1*1*1*EA*9.25**VP*A1"
CTT = "CTT*1"
BODY = (BEG, PO1, CTT)
TABLES = (
    "interchanges",
    "functional_groups",
    "transactions",
    "transaction_references",
    "acks",
    "outbox",
    "receipts",
    "control_counters",
    "events",
    "audit_entries",
    "idempotency_keys",
    "vault_documents",
)
SIMULATED = Connections(test=SimulatorConnection(), live=SimulatorConnection())


def a_set(*body: str, number: str = "0001", set_id: str = "850", mark: str = "*") -> str:
    """Return a transaction set, its count and control number right."""
    inside = body or BODY
    segments = (f"ST*{set_id}*{number}", *inside, f"SE*{len(inside) + 2}*{number}")
    return "~".join(segments).replace("*", mark) + "~"


def an_interchange(
    *sets: str,
    usage: str = "T",
    number: str = "000000123",
    sender: tuple[str, str] = ("ZZ", "ACMECORP"),
    receiver: tuple[str, str] = ("01", "123456789"),
) -> str:
    """Return an interchange of these sets in one group, all numbers and counts right."""
    inside = "".join(sets) or a_set()
    count = inside.count("ST*")
    parties = "*".join(f"{qualifier}*{name:15}" for qualifier, name in (sender, receiver))
    return (
        f"ISA*00*          *00*          *{parties}*240115*0930*U*00401*{number}*0*{usage}*>~"
        f"GS*PO*{sender[1]}*NWRETAIL*20240115*0930*7*X*004010~"
        f"{inside}GE*{count}*7~IEA*1*{number}~"
    )


def id_and_status(transaction: Transaction) -> bytes:
    record = transaction.record
    return f"{transaction.id} {derived_status(record.direction, record.states)}".encode()


def an_action(transaction_id: int, reason: str = "", **members: object) -> ActionOrder:
    """Return the order to do something with a transaction, answered with the id of its record."""
    given: dict[str, object] = {
        "transaction_id": transaction_id,
        "answer": id_and_status,
        "reason": reason,
    }
    return ActionOrder(**{**given, **members})  # type: ignore[arg-type]  # each as its field


class NoMaps:
    """Is never asked."""

    async def convert(
        self, context: RequestContext, conversion: MapConversion
    ) -> ConvertedDocument:
        raise AssertionError((context, conversion))

    async def run(self, context: RequestContext, map_id: int, document: str) -> MapOutput:
        raise AssertionError((context, map_id, document))


def context(environment: Environment = SANDBOX, actor: str = "key 3") -> RequestContext:
    return RequestContext(
        account_id=ACCOUNT, environment=environment, actor=actor, ip="192.0.2.7", request_id="req_1"
    )


@dataclass
class SubmitSetup:
    """A database and a clock, with the services that submit to it."""

    database: Database
    engine: Engine
    clock: StoppedClock
    service: SubmitService = field(init=False)

    def __post_init__(self) -> None:
        self.service = self.served()

    def served(self, database: Database | None = None, **ports: object) -> SubmitService:
        """Return a service with other ports."""
        usual: dict[str, object] = {"maps": NoMaps()}
        return SubmitService(some_ports(database or self.database, self.clock, **usual | ports))

    def tracker(self, database: Database | None = None, **ports: object) -> TransactionService:
        """Return a service of transactions with other ports."""
        return TransactionService(some_ports(database or self.database, self.clock, **ports))

    async def partner(
        self,
        name: str = "Northwind Retail",
        status: PartnerStatus = PartnerStatus.TESTING,
        settings: PartnerSettings | None = None,
        connections: Connections = SIMULATED,
        **terms: object,
    ) -> PartnerId:
        """Store a partner that simulates both environments, but for what is given."""
        agreed: dict[str, object] = {"name": name, "identity": THEM, "connections": connections}
        made = PartnerTerms(**{**agreed, **terms}, settings=settings or PartnerSettings())  # type: ignore[arg-type]  # each as its field

        async def insert(unit: WriteUnit) -> PartnerId | None:
            return await unit.partners.insert(ACCOUNT, facts_of(made), status, START)

        number = await write(self.database, LIVE, insert)
        assert number is not None
        return number

    async def submit(
        self, content: str | None = None, by: RequestContext | None = None, **members: object
    ) -> Submitted:
        """Submit bare sets of an 850 to partner 1, but for what is given."""
        given: dict[str, object] = {
            "partner_id": 1,
            "tx_set": "850",
            "direction": Direction.OUTBOUND,
            "content": a_set() if content is None and "document" not in members else content,
        }
        order = SubmitOrder(**{**given, **members})  # type: ignore[arg-type]  # each as its field
        return await self.service.submit(by or context(), order)

    async def reissue(
        self, number: int, reason: str = "", by: RequestContext | None = None, **members: object
    ) -> int:
        """Send a set again under new numbers; return its new record."""
        order = an_action(number, reason, **members)
        return int((await self.tracker().reissue(by or context(), order)).content.split()[0])

    async def submit_json(self, content: str | None = None, **members: object) -> Any:  # noqa: ANN401 - JSON
        """Submit, and return the members of the answer."""
        return json.loads((await self.submit(content, **members)).content)  # type: ignore[arg-type]  # as submit

    # ---- what was stored -------------------------------------------------------------------------

    async def counts(self) -> Mapping[str, int]:
        """Return how many rows there are in each table that has any, of all accounts."""
        found = {}
        async with self.engine.unguarded() as execute:
            for table in TABLES:
                query = Query(f"SELECT count(*) FROM {table}", frozenset())
                ((count,),) = await execute(query, {})
                found[table] = count
        return {table: count for table, count in found.items() if count}

    async def record(self, number: int) -> Transaction:
        """Return a record opened."""

        async def find(unit: ReadUnit) -> SealedTransaction | None:
            return await unit.transactions.find(TransactionId(number))

        stored = await read(self.database, LIVE, find)
        assert stored is not None
        return open_transaction(a_sealer(), stored)

    async def sent(self, number: int = 1) -> str:
        """Return the text of an interchange."""
        found = await read(
            self.database, LIVE, lambda unit: unit.interchanges.find(InterchangeId(number))
        )
        assert found is not None
        return open_interchange(a_sealer(), *found).content.decode()

    async def outbox(self, number: int = 1) -> Sequence[OutboxEntry]:
        """Return the work on an interchange."""
        return await read(
            self.database,
            LIVE,
            lambda unit: unit.outbox.list_of_interchange(InterchangeId(number)),
        )

    async def events(self, environment: Environment = SANDBOX) -> Sequence[SealedEvent]:
        """Return all events of an environment."""
        return await read(
            self.database, LIVE, lambda unit: unit.events.list_after(environment, 0, 1_000)
        )


async def a_submit_setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    """Return the setup of account 1, which is ZZ/ACMECORP."""
    await accounts.create("ACMECORP", AccountType.ENTERPRISE)

    async def insert(unit: WriteUnit) -> OwnIdentity | None:
        return await unit.identities.insert(ACCOUNT, US, START)

    await write(database, LIVE, insert)
    return SubmitSetup(database, engine, clock)


async def a_failed_submit_setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    """Return the same, where the delivery of an interchange of one set, record 1, has failed."""
    setup = await a_submit_setup(database, engine, clock, accounts)
    shipping = Shipping(database, await setup.partner())
    await shipping.interchange(states(DeliveryStatus.FAILED), content=an_interchange().encode())
    return setup
