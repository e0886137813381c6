"""What a sender who waits is told of a receipt."""

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.model import AckRowStatus
from longshore.domain.inbound.channel import InboundChannel
from longshore.domain.inbound.intake import IntakeService
from longshore.domain.inbound.returned_acks import ReceiptOutcome
from longshore.domain.interchanges.encryption import seal_content, store_interchange, store_receipt
from longshore.domain.interchanges.store import ReceiptId, ReceiptStatus
from longshore.domain.partners.model import Direction, InboundTokenId, PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import InterchangeId
from longshore.domain.units import WriteUnit
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.trading import (
    IN,
    OUT,
    SANDBOX,
    TEST,
    a_receipt,
    a_record,
    an_ack,
    an_interchange,
    any_key,
    stored_transaction,
    write,
)
from tests.support.vault import a_sealer

OWN, FIRST = AccountId(1), ReceiptId(1)
TA1, A_997 = b"ISA*~TA1*~", b"ISA*~ST*997~"


async def receive(database: Database) -> None:
    """Store a receipt of two interchanges, and acknowledgements of the second."""

    async def work(unit: WriteUnit) -> None:
        sealer = a_sealer()
        parts = seal_content(sealer, b"ISA*~ISA*~", {})
        await store_receipt(unit, sealer, OWN, a_receipt(), parts, START)
        for pair, content in ((IN, b"ISA*~"), (IN, b"ISA*~"), (OUT, A_997), (OUT, TA1)):
            new = an_interchange(
                pair=pair,
                direction=Direction.INBOUND if pair is IN else Direction.OUTBOUND,
                receipt_id=FIRST,
            )
            await store_interchange(
                unit, sealer, OWN, new, seal_content(sealer, content, {}), START
            )
        for answer in (4, 3, 3):
            ack = an_ack(
                direction=Direction.OUTBOUND,
                status=AckRowStatus.PENDING,
                interchange_id=InterchangeId(answer),
                acked_interchange_id=InterchangeId(2),
            )
            await unit.acks.insert(OWN, ack, b"", any_key, START)

    await write(database, TEST, work)
    for interchange_id in (2, 1, 2):
        record = a_record(direction=Direction.INBOUND, interchange_id=InterchangeId(interchange_id))
        await stored_transaction(database, record, TEST)


async def outcome(database: Database, receipt_id: ReceiptId = FIRST) -> ReceiptOutcome | None:
    clock = StoppedClock()
    intake = IntakeService(some_ports(database, clock))
    channel = InboundChannel(
        account_id=OWN,
        environment=SANDBOX,
        partner_id=PartnerId(1),
        token_id=InboundTokenId(1),
    )
    return await intake.outcome(channel.scope, receipt_id)


async def test_a_receipt_that_is_not_processed_has_no_outcome(
    database: Database, accounts: AccountService
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    await receive(database)
    assert await outcome(database) is None
    assert await outcome(database, ReceiptId(99)) is None


async def test_an_outcome_has_the_records_and_our_answers_in_order(
    database: Database, accounts: AccountService
) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)
    await receive(database)

    async def finish(unit: WriteUnit) -> bool:
        return await unit.receipts.finish(FIRST, ReceiptStatus.PROCESSED, START)

    assert await write(database, TEST, finish)
    found = await outcome(database)
    assert found is not None
    assert [each.id for each in found.transactions] == [2, 1, 3]
    assert found.ack == A_997 + TA1
