"""``longshore keys``: create, list, revoke and rotate API keys.

Works on the data directory: before the first start, while a server is running, and after it. A
revoked key is refused by a running server from its next request on.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, TypedDict, Unpack

import click

from longshore.cli.administration import administer
from longshore.cli.options import WordChoice, json_option, with_settings
from longshore.cli.terminal import print_table, timestamp, write_json
from longshore.domain.accounts.errors import InvalidAccountParameterError
from longshore.domain.accounts.keys import (
    LONGEST_LIFE_DAYS,
    OVERLAP_DEFAULT_HOURS,
    OVERLAP_MAX_HOURS,
)
from longshore.domain.accounts.model import AccountType, ApiKey, ApiKeyId, IssuedKey, KeyScope
from longshore.domain.accounts.service import DEMO_ACCOUNT_NAME, fold
from longshore.kit.environment import Environment
from longshore.settings import Settings
from longshore.wiring import Administration

_LARGEST_ID: Final = 2**63 - 1

_COLUMNS: Final = (
    "id",
    "account",
    "environment",
    "key",
    "scopes",
    "status",
    "created_at",
    "expires_at",
    "last_used_at",
    "name",
)

_key_id = click.argument("key_id", type=click.IntRange(1, _LARGEST_ID))


class _NewKey(TypedDict):
    """The options of the command line for a new key."""

    account: str
    environment: Environment
    expires_in_days: int | None
    scopes: str
    name: str


@click.group()
def keys() -> None:
    """Create, list, revoke and rotate API keys."""


@keys.command("create")
@click.option("--account", required=True, metavar="NAME", help="Account the key belongs to.")
@click.option(
    "--environment",
    type=WordChoice(Environment),
    required=True,
    help="The data of the key: test data or live data.",
)
@click.option(
    "--expires-in-days",
    type=click.IntRange(1, LONGEST_LIFE_DAYS),
    help="Days until the key expires; without it, the key works until it is revoked.",
)
@click.option(
    "--scopes",
    default=",".join(KeyScope),
    show_default=True,
    metavar="LIST",
    help="Scopes of the key, separated by commas.",
)
@click.option("--name", default="", metavar="TEXT", help="Name of the key.")
@json_option
@with_settings
def create_key(settings: Settings, *, as_json: bool, **new: Unpack[_NewKey]) -> None:
    """Create an API key and show it: the only time it can be shown."""
    allowed, days = _scopes(new["scopes"]), new["expires_in_days"]

    async def create(admin: Administration) -> IssuedKey:
        await _bootstrap(admin, new["account"])
        return await admin.keys.create(
            new["account"],
            new["environment"],
            name=new["name"],
            scopes=allowed,
            expires_at=None if days is None else admin.clock.now() + timedelta(days=days),
        )

    _print_issued(administer(settings, create), as_json=as_json)


@keys.command("list")
@click.option("--account", metavar="NAME", help="Only keys of this account.")
@json_option
@with_settings
def list_keys(settings: Settings, *, account: str | None, as_json: bool) -> None:
    """List API keys: of a key only what it begins and ends with is known."""

    async def read(admin: Administration) -> list[dict[str, object]]:
        names = {found.id: found.name for found in await admin.accounts.list()}
        now = admin.clock.now()
        records = await admin.keys.list(account)
        return [_key_json(record, names[record.account_id], now) for record in records]

    found = administer(settings, read)
    if as_json:
        write_json({"keys": found})
    else:
        print_table(_COLUMNS, (key.values() for key in found))


@keys.command("revoke")
@_key_id
@json_option
@with_settings
def revoke_key(settings: Settings, *, key_id: int, as_json: bool) -> None:
    """Revoke the key KEY_ID: its next request is refused. This cannot be undone."""
    record = administer(settings, lambda admin: admin.keys.revoke(ApiKeyId(key_id)))
    if as_json:
        write_json({
            "id": record.id,
            "status": "revoked",
            "revoked_at": timestamp(record.revoked_at),
        })
    else:
        click.echo(f"Key {record.id} ({_shown(record)}) is revoked.")


@keys.command("rotate")
@_key_id
@click.option(
    "--overlap-hours",
    type=click.IntRange(0, OVERLAP_MAX_HOURS),
    default=OVERLAP_DEFAULT_HOURS,
    show_default=True,
    help="How long the old key still works.",
)
@json_option
@with_settings
def rotate_key(settings: Settings, *, key_id: int, overlap_hours: int, as_json: bool) -> None:
    """Create a key in place of KEY_ID, which works for some hours more."""
    issued = administer(settings, lambda admin: admin.keys.rotate(ApiKeyId(key_id), overlap_hours))
    _print_issued(issued, as_json=as_json)


async def _bootstrap(admin: Administration, account_name: str) -> None:
    """Make the account ``demo`` that the first start would make, if that is what is asked for.

    So the commands of the README work in either order; the first start then prints no key.
    """
    if fold(account_name) == DEMO_ACCOUNT_NAME and not await admin.accounts.list():
        # Another process may be quicker: then the name is taken, and that is as good.
        with suppress(InvalidAccountParameterError):
            await admin.accounts.create(DEMO_ACCOUNT_NAME, AccountType.DEVELOPER)


def _scopes(text: str) -> frozenset[KeyScope]:
    try:
        return frozenset(KeyScope(part.strip()) for part in text.split(","))
    except ValueError as error:
        raise click.BadParameter(
            f"use one or more of {', '.join(KeyScope)}, separated by commas",
            param_hint="'--scopes'",
        ) from error


def _print_issued(issued: IssuedKey, *, as_json: bool) -> None:
    if as_json:
        write_json({"key": issued.key, "id": issued.record.id})
    else:
        click.echo(f"{issued.key}\n")
        click.echo(
            f"Key {issued.record.id}, {issued.record.environment}. Store it: it is not shown again."
        )


def _key_json(record: ApiKey, account_name: str, now: datetime) -> dict[str, object]:
    values = (
        record.id,
        account_name,
        record.environment,
        _shown(record),
        [scope for scope in KeyScope if scope in record.scopes],
        record.status(now),
        timestamp(record.created_at),
        timestamp(record.expires_at),
        timestamp(record.last_used_at),
        record.name,
    )
    return dict(zip(_COLUMNS, values, strict=True))


def _shown(record: ApiKey) -> str:
    return f"{record.prefix}…{record.last_four}"
