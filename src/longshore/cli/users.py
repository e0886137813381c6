"""``longshore users``: create and list users, and set their passwords.

Works on the data directory: before the first start, while a server is running, and after it. A
password comes from a prompt or from standard input, never from an argument, which others on the
machine could read.
"""

from typing import Final

import click

from longshore.cli.administration import administer_users
from longshore.cli.options import WordChoice, json_option, with_settings
from longshore.cli.passwords import ask_password
from longshore.cli.terminal import print_table, timestamp, write_json
from longshore.database import require_database
from longshore.domain.users.model import User, UserRole
from longshore.settings import Settings

_COLUMNS: Final = (
    "id",
    "account",
    "email",
    "role",
    "has_password",
    "created_at",
    "last_login_at",
)


@click.group()
def users() -> None:
    """Create and list users, and set their passwords."""


@users.command("create")
@click.argument("email")
@click.option("--account", required=True, metavar="NAME", help="Account the user belongs to.")
@click.option(
    "--role",
    type=WordChoice(UserRole),
    required=True,
    help=(
        "owner: full access; editor: everything except users, account and production keys; "
        "viewer: read-only."
    ),
)
@json_option
@with_settings
def create_user(
    settings: Settings, *, email: str, account: str, role: UserRole, as_json: bool
) -> None:
    """Create the user EMAIL; asks for the password, or reads it as a line of standard input."""
    require_database(settings)  # before anybody types a password
    password = ask_password(is_new=True)
    user = administer_users(settings, lambda admin: admin.create(account, email, role, password))
    _print_user(user, account, "created", as_json=as_json)


@users.command("password")
@click.argument("email")
@json_option
@with_settings
def set_password(settings: Settings, *, email: str, as_json: bool) -> None:
    """Set the password of the user EMAIL and end the user's sessions."""
    require_database(settings)  # before anybody types a password
    password = ask_password(is_new=True)
    user, account = administer_users(settings, lambda admin: admin.set_password(email, password))
    _print_user(user, account.name, "given a new password", as_json=as_json)


@users.command("list")
@json_option
@with_settings
def list_users(settings: Settings, *, as_json: bool) -> None:
    """List all users."""
    found = administer_users(settings, lambda admin: admin.list())
    rows = [_user_json(user, account.name) for user, account in found]
    if as_json:
        write_json({"users": rows})
    else:
        print_table(_COLUMNS, (row.values() for row in rows))


def _print_user(user: User, account: str, done: str, *, as_json: bool) -> None:
    if as_json:
        write_json(_user_json(user, account))
    else:
        click.echo(f"User {user.email} ({user.role} of {account}) is {done}.")


def _user_json(user: User, account: str) -> dict[str, object]:
    return {
        "id": user.id,
        "account": account,
        "email": user.email,
        "role": user.role,
        "has_password": user.has_password,
        "created_at": timestamp(user.created_at),
        "last_login_at": timestamp(user.last_login_at),
    }
