"""Interchanges shown, and what people decide about those that were received."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.audit.model import SealedEntry
from longshore.domain.audit.writer import open_detail
from longshore.domain.delivery.model import ClaimRequest, JobKind, NewOutboxEntry, OutboxEntry
from longshore.domain.events.model import SealedEvent
from longshore.domain.events.writer import open_message
from longshore.domain.inbound.quarantine import (
    QuarantineChange,
    QuarantineDecision,
    QuarantineService,
)
from longshore.domain.interchanges.encryption import seal_content, store_receipt
from longshore.domain.interchanges.errors import (
    InterchangeBusyError,
    InterchangeNotFoundError,
    InterchangeStateError,
    MissingChoiceError,
)
from longshore.domain.interchanges.service import InterchangeService, found_interchange
from longshore.domain.interchanges.store import InterchangeQuery, InterchangeStatus, ReceiptId
from longshore.domain.pages import PageParameters
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.partners.model import Direction, PartnerId, PartnerStatus
from longshore.domain.ports import SYSTEM, AccountId, RequestContext
from longshore.domain.transactions.encryption import TransactionWriter, open_transaction
from longshore.domain.transactions.errors import ReplacedError
from longshore.domain.transactions.model import (
    InterchangeId,
    ProcessingStatus,
    Transaction,
    TransactionId,
)
from longshore.domain.transactions.resend_chain import CorrectionWaitsError, correction_digest
from longshore.domain.transactions.states import Axis
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.kit.errors import LongshoreError
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.interchanges import CONTENT, a_received_interchange
from tests.support.ports import some_ports
from tests.support.trading import (
    LIVE,
    PRODUCTION,
    RECEIVING,
    SANDBOX,
    a_partner,
    a_receipt,
    a_record,
    read,
    set_facts,
    stored_transaction,
    write,
)
from tests.support.vault import a_sealer, an_index

OWN = AccountId(1)
US = RequestContext(
    account_id=OWN, environment=PRODUCTION, actor="user 5", ip="192.0.2.7", request_id="req_1"
)
IN_SANDBOX = replace(US, environment=SANDBOX)
FIRST = InterchangeId(1)
DECIDERS = 8
QUARANTINED, PROCESSED = InterchangeStatus.QUARANTINED, InterchangeStatus.PROCESSED
ALL = InterchangeQuery(environment=PRODUCTION)


@pytest.fixture
def quarantine(database: Database, clock: StoppedClock) -> QuarantineService:
    return QuarantineService(some_ports(database, clock))


@pytest.fixture
def interchanges(database: Database, clock: StoppedClock) -> InterchangeService:
    return InterchangeService(some_ports(database, clock))


@pytest.fixture(autouse=True)
async def two_accounts(database: Database, accounts: AccountService) -> None:
    for name in ("own", "foreign"):
        await accounts.create(name, AccountType.ENTERPRISE)
    await a_partner(database, status=PartnerStatus.ACTIVE)
    await a_partner(database, "Southwind")


async def stored(
    database: Database, status: InterchangeStatus = QUARANTINED, **members: object
) -> InterchangeId:
    """Store an interchange that was received live, but for what is given."""
    given: dict[str, object] = {"environment": PRODUCTION, "reason": "unknown_sender", **members}
    return await a_received_interchange(database, OWN, status, **given)  # type: ignore[arg-type]  # each as its parameter


async def jobs(database: Database) -> list[NewOutboxEntry]:
    async def claim(unit: WriteUnit) -> Sequence[OutboxEntry]:
        request = ClaimRequest(owner="test", now=START, lease_until=START, most=100)
        return await unit.outbox.claim(request)

    return [each.new for each in await write(database, SYSTEM, claim)]


async def records(database: Database, interchange_id: InterchangeId = FIRST) -> list[Transaction]:
    async def listed(unit: ReadUnit) -> list[Transaction]:
        found = await unit.transactions.list_of_interchange(interchange_id)
        return [open_transaction(a_sealer(), each) for each in found]

    return await read(database, LIVE, listed)


async def events(database: Database) -> Sequence[SealedEvent]:
    async def listed(unit: ReadUnit) -> list[SealedEvent]:
        live = await unit.events.list_after(PRODUCTION, 0, 100)
        return [*live, *await unit.events.list_after(SANDBOX, 0, 100)]

    return await read(database, LIVE, listed)


async def audited(database: Database) -> list[SealedEntry]:
    async def listed(unit: ReadUnit) -> list[SealedEntry]:
        return [each.entry for each in await unit.audit.list_after(OWN, 0, 100)]

    return await read(database, LIVE, listed)


async def assert_untouched(database: Database, status: InterchangeStatus = QUARANTINED) -> None:
    async def find(unit: ReadUnit) -> InterchangeStatus:
        return (await found_interchange(unit, FIRST))[0].new.status

    assert await read(database, LIVE, find) is status
    assert await jobs(database) == []
    assert await events(database) == []
    assert await audited(database) == []


# ---- what is shown -------------------------------------------------------------------------------


async def test_an_interchange_is_shown_with_its_hash_and_its_records(
    database: Database, interchanges: InterchangeService
) -> None:
    await stored(database)
    known = await interchanges.get(US, FIRST)
    assert known.sha256 == sha256(CONTENT).hexdigest()
    assert known.transaction_ids == (TransactionId(1), TransactionId(2))
    assert (known.interchange.new.status, known.interchange.new.receipt_id) == (QUARANTINED, 1)
    assert await audited(database) == []


async def test_a_list_shows_what_fits_newest_first(
    database: Database, interchanges: InterchangeService
) -> None:
    for status in (QUARANTINED, PROCESSED, QUARANTINED):
        await stored(database, status=status, sets=1)
    await stored(database, environment=SANDBOX)
    page = await interchanges.page(US, ALL, PageParameters(limit=2))
    assert ([each.interchange.id for each in page.interchanges], page.total.count) == ([3, 2], 3)
    assert [each.transaction_ids for each in page.interchanges] == [(3,), (2,)]
    assert {each.sha256 for each in page.interchanges} == {sha256(CONTENT).hexdigest()}
    waiting = replace(ALL, statuses=frozenset({QUARANTINED}))
    page = await interchanges.page(US, waiting, PageParameters(limit=50, offset=1))
    assert ([each.interchange.id for each in page.interchanges], page.total.count) == ([1], 2)


@pytest.mark.parametrize("content", [CONTENT, CONTENT * 20_000], ids=["short", "long"])
async def test_reading_the_bytes_is_in_the_audit_log(
    database: Database, interchanges: InterchangeService, content: bytes
) -> None:
    await stored(database, content=content)
    assert await interchanges.content(US, FIRST) == content
    (entry,) = await audited(database)
    assert (entry.actor, entry.action, entry.object, entry.ip, entry.request_id) == (
        "user 5", "interchange.read", "interchange 1", "192.0.2.7", "req_1",
    )  # fmt: skip


async def test_nobody_else_finds_it(
    database: Database, interchanges: InterchangeService, quarantine: QuarantineService
) -> None:
    await stored(database)
    for context in (replace(US, account_id=AccountId(2)), IN_SANDBOX):
        for call in (
            interchanges.get(context, FIRST),
            interchanges.content(context, FIRST),
            quarantine.release(context, FIRST, "why"),
            quarantine.replay(context, FIRST, "why", acknowledge=False),
            quarantine.discard(context, FIRST, "why"),
        ):
            with pytest.raises(InterchangeNotFoundError):
                await call
    await assert_untouched(database)


# ---- release -------------------------------------------------------------------------------------


async def test_release_gives_a_worker_the_job_and_says_who_did(
    database: Database, quarantine: QuarantineService, interchanges: InterchangeService
) -> None:
    await stored(database)
    await quarantine.release(US, FIRST, " agreed by phone ", partner_id=PartnerId(2))
    new = (await interchanges.get(US, FIRST)).interchange.new
    assert (new.status, new.reason, new.partner_id) == (InterchangeStatus.RECEIVED, None, 2)
    (job,) = await jobs(database)
    assert (job.kind, job.interchange_id, job.receipt_id) == (JobKind.RELEASE, 1, 1)
    assert (job.partner_id, job.environment, job.due_at) == (2, PRODUCTION, START)
    for record in await records(database):
        assert record.record.states.processing is ProcessingStatus.PROCESSING
        assert record.record.partner_id == 2
    told = await events(database)
    assert [each.type for each in told] == ["transaction.released"] * 2
    assert [each.transaction_id for each in told] == [1, 2]
    assert told[0].data == {"interchange_id": 1, "action": "release", "transaction_id": 1}
    assert (told[0].actor, open_message(a_sealer(), told[0])) == ("user 5", "agreed by phone")
    (entry,) = await audited(database)
    assert (entry.action, entry.object) == ("interchange.release", "interchange 1")
    assert open_detail(a_sealer(), entry) == "agreed by phone"


async def test_release_without_a_partner_keeps_the_one_it_came_from(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, partner_id=PartnerId(1), sets=0)
    await quarantine.release(US, FIRST, "why")
    assert [each.partner_id for each in await jobs(database)] == [1]
    (event,) = await events(database)
    assert (event.transaction_id, event.data) == (None, {"interchange_id": 1, "action": "release"})


async def test_what_is_of_the_sandbox_stays_there_whoever_decides(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, environment=SANDBOX, partner_id=PartnerId(2))
    await quarantine.release(US, FIRST, "why")
    assert {each.environment for each in await events(database)} == {SANDBOX}
    assert [each.environment for each in await jobs(database)] == [SANDBOX]


@pytest.mark.parametrize(
    ("partner_id", "refusal", "text"),
    [
        (None, MissingChoiceError, 'Parameter "partner_id" is missing: nobody knows whose'),
        (PartnerId(99), PartnerNotFoundError, "no such partner"),
        (PartnerId(1), PartnerNotFoundError, "no such partner"),
    ],
    ids=["nobody", "unknown", "not seen in the sandbox"],
)
async def test_a_release_for_nobody_changes_nothing(
    database: Database,
    quarantine: QuarantineService,
    partner_id: PartnerId | None,
    refusal: type[LongshoreError],
    text: str,
) -> None:
    await stored(database, environment=SANDBOX)
    with pytest.raises(refusal, match=text):
        await quarantine.release(IN_SANDBOX, FIRST, "why", partner_id=partner_id)
    await assert_untouched(database)
    assert {each.record.states.processing for each in await records(database)} == {"quarantined"}


async def test_what_was_corrected_is_not_released(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, partner_id=PartnerId(1))
    await stored_transaction(database, a_record(environment=PRODUCTION, parent_id=TransactionId(2)))
    with pytest.raises(ReplacedError, match=r"^Transaction 3 was made of transaction 2 before"):
        await quarantine.release(US, FIRST, "why")
    await assert_untouched(database)


async def test_what_is_being_corrected_is_not_released(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, partner_id=PartnerId(1))
    corrected = (await records(database))[1]
    digest = correction_digest(an_index(), corrected)

    async def arrive(unit: WriteUnit) -> ReceiptId:
        new = a_receipt(environment=PRODUCTION, token_id=None, key_digest=digest)
        parts = seal_content(a_sealer(), CONTENT, {})
        return await store_receipt(unit, a_sealer(), OWN, new, parts, START)

    assert await write(database, LIVE, arrive) == 2
    with pytest.raises(CorrectionWaitsError, match=r"^A correction of transaction 2 was received"):
        await quarantine.release(US, FIRST, "why")
    await assert_untouched(database)
    other = await stored(database, partner_id=PartnerId(1), isa_control_number="000000555")
    await quarantine.release(US, other, "why")
    assert [each.interchange_id for each in await jobs(database)] == [other]


async def test_what_corrects_something_that_was_processed_after_all_is_not_released(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, partner_id=PartnerId(1), sets=1)
    second = await a_correction_of_1(database)
    await quarantine.release(US, FIRST, "why")
    with pytest.raises(ReplacedError) as error:
        await quarantine.release(US, second, "why")
    assert str(error.value) == (
        "Transaction 1, of which transaction 2 was made, is processing: look at it first."
    )
    assert [each.interchange_id for each in await jobs(database)] == [FIRST]


async def test_what_corrects_something_that_was_processed_before_is_released(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, PROCESSED, partner_id=PartnerId(1), sets=1)
    second = await a_correction_of_1(database)
    await quarantine.release(US, second, "why")
    assert [each.interchange_id for each in await jobs(database)] == [second]


async def test_a_record_that_gave_way_stands_in_nobodys_place(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, partner_id=PartnerId(1), sets=1)
    nothing = set_facts(tx_set="", segment_count=0)
    done = RECEIVING._replace(processing=ProcessingStatus.DONE)
    gone = a_record(
        nothing,
        environment=PRODUCTION,
        direction=Direction.INBOUND,
        states=done,
        parent_id=TransactionId(1),
    )
    await stored_transaction(database, gone)
    await quarantine.release(US, FIRST, "why")
    assert [each.interchange_id for each in await jobs(database)] == [FIRST]


async def a_correction_of_1(database: Database, sets: int = 1) -> InterchangeId:
    """Store an interchange in quarantine whose sets were made of transaction 1."""
    number = await stored(database, partner_id=PartnerId(1), sets=0, isa_control_number="000000555")
    made = a_record(
        environment=PRODUCTION,
        direction=Direction.INBOUND,
        states=RECEIVING._replace(processing=ProcessingStatus.QUARANTINED),
        interchange_id=number,
        parent_id=TransactionId(1),
    )
    for _ in range(sets):
        await stored_transaction(database, made)
    return number


async def test_several_sets_that_correct_one_record_are_released_together(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, partner_id=PartnerId(1))
    second = await a_correction_of_1(database, sets=2)
    await quarantine.release(US, second, "why")
    found = await read(database, LIVE, lambda unit: unit.transactions.list_of_interchange(second))
    states = [each.transaction.record.states.processing for each in found]
    assert states == [ProcessingStatus.PROCESSING] * 2


async def test_what_was_not_passed_on_and_corrected_is_not_replayed(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, InterchangeStatus.FAILED, partner_id=PartnerId(1))
    made = a_record(environment=PRODUCTION, parent_id=TransactionId(2))
    await stored_transaction(database, made)
    await step(database, 2, ProcessingStatus.DONE, ProcessingStatus.FAILED)
    with pytest.raises(ReplacedError, match=r"^Transaction 3 was made of transaction 2 before"):
        await quarantine.replay(US, FIRST, "why", acknowledge=False)
    await assert_untouched(database, InterchangeStatus.FAILED)


async def step(
    database: Database, number: int, start: ProcessingStatus, to: ProcessingStatus
) -> None:
    async def work(unit: WriteUnit) -> bool:
        return await unit.transactions.step(
            TransactionId(number), Axis.PROCESSING, start, to, START
        )

    assert await write(database, LIVE, work)


async def test_what_was_passed_on_is_replayed_whatever_was_made_of_it(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, PROCESSED, partner_id=PartnerId(1))
    made = a_record(environment=PRODUCTION, parent_id=TransactionId(2))
    await stored_transaction(database, made)
    await quarantine.replay(US, FIRST, "why", acknowledge=False)
    assert [each.kind for each in await jobs(database)] == [JobKind.REPLAY]


# ---- replay and discard --------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["processed", "duplicate", "failed"])
@pytest.mark.parametrize("acknowledge", [False, True])
async def test_replay_gives_a_worker_the_job(
    database: Database, quarantine: QuarantineService, status: str, *, acknowledge: bool
) -> None:
    await stored(database, status=InterchangeStatus(status), partner_id=PartnerId(1))
    await quarantine.replay(US, FIRST, "map corrected", acknowledge=acknowledge)
    (job,) = await jobs(database)
    assert job.kind == ("replay_acknowledged" if acknowledge else "replay")
    assert (job.interchange_id, job.receipt_id, job.partner_id) == (1, ReceiptId(1), 1)
    assert {each.record.states.processing for each in await records(database)} == {"processing"}
    assert [each.data["action"] for each in await events(database)] == ["replay", "replay"]
    assert [each.action for each in await audited(database)] == ["interchange.replay"]


async def test_discard_ends_it_and_keeps_why_it_was_set_aside(
    database: Database, quarantine: QuarantineService, interchanges: InterchangeService
) -> None:
    await stored(database)
    await quarantine.discard(US, FIRST, "not for us")
    new = (await interchanges.get(US, FIRST)).interchange.new
    assert (new.status, new.reason) == (InterchangeStatus.DISCARDED, "unknown_sender")
    assert await jobs(database) == []
    for record in await records(database):
        assert record.record.states.processing is ProcessingStatus.QUARANTINED
        error = record.record.last_error
        assert error is not None
        assert (error.code, error.message) == ("discarded", "Discarded by user 5: not for us")
    assert [each.type for each in await events(database)] == ["transaction.cancelled"] * 2
    assert [each.action for each in await audited(database)] == ["interchange.discard"]


@pytest.mark.parametrize("status", [each for each in InterchangeStatus if each != "quarantined"])
async def test_only_what_is_quarantined_is_released_or_discarded(
    database: Database, quarantine: QuarantineService, status: InterchangeStatus
) -> None:
    await stored(database, status=status)
    for verb, call in (
        ("release", quarantine.release(US, FIRST, "why", partner_id=PartnerId(1))),
        ("discard", quarantine.discard(US, FIRST, "why")),
    ):
        with pytest.raises(InterchangeStateError) as refused:
            await call
        assert refused.value.message == (
            f"This interchange is {status}. To {verb} is possible for one that is quarantined."
        )
    await assert_untouched(database, status)


@pytest.mark.parametrize("status", ["received", "quarantined", "discarded", "queued", "sent"])
async def test_only_what_was_worked_on_is_replayed(
    database: Database, quarantine: QuarantineService, status: str
) -> None:
    await stored(database, status=InterchangeStatus(status))
    with pytest.raises(InterchangeStateError, match="is processed or duplicate or failed"):
        await quarantine.replay(US, FIRST, "why", acknowledge=True)
    await assert_untouched(database, InterchangeStatus(status))


async def test_what_was_sent_is_not_decided_about(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, direction=Direction.OUTBOUND, status=PROCESSED)
    with pytest.raises(InterchangeStateError, match="was sent cannot be used to replay"):
        await quarantine.replay(US, FIRST, "why", acknowledge=False)
    await assert_untouched(database, PROCESSED)


async def test_a_decision_needs_a_reason(database: Database, quarantine: QuarantineService) -> None:
    await stored(database)
    for call in (
        quarantine.release(US, FIRST, ""),
        quarantine.replay(US, FIRST, " \t", acknowledge=False),
        quarantine.discard(US, FIRST, " "),
    ):
        with pytest.raises(MissingChoiceError, match='Parameter "reason" is missing'):
            await call
    await assert_untouched(database)


# ---- races ---------------------------------------------------------------------------------------


async def test_of_many_who_decide_at_once_one_does(
    database: Database, quarantine: QuarantineService
) -> None:
    await stored(database, partner_id=PartnerId(1))
    calls = [
        quarantine.discard(US, FIRST, "why") if number % 2 else quarantine.release(US, FIRST, "why")
        for number in range(DECIDERS)
    ]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert outcomes.count(None) == 1
    refusals = [each for each in outcomes if each is not None]
    assert {type(each) for each in refusals} == {InterchangeStateError}
    assert len(await audited(database)) == 1
    assert len(await events(database)) == 2


@pytest.mark.parametrize("verb", ["release", "discard"])
async def test_who_has_read_a_record_before_it_changed_is_refused(
    database: Database, verb: str
) -> None:
    await stored(database)

    async def work(unit: WriteUnit) -> None:
        stale = await unit.transactions.list_of_interchange(FIRST)
        writer = TransactionWriter(unit, a_sealer(), an_index(), OWN)
        decision = QuarantineDecision(
            context=US, interchange_id=FIRST, verb=verb, reason="why", allowed=(QUARANTINED,)
        )
        deciding = QuarantineChange(unit, decision, START)
        if verb == "release":
            await deciding.begin_again(stale, None)
            await deciding.begin_again(stale, None)
        else:
            await deciding.end(stale, writer)
            await deciding.end(stale, writer)

    with pytest.raises(InterchangeBusyError, match="Try again in a moment"):
        await write(database, LIVE, work)
    await assert_untouched(database)
