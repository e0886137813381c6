"""``longshore worker``: sends and processes documents for the servers on a PostgreSQL database."""

import sys

import click

from longshore import __version__
from longshore.background import work
from longshore.cli.options import with_settings
from longshore.settings import Settings


@click.command()
@click.option(
    "--concurrency",
    "concurrent_jobs",
    type=click.IntRange(1, 256),
    help="Number of documents sent or processed at the same time.  [default: "
    f"{Settings().concurrent_jobs}]",
)
@with_settings
def worker(settings: Settings) -> None:
    """Send documents to partners and process received ones, until SIGTERM or Ctrl-C.

    For PostgreSQL, on any number of machines. With a data directory, `longshore serve` does this.
    """
    work(settings, _announce)


def _announce() -> None:
    click.echo(f"Longshore {__version__} is running.  Stop: Ctrl-C")
    sys.stdout.flush()
