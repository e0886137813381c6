"""``longshore accounts``: create, suspend, resume and list accounts.

Works on the data directory: before the first start, beside a running server, and after it.
"""

import click

from longshore.cli.administration import administer
from longshore.cli.options import WordChoice, json_option, with_settings
from longshore.cli.terminal import print_table, timestamp, write_json
from longshore.domain.accounts.model import Account, AccountType
from longshore.settings import Settings


@click.group()
def accounts() -> None:
    """Create, suspend, resume and list accounts."""


@accounts.command("create")
@click.argument("name")
@click.option(
    "--type",
    "account_type",
    type=WordChoice(AccountType),
    default=AccountType.DEVELOPER,
    show_default=True,
    help="Plan; production keys need developer-pro or enterprise.",
)
@json_option
@with_settings
def create_account(
    settings: Settings, *, name: str, account_type: AccountType, as_json: bool
) -> None:
    """Create the account NAME."""
    account = administer(settings, lambda admin: admin.accounts.create(name, account_type))
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


@accounts.command("list")
@json_option
@with_settings
def list_accounts(settings: Settings, *, as_json: bool) -> None:
    """List all accounts."""
    found = administer(settings, lambda admin: admin.accounts.list())
    if as_json:
        write_json({"accounts": [_account_json(account) for account in found]})
    else:
        columns = ("id", "name", "account_type", "status", "created_at")
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
    }
