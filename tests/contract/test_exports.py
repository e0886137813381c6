"""Lists for files: why a transaction stands where it does, on both engines."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

from longshore.domain import exports
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.acks.encryption import store_ack
from longshore.domain.acks.model import AckFacts, AckForm, NewAck
from longshore.domain.exports import ExportService
from longshore.domain.partners.model import Direction
from longshore.domain.ports import AccountId, RequestContext
from longshore.domain.transactions.encryption import TransactionWriter
from longshore.domain.transactions.lists import TransactionFilters
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    LastError,
    NewTransaction,
    ProcessingStatus,
    States,
    ValidationStatus,
)
from longshore.domain.units import WriteUnit
from tests.support.clock import START, StoppedClock
from tests.support.complaints import INVALID_CODE
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.trading import (
    LIVE,
    SANDBOX,
    a_record,
    an_ack,
    an_interchange,
    stored_interchange,
)
from tests.support.vault import a_sealer, an_index

OWN = AccountId(1)
ACTING = RequestContext(account_id=OWN, environment=SANDBOX, actor="user 5")
TIMED_OUT = LastError(code="timed_out", message="The partner did not answer.", at=START)
P, V, D, A = ProcessingStatus, ValidationStatus, DeliveryStatus, AckStatus
REJECTED = States(P.NOT_APPLICABLE, V.VALID, D.DELIVERED, A.REJECTED)
ANSWERED = an_ack().facts
ELEMENT = replace(INVALID_CODE, code_meaning="", bad_value="secret value")


class Case(NamedTuple):
    """A record, what is said of it in acknowledgements, and the reason that is told."""

    record: NewTransaction
    said: Sequence[AckFacts]
    reason: str


CASES = {
    "delivered": Case(
        a_record(states=REJECTED._replace(ack=A.ACCEPTED)),
        [replace(ANSWERED, errors=(ELEMENT,))],
        "",
    ),
    "failed": Case(
        a_record(states=REJECTED._replace(delivery=D.FAILED, ack=A.PENDING), last_error=TIMED_OUT),
        [],
        "The partner did not answer.",
    ),
    "rejected": Case(
        a_record(states=REJECTED, last_error=TIMED_OUT),
        [
            replace(ANSWERED, transaction_error_codes=("5",)),
            replace(
                ANSWERED,
                errors=tuple(replace(ELEMENT, element_position=number) for number in range(1, 6)),
            ),
        ],
        "PO1.01: Invalid code value (7); PO1.02: Invalid code value (7);"
        " PO1.03: Invalid code value (7); and 2 more",
    ),
    "rejected without a reason": Case(
        a_record(states=REJECTED, last_error=TIMED_OUT), [ANSWERED], "No reason given"
    ),
    "invalid": Case(
        a_record(
            direction=Direction.INBOUND,
            states=States(P.DONE, V.INVALID, D.NOT_APPLICABLE, A.ACCEPTED_WITH_ERRORS),
        ),
        [replace(ANSWERED, transaction_error_codes=("4",))],
        "Number of segments wrong (4)",
    ),
    "not sent": Case(
        a_record(
            states=States(P.NOT_APPLICABLE, V.INVALID, D.NOT_APPLICABLE, A.NOT_EXPECTED),
            last_error=replace(TIMED_OUT, code="document_invalid", message="It has an error."),
        ),
        [],
        "It has an error.",
    ),
}


@pytest.fixture(autouse=True)
async def own(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


async def store(database: Database, record: NewTransaction, acks: Sequence[NewAck]) -> None:
    async def work(unit: WriteUnit) -> None:
        writer = TransactionWriter(unit, a_sealer(), an_index(), OWN)
        number = await writer.insert(record, START)
        for ack in acks:
            of = None if ack.facts.ack_type is AckForm.TA1 else number
            await store_ack(unit, a_sealer(), OWN, replace(ack, transaction_id=of), START)

    await database.units.write(LIVE, work)


async def reasons(database: Database, clock: StoppedClock) -> list[str]:
    """Return the reasons of all that is exported, the oldest first."""
    service = ExportService(some_ports(database, clock))
    pages = [page async for page in service.transactions(ACTING, TransactionFilters())]
    return [each.reason for page in pages for each in page][::-1]


@pytest.mark.parametrize("page_rows", [500, 2])
async def test_an_export_says_why_in_codes_and_places_without_a_value(
    database: Database, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch, page_rows: int
) -> None:
    monkeypatch.setattr(exports, "PAGE_ROWS", page_rows)
    for case in CASES.values():
        acks = [an_ack(facts=facts, result=case.record.states.ack) for facts in case.said]
        await store(database, case.record, acks)
    expected = [case.reason for case in CASES.values()]
    assert dict(zip(CASES, await reasons(database, clock), strict=True)) == dict(
        zip(CASES, expected, strict=True)
    )


async def test_a_ta1_that_rejects_is_the_reason_of_every_set_of_its_interchange(
    database: Database, clock: StoppedClock
) -> None:
    number, _ = await stored_interchange(database, an_interchange())
    other, _ = await stored_interchange(database, an_interchange("000000124"))
    facts = AckFacts(ack_type=AckForm.TA1, transaction_error_codes=("025",))
    ta1 = an_ack(facts=facts, result=A.REJECTED, acked_interchange_id=number)
    record = a_record(states=REJECTED, interchange_id=number)
    await store(database, record, [ta1])
    await store(database, record, [])
    await store(database, replace(record, interchange_id=other), [])
    said = "Control number of the interchange used before (025)"
    assert await reasons(database, clock) == [said, said, "No reason given"]
