"""Actions on transactions made again or at once under an Idempotency-Key: done once (R12).

And by whom: who may not send a partner anything has nothing sent again to it.
"""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from longshore.domain.accounts.service import AccountService
from longshore.domain.idempotency.claims import StoredResponse
from longshore.domain.idempotency.store import KEY_RETENTION, IdempotencyMismatchError
from longshore.domain.partners.model import PartnerStatus
from longshore.domain.partners.service import VISIBLE_TO_API_KEY
from longshore.domain.partners.status import PartnerState
from longshore.domain.ports import RequestContext
from longshore.domain.transactions.model import DeliveryStatus, TransactionId
from longshore.domain.transactions.reissue import ActionOrder
from longshore.domain.transactions.states import Axis
from longshore.domain.units import WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.errors import LongshoreError
from tests.support.clock import START, StoppedClock
from tests.support.database import Database, Engine
from tests.support.submitting import SubmitSetup, a_failed_submit_setup, an_action, context
from tests.support.tracking import a_tracker, states
from tests.support.trading import LIVE, write

TWINS = 16
FAILED = states(DeliveryStatus.FAILED)
KEY = "K-1"
WORDS = ("retry", "reissue", "cancel")
ANSWERS = {"retry": b"1 queued", "reissue": b"2 queued", "cancel": b"1 cancelled"}
NEW_OUTBOX_ENTRIES = {"retry": 1, "reissue": 1, "cancel": 0}
BY_KEY = VISIBLE_TO_API_KEY[Environment.SANDBOX]

Act = Callable[[RequestContext, ActionOrder], Awaitable[StoredResponse]]


@pytest.fixture
async def setup(
    database: Database, engine: Engine, clock: StoppedClock, accounts: AccountService
) -> SubmitSetup:
    """Return a setup at which the delivery of an interchange of one set has failed."""
    return await a_failed_submit_setup(database, engine, clock, accounts)


def act(setup: SubmitSetup, word: str, database: Database | None = None) -> Act:
    """Return what does an action."""
    if word == "reissue":
        return setup.tracker(database).reissue
    tracker = a_tracker(database or setup.database, setup.clock)
    return tracker.retry if word == "retry" else tracker.cancel


async def stand(setup: SubmitSetup, to: PartnerStatus) -> None:
    async def work(unit: WriteUnit) -> bool:
        (partner,) = await unit.partners.list_addresses()
        start = PartnerState(PartnerStatus.TESTING)
        return await unit.partners.set_state(partner.id, start, PartnerState(to), START)

    assert await write(setup.database, LIVE, work)


def added(before: dict[str, int], after: dict[str, int], table: str) -> int:
    return after.get(table, 0) - before.get(table, 0)


@pytest.mark.parametrize("word", WORDS)
async def test_twins_at_once_are_one_action_and_equal_answers(
    setup: SubmitSetup, word: str
) -> None:
    before = dict(await setup.counts())
    order = an_action(1, "again", idempotency_key=KEY)
    async with setup.engine.open() as one, setup.engine.open() as other:
        acts = [act(setup, word, each) for each in (one, other)] * (TWINS // 2)
        answers = await asyncio.gather(*(each(context(), order) for each in acts))
    assert sorted(answers) == sorted([
        StoredResponse(ANSWERS[word]),
        *[StoredResponse(ANSWERS[word], is_replayed=True)] * (TWINS - 1),
    ])
    after = dict(await setup.counts())
    assert added(before, after, "outbox") == NEW_OUTBOX_ENTRIES[word]
    assert added(before, after, "transactions") == (word == "reissue")
    assert (after["audit_entries"], after["idempotency_keys"]) == (1, 1)


@pytest.mark.parametrize("word", WORDS)
async def test_a_repeat_gets_the_first_answer_whatever_happened_since(
    setup: SubmitSetup, word: str
) -> None:
    order = an_action(1, "again", idempotency_key=KEY)
    first = await act(setup, word)(context(), order)

    async def move(unit: WriteUnit) -> None:
        number, start = TransactionId(1), DeliveryStatus.PENDING
        await unit.transactions.step(number, Axis.DELIVERY, start, DeliveryStatus.HELD, START)

    await write(setup.database, LIVE, move)
    await stand(setup, PartnerStatus.INACTIVE)
    setup.clock.move(KEY_RETENTION)
    before = await setup.counts()
    assert await act(setup, word)(context(), order) == StoredResponse(
        first.content, is_replayed=True
    )
    assert await setup.counts() == before


@pytest.mark.parametrize("word", WORDS)
async def test_another_request_under_the_key_is_refused(setup: SubmitSetup, word: str) -> None:
    await act(setup, word)(context(), an_action(1, "again", idempotency_key=KEY))
    before = await setup.counts()
    (other_word, *_) = set(WORDS) - {word}
    for other, order in (
        (word, an_action(2, "again", idempotency_key=KEY)),
        (word, an_action(1, "once more", idempotency_key=KEY)),
        (other_word, an_action(1, "again", idempotency_key=KEY)),
    ):
        with pytest.raises(IdempotencyMismatchError):
            await act(setup, other)(context(), order)
    with pytest.raises(IdempotencyMismatchError):
        await setup.submit(idempotency_key=KEY)
    assert await setup.counts() == before


async def test_what_was_refused_is_not_kept_under_its_key(setup: SubmitSetup) -> None:
    order = an_action(1, idempotency_key=KEY)
    retry, cancel = act(setup, "retry"), act(setup, "cancel")
    before = await setup.counts()
    with pytest.raises(LongshoreError):
        await cancel(context(), order)  # without a reason
    assert await setup.counts() == before
    assert await retry(context(), order) == StoredResponse(b"1 queued")


# ---- who sends again -----------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["retry", "reissue"])
async def test_a_key_sends_nothing_again_to_whom_it_does_not_see(
    setup: SubmitSetup, word: str
) -> None:
    await stand(setup, PartnerStatus.ACTIVE)
    before = await setup.counts()
    with pytest.raises(LongshoreError) as refused:
        await act(setup, word)(context(), an_action(1, seen=BY_KEY))
    with pytest.raises(LongshoreError) as refused_to_submit:
        await setup.submit()
    assert (refused.value.code, refused.value.message) == (
        refused_to_submit.value.code,
        refused_to_submit.value.message,
    )
    assert refused.value.code == "not_found"
    assert await setup.counts() == {**before, "audit_entries": 2}  # that it was not shown, twice
    assert (await setup.record(1)).record.states.delivery is DeliveryStatus.FAILED


@pytest.mark.parametrize("seen", [BY_KEY, frozenset(PartnerStatus)])
async def test_cancelling_sends_nothing_and_people_see_all_partners(
    setup: SubmitSetup, seen: frozenset[PartnerStatus]
) -> None:
    await stand(setup, PartnerStatus.ACTIVE)
    word = "cancel" if seen == BY_KEY else "retry"
    assert await act(setup, word)(context(), an_action(1, "why", seen=seen)) == StoredResponse(
        ANSWERS[word]
    )


@pytest.mark.parametrize("word", ["retry", "reissue"])
async def test_nothing_is_sent_again_to_whom_nothing_is_sent(setup: SubmitSetup, word: str) -> None:
    await stand(setup, PartnerStatus.INACTIVE)
    before = await setup.counts()
    with pytest.raises(LongshoreError) as refused:
        await act(setup, word)(context(), an_action(1))
    assert (refused.value.code, refused.value.message) == (
        "partner_inactive",
        "The partner is inactive and takes no such documents.",
    )
    assert await setup.counts() == before
