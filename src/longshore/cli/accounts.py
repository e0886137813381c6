"""``longshore accounts``: create, suspend, resume, list; plans, and how long documents are kept.

Works on the data directory: before the first start, while a server is running, and after it.
"""

from re import fullmatch

import click

from longshore.cli.administration import (
    PartnerAdministration,
    administer,
    administer_partners,
)
from longshore.cli.options import WordChoice, json_option, with_settings
from longshore.cli.terminal import print_table, timestamp, write_json
from longshore.domain.accounts.model import Account, AccountType
from longshore.domain.usage.store import AccountUsage
from longshore.settings import Settings
from longshore.wiring import Administration


class _Days(click.ParamType[int | None]):
    """A number of days, or the word ``never``, which is None."""

    name = "days"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | None:
        if value == "never":
            return None
        if not fullmatch("[0-9]{1,9}", str(value)):
            self.fail(f"{value!r} is neither a number of days nor the word never.", param, ctx)
        return int(str(value))


class _Quota(click.ParamType[int | None]):
    """A number, or the word ``default``, which is None."""

    name = "number"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | None:
        if value == "default":
            return None
        if not fullmatch("[0-9]{1,18}", str(value)):
            self.fail(f"{value!r} is neither a whole number nor the word default.", param, ctx)
        return int(str(value))


@click.group()
def accounts() -> None:
    """Create, suspend, resume and list accounts; set plans, quotas and retention."""


@accounts.command("create")
@click.argument("name")
@click.option(
    "--type",
    "account_type",
    type=WordChoice(AccountType),
    default=str(AccountType.DEVELOPER),  # else click shows its Python name
    show_default=True,
    help="Plan; production keys need developer-pro or enterprise.",
)
@json_option
@with_settings
def create_account(
    settings: Settings, *, name: str, account_type: AccountType, as_json: bool
) -> None:
    """Create the account NAME, with an identity and a partner that simulates answers."""

    async def create(admin: PartnerAdministration) -> Account:
        account = await admin.accounts.create(name, account_type)
        await admin.provisioner.provision_defaults(account)
        return account

    account = administer_partners(settings, create)
    _print_account(account, "created", as_json=as_json)


@accounts.command("suspend")
@click.argument("name")
@json_option
@with_settings
def suspend_account(settings: Settings, *, name: str, as_json: bool) -> None:
    """Refuse all keys of the account NAME, from the next request on."""
    account = administer(settings, lambda admin: admin.accounts.suspend(name))
    _print_account(account, "suspended", as_json=as_json)


@accounts.command("resume")
@click.argument("name")
@json_option
@with_settings
def resume_account(settings: Settings, *, name: str, as_json: bool) -> None:
    """Let the keys of the suspended account NAME in again."""
    account = administer(settings, lambda admin: admin.accounts.resume(name))
    _print_account(account, "resumed", as_json=as_json)


@accounts.command("set-plan")
@click.argument("name")
@click.argument("plan", type=WordChoice(AccountType))
@json_option
@with_settings
def set_plan(settings: Settings, *, name: str, plan: AccountType, as_json: bool) -> None:
    """Change the plan of the account NAME, from the next request on.

    Under the plan developer its production keys stay, but are refused with plan_required until it
    has another plan again. With --json, refused_keys has their ids.
    """

    async def change(admin: Administration) -> tuple[Account, list[int]]:
        account = await admin.accounts.set_plan(name, plan)
        now, keys = admin.clock.now(), await admin.keys.list(name)
        return account, [each.id for each in keys if each.is_beyond(plan, now)]

    account, refused = administer(settings, change)
    if as_json:
        write_json({**_account_json(account), "refused_keys": refused})
        return
    click.echo(f"Account {account.name} has the plan {account.account_type}.")
    if refused:
        ids = ", ".join(map(str, refused))
        click.echo(f"Production keys refused until it has another plan: {ids}.")


@accounts.command("retention")
@click.argument("name")
@click.argument("days", type=_Days())
@json_option
@with_settings
def set_retention(settings: Settings, *, name: str, days: int | None, as_json: bool) -> None:
    """Keep stored documents of the account NAME for DAYS days; `never` removes none.

    The server removes what is older, at its start and once an hour, for good.
    """
    account = administer(settings, lambda admin: admin.accounts.set_retention(name, days))
    kept = "for ever" if days is None else f"for {days} days"
    _print_account(account, f"set to keep documents {kept}", as_json=as_json)


@accounts.command("set-quota")
@click.argument("name")
@click.option("--bytes", "max_bytes", type=_Quota(), required=True, help="Bytes.")
@click.option("--records", "max_records", type=_Quota(), required=True, help="Records.")
@json_option
@with_settings
def set_quota(
    settings: Settings,
    *,
    name: str,
    max_bytes: int | None,
    max_records: int | None,
    as_json: bool,
) -> None:
    """Let the account NAME store so many bytes and records of documents.

    `default` is the quota of the settings max_stored_bytes and max_stored_records, 0 is none. With
    --json, stored_bytes and stored_records are what it has stored.
    """

    async def change(admin: Administration) -> tuple[Account, AccountUsage]:
        account = await admin.usage.set_quota(name, max_bytes, max_records)
        return account, await admin.usage.find(account.id)

    account, usage = administer(settings, change)
    if as_json:
        write_json({
            **_account_json(account),
            "stored_bytes": usage.bytes,
            "stored_records": usage.records,
            "max_stored_bytes": usage.max_bytes,
            "max_stored_records": usage.max_records,
        })
        return
    click.echo(
        f"Account {account.name} stores {_of(usage.bytes, usage.max_bytes)} bytes and"
        f" {_of(usage.records, usage.max_records)} records."
    )


def _of(used: int, maximum: int | None) -> str:
    return f"{used:,} of {maximum:,}" if maximum else f"{used:,}"


@accounts.command("list")
@json_option
@with_settings
def list_accounts(settings: Settings, *, as_json: bool) -> None:
    """List all accounts."""
    found = administer(settings, lambda admin: admin.accounts.list())
    if as_json:
        write_json({"accounts": [_account_json(account) for account in found]})
    else:
        columns = ("id", "name", "account_type", "status", "created_at", "retention_days")
        print_table(columns, (_account_json(account).values() for account in found))


def _print_account(account: Account, done: str, *, as_json: bool) -> None:
    if as_json:
        write_json(_account_json(account))
    else:
        click.echo(f"Account {account.name} ({account.account_type}) is {done}.")


def _account_json(account: Account) -> dict[str, object]:
    return {
        "id": account.id,
        "name": account.name,
        "account_type": account.account_type,
        "status": account.status,
        "created_at": timestamp(account.created_at),
        "retention_days": account.retention_days,
    }
