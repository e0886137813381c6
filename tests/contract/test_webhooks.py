"""Webhooks on both databases: what endpoints are called about, how often, and when no more."""

from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import Lease, OutboxState
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import Sent, answered, failed
from longshore.domain.events.model import EventType
from longshore.domain.partners.model import CLOSED_BREAKER, BreakerState
from longshore.domain.ports import SYSTEM
from longshore.domain.units import ReadUnit, WriteUnit
from longshore.domain.webhooks import queue
from longshore.domain.webhooks.model import DisabledReason, WebhookStatus, WebhookTerms
from longshore.domain.webhooks.ports import WebhookCall
from longshore.domain.webhooks.retention import RETAINED, WebhookRetention
from longshore.domain.webhooks.signature import sign
from longshore.storage.webhooks import SqlWebhookStore
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import (
    BUSY,
    ERROR,
    GONE,
    OK,
    REFUSED,
    UNAUTHORISED,
    Order,
    a_trading_partner,
    queued,
)
from tests.support.partners import NEIGHBOUR, OWN, OWN_LIVE, audited, events
from tests.support.trading import read, write
from tests.support.webhooks import Hooks, Receiver, some_hooks

SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)


@pytest.fixture
async def hooks(database: Database, clock: StoppedClock, accounts: AccountService) -> Hooks:
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return some_hooks(database, clock)


async def test_an_endpoint_is_called_once_about_what_happens_after_it_was_made(
    hooks: Hooks,
) -> None:
    await hooks.happens()
    issued = await hooks.service.create(OWN, WebhookTerms(url="https://erp.example.com/hooks"))
    event_id = await hooks.happens(EventType.TRANSACTION_DELIVERED, transaction_id=7)
    hooks.clock.move(SECOND)
    assert await hooks.call() == 1
    (call,) = hooks.receiver.calls
    assert (call.url, call.message_id) == ("https://erp.example.com/hooks", f"evt_{event_id}")
    assert call.timestamp == int((START + SECOND).timestamp())
    assert call.signature == sign([issued.secret], call.message_id, call.timestamp, call.body)
    assert call.body == (
        b'{"type":"transaction.delivered","timestamp":"2026-01-15T14:05:09Z","data":{"event_id":2,'
        b'"transaction_id":7,"environment":"sandbox",'
        b'"url":"https://edi.example.com/api/v1/transactions/7","replay":false}}'
    )
    (delivery,) = await hooks.listed(issued.endpoint.id)
    assert (delivery.state, delivery.delivery.event_id) == (OutboxState.DONE, event_id)
    assert [each.attempt for each in delivery.attempts] == [1]
    shown = await hooks.shown(issued.endpoint.id)
    assert (shown.last_success_at, shown.last_failure_at) == (START + SECOND, None)
    assert await hooks.call() == 0


async def test_a_call_is_due_on_a_server_where_no_document_is(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    worker = hooks.worker()
    assert not await worker.is_due()
    await hooks.deliveries.test(OWN, endpoint.id)
    assert await worker.is_due()
    await worker.run_once()
    assert not await worker.is_due()


async def test_an_event_of_another_account_or_environment_is_not_sent(hooks: Hooks) -> None:
    await hooks.endpoint()
    for by in (NEIGHBOUR, OWN_LIVE):
        await hooks.happens(by=by)
    assert (await hooks.call(), hooks.receiver.calls) == (0, [])
    assert await hooks.fan_out() == 0


async def test_filters_choose_by_type_and_by_partner(hooks: Hooks) -> None:
    partner_id = await a_trading_partner(hooks.database)
    order = await queued(hooks.database, Order(partner_id=partner_id))
    await hooks.endpoint(events=(EventType.MAP_SAVED,))
    of_partner = await hooks.endpoint(partner_ids=(partner_id,))
    await hooks.happens()
    await hooks.happens(EventType.PARTNER_CIRCUIT_OPENED, partner_id=partner_id)
    await hooks.happens(EventType.PARTNER_CIRCUIT_OPENED, partner_id=partner_id + 1)
    await hooks.happens(EventType.ACK_OVERDUE, transaction_id=order.transaction_ids[0])
    await hooks.happens(EventType.ACK_SENT, interchange_id=order.interchange_id)
    await hooks.call()
    called = [each.message_id for each in hooks.receiver.calls]
    assert sorted(called) == ["evt_1", "evt_2", "evt_4", "evt_5"]
    found = await hooks.listed(of_partner.id)
    assert [each.delivery.event_id for each in found] == [5, 4, 2]


async def test_more_events_than_fit_a_unit_are_all_queued(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "BATCH", 2)
    await hooks.endpoint()
    for _ in range(5):
        await hooks.happens()
    assert (await hooks.fan_out(), await hooks.fan_out()) == (5, 0)


async def test_of_two_that_queue_the_same_events_one_keeps_nothing(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()

    async def be_late(*_given: object) -> bool:
        return False

    with monkeypatch.context() as patched:
        patched.setattr(SqlWebhookStore, "move", be_late)
        assert await hooks.fan_out() == 0
    assert await hooks.listed(endpoint.id) == ()
    assert await hooks.fan_out() == 1


async def test_what_failed_is_called_again_with_the_same_id_and_body(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()
    hooks.receiver.says[:] = [BUSY, answered(429, "", 2 * MINUTE)]
    await hooks.call()
    (delivery,) = await hooks.listed(endpoint.id)
    assert (delivery.state, delivery.due_at) == (OutboxState.DUE, START + SECOND)
    assert hooks.deliveries.failure_of(delivery.attempts[0]) == (
        "The destination answered with status 503.",
        "come back later",
    )
    hooks.clock.move(SECOND)
    await hooks.call()
    assert (await hooks.listed(endpoint.id))[0].due_at == START + SECOND + 2 * MINUTE
    hooks.clock.move(2 * MINUTE)
    await hooks.call()
    (delivery,) = await hooks.listed(endpoint.id)
    outcomes = [each.result.outcome for each in delivery.attempts if each.result]
    assert (delivery.state, outcomes) == (OutboxState.DONE, ["failed", "failed", "succeeded"])
    assert hooks.receiver.ids == ["evt_1"] * 3
    assert len({each.body for each in hooks.receiver.calls}) == 1
    assert len({each.timestamp for each in hooks.receiver.calls}) == 3
    assert hooks.deliveries.failure_of(delivery.attempts[-1]) == ("", "")


async def test_a_call_that_fails_does_not_delay_those_behind_it(hooks: Hooks) -> None:
    await hooks.endpoint()
    for _ in range(5):
        await hooks.happens()
    hooks.receiver.says[:] = [ERROR]
    await hooks.fan_out()
    worker = hooks.worker()
    while await worker.run_once():
        pass
    assert sorted(hooks.receiver.ids) == ["evt_1", "evt_2", "evt_3", "evt_4", "evt_5"]


async def test_at_most_two_calls_of_an_endpoint_run_at_once(hooks: Hooks) -> None:
    await hooks.endpoint()
    for _ in range(6):
        await hooks.happens()
    await hooks.fan_out()
    assert len(await hooks.worker().claim()) == 2
    assert await hooks.worker(owner="worker 2").claim() == []
    assert len(await hooks.worker().leased()) == 2


@pytest.mark.parametrize("refusal", [REFUSED, answered(302, "", None)])
async def test_a_refusal_is_given_up_and_a_redirect_tried_again(
    hooks: Hooks, refusal: Sent
) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()
    hooks.receiver.says[:] = [refusal] * 3
    for pause in (0, 5, 15):
        hooks.clock.move(pause * SECOND)
        await hooks.call()
    (delivery,) = await hooks.listed(endpoint.id)
    expected = OutboxState.DEAD if refusal is REFUSED else OutboxState.DUE
    assert (delivery.state, len(delivery.attempts)) == (expected, 3)


async def test_a_process_that_dies_after_the_answer_calls_again_with_the_same_id(
    hooks: Hooks,
) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()

    async def die(_call: WebhookCall) -> Sent:
        raise KeyboardInterrupt

    await hooks.fan_out()
    with pytest.raises(KeyboardInterrupt):
        await hooks.worker(dying := Receiver(die)).run_once()
    hooks.clock.move(MINUTE)
    assert await hooks.call() == 1
    assert dying.ids == hooks.receiver.ids == ["evt_1"]
    assert dying.calls[0].body == hooks.receiver.calls[0].body
    (delivery,) = await hooks.listed(endpoint.id)
    outcomes = [each.result.outcome for each in delivery.attempts if each.result]
    assert outcomes == ["lost", "succeeded"]


async def test_a_worker_that_lost_its_lease_stores_nothing(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()

    async def take_over(_call: WebhookCall) -> Sent:
        hooks.clock.move(MINUTE)
        await hooks.worker(Receiver(OK), owner="worker 2").run_once()
        return BUSY

    hooks.receiver.says[:] = [take_over]
    await hooks.call()
    (delivery,) = await hooks.listed(endpoint.id)
    assert (delivery.state, len(delivery.attempts)) == (OutboxState.DONE, 2)
    assert (await hooks.shown(endpoint.id)).last_failure_at is None


async def test_an_entry_of_another_worker_is_not_begun(hooks: Hooks) -> None:
    await hooks.endpoint()
    await hooks.happens()
    await hooks.fan_out()
    (entry,) = await hooks.worker().claim()
    await hooks.worker().do(entry)
    for _ in range(2):
        await hooks.worker().do(entry)  # it is done
    assert hooks.receiver.ids == ["evt_1"]


async def test_an_attempt_that_is_stored_already_is_not_begun_again(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()
    await hooks.fan_out()
    (entry,) = await hooks.worker().claim()
    (found,) = await hooks.listed(endpoint.id)

    async def begin(unit: WriteUnit) -> object:
        return await unit.webhooks.begin_attempt(entry, found.delivery, START)

    assert await write(hooks.database, OWN.scope, begin) is not None
    await hooks.worker().do(entry)
    assert hooks.receiver.calls == []


async def test_410_disables_the_endpoint_and_what_waits_is_cancelled(hooks: Hooks) -> None:
    endpoint, other = await hooks.endpoint(), await hooks.endpoint(events=(EventType.MAP_SAVED,))
    for _ in range(4):
        await hooks.happens()
    hooks.receiver.says[:] = [GONE]
    await hooks.fan_out()
    worker = hooks.worker()
    while await worker.run_once():
        pass
    shown = await hooks.shown(endpoint.id)
    assert (shown.status, shown.disabled_reason) == (WebhookStatus.DISABLED, DisabledReason.GONE)
    states = [each.state for each in await hooks.listed(endpoint.id)]
    assert sorted(states) == ["cancelled"] * 3 + ["dead"]
    assert {each.state for each in await hooks.listed(other.id)} == {OutboxState.DONE}
    event = (await events(hooks.database))[-1]
    assert (event.type, event.data) == (
        EventType.WEBHOOK_DISABLED,
        {"webhook_id": endpoint.id, "reason": "gone"},
    )
    assert (await audited(hooks.database))[-1] == f"worker webhook.disable webhook {endpoint.id}"


async def test_an_endpoint_that_was_disabled_meanwhile_is_not_disabled_again(
    hooks: Hooks,
) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()

    async def disable(_call: WebhookCall) -> Sent:
        await hooks.service.disable(OWN, endpoint.id)
        return GONE

    hooks.receiver.says[:] = [disable]
    await hooks.call()
    assert (await hooks.shown(endpoint.id)).disabled_reason == DisabledReason.BY_USER
    assert [each.type for each in await events(hooks.database)] == [EventType.MAP_SAVED]


async def test_probes_before_their_time_leave_one_attempt(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()
    hooks.receiver.says[:] = [failed(FailureKind.TIMED_OUT)] * 12
    for _ in range(12):
        await hooks.call()
        hooks.clock.move(32 * SECOND)
    (delivery,) = await hooks.listed(endpoint.id)
    assert len(hooks.receiver.calls) == 12
    assert [each.attempt for each in delivery.attempts] == [1, 2, 3, 4, 5, 6, 12]


async def test_an_endpoint_that_took_nothing_for_three_days_is_disabled(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()
    hooks.receiver.says[:] = [ERROR] * 4
    for _ in range(5):
        await hooks.call()
        hooks.clock.move(DAY)
    shown = await hooks.shown(endpoint.id)
    assert (shown.status, shown.disabled_reason) == (WebhookStatus.DISABLED, "failing")
    (delivery,) = await hooks.listed(endpoint.id)
    assert (delivery.state, len(delivery.attempts)) == (OutboxState.CANCELLED, 4)
    assert (shown.failing_since, shown.last_failure_at) == (START, START + 3 * DAY)


async def test_an_enabled_endpoint_is_called_about_what_happens_from_then_on(
    hooks: Hooks,
) -> None:
    endpoint = await hooks.endpoint()
    await hooks.service.disable(OWN, endpoint.id)
    await hooks.happens()
    assert await hooks.call() == 0
    enabled = await hooks.service.enable(OWN, endpoint.id)
    assert (enabled.status, enabled.disabled_reason) == (WebhookStatus.ACTIVE, None)
    await hooks.happens()
    await hooks.call()
    assert hooks.receiver.ids == ["evt_2"]


async def test_a_rotated_secret_signs_until_its_end(hooks: Hooks) -> None:
    old = await hooks.service.create(OWN, WebhookTerms(url="https://erp.example.com/hooks"))
    new = await hooks.service.rotate(OWN, old.endpoint.id, 24)
    assert new.old_expires_at == START + DAY
    newest = await hooks.service.rotate(OWN, old.endpoint.id, 24)
    for secrets in ([newest.secret, new.secret], [newest.secret]):
        await hooks.happens()
        await hooks.call()
        call = hooks.receiver.calls[-1]
        assert call.signature == sign(secrets, call.message_id, call.timestamp, call.body)
        hooks.clock.move(DAY)


async def test_the_breaker_stops_calls_until_a_probe_succeeds(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    for _ in range(7):
        await hooks.happens()
    hooks.receiver.says[:] = [UNAUTHORISED] * 5
    await hooks.fan_out()
    worker = hooks.worker()
    for _ in range(6):
        await worker.run_once()
    assert len(hooks.receiver.calls) == 5
    shown = await hooks.shown(endpoint.id)
    assert (shown.breaker.state, shown.failing_since) == (BreakerState.OPEN, START)
    hooks.receiver.says[:] = [UNAUTHORISED]
    hooks.clock.move(32 * SECOND)
    await worker.run_once()
    assert len(hooks.receiver.calls) == 6
    hooks.clock.move(32 * SECOND)
    for _ in range(6):
        await worker.run_once()
    shown = await hooks.shown(endpoint.id)
    assert (shown.breaker, shown.failing_since) == (CLOSED_BREAKER, None)
    assert {each.state for each in await hooks.listed(endpoint.id)} == {OutboxState.DONE}
    assert [each.type for each in await events(hooks.database)] == [EventType.MAP_SAVED] * 7


async def test_old_deliveries_are_removed_and_what_waits_stays(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    for _ in range(2):
        await hooks.happens()
    hooks.receiver.says[:] = [OK, BUSY]
    await hooks.call()
    retention = WebhookRetention(hooks.database.units, hooks.clock)
    hooks.clock.move(RETAINED)
    assert await retention.run_once() == 0
    hooks.clock.move(SECOND)
    assert await retention.run_once() == 1
    assert [each.state for each in await hooks.listed(endpoint.id)] == [OutboxState.DUE]

    async def entries(unit: ReadUnit) -> int:
        return len(await unit.outbox.list_leased(None))

    assert await read(hooks.database, SYSTEM, entries) == 0


async def test_what_fails_by_a_fault_of_ours_is_given_up_in_the_end(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()

    async def break_down(_call: WebhookCall) -> Sent:
        raise RuntimeError("a mistake")

    await hooks.fan_out()
    worker = hooks.worker(Receiver(*[break_down] * 20))
    for _ in range(14):
        for entry in await worker.claim():
            with pytest.raises(RuntimeError):
                await worker.do(entry)
            await worker.record_failure(entry)
        hooks.clock.move(DAY)
    (delivery,) = await hooks.listed(endpoint.id)
    assert delivery.state is OutboxState.DEAD


async def test_a_result_is_not_stored_under_an_ended_lease(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()

    async def finish(_call: WebhookCall) -> Sent:
        async def end(unit: WriteUnit) -> bool:
            lease = Lease(id=found.delivery.outbox_id, attempt=1)
            return await unit.outbox.finish(lease, OutboxState.DONE, START)

        assert await write(hooks.database, OWN.scope, end)
        return OK

    await hooks.fan_out()
    (found,) = await hooks.listed(endpoint.id)
    await hooks.worker(Receiver(finish)).run_once()
    assert (await hooks.shown(endpoint.id)).last_success_at is None
