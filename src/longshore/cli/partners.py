"""``longshore partners``: list, create, import and export trading partners.

Works on the data directory: before the first start, while a server is running, and after it. A
partner travels as a file of JSON, the body of ``POST /api/partners``, without its secrets.
"""

import json
from typing import Final

import click

from longshore.cli.administration import PartnerAdministration, administer_partners
from longshore.cli.new_files import STDIO, write_output
from longshore.cli.options import WordChoice, json_option, with_settings
from longshore.cli.terminal import (
    EXIT_FINDINGS,
    EXIT_OK,
    print_table,
    read_document,
    timestamp,
    visible,
    write_json,
)
from longshore.database import find_running_server
from longshore.domain.accounts.errors import AccountNotFoundError
from longshore.domain.accounts.service import fold
from longshore.domain.partners.connection_check import SUCCEEDED, ConnectionCheck
from longshore.domain.partners.errors import InvalidPartnerError
from longshore.domain.partners.members import RequestFaults
from longshore.domain.partners.model import PartnerId
from longshore.domain.partners.parser import LARGEST_ID, partner_members, read_partner
from longshore.domain.partners.service import KnownPartner, PartnerPage, PartnerSearch
from longshore.domain.ports import OPERATOR, RequestContext
from longshore.formats.charset import decode
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode
from longshore.settings import Settings

_COLUMNS: Final = ("id", "name", "status", "identity", "test", "live", "updated_at")

account_option = click.option(
    "--account", metavar="NAME", help="Account of the partner; not needed if there is only one."
)


@click.group()
def partners() -> None:
    """List, create, import and export trading partners."""


@partners.command("list")
@account_option
@json_option
@with_settings
def list_partners(settings: Settings, *, account: str | None, as_json: bool) -> None:
    """List the trading partners of an account."""

    async def read(admin: PartnerAdministration) -> PartnerPage:
        return await admin.partners.page(await operator_context(admin, account), PartnerSearch())

    known = administer_partners(settings, read).partners
    if as_json:
        write_json({"partners": [_partner_json(settings, each) for each in known]})
        return
    found = (each.partner for each in known)
    rows = (
        (
            *(each.id, each.terms.name, each.status, each.terms.identity.edi_identity),
            *(each.terms.connections.test.type, each.terms.connections.live.type),
            timestamp(each.updated_at),
        )
        for each in found
    )
    print_table(_COLUMNS, rows)


@partners.command("create")
@click.argument("file", metavar="FILE|-")
@account_option
@json_option
@with_settings
def create_partner(settings: Settings, *, file: str, account: str | None, as_json: bool) -> None:
    """Create a partner from FILE (- is standard input); only the name is required."""
    new = read_partner(read_json(file), is_new=True)

    async def create(admin: PartnerAdministration) -> KnownPartner:
        return await admin.partners.create(await operator_context(admin, account), new)

    known = administer_partners(settings, create)
    _print_partner(settings, known, "created", as_json=as_json)


@partners.command("export")
@click.argument("partner_id", type=click.IntRange(1, LARGEST_ID))
@click.argument("file", default=STDIO, metavar="[FILE|-]")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@account_option
@with_settings
def export_partner(
    settings: Settings, *, partner_id: int, file: str, force: bool, account: str | None
) -> None:
    """Write the partner PARTNER_ID to FILE as JSON, for import. Secrets stay here."""

    async def read(admin: PartnerAdministration) -> KnownPartner:
        return await admin.partners.get(
            await operator_context(admin, account), PartnerId(partner_id)
        )

    partner = administer_partners(settings, read).partner
    members = partner_members(partner.terms, partner.status)
    content = f"{json.dumps(members, ensure_ascii=False, indent=2)}\n".encode()
    write_output(file, content, is_forced=force)


@partners.command("import")
@click.argument("file", metavar="FILE|-")
@click.option(
    "--id",
    "partner_id",
    type=click.IntRange(1, LARGEST_ID),
    help="The partner to change.  [default: the partner with this name, otherwise a new one]",
)
@account_option
@json_option
@with_settings
def import_partner(
    settings: Settings, *, file: str, partner_id: int | None, account: str | None, as_json: bool
) -> None:
    """Make a partner what FILE says (- is standard input), but for secrets it does not name.

    Nothing is stored if anything is wrong.
    """
    given = read_json(file)

    async def save(admin: PartnerAdministration) -> tuple[KnownPartner, str]:
        context = await operator_context(admin, account)
        known = partner_id or await _of_this_name(admin, context, given)
        new = read_partner(given, is_new=known is None)
        if known is None:
            return await admin.partners.create(context, new), "created"
        return await admin.partners.change(context, PartnerId(known), None, new), "changed"

    saved, done = administer_partners(settings, save)
    _print_partner(settings, saved, done, as_json=as_json)


@partners.command("check-connection")
@click.argument("partner_id", type=click.IntRange(1, LARGEST_ID))
@account_option
@click.option(
    "--environment",
    type=WordChoice(Environment),
    default=Environment.SANDBOX,
    show_default=True,
    help="The connection for test or for live documents.",
)
@json_option
@with_settings
def check_connection(
    settings: Settings,
    *,
    partner_id: int,
    account: str | None,
    environment: Environment,
    as_json: bool,
) -> int:
    """Connect to the server of the partner PARTNER_ID by AS2, SFTP or FTPS.

    No document is sent.

    Of SFTP it shows the host key, of FTPS the fingerprint of the certificate; the login is sent
    only to a server that is confirmed or trusted. Exit code 1: nothing can be sent.
    """

    async def check(admin: PartnerAdministration) -> ConnectionCheck:
        context = await operator_context(admin, account)
        return await admin.connection_checks.check(context, PartnerId(partner_id), environment)

    found = administer_partners(settings, check)
    if as_json:
        shown = found.host_key
        write_json({
            "code": found.code,
            "message": found.message,
            "host_key": None if shown is None else shown.text,
            "fingerprint": found.fingerprint,
        })
    else:
        click.echo(found.message)
        if found.host_key is not None:
            click.echo(f"host_key: {found.host_key.text}")
        if found.certificate:
            click.echo(f"certificate: {found.certificate}")
    return EXIT_OK if found.code == SUCCEEDED else EXIT_FINDINGS


async def _of_this_name(
    admin: PartnerAdministration, context: RequestContext, given: object
) -> PartnerId | None:
    name = given.get("name") if isinstance(given, dict) else None
    if not isinstance(name, str):
        return None
    page = await admin.partners.page(context, PartnerSearch(q=name))
    found = (each.partner for each in page.partners)
    return next((each.id for each in found if fold(each.terms.name) == fold(name)), None)


async def operator_context(
    admin: PartnerAdministration,
    name: str | None,
    environment: Environment = Environment.SANDBOX,
) -> RequestContext:
    """Return the operator in the account that is named, or in the only one.

    Raises:
        AccountNotFoundError: There is none of this name.
        UsageError: None is named, and there is not just one.
    """
    accounts = await admin.accounts.list()
    found = None if name is None else await admin.accounts.find(name)
    if name is not None and found is None:
        raise AccountNotFoundError(name)
    if found is None and len(accounts) != 1:
        some = ", ".join(visible(each.name) for each in accounts[:10]) or "none yet"
        raise click.UsageError(f"Name the account of the partner with --account. Accounts: {some}.")
    of = found or accounts[0]
    return RequestContext(account_id=of.id, environment=environment, actor=OPERATOR)


def base_url_of(settings: Settings) -> str:
    """Return the address of the server: set, or of the one that runs; empty if neither is."""
    if not settings.base_url and (server := find_running_server(settings)):
        return server.base_url
    return settings.base_url


def _print_partner(settings: Settings, known: KnownPartner, done: str, *, as_json: bool) -> None:
    shown = _partner_json(settings, known)
    if as_json:
        write_json({"partner": shown})
        return
    name, status = visible(known.partner.terms.name), known.partner.status
    click.echo(f"Partner {known.partner.id} ({name}) is {done}; it is {status}.")
    url = str(shown["inbound_url_test"])
    where = f"the path {url} of the server" if url.startswith("/") else url
    click.echo(f"Address for its test documents: {where}")


def _partner_json(settings: Settings, known: KnownPartner) -> dict[str, object]:
    base_url = base_url_of(settings)
    test, live = (
        known.inbound_url(each, base_url, Environment.PRODUCTION)
        for each in (Environment.SANDBOX, Environment.PRODUCTION)
    )
    return {
        "id": known.partner.id,
        "inbound_url_test": test,
        "inbound_url": live,
        **partner_members(known.partner.terms, known.partner.status),
    }


def read_json(file: str) -> object:
    """Return the JSON of a file.

    Raises:
        InvalidPartnerError: It is none.
    """
    text, _ = decode(read_document(file))
    try:
        given: object = json.loads(text)
        json.dumps(given, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        faults = RequestFaults()
        faults.add("file", "The file is not valid JSON.", ErrorCode.INVALID_JSON)
        raise InvalidPartnerError(faults.details) from error
    return given
