"""The options that say which AS2 identities a command is about."""

from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

import click

from longshore.cli.options import WordChoice
from longshore.cli.partners import account_option
from longshore.kit.environment import Environment


class IdentityScope(NamedTuple):
    """The account and the environment of AS2 identities."""

    account: str | None
    """Its name; None if the installation has only one."""
    environment: Environment


def identity_scope_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add ``--account`` and ``--environment``; the command gets both as ``scope``."""

    @account_option
    @click.option(
        "--environment",
        type=WordChoice(Environment),
        default=Environment.SANDBOX,
        show_default=True,
        help="The documents of the identity: test or live ones.",
    )
    @wraps(command)
    def run(
        *args: object, account: str | None, environment: Environment, **given: object
    ) -> object:
        return command(*args, scope=IdentityScope(account, environment), **given)

    return run
