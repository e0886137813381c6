"""The operations on webhook endpoints: for keys, and as the pages use them."""

from dataclasses import replace
from typing import Any, Final

from longshore.domain.accounts.model import KeyScope
from longshore.domain.webhooks.deliveries import MAX_REPLAYED
from longshore.domain.webhooks.model import MAX_ENDPOINTS
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.webhook_shapes import (
    EXAMPLE_DELIVERY,
    EXAMPLE_ITEM,
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
)
from longshore.http.api_v1.webhooks import (
    change_webhook,
    create_webhook,
    delete_webhook,
    disable_webhook,
    enable_webhook,
    list_webhook_deliveries,
    list_webhooks,
    replay_event,
    replay_webhook_delivery,
    replay_webhook_period,
    rotate_webhook,
    show_webhook,
    show_webhook_delivery,
    test_webhook,
)
from longshore.http.envelope import DoneAnswer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, CallerRule, Operation, Response
from longshore.kit.errors import ErrorCode

WEBHOOKS: Final = "Webhooks"

_ONE: Final = Response(
    description="The endpoint as it is now.",
    shape=WebhookAnswer,
    example={"ok": True, "webhook": EXAMPLE_ITEM},
)
_DELIVERY: Final = Response(
    description="The delivery as it is now.",
    shape=WebhookDeliveryAnswer,
    example={"ok": True, "delivery": EXAMPLE_DELIVERY},
)
_NOT_FOUND: Final = frozenset({ErrorCode.NOT_FOUND})
_NOT_NOW: Final = _NOT_FOUND | {ErrorCode.INVALID_STATE}
_BODY_EXAMPLE: Final = {
    "url": "https://erp.example.com/hooks",
    "description": "ERP",
    "events": ["transaction.acknowledged", "transaction.rejected"],
}


def _operation(method: str, path: str, **members: Any) -> AnyOperation:  # noqa: ANN401 - those of Operation
    """Return an operation of API keys: reading needs scope read, all else scope submit."""
    scope = KeyScope.READ if method == "GET" else KeyScope.SUBMIT
    text = members.pop("description")
    return Operation(
        method=method,
        path=f"/api/v1{path}",
        tag=WEBHOOKS,
        description=f"{text} Needs scope {scope.value}.",
        caller=API_KEY,
        scope=scope,
        limit_class=LimitClass.REQUESTS,
        **members,
    )


WEBHOOK_OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    _operation(
        "GET",
        "/webhooks",
        operation_id="listWebhooks",
        summary="List webhook endpoints",
        description="Returns the endpoints in the environment, the oldest first.",
        response=Response(
            description="The endpoints.",
            shape=WebhooksAnswer,
            example={
                "ok": True,
                "environment": "sandbox",
                "count": 1,
                "webhooks": [EXAMPLE_ITEM],
            },
        ),
        handler=list_webhooks,
    ),
    _operation(
        "POST",
        "/webhooks",
        operation_id="createWebhook",
        summary="Create a webhook endpoint",
        description=(
            "Stores a URL that is called about events from now on, and sends its secret, the only "
            f"time. An account has at most {MAX_ENDPOINTS} endpoints in an environment."
        ),
        body=WebhookRequest,
        body_example=_BODY_EXAMPLE,
        response=Response(
            description="The endpoint and its secret.",
            shape=NewWebhookAnswer,
            example={"ok": True, "webhook": EXAMPLE_ITEM, "secret": "whsec_…"},
        ),
        errors=frozenset({ErrorCode.INVALID_STATE}),
        handler=create_webhook,
    ),
    _operation(
        "GET",
        "/webhooks/{id}",
        operation_id="showWebhook",
        summary="Show a webhook endpoint",
        description="Returns one endpoint.",
        parameters=WebhookParameters,
        response=_ONE,
        errors=_NOT_FOUND,
        handler=show_webhook,
    ),
    _operation(
        "PUT",
        "/webhooks/{id}",
        operation_id="changeWebhook",
        summary="Change a webhook endpoint",
        description="Replaces URL, description and filters, also for calls that wait.",
        parameters=WebhookParameters,
        body=WebhookRequest,
        body_example=_BODY_EXAMPLE,
        response=_ONE,
        errors=_NOT_FOUND,
        handler=change_webhook,
    ),
    _operation(
        "DELETE",
        "/webhooks/{id}",
        operation_id="deleteWebhook",
        summary="Delete a webhook endpoint",
        description="Deletes an endpoint; calls that wait are cancelled. This cannot be undone.",
        parameters=WebhookParameters,
        response=Response(
            description="The endpoint is deleted.", shape=DoneAnswer, example={"ok": True}
        ),
        errors=_NOT_FOUND,
        handler=delete_webhook,
    ),
    _operation(
        "POST",
        "/webhooks/{id}/rotate",
        operation_id="rotateWebhook",
        summary="Replace the secret of a webhook endpoint",
        description="Makes a new secret; the one before it signs as well for some hours.",
        parameters=WebhookParameters,
        body=WebhookRotationRequest,
        body_example={"overlap_hours": 24},
        response=Response(
            description="The new secret.",
            shape=RotatedWebhookAnswer,
            example={"ok": True, "secret": "whsec_…", "old_expires_at": "2026-01-16T14:05:09"},
        ),
        errors=_NOT_NOW,
        handler=rotate_webhook,
    ),
    _operation(
        "POST",
        "/webhooks/{id}/test",
        operation_id="testWebhook",
        summary="Send a test event",
        description="Records an event webhook.test and queues it for this endpoint alone.",
        parameters=WebhookParameters,
        response=_DELIVERY,
        errors=_NOT_NOW,
        handler=test_webhook,
    ),
    _operation(
        "POST",
        "/webhooks/{id}/enable",
        operation_id="enableWebhook",
        summary="Enable a webhook endpoint",
        description=(
            "Calls a disabled endpoint again, about what happens from now on. What happened "
            "meanwhile can be replayed."
        ),
        parameters=WebhookParameters,
        response=_ONE,
        errors=_NOT_NOW,
        handler=enable_webhook,
    ),
    _operation(
        "POST",
        "/webhooks/{id}/disable",
        operation_id="disableWebhook",
        summary="Disable a webhook endpoint",
        description="Stops the calls of an endpoint; calls that wait are cancelled.",
        parameters=WebhookParameters,
        response=_ONE,
        errors=_NOT_NOW,
        handler=disable_webhook,
    ),
    _operation(
        "POST",
        "/webhooks/{id}/replay",
        operation_id="replayWebhookPeriod",
        summary="Replay the events of a period",
        description=(
            "Queues calls about the events of a period that the filters fit, under other ids than "
            f"before. A request looks at {MAX_REPLAYED:,} events; a longer period is gone on with "
            "by next_after."
        ),
        parameters=WebhookParameters,
        body=PeriodReplayRequest,
        body_example={"date_from": "2026-01-15", "date_to": "2026-01-16"},
        response=Response(
            description="What was queued.",
            shape=PeriodReplayAnswer,
            example={"ok": True, "deliveries": 12, "next_after": None},
        ),
        errors=_NOT_NOW,
        handler=replay_webhook_period,
    ),
    _operation(
        "GET",
        "/webhooks/{id}/deliveries",
        operation_id="listWebhookDeliveries",
        summary="List the deliveries to a webhook endpoint",
        description=(
            "Returns deliveries with their attempts, the newest first. They are kept for 30 days "
            "after their end."
        ),
        parameters=WebhookDeliveriesParameters,
        response=Response(
            description="The deliveries.",
            shape=WebhookDeliveriesAnswer,
            example={
                "ok": True,
                "count": 1,
                "next_before": None,
                "deliveries": [EXAMPLE_DELIVERY],
                "warnings": [],
            },
        ),
        errors=_NOT_FOUND,
        handler=list_webhook_deliveries,
    ),
    _operation(
        "GET",
        "/webhooks/{id}/deliveries/{delivery_id}",
        operation_id="showWebhookDelivery",
        summary="Show a delivery to a webhook endpoint",
        description="Returns a delivery with what the endpoint answered to failed attempts.",
        parameters=WebhookDeliveryParameters,
        response=_DELIVERY,
        errors=_NOT_FOUND,
        handler=show_webhook_delivery,
    ),
    _operation(
        "POST",
        "/webhooks/{id}/deliveries/{delivery_id}/replay",
        operation_id="replayWebhookDelivery",
        summary="Replay a delivery",
        description="Calls the endpoint once more about the same event, under another id.",
        parameters=WebhookDeliveryParameters,
        response=_DELIVERY,
        errors=_NOT_NOW,
        handler=replay_webhook_delivery,
    ),
    _operation(
        "POST",
        "/events/{id}/replay",
        operation_id="replayEvent",
        summary="Replay an event",
        description="Calls webhook endpoints once more about an event, under another id.",
        parameters=EventParametersInPath,
        body=EventReplayRequest,
        body_example={},
        response=Response(
            description="What was queued.",
            shape=EventReplayAnswer,
            example={"ok": True, "event_id": 31, "deliveries": 1},
        ),
        errors=_NOT_NOW,
        handler=replay_event,
    ),
)


def in_session(
    operation: AnyOperation, viewer: CallerRule[Any], editor: CallerRule[Any]
) -> AnyOperation:
    """Return an operation of API keys as the pages use it."""
    is_read = operation.method == "GET"
    path = operation.path.replace("/api/v1/", "/api/", 1)
    whose = "As with an API key, of the chosen environment."
    return replace(
        operation,
        path=path,
        operation_id=f"{operation.operation_id}InSession",
        description=whose if is_read else f"{whose} For editors.",
        caller=viewer if is_read else editor,
        scope=None,
    )
