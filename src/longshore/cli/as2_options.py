"""The options that say which AS2 identities a command is about, and new keys for them."""

from collections.abc import Callable
from functools import wraps
from typing import Final, NamedTuple

import click

from longshore.as2.certificates import PemKeyPair
from longshore.as2.exchange import make_pem_key_pair
from longshore.as2.keys import VALID_DAYS
from longshore.cli.options import WordChoice
from longshore.cli.partners import account_option
from longshore.kit.clock import SystemClock
from longshore.kit.environment import Environment
from longshore.kit.ids import SystemIdSource

_SERIAL_BYTES: Final = 20


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


def new_pair(name: str, valid_days: int = VALID_DAYS) -> PemKeyPair:
    """Return a new key with its certificate for an identity of a name."""
    serial = SystemIdSource().token_bytes(_SERIAL_BYTES)
    return make_pem_key_pair(name, SystemClock().now(), serial, valid_days)
