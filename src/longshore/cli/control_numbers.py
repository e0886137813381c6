"""``longshore control-numbers``: shows the control numbers towards a partner and skips some.

Works while a server runs, on the same database.
"""

import click

from longshore.cli.administration import PartnerAdministration, administer_partners
from longshore.cli.options import json_option, with_settings
from longshore.cli.partners import account_option, operator_context
from longshore.cli.terminal import print_table, write_json
from longshore.domain.control_numbers.service import CounterView
from longshore.domain.partners.model import PartnerId
from longshore.domain.partners.parser import LARGEST_ID
from longshore.kit.environment import Environment
from longshore.settings import Settings

_partner_id = click.argument("partner_id", type=click.IntRange(1, LARGEST_ID))


@click.group("control-numbers")
def control_numbers() -> None:
    """Show or skip the control numbers of what is sent to a partner."""


@control_numbers.command("list")
@_partner_id
@account_option
@json_option
@with_settings
def list_numbers(
    settings: Settings, *, partner_id: int, account: str | None, as_json: bool
) -> None:
    """Show the last ISA13, GS06 and ST02 sent to the partner PARTNER_ID."""

    async def read(admin: PartnerAdministration) -> tuple[CounterView, ...]:
        context = await operator_context(admin, account, Environment.PRODUCTION)
        return await admin.control_numbers.of_partner(context, PartnerId(partner_id))

    _print(administer_partners(settings, read), as_json=as_json)


@control_numbers.command()
@_partner_id
@click.option(
    "--by",
    "count",
    type=click.IntRange(1),
    required=True,
    metavar="N",
    help="How many numbers to skip.",
)
@click.option(
    "--environment",
    type=click.Choice([each.value for each in Environment]),
    default=Environment.PRODUCTION.value,
    show_default=True,
    help="Of test (sandbox) or of live documents (production).",
)
@account_option
@json_option
@with_settings
def advance(
    settings: Settings,
    *,
    partner_id: int,
    count: int,
    environment: str,
    account: str | None,
    as_json: bool,
) -> None:
    """Skip the next N numbers of each counter towards the partner PARTNER_ID.

    For numbers that were used elsewhere, such as by the system that Longshore replaces. The audit
    log records it.
    """

    async def skip(admin: PartnerAdministration) -> tuple[CounterView, ...]:
        context = await operator_context(admin, account, Environment(environment))
        return await admin.control_numbers.advance(context, PartnerId(partner_id), count)

    _print(administer_partners(settings, skip), as_json=as_json)


def _print(counters: tuple[CounterView, ...], *, as_json: bool) -> None:
    if as_json:
        write_json({"control_numbers": [_json(each) for each in counters]})
        return
    rows = (
        (each.environment, each.kind, each.last or "", each.range.least, each.range.most, each.left)
        for each in counters
    )
    print_table(("environment", "kind", "last", "smallest", "largest", "left"), rows)


def _json(counter: CounterView) -> dict[str, object]:
    return {
        "environment": counter.environment,
        "kind": counter.kind,
        "last": counter.last,
        "smallest": counter.range.least,
        "largest": counter.range.most,
        "left": counter.left,
        "days_left": counter.days_left,
    }
