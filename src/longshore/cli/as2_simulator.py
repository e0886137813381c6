"""``longshore as2 connect-simulator``: a partner to try AS2 with, in one command."""

from dataclasses import replace

import click

from longshore.cli.administration import PartnerAdministration, administer_partners
from longshore.cli.as2_options import new_pair
from longshore.cli.options import json_option, with_settings
from longshore.cli.partners import account_option, operator_context
from longshore.cli.terminal import visible, write_json
from longshore.domain.as2.identities import check_name
from longshore.domain.as2.model import As2Identity
from longshore.domain.partners.connections import SIMULATOR_URL, As2Connection
from longshore.domain.partners.model import Connections, Identity, Partner
from longshore.domain.partners.simulators import SIMULATOR, first_identity
from longshore.domain.ports import RequestContext
from longshore.settings import Settings

_PARTNER = "AS2 simulator"
_ISA_ID = "AS2SIMULATOR"


@click.command("connect-simulator")
@account_option
@click.option(
    "--identity",
    "name",
    metavar="NAME",
    help="Our AS2 identity for test documents, created if it is missing.  [default: the only one, "
    "otherwise the name of the account with -TEST]",
)
@json_option
@with_settings
def connect_simulator(
    settings: Settings, *, account: str | None, name: str | None, as_json: bool
) -> None:
    """Create a partner for test documents that speaks AS2 and answers as the simulator does.

    It opens what is sent to it, returns a signed receipt, and acknowledges. Nothing leaves this
    server.
    """
    if name is not None:
        check_name(name)

    async def connect(admin: PartnerAdministration) -> Partner:
        return await _connect(admin, await operator_context(admin, account), name)

    partner = administer_partners(settings, connect)
    connection = partner.terms.connections.test
    assert isinstance(connection, As2Connection)  # as it was created
    if as_json:
        names = {"as2_from": connection.as2_from, "as2_to": connection.as2_to}
        write_json({"partner_id": partner.id} | names)
        return
    click.echo(
        f"Partner {partner.id} ({_PARTNER}) is connected by AS2 (sandbox):"
        f" {visible(connection.as2_from)} to {visible(connection.as2_to)}."
    )


async def _connect(
    admin: PartnerAdministration, context: RequestContext, name: str | None
) -> Partner:
    identities = {each.name: each for each in await admin.as2_identities.list(context)}
    of_simulator = f"SIMULATOR-{context.account_id}"
    ours = name or await _own_name(admin, context, [*identities.keys() - {of_simulator}])
    for each in (ours, of_simulator):
        if each not in identities:
            created = await admin.as2_identities.create(context, each, new_pair(each))
            identities[each] = created
    terms = replace(
        SIMULATOR.terms,
        name=_PARTNER,
        identity=Identity(qualifier=SIMULATOR.terms.identity.qualifier, isa_id=_ISA_ID),
        connections=Connections(test=_connection(ours, identities[of_simulator])),
    )
    return (await admin.partners.create(context, replace(SIMULATOR, terms=terms))).partner


def _connection(ours: str, simulator: As2Identity) -> As2Connection:
    return As2Connection(
        url=SIMULATOR_URL,
        as2_from=ours,
        as2_to=simulator.name,
        certificates=simulator.certificates,
    )


async def _own_name(admin: PartnerAdministration, context: RequestContext, names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    if names:
        some = ", ".join(map(visible, sorted(names)[:10]))
        raise click.UsageError(f"Name our AS2 identity with --identity. Identities: {some}.")
    (account,) = [each for each in await admin.accounts.list() if each.id == context.account_id]
    return f"{first_identity(account.name, account.id).isa_id}-TEST"
