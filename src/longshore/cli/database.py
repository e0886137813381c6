"""``longshore db``: make the schema current, and look whether the database is sound."""

import click

from longshore.cli.options import json_option, with_settings
from longshore.cli.terminal import EXIT_FINDINGS, EXIT_OK, write_json
from longshore.database import check_database, require_database, upgrade_database
from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.settings import Settings


@click.group()
def db() -> None:
    """Upgrade and check the database."""


@db.command()
@click.option(
    "--no-backup",
    "is_saved",
    is_flag=True,
    help=("PostgreSQL only: do not back up first, because you have your own backup."),
)
@json_option
@with_settings
def upgrade(settings: Settings, *, is_saved: bool, as_json: bool) -> None:
    """Bring the database to the schema of this release; makes one if there is none.

    `serve` does the same at each start. A database with content is backed up into the data
    directory first, on PostgreSQL by pg_dump; if that fails nothing is changed.
    """
    if is_saved:
        _refuse_unsaved_file(settings)
    applied = upgrade_database(settings, is_saved=is_saved)
    if as_json:
        write_json({"applied": applied})
    else:
        click.echo(f"Applied: {', '.join(applied)}" if applied else "The database is current.")


def _refuse_unsaved_file(settings: Settings) -> None:
    if not settings.database_url:
        raise LongshoreError(
            ErrorCode.INVALID_PARAMETER,
            "--no-backup is for PostgreSQL; a database in a data directory is always backed up.",
        )


@db.command()
@json_option
@with_settings
def check(settings: Settings, *, as_json: bool) -> int:
    """Read the whole database and report damage; works while a server is running."""
    require_database(settings)
    health = check_database(settings)
    if as_json:
        write_json({
            "ok": not health.problems,
            "schema_version": health.schema_version,
            "newest_schema_version": health.newest_schema_version,
            "problems": health.problems,
        })
    else:
        versions = f"{health.schema_version} of {health.newest_schema_version}"
        click.echo(f"Schema version {versions}.")
        for problem in health.problems:
            click.echo(problem)
        click.echo("The database is damaged." if health.problems else "The database is intact.")
    return EXIT_FINDINGS if health.problems else EXIT_OK
