"""``longshore as2 export-profile`` and ``import-profile``: connections from files of partners."""

import json
from dataclasses import replace

import click

from longshore.as2.certificates import read_certificate_facts
from longshore.cli.administration import PartnerAdministration, administer_partners
from longshore.cli.as2_options import IdentityScope, identity_scope_options
from longshore.cli.new_files import STDIO, write_output
from longshore.cli.options import with_settings
from longshore.cli.partners import account_option, base_url_of, operator_context, read_json
from longshore.cli.terminal import visible
from longshore.database import require_database
from longshore.domain.as2.errors import As2IdentityNotFoundError
from longshore.domain.as2.profile_file import (
    As2Profile,
    connection_by_profile,
    profile_members,
    read_profile,
)
from longshore.domain.partners.connections import As2Connection, Connection
from longshore.domain.partners.model import NewPartner, Partner, PartnerId
from longshore.domain.partners.parser import LARGEST_ID
from longshore.domain.ports import RequestContext
from longshore.kit.environment import Environment
from longshore.settings import Settings


@click.command("export-profile")
@click.argument("name", metavar="NAME")
@click.argument("file", default=STDIO, metavar="[FILE|-]")
@identity_scope_options
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@with_settings
def export_profile(
    settings: Settings,
    *,
    name: str,
    file: str,
    scope: IdentityScope,
    force: bool,
) -> None:
    """Write what a partner needs to trade with the identity NAME to FILE as JSON, for import.

    It has the AS2 name, the URL, the certificates and the security; nothing in it is secret.
    """
    require_database(settings)
    url = _our_url(settings)

    async def find(admin: PartnerAdministration) -> dict[str, object]:
        context = await operator_context(admin, *scope)
        for each in await admin.as2_identities.list(context):
            if each.name == name:
                return profile_members(each, url)
        raise As2IdentityNotFoundError

    members = administer_partners(settings, find)
    write_output(file, f"{json.dumps(members, indent=2)}\n".encode(), is_forced=force)


@click.command("import-profile")
@click.argument("partner_id", type=click.IntRange(1, LARGEST_ID))
@click.argument("file", metavar="FILE|-")
@account_option
@click.option(
    "--identity",
    "name",
    metavar="NAME",
    help="Our AS2 identity.  [default: that of the connection, otherwise the only one]",
)
@with_settings
def import_profile(
    settings: Settings, *, partner_id: int, file: str, account: str | None, name: str | None
) -> None:
    """Make the connection of the partner PARTNER_ID what its profile in FILE says.

    The profile says whether it is the connection for test or for live documents. What it does not
    name stays. Compare the fingerprint with the partner before you trade.
    """
    require_database(settings)
    profile = read_profile(read_json(file))

    async def change(admin: PartnerAdministration) -> As2Connection:
        context = await operator_context(admin, account, profile.environment)
        known = await admin.partners.get(context, PartnerId(partner_id))
        return await _connect(admin, context, known.partner, (profile, name))

    made = administer_partners(settings, change)
    click.echo(
        f"Partner {partner_id} is connected by AS2 ({profile.environment}):"
        f" {visible(made.as2_from)} to {visible(made.as2_to)} at {visible(made.url)}."
    )
    for pem in made.certificates:
        facts = read_certificate_facts(pem)
        click.echo(f"SHA-256 fingerprint: {facts.fingerprint}, until {facts.not_after:%Y-%m-%d}")


def _our_url(settings: Settings) -> str:
    base_url = base_url_of(settings)
    if not base_url:
        raise click.UsageError(
            "The address of this server is not known: set base_url, or start the server."
        )
    return f"{base_url}/as2"


async def _connect(
    admin: PartnerAdministration,
    context: RequestContext,
    partner: Partner,
    by: tuple[As2Profile, str | None],
) -> As2Connection:
    profile, name = by
    connections = partner.terms.connections
    old = connections.of(context.environment)
    own = await _own_name(admin, context, old, name)
    new = connection_by_profile(old, profile, own)
    is_test = context.environment is Environment.SANDBOX
    changed = replace(connections, test=new) if is_test else replace(connections, live=new)
    terms = replace(partner.terms, connections=changed)
    await admin.partners.change(context, partner.id, partner.version, NewPartner(terms=terms))
    return new


async def _own_name(
    admin: PartnerAdministration, context: RequestContext, old: Connection, name: str | None
) -> str:
    names = [each.name for each in await admin.as2_identities.list(context)]
    if name is None and isinstance(old, As2Connection):
        return old.as2_from
    if name is None and len(names) == 1:
        return names[0]
    if name is None:
        some = ", ".join(map(visible, names[:10])) or "none yet"
        raise click.UsageError(f"Name our AS2 identity with --identity. Identities: {some}.")
    if name not in names:
        raise As2IdentityNotFoundError
    return name
