"""``longshore maps``: list, show, export, import and test saved maps.

Works on the data directory: before the first start, while a server is running, and after it. A map
travels as a file of JSON, which ``longshore convert --rules`` takes too.
"""

import re
from pathlib import Path
from typing import Final

import click

from longshore.cli.administration import administer_maps
from longshore.cli.map_output import (
    count_of_tests,
    detail_text,
    head_members,
    json_object,
    print_map,
    print_report,
    report_text,
)
from longshore.cli.new_files import STDIO, write_output
from longshore.cli.options import json_option, with_settings
from longshore.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    print_table,
    read_document,
    timestamp,
    visible,
    write_bytes,
    write_json,
)
from longshore.domain.accounts.errors import AccountNotFoundError
from longshore.domain.accounts.model import Account
from longshore.domain.maps.definitions import check_definition
from longshore.domain.maps.files import definition_text, read_definition
from longshore.domain.maps.model import (
    Authorship,
    Candidate,
    MapDefinition,
    MapHead,
    MapVersion,
    Saved,
    SavedMap,
)
from longshore.domain.ports import OPERATOR, RequestContext
from longshore.engine.trials import TestReport, run_tests
from longshore.formats.charset import decode
from longshore.kit.environment import Environment
from longshore.mapping.starters import starters
from longshore.settings import Settings
from longshore.wiring import MapAdministration

_LARGEST_ID: Final = 2**63 - 1
_ID: Final = re.compile("[1-9][0-9]{0,17}")
_SAVED_BY: Final = "cli"

_COLUMNS: Final = ("id", "name", "from", "to", "set", "version", "rules", "locked", "updated_at")
_STARTER_COLUMNS: Final = ("key", "name", "from", "to", "set")

_map_id = click.argument("map_id", type=click.IntRange(1, _LARGEST_ID))
_account = click.option(
    "--account", metavar="NAME", help="Account of the map; not needed if there is only one."
)
_version = click.option(
    "--version", type=click.IntRange(1, _LARGEST_ID), help="An old version.  [default: the newest]"
)


@click.group()
def maps() -> None:
    """List, show, export, import and test saved maps."""


@maps.command("list")
@_account
@json_option
@with_settings
def list_maps(settings: Settings, *, account: str | None, as_json: bool) -> None:
    """List the saved maps, the last saved first."""

    async def read(admin: MapAdministration) -> tuple[MapHead, ...]:
        page = await admin.maps.list((await _request_context(admin, account)).scope)
        return tuple(each.head for each in page.maps)

    found = administer_maps(settings, read)
    if as_json:
        write_json({"maps": [head_members(head) for head in found]})
        return
    rows = (
        (
            *(head.id, head.name, head.source_fmt, head.target_fmt, head.tx_set, head.version),
            *(head.rule_count, "locked" if head.is_locked else "", timestamp(head.updated_at)),
        )
        for head in found
    )
    print_table(_COLUMNS, rows)


@maps.command("show")
@_map_id
@_version
@_account
@json_option
@with_settings
def show_map(
    settings: Settings, *, map_id: int, version: int | None, account: str | None, as_json: bool
) -> None:
    """Show the map MAP_ID with its rules and versions."""

    async def read(admin: MapAdministration) -> tuple[SavedMap, tuple[MapVersion, ...]]:
        scope = (await _request_context(admin, account)).scope
        return await admin.maps.get(scope, map_id, version), await admin.maps.versions(
            scope, map_id
        )

    saved, versions = administer_maps(settings, read)
    if as_json:
        write_bytes(f"{json_object({'map': detail_text(saved)})}\n".encode())
    else:
        print_map(saved, versions)


@maps.command("export")
@_map_id
@click.argument("file", default=STDIO, metavar="[FILE|-]")
@_version
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@_account
@with_settings
def export_map(
    settings: Settings,
    *,
    map_id: int,
    file: str,
    version: int | None,
    force: bool,
    account: str | None,
) -> None:
    """Write the map MAP_ID to FILE as JSON, for import and for `longshore convert --rules`."""

    async def read(admin: MapAdministration) -> SavedMap:
        scope = (await _request_context(admin, account)).scope
        return await admin.maps.get(scope, map_id, version)

    content = definition_text(administer_maps(settings, read).definition).encode()
    write_output(file, content, is_forced=force)


@maps.command("import")
@click.argument("file", metavar="FILE|-")
@click.option(
    "--id",
    "map_id",
    type=click.IntRange(1, _LARGEST_ID),
    help="Save it as the next version of this map instead of a new map.",
)
@click.option("--note", default="", metavar="TEXT", help="Note for the version history.")
@_account
@json_option
@with_settings
def import_map(
    settings: Settings,
    *,
    file: str,
    map_id: int | None,
    note: str,
    account: str | None,
    as_json: bool,
) -> None:
    """Save the map in FILE (- is standard input). Nothing is stored if it has an error.

    Its tests run afterwards; failures are reported but do not undo the import.
    """
    definition = _read_file(file)
    by = Authorship(saved_by=_SAVED_BY, note=note)

    async def save(admin: MapAdministration) -> Saved:
        context = await _request_context(admin, account)
        if map_id is None:
            return await admin.maps.create(context, definition, by)
        newest = await admin.maps.get(context.scope, map_id)
        return await admin.maps.save(context, map_id, newest.head.version, definition, by)

    saved = administer_maps(settings, save)
    if as_json:
        members = {"map": detail_text(saved.map), "tests": report_text(saved.tests)}
        write_bytes(f"{json_object(members)}\n".encode())
        return
    head = saved.map.head
    tested = f" {count_of_tests(saved.tests)}" if saved.tests.results else ""
    name = visible(head.name)
    rules = f"{head.rule_count} rule{'' if head.rule_count == 1 else 's'}"
    click.echo(f"Map {head.id} ({name}) is saved as version {head.version}: {rules}.{tested}")


@maps.command("test")
@click.argument("what", metavar="MAP_ID|FILE|-")
@_account
@json_option
@with_settings
def test_map(settings: Settings, *, what: str, account: str | None, as_json: bool) -> int:
    """Run the tests of a saved map, or of one in a file.

    Exit code 0: all passed; 1: some did not; 2: refused.
    """

    async def run(admin: MapAdministration) -> TestReport:
        scope = (await _request_context(admin, account)).scope
        return await admin.maps.run_tests(scope, int(what), Candidate())

    if _is_id(what):
        report = administer_maps(settings, run)
    else:
        definition = _read_file(what)
        check_definition(definition)
        report = run_tests(definition.run(), definition.tests)
    if as_json:
        write_bytes(f"{report_text(report)}\n".encode())
    else:
        print_report(report)
    return EXIT_FINDINGS if report.failed else EXIT_OK


@maps.command("starters")
@json_option
def list_starters(*, as_json: bool) -> None:
    """List the starter maps that come with Longshore."""
    found = [
        (each.key, each.name, each.source_fmt, each.target_fmt, each.tx_set) for each in starters()
    ]
    if as_json:
        names = ("key", "name", "source_fmt", "target_fmt", "tx_set")
        write_json({"starters": [dict(zip(names, each, strict=True)) for each in found]})
    else:
        print_table(_STARTER_COLUMNS, found)


async def _request_context(admin: MapAdministration, name: str | None) -> RequestContext:
    """Return the operator in the account that is named, or in the only one.

    Raises:
        AccountNotFoundError: There is none of this name.
        UsageError: None is named, and there is not just one.
    """
    if name is not None:
        account = await admin.accounts.find(name)
        if account is None:
            raise AccountNotFoundError(name)
        return _operator_of(account)
    accounts = await admin.accounts.list()
    if len(accounts) != 1:
        some = ", ".join(visible(each.name) for each in accounts[:10]) or "none yet"
        raise click.UsageError(f"Name the account of the map with --account. Accounts: {some}.")
    return _operator_of(accounts[0])


def _operator_of(account: Account) -> RequestContext:
    # Maps are the same in both environments.
    return RequestContext(account_id=account.id, environment=Environment.SANDBOX, actor=OPERATOR)


def _read_file(file: str) -> MapDefinition:
    text, _ = decode(read_document(file))
    return read_definition(text, "standard input" if file == STDIO else Path(file).name)


def _is_id(what: str) -> bool:
    """Tell whether an id is meant, and not a file that is called so."""
    return _ID.fullmatch(what) is not None and not Path(what).is_file()
