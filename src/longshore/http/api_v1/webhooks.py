"""/api/v1/webhooks: endpoints that are called about events, for keys and for sessions."""

from typing import Any

from longshore.domain.events.model import EventId
from longshore.domain.webhooks.deliveries import EventPeriod
from longshore.domain.webhooks.errors import (
    EventNotFoundError,
    WebhookDeliveryNotFoundError,
    WebhookNotFoundError,
)
from longshore.domain.webhooks.model import WebhookDeliveryId, WebhookId
from longshore.http.api_v1.webhook_shapes import (
    EventParametersInPath,
    EventReplayAnswer,
    EventReplayRequest,
    NewWebhookAnswer,
    PeriodReplayAnswer,
    PeriodReplayRequest,
    RotatedWebhookAnswer,
    WebhookAnswer,
    WebhookDeliveriesAnswer,
    WebhookDeliveriesParameters,
    WebhookDeliveryAnswer,
    WebhookDeliveryParameters,
    WebhookParameters,
    WebhookRequest,
    WebhookRotationRequest,
    WebhooksAnswer,
    delivery_item,
    webhook_item,
)
from longshore.http.envelope import Answer, done, json_answer, utc_text
from longshore.http.exchange import AccountCaller
from longshore.http.listing import (
    LARGEST_ID,
    ImpossibleValuesError,
    id_in_path,
    moment_after,
    moment_from,
    page_of,
)
from longshore.http.operation import Call
from longshore.http.request_context import request_context_of


async def list_webhooks(caller: AccountCaller, call: Call[None]) -> Answer:
    found = await call.services.trading.webhooks.list(request_context_of(caller, call))
    return json_answer(
        WebhooksAnswer(
            environment=caller.environment.value,
            count=len(found),
            webhooks=[webhook_item(each) for each in found],
        )
    )


async def create_webhook(caller: AccountCaller, call: Call[WebhookRequest]) -> Answer:
    service, context = call.services.trading.webhooks, request_context_of(caller, call)
    issued = await service.create(context, call.body.terms())
    return json_answer(
        NewWebhookAnswer(webhook=webhook_item(issued.endpoint), secret=issued.secret)
    )


async def show_webhook(caller: AccountCaller, call: Call[None]) -> Answer:
    service, context = call.services.trading.webhooks, request_context_of(caller, call)
    return json_answer(WebhookAnswer(webhook=webhook_item(await service.show(context, _id(call)))))


async def change_webhook(caller: AccountCaller, call: Call[WebhookRequest]) -> Answer:
    service, context = call.services.trading.webhooks, request_context_of(caller, call)
    changed = await service.change(context, _id(call), call.body.terms())
    return json_answer(WebhookAnswer(webhook=webhook_item(changed)))


async def delete_webhook(caller: AccountCaller, call: Call[None]) -> Answer:
    await call.services.trading.webhooks.delete(request_context_of(caller, call), _id(call))
    return done()


async def rotate_webhook(caller: AccountCaller, call: Call[WebhookRotationRequest]) -> Answer:
    service, context = call.services.trading.webhooks, request_context_of(caller, call)
    issued = await service.rotate(context, _id(call), call.body.overlap_hours)
    assert issued.old_expires_at is not None  # there was a secret
    return json_answer(
        RotatedWebhookAnswer(secret=issued.secret, old_expires_at=utc_text(issued.old_expires_at))
    )


async def enable_webhook(caller: AccountCaller, call: Call[None]) -> Answer:
    service, context = call.services.trading.webhooks, request_context_of(caller, call)
    enabled = await service.enable(context, _id(call))
    return json_answer(WebhookAnswer(webhook=webhook_item(enabled)))


async def disable_webhook(caller: AccountCaller, call: Call[None]) -> Answer:
    service, context = call.services.trading.webhooks, request_context_of(caller, call)
    disabled = await service.disable(context, _id(call))
    return json_answer(WebhookAnswer(webhook=webhook_item(disabled)))


async def test_webhook(caller: AccountCaller, call: Call[None]) -> Answer:
    service, context = call.services.trading.webhook_deliveries, request_context_of(caller, call)
    queued = await service.test(context, _id(call))
    return json_answer(WebhookDeliveryAnswer(delivery=delivery_item(queued, service.failure_of)))


async def list_webhook_deliveries(caller: AccountCaller, call: Call[None]) -> Answer:
    service, asked = (
        call.services.trading.webhook_deliveries,
        call.parameters_as(WebhookDeliveriesParameters),
    )
    limit, _, warnings = page_of(asked.limit, "0")
    before = min(int(asked.before or LARGEST_ID), LARGEST_ID)
    page = await service.list(request_context_of(caller, call), _id(call), before, limit)
    items = [delivery_item(each, service.failure_of) for each in page.deliveries]
    return json_answer(
        WebhookDeliveriesAnswer(
            count=len(items), next_before=page.next_before, deliveries=items, warnings=warnings
        )
    )


async def show_webhook_delivery(caller: AccountCaller, call: Call[None]) -> Answer:
    service, context = call.services.trading.webhook_deliveries, request_context_of(caller, call)
    found = await service.show(context, _id(call), _delivery_id(call))
    item = delivery_item(found, service.failure_of, with_answers=True)
    return json_answer(WebhookDeliveryAnswer(delivery=item))


async def replay_webhook_delivery(caller: AccountCaller, call: Call[None]) -> Answer:
    service, context = call.services.trading.webhook_deliveries, request_context_of(caller, call)
    queued = await service.replay(context, _id(call), _delivery_id(call))
    return json_answer(WebhookDeliveryAnswer(delivery=delivery_item(queued, service.failure_of)))


async def replay_webhook_period(caller: AccountCaller, call: Call[PeriodReplayRequest]) -> Answer:
    body, faults = call.body, dict[str, str]()
    since = moment_from(body.date_from, "date_from", faults)
    until = moment_after(body.date_to or "", "date_to", faults)
    if faults or since is None:
        raise ImpossibleValuesError(faults)
    period = EventPeriod(since=since, until=until or call.services.clock.now(), after=body.after)
    replay = await call.services.trading.webhook_deliveries.replay_period(
        request_context_of(caller, call), _id(call), period
    )
    return json_answer(
        PeriodReplayAnswer(deliveries=replay.deliveries, next_after=replay.next_after)
    )


async def replay_event(caller: AccountCaller, call: Call[EventReplayRequest]) -> Answer:
    event_id = id_in_path(call.parameters_as(EventParametersInPath).id)
    if event_id is None:
        raise EventNotFoundError
    wanted = call.body.endpoint_id
    count = await call.services.trading.webhook_deliveries.replay_event(
        request_context_of(caller, call),
        EventId(event_id),
        None if wanted is None else WebhookId(wanted),
    )
    return json_answer(EventReplayAnswer(event_id=event_id, deliveries=count))


# Any: the type of the body makes no difference here.
def _id(call: Call[Any]) -> WebhookId:
    parameters = call.parameters
    assert isinstance(parameters, WebhookParameters)
    number = id_in_path(parameters.id)
    if number is None:
        raise WebhookNotFoundError
    return WebhookId(number)


def _delivery_id(call: Call[Any]) -> WebhookDeliveryId:
    number = id_in_path(call.parameters_as(WebhookDeliveryParameters).delivery_id)
    if number is None:
        raise WebhookDeliveryNotFoundError
    return WebhookDeliveryId(number)
