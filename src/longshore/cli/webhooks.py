"""``longshore webhooks``: endpoints that are called about events.

Works on the data directory: before the first start, while a server is running, and after it. A
secret is printed when it is made, and never again.
"""

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Final, TypedDict, TypeVar, Unpack

import click

from longshore.cli.administration import PartnerAdministration, administer_partners
from longshore.cli.options import WordChoice, json_option, with_settings
from longshore.cli.partners import account_option, operator_context
from longshore.cli.terminal import print_table, timestamp, visible, write_json
from longshore.domain.events.model import EventId, EventType
from longshore.domain.partners.model import PartnerId
from longshore.domain.partners.parser import LARGEST_ID
from longshore.domain.ports import RequestContext
from longshore.domain.webhooks.deliveries import DeliveryPage
from longshore.domain.webhooks.model import (
    MAX_OVERLAP_HOURS,
    OVERLAP_HOURS,
    DeliveryProgress,
    WebhookEndpoint,
    WebhookId,
    WebhookTerms,
)
from longshore.domain.webhooks.service import IssuedSecret
from longshore.kit.environment import Environment
from longshore.settings import Settings

T = TypeVar("T")


class _Owner(TypedDict):
    """The options that say whose endpoint it is."""

    account: str | None
    environment: Environment


_COLUMNS: Final = ("id", "url", "status", "events", "last_success_at", "last_failure_at")
_DELIVERY_COLUMNS: Final = ("id", "event_id", "type", "state", "attempts", "last", "created_at")
_MAX_LISTED: Final = 200

_environment = click.option(
    "--environment",
    type=WordChoice(Environment),
    default=Environment.SANDBOX,
    show_default=True,
    help="The environment whose events the endpoint is called about.",
)
_id = click.argument("endpoint_id", metavar="ID", type=click.IntRange(1, LARGEST_ID))


def _with_account(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command: whose endpoints, of which environment, and the form."""
    return account_option(_environment(json_option(with_settings(command))))


@click.group()
def webhooks() -> None:
    """Create, test, disable and delete webhook endpoints, and replay events."""


@webhooks.command("list")
@_with_account
def list_endpoints(
    settings: Settings, *, account: str | None, environment: Environment, as_json: bool
) -> None:
    """List the webhook endpoints of an account."""

    async def read(
        admin: PartnerAdministration, context: RequestContext
    ) -> tuple[WebhookEndpoint, ...]:
        return await admin.webhooks.list(context)

    found = _done(settings, (account, environment), read)
    if as_json:
        write_json({"webhooks": [_endpoint_json(each) for each in found]})
        return
    print_table(
        _COLUMNS,
        (
            (
                *(each.id, each.terms.url, each.status, len(each.terms.events) or "all"),
                *(_time(each.last_success_at), _time(each.last_failure_at)),
            )
            for each in found
        ),
    )


@webhooks.command("create")
@click.argument("url", metavar="URL")
@click.option("--description", default="", help="A text for people.")
@click.option(
    "--event",
    "events",
    multiple=True,
    type=WordChoice(EventType),
    help="Only events of this type; may be repeated.",
)
@click.option(
    "--partner",
    "partner_ids",
    multiple=True,
    type=click.IntRange(1, LARGEST_ID),
    help="Only events about the partner with this id; may be repeated.",
)
@_with_account
def create_endpoint(  # noqa: PLR0913 - click passes each option as an argument
    settings: Settings,
    *,
    url: str,
    description: str,
    events: tuple[EventType, ...],
    partner_ids: tuple[int, ...],
    account: str | None,
    environment: Environment,
    as_json: bool,
) -> None:
    """Create an endpoint that is called at URL, and print its secret."""
    terms = WebhookTerms(
        url=url,
        description=description,
        events=tuple(dict.fromkeys(events)),
        partner_ids=tuple(PartnerId(each) for each in dict.fromkeys(partner_ids)),
    )

    async def create(admin: PartnerAdministration, context: RequestContext) -> IssuedSecret:
        return await admin.webhooks.create(context, terms)

    _print_secret(_done(settings, (account, environment), create), "is created", as_json=as_json)


@webhooks.command("rotate")
@_id
@click.option(
    "--overlap-hours",
    type=click.IntRange(0, MAX_OVERLAP_HOURS),
    default=OVERLAP_HOURS,
    show_default=True,
    help="How long the old secret signs as well.",
)
@_with_account
def rotate_secret(
    settings: Settings,
    *,
    endpoint_id: int,
    overlap_hours: int,
    account: str | None,
    environment: Environment,
    as_json: bool,
) -> None:
    """Make a new secret for the endpoint ID, and print it."""

    async def rotate(admin: PartnerAdministration, context: RequestContext) -> IssuedSecret:
        return await admin.webhooks.rotate(context, WebhookId(endpoint_id), overlap_hours)

    issued = _done(settings, (account, environment), rotate)
    _print_secret(issued, "has a new secret", as_json=as_json)


@webhooks.command("test")
@_id
@_with_account
def send_test(
    settings: Settings,
    *,
    endpoint_id: int,
    account: str | None,
    environment: Environment,
    as_json: bool,
) -> None:
    """Queue an event webhook.test for the endpoint ID; a running server sends it."""

    async def test(admin: PartnerAdministration, context: RequestContext) -> DeliveryProgress:
        return await admin.webhook_deliveries.test(context, WebhookId(endpoint_id))

    queued = _done(settings, (account, environment), test)
    if as_json:
        write_json({"delivery": _delivery_json(queued)})
        return
    click.echo(f"Delivery {queued.delivery.id} is queued: {queued.delivery.message_id}.")


@webhooks.command("enable")
@_id
@_with_account
def enable_endpoint(
    settings: Settings, *, endpoint_id: int, as_json: bool, **of: Unpack[_Owner]
) -> None:
    """Call the endpoint ID again, about what happens from now on."""
    _print_endpoint(
        _done(settings, (of["account"], of["environment"]), _switching(endpoint_id, is_on=True)),
        as_json=as_json,
    )


@webhooks.command("disable")
@_id
@_with_account
def disable_endpoint(
    settings: Settings, *, endpoint_id: int, as_json: bool, **of: Unpack[_Owner]
) -> None:
    """Stop the calls of the endpoint ID; calls that wait are cancelled."""
    _print_endpoint(
        _done(settings, (of["account"], of["environment"]), _switching(endpoint_id, is_on=False)),
        as_json=as_json,
    )


def _switching(
    endpoint_id: int, *, is_on: bool
) -> Callable[[PartnerAdministration, RequestContext], Coroutine[object, object, WebhookEndpoint]]:
    """Return the work that enables or disables an endpoint."""

    async def switch(admin: PartnerAdministration, context: RequestContext) -> WebhookEndpoint:
        act = admin.webhooks.enable if is_on else admin.webhooks.disable
        return await act(context, WebhookId(endpoint_id))

    return switch


@webhooks.command("delete")
@_id
@account_option
@_environment
@with_settings
def delete_endpoint(
    settings: Settings, *, endpoint_id: int, account: str | None, environment: Environment
) -> None:
    """Delete the endpoint ID. This cannot be undone."""

    async def delete(admin: PartnerAdministration, context: RequestContext) -> None:
        await admin.webhooks.delete(context, WebhookId(endpoint_id))

    _done(settings, (account, environment), delete)
    click.echo(f"Webhook endpoint {endpoint_id} is deleted.")


@webhooks.command("deliveries")
@_id
@_with_account
def list_deliveries(
    settings: Settings,
    *,
    endpoint_id: int,
    account: str | None,
    environment: Environment,
    as_json: bool,
) -> None:
    """List the newest deliveries to the endpoint ID."""

    async def read(admin: PartnerAdministration, context: RequestContext) -> DeliveryPage:
        of = WebhookId(endpoint_id)
        return await admin.webhook_deliveries.list(context, of, LARGEST_ID, _MAX_LISTED)

    page = _done(settings, (account, environment), read)
    if as_json:
        write_json({"deliveries": [_delivery_json(each) for each in page.deliveries]})
        return
    print_table(
        _DELIVERY_COLUMNS,
        (
            (
                *(each.delivery.id, each.delivery.event_id, each.delivery.event_type),
                *(each.state, len(each.attempts), _last(each)),
                timestamp(each.delivery.created_at),
            )
            for each in page.deliveries
        ),
    )


@webhooks.command("replay")
@click.argument("event_id", metavar="EVENT", type=click.IntRange(1, LARGEST_ID))
@click.option(
    "--endpoint",
    type=click.IntRange(1, LARGEST_ID),
    help="Only this endpoint, whatever its filters; otherwise all active ones that fit.",
)
@_with_account
def replay_event(
    settings: Settings,
    *,
    event_id: int,
    endpoint: int | None,
    account: str | None,
    environment: Environment,
    as_json: bool,
) -> None:
    """Queue the event with the id EVENT once more, under another webhook-id."""

    async def replay(admin: PartnerAdministration, context: RequestContext) -> int:
        of = None if endpoint is None else WebhookId(endpoint)
        return await admin.webhook_deliveries.replay_event(context, EventId(event_id), of)

    count = _done(settings, (account, environment), replay)
    if as_json:
        write_json({"event_id": event_id, "deliveries": count})
        return
    click.echo(f"Event {event_id} is queued for {count} webhook endpoint(s).")


def _done(
    settings: Settings,
    of: tuple[str | None, Environment],
    work: Callable[[PartnerAdministration, RequestContext], Coroutine[object, object, T]],
) -> T:
    async def run(admin: PartnerAdministration) -> T:
        return await work(admin, await operator_context(admin, *of))

    return administer_partners(settings, run)


def _print_secret(issued: IssuedSecret, done: str, *, as_json: bool) -> None:
    if as_json:
        write_json({"webhook": _endpoint_json(issued.endpoint), "secret": issued.secret})
        return
    click.echo(f"Webhook endpoint {issued.endpoint.id} {done}. Its secret, shown only now:")
    click.echo(issued.secret)


def _print_endpoint(endpoint: WebhookEndpoint, *, as_json: bool) -> None:
    if as_json:
        write_json({"webhook": _endpoint_json(endpoint)})
        return
    click.echo(
        f"Webhook endpoint {endpoint.id} ({visible(endpoint.terms.url)}) is {endpoint.status}."
    )


def _last(progress: DeliveryProgress) -> str:
    """Return what came of the newest attempt: a status, a code, or nothing yet."""
    result = progress.attempts[-1].result if progress.attempts else None
    if result is None:
        return ""
    return str(result.http_status or result.error_code or "")


def _time(moment: datetime | None) -> str:
    return timestamp(moment) or ""


def _endpoint_json(endpoint: WebhookEndpoint) -> dict[str, object]:
    terms = endpoint.terms
    return {
        "id": endpoint.id,
        "url": terms.url,
        "description": terms.description,
        "events": [each.value for each in terms.events],
        "partner_ids": list(terms.partner_ids),
        "environment": endpoint.environment.value,
        "status": endpoint.status.value,
        "disabled_reason": endpoint.disabled_reason or "",
        "created_at": timestamp(endpoint.created_at),
    }


def _delivery_json(progress: DeliveryProgress) -> dict[str, object]:
    delivery = progress.delivery
    return {
        "id": delivery.id,
        "event_id": delivery.event_id,
        "type": delivery.event_type.value,
        "message_id": delivery.message_id,
        "state": progress.state.value,
        "attempts": len(progress.attempts),
        "last": _last(progress),
        "created_at": timestamp(delivery.created_at),
    }
