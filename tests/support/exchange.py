"""An account and its partners with all services between them: what is sent, pushed and answered.

Nothing is stored past a service: the partner pushes to its address, the worker delivers and has
what came in processed, and what the partner was sent lies at ``destination``.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from longshore.domain.acks.overdue import OverdueAckChecker
from longshore.domain.delivery.worker import Worker
from longshore.domain.inbound.intake import Incoming, IncomingDocument
from longshore.domain.inbound.receipts import ReceiptAnswer
from longshore.domain.outbound.submission import SubmitOrder
from longshore.domain.partners.encryption import TokenWriter
from longshore.domain.partners.model import (
    Direction,
    Identity,
    PartnerId,
    PartnerStatus,
    PartnerTerms,
)
from longshore.domain.ports import AccountId, RequestContext
from longshore.domain.trading import Trading
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import Destination, a_worker
from tests.support.processing import (
    ACME,
    OWN,
    SEALER,
    Trade,
    a_processor,
    a_sender,
    own_identity,
)
from tests.support.services import a_trading
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, write
from tests.unit.x12.documents import a_set, interchange, isa

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
BEG = "BEG*00*SA*PO-1**20240115"
LINE = "PO1*1*1*EA*9.25"
ORDER = a_set(BEG, LINE)
US = RequestContext(account_id=AccountId(1), environment=SANDBOX, actor="key 1", ip="192.0.2.7")
AS_USUAL: Mapping[str, str] = MappingProxyType({})
PEER_IP = "198.51.100.9"


def letter(
    functional_id: str,
    *sets: Sequence[str],
    sender: Identity = ACME,
    receiver: Identity = OWN,
    group: str = "101",
    version: str = "004010",
    head: Mapping[str, str] = AS_USUAL,
) -> str:
    """Return an interchange with one group, sent by the partner; ``head``: other ISA elements."""
    header = {"e5": sender.qualifier, "e6": sender.isa_id, "e13": "000000101"}
    header |= {"e7": receiver.qualifier, "e8": receiver.isa_id, **head}
    parties = f"{sender.isa_id}*{receiver.isa_id}"
    return interchange(
        f"GS*{functional_id}*{parties}*20240115*0930*{group}*X*{version}",
        *(segment for each in sets for segment in each),
        f"GE*{len(sets)}*{group}",
        f"IEA*1*{header['e13']}",
        head=isa(padded=True, **header),
    )


def orders(*numbers: str, to: Identity = ACME, head: Mapping[str, str] = AS_USUAL) -> str:
    """Return an interchange of ours, group 55, with an 850 under each of these numbers."""
    sets = [a_set(BEG, LINE, number=each) for each in numbers or ("0001",)]
    own_head = {"e13": "000000055", **head}
    return letter("PO", *sets, sender=OWN, receiver=to, group="55", head=own_head)


@dataclass(frozen=True, kw_only=True)
class Exchange(Trade):
    """What is done by either side, and what is stored then. ``partner_id``: the first partner."""

    trading: Trading
    overdue: OverdueAckChecker
    worker: Worker
    destination: Destination

    async def push(self, content: str | bytes, to: Environment = SANDBOX) -> ReceiptAnswer:
        """Let the partner push bytes to its address of an environment, and do the work."""
        octets = content.encode() if isinstance(content, str) else content
        channel = await self.trading.intake.channel(f"{to.value} token", PEER_IP)
        incoming = Incoming(documents=(IncomingDocument(content=octets),))
        (answer,) = await self.trading.intake.receive(channel, incoming)
        await self.work()
        return answer

    async def answer(self, *segments: str, head: Mapping[str, str] = AS_USUAL) -> None:
        """Let the partner send a 997 of these segments, a minute later."""
        self.clock.move(MINUTE)
        ack = a_set(*segments, set_id="997")
        await self.push(letter("FA", ack, head={"e13": "000000900", **head}))

    async def submit(self, content: str, **members: object) -> Any:  # noqa: ANN401 - JSON
        """Submit an 850 to the first partner, but for what is given; return the answer."""
        given = {"partner_id": self.partner_id, "tx_set": "850", "direction": Direction.OUTBOUND}
        order = SubmitOrder(**{**given, **members}, content=content)  # type: ignore[arg-type]  # each as its field
        return json.loads((await self.trading.submissions.submit(US, order)).content)

    async def send(self, content: str, to: PartnerId | None = None) -> None:
        """Submit a document to a partner, the first but for what is given, and deliver it."""
        await self.submit(content, partner_id=to or self.partner_id)
        await self.work()

    async def work(self) -> None:
        """Do all that is due."""
        while await self.worker.run_once():
            pass

    @property
    def delivered(self) -> list[str]:
        """What the partners were sent, oldest first."""
        return [each.content.decode() for each in self.destination.parcels]

    async def ack_states(self) -> list[tuple[str, str]]:
        """Return what is known of the sets we sent: delivery and acknowledgement, oldest first."""
        states = [each.record.states for each in await self.records(Direction.OUTBOUND)]
        return [(each.delivery.value, each.ack.value) for each in states]

    async def ack_events(self) -> list[str]:
        """Return what the feed says of acknowledgements received."""
        told = {"transaction.acknowledged", "transaction.rejected"}
        types = [each for each, _ in await self.events()]
        return [each for each in types if each.startswith("ack.") or each in told]


async def an_exchange(
    database: Database,
    clock: StoppedClock,
    agreed: PartnerTerms | None = None,
    **status: PartnerStatus,
) -> Exchange:
    """Return account 1 and its first partner, whose documents the cases are."""
    await own_identity(database)
    partner_id = await a_sender(database, agreed, **status)

    async def give_tokens(unit: WriteUnit) -> None:
        writer = TokenWriter(unit, SEALER, (AccountId(1), PartnerId(partner_id)))
        for each in (SANDBOX, PRODUCTION):
            await writer.insert(f"{each.value} token", each, START)

    await write(database, LIVE, give_tokens)
    destination, processor = Destination(), a_processor(database, clock)
    return Exchange(
        database=database,
        clock=clock,
        processor=processor,
        partner_id=partner_id,
        trading=a_trading(database, clock),
        overdue=OverdueAckChecker(database.units, SEALER, clock),
        worker=a_worker(database, clock, destination, handler=processor),
        destination=destination,
    )
