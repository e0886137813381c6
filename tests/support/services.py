"""The services of exchanging documents over a real database."""

from itertools import pairwise
from typing import Any

from longshore.domain.delivery.model import ClaimRequest, Lease, OutboxEntry, OutboxState
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.encryption import facts_of
from longshore.domain.partners.model import Direction, PartnerId, PartnerStatus, PartnerTerms
from longshore.domain.ports import SYSTEM, AccountId, RequestContext, Scope
from longshore.domain.trading import Trading, open_trading
from longshore.domain.transactions.model import DeliveryStatus, TransactionId
from longshore.domain.transactions.store import Links
from longshore.domain.units import WriteUnit
from longshore.http.document_queue import DocumentQueue
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.submitting import SIMULATED, THEM, US, a_set


def a_trading(database: Database, clock: Clock) -> Trading:
    return open_trading(some_ports(database, clock))


def a_full_queue() -> DocumentQueue:
    """Return a queue in which nothing could be stored in time."""
    queue = DocumentQueue(slots=0)
    queue.throughput.per_second = 0.01
    return queue


async def a_ready_partner(
    database: Database,
    account: int = 1,
    status: PartnerStatus = PartnerStatus.TESTING,
    **agreed: Any,  # noqa: ANN401 - of each term its own type
) -> PartnerId:
    """Store a partner that simulates both environments; the account is ZZ/ACMECORP to it.

    ``agreed``: other terms, by their names.
    """
    account_id = AccountId(account)

    async def insert(unit: WriteUnit) -> PartnerId | None:
        own = await unit.identities.insert(account_id, US, START)
        assert own is not None
        members: dict[str, Any] = {
            "name": "Shop",
            "identity": THEM,
            "connections": SIMULATED,
        } | agreed
        terms = PartnerTerms(own_identity_id=own.id, **members)
        return await unit.partners.insert(account_id, facts_of(terms), status, START)

    given = Scope(account_id=account_id, environment=Environment.PRODUCTION)
    partner_id = await database.units.write(given, insert)
    assert partner_id is not None
    return partner_id


async def a_dead_letter(
    database: Database, account: int, partner_id: PartnerId, output: int | None = None
) -> TransactionId:
    """Submit a test document of an account to a partner and let its delivery fail for good.

    ``output``: the document of the vault that a map is said to have made of it.
    """
    own = RequestContext(
        account_id=AccountId(account), environment=Environment.SANDBOX, actor="key 3", ip=""
    )
    order = SubmitOrder(
        partner_id=partner_id, tx_set="850", direction=Direction.OUTBOUND, content=a_set()
    )
    trading = a_trading(database, StoppedClock())
    number = (await trading.submissions.submit(own, order)).transaction_id
    assert number is not None
    request = ClaimRequest(owner="worker 1", now=START, lease_until=START, most=10)

    async def claim(unit: WriteUnit) -> OutboxEntry:
        (entry,) = await unit.outbox.claim(request)
        return entry

    entry = await database.units.write(SYSTEM, claim)

    async def fail(unit: WriteUnit) -> None:
        lease = Lease(id=entry.id, attempt=entry.attempt)
        assert await unit.outbox.finish(lease, OutboxState.DEAD, START)
        assert entry.new.interchange_id is not None
        for step in pairwise((
            DeliveryStatus.PENDING,
            DeliveryStatus.SENDING,
            DeliveryStatus.FAILED,
        )):
            await unit.transactions.step_deliveries(entry.new.interchange_id, *step, START)
        await unit.transactions.link(TransactionId(number), Links(output_doc_id=output), START)

    await database.units.write(own.scope, fail)
    return TransactionId(number)
