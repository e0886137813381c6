"""Examples 67 to 71 of x12.md section 5.2: whose a document is, and test and live apart.

From the address that was pushed to, or the key that submitted, on both engines.
``tests/docs/test_examples.py`` compares the numbers with the page.
"""

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.outbound.errors import SubmitRefusedError
from longshore.domain.partners.model import Direction, Identity, PartnerId, PartnerStatus
from longshore.domain.transactions.model import Transaction
from longshore.http.errors import STATUS_BY_CODE
from longshore.kit.environment import Environment
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.exchange import ORDER, Exchange, an_exchange, letter, orders
from tests.support.processing import a_sender, segments, summary, terms
from tests.support.trading import PRODUCTION, SANDBOX

STRANGER = Identity(qualifier="ZZ", isa_id="BSTORES")
SET_ASIDE = [("850", "quarantined", "not_checked", "not_expected")]
PASSED_ON = [("850", "done", "valid", "accepted")]


@pytest.fixture(autouse=True)
async def account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


@pytest.fixture
async def exchange(database: Database, clock: StoppedClock) -> Exchange:
    return await an_exchange(database, clock)


async def reasons(exchange: Exchange, environment: Environment) -> list[tuple[str, str | None]]:
    """Return status and reason of the interchanges received."""
    found = await exchange.interchanges(environment)
    return [(each.new.status.value, each.new.reason) for each in found]


async def notes(exchange: Exchange, environment: Environment = SANDBOX) -> list[str]:
    """Return the codes of what is told of the only interchange received."""
    (interchange,) = await exchange.interchanges(environment)
    _, facts = await exchange.content(interchange)
    return [each["code"] for each in facts["notices"]]


def places(records: list[Transaction]) -> list[tuple[Environment, PartnerId | None]]:
    return [(each.record.environment, each.record.partner_id) for each in records]


async def test_67_a_live_document_of_an_unknown_sender_is_set_aside_with_a_ta1_006(
    exchange: Exchange,
) -> None:
    await exchange.push(
        letter("PO", ORDER, sender=STRANGER, head={"e14": "1", "e15": "P"}), PRODUCTION
    )
    assert await reasons(exchange, PRODUCTION) == [("quarantined", "unknown_sender")]
    assert summary(await exchange.records()) == SET_ASIDE
    (answer,) = exchange.delivered
    assert segments(answer, "TA1", "GS") == ["TA1*000000101*240115*0930*R*006"]


async def test_68_a_live_document_to_somebody_else_is_set_aside_with_a_ta1_009(
    exchange: Exchange,
) -> None:
    await exchange.push(
        letter("PO", ORDER, receiver=STRANGER, head={"e14": "1", "e15": "P"}), PRODUCTION
    )
    assert await reasons(exchange, PRODUCTION) == [("quarantined", "unknown_receiver")]
    assert summary(await exchange.records()) == SET_ASIDE
    (answer,) = exchange.delivered
    assert segments(answer, "TA1", "GS") == ["TA1*000000101*240115*0930*R*009"]


async def test_69_under_another_partners_name_it_is_set_aside_live_and_a_warning_in_test(
    exchange: Exchange, database: Database
) -> None:
    await a_sender(database, terms(name="B", identity=STRANGER))
    await exchange.push(letter("PO", ORDER, sender=STRANGER, head={"e15": "P"}), PRODUCTION)
    assert await reasons(exchange, PRODUCTION) == [("quarantined", "identity_mismatch")]
    assert (summary(await exchange.records()), exchange.delivered) == (SET_ASIDE, [])
    await exchange.push(letter("PO", ORDER, sender=STRANGER))
    _, second = records = await exchange.records()
    assert summary([second]) == PASSED_ON
    own = exchange.partner_id
    assert places(records) == [(PRODUCTION, own), (SANDBOX, own)]
    assert await notes(exchange) == ["identity_mismatch"]


async def test_70_a_test_document_at_the_live_address_is_stored_as_test(
    exchange: Exchange,
) -> None:
    await exchange.push(letter("PO", ORDER, head={"e15": "T"}), PRODUCTION)
    records = await exchange.records()
    assert (summary(records), await notes(exchange)) == (PASSED_ON, [])
    assert places(records) == [(SANDBOX, exchange.partner_id)]
    (message,) = exchange.destination.parcels
    assert message.environment is SANDBOX
    assert message.content[102:103] == b"T"


async def test_70_a_live_document_at_the_test_address_is_processed_as_test(
    exchange: Exchange,
) -> None:
    await exchange.push(letter("PO", ORDER, head={"e14": "1", "e15": "P"}))
    records = await exchange.records()
    assert (summary(records), await notes(exchange)) == (PASSED_ON, ["usage_mismatch"])
    assert places(records) == [(SANDBOX, exchange.partner_id)]
    (message,) = exchange.destination.parcels
    assert (message.environment, message.content[102:103]) == (SANDBOX, b"T")
    assert segments(message.content.decode(), "TA1") == ["TA1*000000101*240115*0930*E*020"]


@pytest.fixture
async def testing(database: Database, clock: StoppedClock) -> Exchange:
    """An exchange with a partner that sandbox keys see."""
    return await an_exchange(database, clock, status=PartnerStatus.TESTING)


async def test_71_a_live_document_of_a_sandbox_key_is_stored_and_sent_as_test(
    testing: Exchange,
) -> None:
    told = await testing.submit(orders(head={"e15": "P"}))
    await testing.work()
    assert [each["code"] for each in told["warnings"]] == ["usage_restamped"]
    assert testing.delivered == [orders(head={"e15": "T"})]
    (interchange,) = await testing.interchanges(direction=Direction.OUTBOUND)
    content, _ = await testing.content(interchange)
    assert (interchange.new.usage_indicator, content) == ("T", orders(head={"e15": "T"}).encode())


async def test_71_it_is_refused_where_nothing_may_be_changed(testing: Exchange) -> None:
    with pytest.raises(SubmitRefusedError) as refused:
        await testing.submit(orders(head={"e15": "P"}), restamp=False)
    assert (refused.value.code, STATUS_BY_CODE[refused.value.code]) == ("usage_mismatch", 400)
    await testing.work()
    assert (await testing.records(Direction.OUTBOUND), testing.delivered) == ([], [])
    assert await testing.interchanges(direction=Direction.OUTBOUND) == []
