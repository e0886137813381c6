"""What comes in: whose it is, that it is stored once with its job, and what became of it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import ClaimRequest, OutboxEntry
from longshore.domain.idempotency.store import IdempotencyMismatchError
from longshore.domain.inbound.channel import (
    InboundChannel,
    TooManyWrongTokensError,
    UnknownTokenError,
)
from longshore.domain.inbound.intake import Incoming, IncomingDocument, IntakeService
from longshore.domain.inbound.receipts import ReceiptAnswer
from longshore.domain.interchanges.encryption import open_receipt
from longshore.domain.interchanges.store import ReceiptId, StoredReceipt
from longshore.domain.partners.encryption import TokenWriter, digest_of, facts_of
from longshore.domain.partners.model import (
    Identity,
    InboundToken,
    InboundTokenId,
    PartnerId,
    PartnerTerms,
)
from longshore.domain.partners.settings import PartnerSettings
from longshore.domain.ports import SYSTEM, AccountId
from longshore.domain.transactions.model import Source
from longshore.domain.units import ReadUnit, WriteUnit
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.ports import some_ports
from tests.support.trading import LIVE, PRODUCTION, SANDBOX, TEST, a_partner, any_key, read, write
from tests.support.vault import a_sealer

TWINS = 32
IP = "192.0.2.7"
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
AN_850 = b"ISA*00*~ST*850*0001~"
CHANNEL = InboundChannel(
    account_id=AccountId(1),
    environment=SANDBOX,
    partner_id=PartnerId(1),
    token_id=InboundTokenId(1),
)


@pytest.fixture
def intake(database: Database, clock: StoppedClock) -> IntakeService:
    return IntakeService(some_ports(database, clock))


@pytest.fixture(autouse=True)
async def a_token(database: Database, accounts: AccountService) -> None:
    """An account with a partner, a test token and a live one."""
    await accounts.create("own", AccountType.ENTERPRISE)
    partner_id = await a_partner(database)

    async def work(unit: WriteUnit) -> None:
        writer = TokenWriter(unit, a_sealer(), (AccountId(1), partner_id))
        await writer.insert("test token", SANDBOX, START)
        await writer.insert("live token", PRODUCTION, START)

    await write(database, LIVE, work)


def incoming(*contents: bytes, key: str | None = None) -> Incoming:
    documents = tuple(IncomingDocument(content=each, filename="in.edi") for each in contents)
    return Incoming(documents=documents, idempotency_key=key)


def told(answers: Sequence[ReceiptAnswer]) -> list[tuple[int, bool]]:
    return [(each.receipt_id, each.is_duplicate) for each in answers]


async def jobs(database: Database) -> list[OutboxEntry]:
    async def claim(unit: WriteUnit) -> Sequence[OutboxEntry]:
        request = ClaimRequest(owner="test", now=START + 400 * HOUR, lease_until=START, most=100)
        return await unit.outbox.claim(request)

    return sorted(await write(database, SYSTEM, claim), key=lambda each: each.id)


async def revoke(database: Database) -> None:
    async def work(unit: WriteUnit) -> int:
        return await unit.tokens.revoke_all(PartnerId(1), START)

    assert await write(database, LIVE, work) == 2


# ---- tokens --------------------------------------------------------------------------------------


async def test_a_token_stands_for_its_partner_and_environment(intake: IntakeService) -> None:
    assert await intake.channel("test token", IP) == CHANNEL
    live = await intake.channel("live token", IP)
    assert (live.environment, live.token_id) == (PRODUCTION, 2)


@pytest.mark.parametrize("text", ["", "est token", "test token ", "TEST TOKEN", "\udcff", "\0"])
async def test_a_wrong_token_stands_for_nothing(intake: IntakeService, text: str) -> None:
    with pytest.raises(UnknownTokenError, match="no such inbound address"):
        await intake.channel(text, IP)


async def test_a_token_stands_for_nothing_outside_the_partners_networks(
    intake: IntakeService, database: Database
) -> None:
    terms = PartnerTerms(
        name="Northwind Retail",
        identity=Identity(qualifier="01", isa_id="123456789"),
        settings=PartnerSettings(inbound_networks=("192.0.2.0/24",)),
    )

    async def change(unit: WriteUnit) -> bool:
        return await unit.partners.change(PartnerId(1), 1, facts_of(terms), START)

    assert await write(database, LIVE, change)
    assert await intake.channel("test token", IP) == CHANNEL
    for _ in range(10):
        with pytest.raises(UnknownTokenError):
            await intake.channel("live token", "198.51.100.1")
    with pytest.raises(TooManyWrongTokensError):
        await intake.channel("live token", "198.51.100.1")


async def test_a_revoked_token_stands_for_nothing(
    intake: IntakeService, database: Database
) -> None:
    await revoke(database)
    with pytest.raises(UnknownTokenError):
        await intake.channel("test token", IP)


async def test_a_rotated_token_works_until_its_overlap_ends(
    intake: IntakeService, database: Database, clock: StoppedClock
) -> None:
    async def rotate(unit: WriteUnit) -> None:
        writer = TokenWriter(unit, a_sealer(), (AccountId(1), PartnerId(1)))
        kept = await writer.insert("new token", SANDBOX, START)
        await unit.tokens.end_others(kept, START + HOUR)

    await write(database, LIVE, rotate)
    clock.move(HOUR - SECOND)
    assert (await intake.channel("test token", IP)).token_id == 1
    clock.move(SECOND)
    with pytest.raises(UnknownTokenError):
        await intake.channel("test token", IP)
    assert (await intake.channel("new token", IP)).token_id == 3


async def test_a_suspended_account_receives_nothing(
    intake: IntakeService, accounts: AccountService
) -> None:
    await accounts.suspend("own")
    with pytest.raises(UnknownTokenError):
        await intake.channel("test token", IP)


async def test_live_documents_need_a_plan_with_production(
    intake: IntakeService, accounts: AccountService, database: Database
) -> None:
    await accounts.create("small", AccountType.DEVELOPER)

    async def work(unit: WriteUnit) -> None:
        for text, environment in (("small test", SANDBOX), ("small live", PRODUCTION)):
            token = InboundToken(
                id=InboundTokenId(0),
                account_id=AccountId(2),
                partner_id=partner_id,
                environment=environment,
                digest=digest_of(text),
                created_at=START,
            )
            await unit.tokens.insert(token, b"", any_key)

    scope = replace(LIVE, account_id=AccountId(2))
    partner_id = await a_partner(database, given=scope)
    await write(database, scope, work)
    assert (await intake.channel("small test", IP)).account_id == 2
    with pytest.raises(UnknownTokenError):
        await intake.channel("small live", IP)


async def test_ten_wrong_tokens_a_minute_are_answered_and_the_right_one_always(
    intake: IntakeService, clock: StoppedClock
) -> None:
    for _ in range(10):
        with pytest.raises(UnknownTokenError):
            await intake.channel("wrong", IP)
        clock.move(SECOND)
    with pytest.raises(TooManyWrongTokensError, match="again in 50 s") as refused:
        await intake.channel("wrong", IP)
    assert refused.value.retry_after_seconds == 50
    assert await intake.channel("test token", IP) == CHANNEL
    with pytest.raises(UnknownTokenError):
        await intake.channel("wrong", "192.0.2.8")
    clock.move(50 * SECOND)
    with pytest.raises(UnknownTokenError):
        await intake.channel("wrong", IP)
    with pytest.raises(TooManyWrongTokensError, match="again in 1 s"):
        await intake.channel("wrong", IP)


# ---- receipts ------------------------------------------------------------------------------------


async def test_a_document_is_stored_sealed_with_its_job(
    intake: IntakeService, database: Database
) -> None:
    (answer,) = await intake.receive(CHANNEL, incoming(AN_850))
    assert answer == ReceiptAnswer(
        receipt_id=ReceiptId(1),
        sha256=sha256(AN_850).hexdigest(),
        bytes=len(AN_850),
        environment=SANDBOX,
        is_duplicate=False,
    )

    async def find(unit: ReadUnit) -> StoredReceipt:
        found = await unit.receipts.find(ReceiptId(1))
        assert found is not None
        opened = open_receipt(a_sealer(), *found)
        assert (opened.content, opened.facts) == (
            AN_850,
            {"filename": "in.edi", "content_type": ""},
        )
        assert AN_850 not in found[1].content
        return found[0]

    receipt = await read(database, TEST, find)
    assert (receipt.new.partner_id, receipt.new.token_id) == (1, 1)
    assert receipt.new.source is Source.RECEIVE
    (job,) = await jobs(database)
    assert (job.new.kind, job.new.receipt_id, job.new.partner_id) == ("receive", 1, 1)
    assert (job.new.environment, job.new.order_key) == (SANDBOX, None)


@pytest.mark.parametrize("key", [None, "order 4711"])
async def test_twins_at_once_are_stored_once_and_get_the_same_receipt(
    intake: IntakeService, database: Database, key: str | None
) -> None:
    request = incoming(AN_850, key=key)
    answers = await asyncio.gather(*(intake.receive(CHANNEL, request) for _ in range(TWINS)))
    assert {each.receipt_id for (each,) in answers} == {1}
    assert sorted(each.is_duplicate for (each,) in answers) == [False] + [True] * (TWINS - 1)
    assert len(await jobs(database)) == 1


async def test_the_same_bytes_are_the_same_receipt_for_a_day(
    intake: IntakeService, clock: StoppedClock
) -> None:
    assert told(await intake.receive(CHANNEL, incoming(AN_850))) == [(1, False)]
    clock.move(24 * HOUR)
    assert told(await intake.receive(CHANNEL, incoming(AN_850))) == [(1, True)]
    clock.move(SECOND)
    assert told(await intake.receive(CHANNEL, incoming(AN_850))) == [(2, False)]


async def test_the_same_bytes_on_another_token_are_another_receipt(intake: IntakeService) -> None:
    await intake.receive(CHANNEL, incoming(AN_850))
    live = replace(CHANNEL, environment=PRODUCTION, token_id=InboundTokenId(2))
    for channel in (live, replace(CHANNEL, token_id=InboundTokenId(2))):
        (answer,) = await intake.receive(channel, incoming(AN_850))
        assert not answer.is_duplicate


async def test_a_key_is_known_for_a_week_whatever_the_bytes_are(
    intake: IntakeService, database: Database, clock: StoppedClock
) -> None:
    assert told(await intake.receive(CHANNEL, incoming(AN_850, key="1"))) == [(1, False)]
    assert told(await intake.receive(CHANNEL, incoming(AN_850, key="2"))) == [(2, False)]
    assert told(await intake.receive(CHANNEL, incoming(AN_850))) == [(1, True)]
    clock.move(timedelta(days=7))
    with pytest.raises(IdempotencyMismatchError, match="was used with another body"):
        await intake.receive(CHANNEL, incoming(b"other", key="1"))
    assert told(await intake.receive(CHANNEL, incoming(AN_850, key="2"))) == [(2, True)]
    assert len(await jobs(database)) == 2
    clock.move(SECOND)
    assert told(await intake.receive(CHANNEL, incoming(b"other", key="1"))) == [(3, False)]


async def test_files_of_one_request_are_stored_together(
    intake: IntakeService, database: Database
) -> None:
    answers = await intake.receive(CHANNEL, incoming(b"a", b"b", b"a"))
    assert [each.is_duplicate for each in answers] == [False, False, True]
    assert answers[0].receipt_id == answers[2].receipt_id != answers[1].receipt_id
    assert [each.sha256 for each in answers] == [
        sha256(each).hexdigest() for each in (b"a", b"b", b"a")
    ]
    assert len(await jobs(database)) == 2


async def test_a_key_is_of_the_whole_request(intake: IntakeService, database: Database) -> None:
    first = await intake.receive(CHANNEL, incoming(b"a", b"b", key="k"))
    again = await intake.receive(CHANNEL, incoming(b"a", b"b", key="k"))
    assert [each.receipt_id for each in again] == [each.receipt_id for each in first]
    assert [each.is_duplicate for each in again] == [True, True]
    for other in (incoming(b"a", key="k"), incoming(b"b", b"a", key="k")):
        with pytest.raises(IdempotencyMismatchError):
            await intake.receive(CHANNEL, other)
    assert len(await jobs(database)) == 2


async def test_crossing_requests_with_the_same_files_all_end(
    intake: IntakeService, database: Database
) -> None:
    contents = [b"%d" % number for number in range(8)]
    requests = [incoming(*contents), incoming(*reversed(contents))] * 8
    answers = await asyncio.gather(*(intake.receive(CHANNEL, each) for each in requests))
    assert {each.receipt_id for answer in answers for each in answer} == set(range(1, 9))
    assert len(await jobs(database)) == 8


async def test_a_long_document_is_sealed_beside(intake: IntakeService, database: Database) -> None:
    content = AN_850 * 20_000
    (answer,) = await intake.receive(CHANNEL, incoming(content))
    assert (answer.bytes, answer.sha256) == (len(content), sha256(content).hexdigest())
    assert len(await jobs(database)) == 1
