"""Interchanges that were received, with their receipts and records, for tests of decisions."""

from dataclasses import replace

from longshore.domain.interchanges.encryption import seal_content, store_interchange, store_receipt
from longshore.domain.interchanges.store import InterchangeStatus
from longshore.domain.partners.model import Direction
from longshore.domain.ports import AccountId, Scope
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.model import InterchangeId, ProcessingStatus, Source
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from tests.support.clock import START
from tests.support.database import Database
from tests.support.trading import (
    IN,
    RECEIVING,
    a_receipt,
    a_record,
    an_interchange,
    write,
)
from tests.support.vault import a_sealer, an_index

CONTENT = b"ISA*00*~ST*850*0001~"


async def a_received_interchange(
    database: Database,
    account_id: AccountId,
    status: InterchangeStatus = InterchangeStatus.QUARANTINED,
    content: bytes = CONTENT,
    *,
    sets: int = 2,
    **members: object,
) -> InterchangeId:
    """Store a test interchange, but for what is given; ``sets``: how many records it has."""
    new = an_interchange(
        direction=Direction.INBOUND,
        status=status,
        source=Source.RECEIVE,
        pair=IN,
        file_size=len(content),
    )
    new = replace(new, **members)  # type: ignore[arg-type]  # each as its field
    is_set_aside = status is InterchangeStatus.QUARANTINED
    processing = ProcessingStatus.QUARANTINED if is_set_aside else ProcessingStatus.DONE
    scope = Scope(account_id=account_id, environment=Environment.PRODUCTION)

    async def work(unit: WriteUnit) -> InterchangeId:
        sealer = a_sealer()
        parts = seal_content(sealer, content, {"notices": []})
        receipt = a_receipt(environment=new.environment)
        receipt_id = await store_receipt(unit, sealer, account_id, receipt, parts, START)
        own = replace(new, receipt_id=receipt_id)
        number = await store_interchange(unit, sealer, account_id, own, parts, START)
        record = a_record(
            environment=new.environment,
            direction=new.direction,
            states=RECEIVING._replace(processing=processing),
            interchange_id=number,
        )
        for _ in range(sets):
            await TransactionWriter(unit, sealer, an_index(), account_id).insert(record, START)
        return number

    return await write(database, scope, work)
