"""Webhook endpoints as their account manages them: terms, secrets, tests and replays."""

import json
from datetime import timedelta

import pytest

from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.delivery.model import OutboxState
from longshore.domain.events.model import EventId, EventType
from longshore.domain.partners.model import PartnerId
from longshore.domain.ports import SealBrokenError
from longshore.domain.units import WriteUnit
from longshore.domain.webhooks import deliveries
from longshore.domain.webhooks.deliveries import EventPeriod
from longshore.domain.webhooks.encryption import open_secrets, secrets_text, with_secrets
from longshore.domain.webhooks.errors import (
    EventNotFoundError,
    InvalidWebhookError,
    WebhookDeliveryNotFoundError,
    WebhookNotFoundError,
    WebhookStateError,
)
from longshore.domain.webhooks.model import (
    MAX_ENDPOINTS,
    WebhookDeliveryId,
    WebhookId,
    WebhookTerms,
)
from longshore.domain.webhooks.store import StoredWebhook
from longshore.kit.errors import LongshoreError
from longshore.storage.webhooks import SqlWebhookStore
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.dispatch import a_trading_partner
from tests.support.partners import NEIGHBOUR, OWN, OWN_LIVE, audited
from tests.support.trading import write
from tests.support.vault import a_sealer
from tests.support.webhooks import URL, Hooks, some_hooks

SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
ALL_OF_IT = EventPeriod(since=START, until=START + DAY)
NOT_PERMITTED = (
    "The address is not one that documents may be sent to. An operator can allow networks with the"
    " setting allowed_networks."
)


@pytest.fixture
async def hooks(database: Database, clock: StoppedClock, accounts: AccountService) -> Hooks:
    for name in ("own", "Northwind"):
        await accounts.create(name, AccountType.ENTERPRISE)
    return some_hooks(database, clock)


async def test_an_endpoint_is_made_changed_and_deleted(hooks: Hooks) -> None:
    partner_id = await a_trading_partner(hooks.database)
    made = await hooks.endpoint(description="ERP", events=(EventType.MAP_SAVED,))
    terms = WebhookTerms(url=f"{URL}/new", partner_ids=(partner_id,))
    changed = await hooks.service.change(OWN, made.id, terms)
    assert (changed.terms, made.terms.description) == (terms, "ERP")
    assert await hooks.service.list(OWN) == (changed,)
    assert await hooks.service.show(OWN, made.id) == changed
    assert await hooks.service.list(OWN_LIVE) == ()
    await hooks.service.delete(OWN, made.id)
    assert await hooks.service.list(OWN) == ()
    left = await hooks.shown(made.id)
    assert (left.terms.url, left.terms.description) == ("", "")
    with pytest.raises(WebhookNotFoundError):
        await hooks.service.show(OWN, made.id)
    lines = [f"user 5 webhook.{verb} webhook 1" for verb in ("create", "change", "delete")]
    assert await audited(hooks.database) == lines


async def test_what_waits_for_a_deleted_endpoint_is_not_sent(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()
    await hooks.fan_out()
    await hooks.service.delete(OWN, endpoint.id)
    await hooks.call()
    assert hooks.receiver.calls == []


@pytest.mark.parametrize(
    ("members", "param", "text"),
    [
        (
            {"url": "ftp://erp.example.com"},
            "url",
            'Parameter "url" must be an http or https URL of at most 2000 characters.',
        ),
        (
            {"url": "https://us:word@erp.example.com/"},
            "url",
            'Parameter "url" is refused. The URL holds a login.',
        ),
        ({"url": "https://10.0.0.1/"}, "url", f'Parameter "url" is refused. {NOT_PERMITTED}'),
        (
            {"description": "x" * 201},
            "description",
            'Parameter "description" must be at most 200 characters without control characters.',
        ),
        (
            {"description": "two\nlines"},
            "description",
            'Parameter "description" must be at most 200 characters without control characters.',
        ),
        (
            {"partner_ids": (PartnerId(9),)},
            "partner_ids",
            'Parameter "partner_ids" names partner 9, which is unknown.',
        ),
        (
            {"partner_ids": tuple(map(PartnerId, range(1, 102)))},
            "partner_ids",
            'Parameter "partner_ids" must have at most 100 ids.',
        ),
    ],
)
async def test_impossible_terms_are_refused(
    hooks: Hooks, members: dict[str, object], param: str, text: str
) -> None:
    with pytest.raises(InvalidWebhookError) as refused:
        await hooks.endpoint(OWN, **members)
    assert refused.value.message == text
    assert [(each.param, each.message) for each in refused.value.details] == [(param, text)]
    assert await hooks.service.list(OWN) == ()


async def test_a_live_endpoint_needs_https(hooks: Hooks) -> None:
    await hooks.endpoint(url="http://127.0.0.1:8099/hooks")
    with pytest.raises(InvalidWebhookError):
        await hooks.endpoint(OWN_LIVE, url="http://8.8.8.8/hooks")
    await hooks.endpoint(OWN_LIVE, url="https://8.8.8.8/hooks")


async def test_an_account_has_a_limited_number_of_endpoints(hooks: Hooks) -> None:
    made = [await hooks.endpoint() for _ in range(MAX_ENDPOINTS)]
    with pytest.raises(WebhookStateError) as refused:
        await hooks.endpoint()
    assert refused.value.message == (
        "An account has at most 20 webhook endpoints in an environment."
    )
    await hooks.endpoint(OWN_LIVE)
    await hooks.service.delete(OWN, made[0].id)
    await hooks.endpoint()


async def test_another_account_or_environment_finds_none_of_it(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    await hooks.happens()
    await hooks.call()
    (found,) = await hooks.listed(endpoint.id)
    service, sent, other = hooks.service, hooks.deliveries, await hooks.endpoint()
    for by in (NEIGHBOUR, OWN_LIVE):
        for refused in (
            service.show(by, endpoint.id),
            service.change(by, endpoint.id, endpoint.terms),
            service.rotate(by, endpoint.id, 0),
            service.disable(by, endpoint.id),
            service.delete(by, endpoint.id),
            sent.test(by, endpoint.id),
            sent.replay_period(by, endpoint.id, ALL_OF_IT),
            sent.replay(by, endpoint.id, found.delivery.id),
        ):
            with pytest.raises(WebhookNotFoundError):
                await refused
        with pytest.raises(EventNotFoundError):
            await sent.replay_event(by, EventId(1), None)
    for delivery_id in (found.delivery.id, WebhookDeliveryId(99)):
        with pytest.raises(WebhookDeliveryNotFoundError):
            await sent.show(OWN, other.id, delivery_id)
    assert await hooks.call() == 0


async def test_what_is_active_is_not_enabled_and_what_is_disabled_not_called(
    hooks: Hooks,
) -> None:
    endpoint = await hooks.endpoint()
    texts = []

    async def refuse(work) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - any coroutine
        with pytest.raises(LongshoreError) as refused:
            await work
        texts.append(refused.value.message)

    await refuse(hooks.service.enable(OWN, endpoint.id))
    disabled = await hooks.service.disable(OWN, endpoint.id)
    assert disabled.disabled_reason == "by_user"
    await refuse(hooks.service.disable(OWN, endpoint.id))
    await refuse(hooks.deliveries.test(OWN, endpoint.id))
    assert texts == [
        "The webhook endpoint is active already.",
        "The webhook endpoint is disabled already.",
        "The webhook endpoint is disabled. Enable it first.",
    ]


async def test_secrets_that_were_changed_meanwhile_stay(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = await hooks.endpoint()

    async def be_late(*_given: object) -> bool:
        return False

    monkeypatch.setattr(SqlWebhookStore, "change_secrets", be_late)
    with pytest.raises(WebhookStateError) as refused:
        await hooks.service.rotate(OWN, endpoint.id, 24)
    assert refused.value.message == "The secret of the endpoint was changed meanwhile. Try again."


async def test_secrets_are_bound_to_their_row_and_version(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()

    async def changed(unit: WriteUnit) -> tuple[bool, bool, StoredWebhook]:
        stored = await unit.webhooks.find(endpoint.id)
        assert stored is not None
        (secret,) = open_secrets(a_sealer(), stored)
        assert secret.text.startswith("whsec_")
        assert secret.text not in repr(secret)
        later = with_secrets(a_sealer(), stored, (secret, secret))
        done = await unit.webhooks.change_secrets(later, START)
        return done, await unit.webhooks.change_secrets(later, START), stored

    first, second, stored = await write(hooks.database, OWN.scope, changed)
    assert (first, second) == (True, False)
    moved = StoredWebhook(
        endpoint=stored.endpoint,
        sealed_version=2,
        wrapped_key=stored.wrapped_key,
        secrets=stored.secrets,
    )
    with pytest.raises(SealBrokenError):
        open_secrets(a_sealer(), moved)
    assert json.loads(secrets_text(())) == []


async def test_secrets_of_another_shape_are_a_broken_seal(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = await hooks.endpoint()

    async def store_numbers(unit: WriteUnit) -> StoredWebhook:
        stored = await unit.webhooks.find(endpoint.id)
        assert stored is not None
        monkeypatch.setattr("longshore.domain.webhooks.encryption.secrets_text", lambda _: b"[7]")
        return with_secrets(a_sealer(), stored, ())

    stored = await write(hooks.database, OWN.scope, store_numbers)
    with pytest.raises(SealBrokenError):
        open_secrets(a_sealer(), stored)


async def test_a_test_event_goes_to_one_endpoint_whatever_its_filters(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint(events=(EventType.MAP_SAVED,))
    await hooks.endpoint()
    queued = await hooks.deliveries.test(OWN, endpoint.id)
    assert (queued.state, queued.attempts) == (OutboxState.DUE, ())
    await hooks.call()
    assert hooks.receiver.ids == ["evt_1"]
    body = hooks.receiver.body()
    assert (body["type"], body["data"]["webhook_id"]) == ("webhook.test", endpoint.id)
    assert body["data"]["url"] == f"https://edi.example.com/api/v1/webhooks/{endpoint.id}"
    shown = await hooks.deliveries.show(OWN, endpoint.id, queued.delivery.id)
    assert (shown.state, len(shown.attempts)) == (OutboxState.DONE, 1)


async def test_an_event_is_replayed_under_another_id_each_time(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    other = await hooks.endpoint(events=(EventType.DOCUMENT_STORED,))
    event_id = await hooks.happens(EventType.TRANSACTION_RECEIVED, transaction_id=7, replay=1)
    await hooks.call()
    assert await hooks.deliveries.replay_event(OWN, event_id, None) == 1
    assert await hooks.deliveries.replay_event(OWN, event_id, other.id) == 1
    (first, *_) = await hooks.listed(endpoint.id)
    await hooks.deliveries.replay(OWN, endpoint.id, first.delivery.id)
    await hooks.call()
    assert sorted(hooks.receiver.ids) == ["evt_1", "evt_1_1", "evt_1_1", "evt_1_2"]
    assert [each["data"]["replay"] for each in map(hooks.receiver.body, range(4))] == [True] * 4
    assert "user 5 event.replay event 1" in await audited(hooks.database)
    for unknown in (EventId(9),):
        with pytest.raises(EventNotFoundError):
            await hooks.deliveries.replay_event(OWN, unknown, None)
    with pytest.raises(WebhookNotFoundError):
        await hooks.deliveries.replay_event(OWN, event_id, WebhookId(9))


async def test_a_disabled_endpoint_gets_no_replay(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    event_id = await hooks.happens()
    await hooks.service.disable(OWN, endpoint.id)
    assert await hooks.deliveries.replay_event(OWN, event_id, None) == 0


async def test_a_period_is_replayed_in_parts(hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(4):
        await hooks.happens()
        await hooks.happens(EventType.DOCUMENT_STORED, doc_id=7)
        hooks.clock.move(SECOND)
    endpoint = await hooks.endpoint(events=(EventType.MAP_SAVED,))
    monkeypatch.setattr(deliveries, "MAX_REPLAYED", 3)
    period = EventPeriod(since=START + SECOND, until=START + 3 * SECOND)
    first = await hooks.deliveries.replay_period(OWN, endpoint.id, period)
    assert (first.deliveries, first.next_after) == (2, 5)
    rest = EventPeriod(since=period.since, until=period.until, after=5)
    assert await hooks.deliveries.replay_period(OWN, endpoint.id, rest) == (0, None)
    await hooks.call()
    assert sorted(hooks.receiver.ids) == ["evt_3_1", "evt_5_1"]
    body = hooks.receiver.body()
    assert (body["timestamp"][:10], body["data"]["replay"]) == ("2026-01-15", True)


async def test_deliveries_are_listed_in_pages(hooks: Hooks) -> None:
    endpoint = await hooks.endpoint()
    assert await hooks.deliveries.list(OWN, endpoint.id, 2**63 - 1, 2) == ((), None)
    for _ in range(3):
        await hooks.happens()
    await hooks.call()
    page = await hooks.deliveries.list(OWN, endpoint.id, 2**63 - 1, 2)
    assert ([each.delivery.event_id for each in page.deliveries], page.next_before) == ([3, 2], 2)
    rest = await hooks.deliveries.list(OWN, endpoint.id, 2, 2)
    assert ([each.delivery.event_id for each in rest.deliveries], rest.next_before) == ([1], None)
    assert [len(each.attempts) for each in (*page.deliveries, *rest.deliveries)] == [1, 1, 1]
