"""Options that several commands share."""

from collections.abc import Callable
from dataclasses import fields
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

import click

from longshore.settings import Settings, load_settings

P = ParamSpec("P")
T = TypeVar("T")
Word = TypeVar("Word", bound=StrEnum)

_SETTING_NAMES: Final = frozenset(field.name for field in fields(Settings))

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, errors included, on stdout."
)


host_option = click.option(
    "--host", help=f"Address to listen on; 0.0.0.0 is every one.  [default: {Settings().host}]"
)
port_option = click.option(
    "--port", help=f"TCP port to listen on; 0 is any free one.  [default: {Settings().port}]"
)
sftp_port_option = click.option(
    "--sftp-port", help="TCP port of the SFTP server with the mailboxes of partners."
)
tls_cert_option = click.option(
    "--tls-cert", metavar="FILE", help="PEM file of the certificate; the server speaks https then."
)
tls_key_option = click.option(
    "--tls-key", metavar="FILE", help="PEM file of its unencrypted private key."
)


class WordChoice(click.Choice[Word]):
    """One member of a StrEnum by its value; click on its own takes the Python names."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        del ctx
        return str(choice)


def with_settings(command: Callable[Concatenate[Settings, P], T]) -> Callable[..., T]:
    """Add --data-dir, --database-url and --config; hand the settings over as first argument.

    Options of the command that have the name of a setting count as command line settings.
    """

    @click.option(
        "--data-dir",
        metavar="DIR",
        help=f"Folder of the database.  [default: ./{Settings().data_dir}]",
    )
    @click.option(
        "--database-url",
        metavar="URL",
        help="PostgreSQL address instead; set LONGSHORE_DATABASE_URL if it contains a password.",
    )
    @click.option(
        "--config",
        type=click.Path(path_type=Path),
        help="Settings file instead of longshore.toml here or in the data directory.",
    )
    @wraps(command)
    def run(*, config: Path | None, **options: object) -> T:
        given = {name: value for name, value in options.items() if name in _SETTING_NAMES}
        rest = {name: value for name, value in options.items() if name not in _SETTING_NAMES}
        call: Callable[..., T] = command
        return call(load_settings(given, config=config), **rest)

    return run
