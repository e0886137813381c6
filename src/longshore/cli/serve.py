"""``longshore serve``: the service, in one process.

The first start on an empty data directory makes the account ``demo`` and prints its sandbox key
once, inside a command that can be pasted. What a person reads goes to stdout; the log goes to
stderr.
"""

import shlex
import shutil
import sys
from pathlib import Path

import click

from longshore import __version__
from longshore.cli.first_request import first_request, set_up_request
from longshore.cli.options import (
    host_option,
    port_option,
    sftp_port_option,
    tls_cert_option,
    tls_key_option,
    with_settings,
)
from longshore.settings import Settings
from longshore.wiring import ServerStart
from longshore.wiring import serve as serve_until_stopped


@click.command()
@host_option
@port_option
@sftp_port_option
@tls_cert_option
@tls_key_option
@with_settings
def serve(settings: Settings) -> None:
    """Serve the HTTP interface until SIGTERM or Ctrl-C.

    Creates the data directory, and on the first start the account `demo` with a sandbox key.
    Settings can also be in longshore.toml or in LONGSHORE_... variables.
    """
    serve_until_stopped(settings, lambda started: _announce(settings, started))


def _announce(settings: Settings, started: ServerStart) -> None:
    lines = [f"Longshore {__version__} serves on {started.address}", ""]
    if settings.database_url:
        lines += [
            (
                "On PostgreSQL this process does not send or process documents: run at least "
                "one `longshore worker`."
            ),
            "",
        ]
    if started.first_key:
        lines += [
            (
                "The account demo was created with this sandbox key. Store it: it is not shown "
                "again."
            ),
            "",
            f"  {started.first_key.key}",
            "",
            "Parse a purchase order with it, in another terminal:",
            "",
            first_request(started.address, started.first_key.key),
            "",
        ]
    if started.set_up_token:
        lines += [
            "Create the first user (link valid for 24 hours, works once):",
            "",
            f"  {started.base_url}/setup#token={started.set_up_token}",
            "",
            (
                "Open the link in a browser. Without a browser, send the request with your "
                "e-mail address and a password:"
            ),
            "",
            set_up_request(started.address, started.set_up_token),
            "",
        ]
    if started.made_master_key:
        lines += [
            "The master key was created. It encrypts stored documents:",
            "",
            f"  {started.made_master_key.absolute()}",
            "",
            (
                "Keep a copy in a safe place: backups do not contain it, and without it the vault "
                "is lost."
            ),
            "",
        ]
    command = [*own_command(), "keys", "create", "--account", started.account_name]
    command += ["--environment", "sandbox"]
    if not settings.database_url:  # which may hold a password, and is not repeated
        # The whole path: the reader may stand in another folder, where the default is elsewhere.
        command += ["--data-dir", str(settings.data_dir.absolute())]
    lines += [f"Create another key:  {shlex.join(command)}", "Stop:              Ctrl-C"]
    click.echo("\n".join(lines))
    sys.stdout.flush()


def own_command() -> list[str]:
    """Return the words that call this command in a shell, on its PATH or not."""
    name = Path(sys.argv[0])
    if name.name == "__main__.py":
        return [sys.executable, "-m", "longshore"]
    found = shutil.which("longshore")
    if found and (not name.exists() or name.samefile(found)):
        return ["longshore"]
    return [str(name.absolute())]
