"""``longshore as2``: our AS2 identities, with their keys and certificates.

Works on the data directory: before the first start, while a server is running, and after it.
Private keys are stored encrypted, are never shown, and leave only in a file that is encrypted with
a password.
"""

from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import Final

import click

from longshore.as2.certificates import PemKeyPair, read_certificate_facts
from longshore.as2.errors import CertificateError
from longshore.as2.keys import MAX_VALID_DAYS, VALID_DAYS
from longshore.as2.pkcs12 import MAX_BYTES, read_pkcs12, write_pkcs12
from longshore.cli.administration import PartnerAdministration, administer_partners
from longshore.cli.as2_messages import open_saved_message
from longshore.cli.as2_options import IdentityScope, identity_scope_options, new_pair
from longshore.cli.as2_profiles import export_profile, import_profile
from longshore.cli.as2_simulator import connect_simulator
from longshore.cli.new_files import refuse_existing, write_new_file
from longshore.cli.options import json_option, with_settings
from longshore.cli.partners import base_url_of, operator_context
from longshore.cli.passwords import ask_password
from longshore.cli.terminal import print_table, timestamp, visible, write_json
from longshore.database import require_database
from longshore.domain.as2.errors import As2IdentityNotFoundError, InvalidKeyFileError
from longshore.domain.as2.identities import check_name
from longshore.domain.as2.model import As2Identity
from longshore.domain.as2.profile import is_expiring, profile_text
from longshore.domain.ports import RequestContext
from longshore.domain.users.passwords import check_password
from longshore.kit.clock import SystemClock
from longshore.settings import Settings

_COLUMNS: Final = ("id", "as2_name", "environment", "expires", "fingerprint", "use")
_Change = Callable[[PartnerAdministration, RequestContext], Coroutine[object, object, As2Identity]]

_valid_days = click.option(
    "--valid-days",
    type=click.IntRange(1, MAX_VALID_DAYS),
    default=VALID_DAYS,
    show_default=True,
    help="How long the certificate is valid.",
)
_pkcs12 = click.option(
    "--pkcs12",
    "key_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take key and certificate from this PKCS #12 file instead of making new ones; asks for "
    "its password, or reads it as a line of standard input.",
)
_name = click.argument("name", metavar="NAME")


@click.group()
def as2() -> None:
    """Create AS2 identities, replace their keys, and show what partners need."""


as2.add_command(export_profile)
as2.add_command(import_profile)
as2.add_command(connect_simulator)
as2.add_command(open_saved_message)


@as2.command("list")
@identity_scope_options
@json_option
@with_settings
def list_identities(settings: Settings, *, scope: IdentityScope, as_json: bool) -> None:
    """List the AS2 identities of an account with their certificates."""

    async def read(admin: PartnerAdministration) -> tuple[As2Identity, ...]:
        return await admin.as2_identities.list(await operator_context(admin, *scope))

    found, now = administer_partners(settings, read), SystemClock().now()
    if as_json:
        write_json({"identities": [_identity_json(each, now) for each in found]})
        return
    print_table(
        _COLUMNS,
        (
            (each.id, each.name, each.environment, *_row(pem, now), "signs" if at == 0 else "opens")
            for each in found
            for at, pem in enumerate(each.certificates)
        ),
    )


@as2.command("create")
@_name
@identity_scope_options
@_valid_days
@_pkcs12
@json_option
@with_settings
def create_identity(
    settings: Settings,
    *,
    name: str,
    scope: IdentityScope,
    valid_days: int,
    key_file: Path | None,
    as_json: bool,
) -> None:
    """Create the AS2 identity NAME with a new key and certificate, or with those of a file."""
    check_name(name)
    pair = _pair(settings, name, valid_days, key_file)

    async def create(admin: PartnerAdministration, context: RequestContext) -> As2Identity:
        return await admin.as2_identities.create(context, name, pair)

    _print_changed(_changed(settings, scope, create), "is created", as_json=as_json)


@as2.command("show")
@_name
@identity_scope_options
@with_settings
def show_profile(settings: Settings, *, name: str, scope: IdentityScope) -> None:
    """Print what a partner needs to trade with the identity NAME, to be sent to it."""

    async def find(admin: PartnerAdministration, context: RequestContext) -> As2Identity:
        found = await admin.as2_identities.list(context)
        for each in found:
            if each.name == name:
                return each
        raise As2IdentityNotFoundError

    identity = _changed(settings, scope, find)
    click.echo(profile_text(identity, f"{base_url_of(settings)}/as2"), nl=False)


@as2.command("add-key")
@_name
@identity_scope_options
@_valid_days
@_pkcs12
@json_option
@with_settings
def add_key(
    settings: Settings,
    *,
    name: str,
    scope: IdentityScope,
    valid_days: int,
    key_file: Path | None,
    as_json: bool,
) -> None:
    """Add a second key to the identity NAME: it opens messages and does not sign yet.

    Send its certificate to your partners, then sign with it: longshore as2 switch-keys NAME.
    """
    pair = _pair(settings, name, valid_days, key_file)

    async def add(admin: PartnerAdministration, context: RequestContext) -> As2Identity:
        return await admin.as2_identities.add_key(context, name, pair)

    _print_changed(_changed(settings, scope, add), "has a second key", as_json=as_json)


@as2.command("switch-keys")
@_name
@identity_scope_options
@json_option
@with_settings
def switch_keys(settings: Settings, *, name: str, scope: IdentityScope, as_json: bool) -> None:
    """Sign with the second key of the identity NAME from now on; both open messages."""

    async def switch(admin: PartnerAdministration, context: RequestContext) -> As2Identity:
        return await admin.as2_identities.switch_keys(context, name)

    _print_changed(_changed(settings, scope, switch), "signs with the other key", as_json=as_json)


@as2.command("drop-key")
@_name
@identity_scope_options
@json_option
@with_settings
def drop_key(settings: Settings, *, name: str, scope: IdentityScope, as_json: bool) -> None:
    """Delete the key of the identity NAME that does not sign. This cannot be undone."""

    async def drop(admin: PartnerAdministration, context: RequestContext) -> As2Identity:
        return await admin.as2_identities.drop_key(context, name)

    _print_changed(_changed(settings, scope, drop), "has one key", as_json=as_json)


@as2.command("export-key")
@_name
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@identity_scope_options
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@with_settings
def export_key(
    settings: Settings,
    *,
    name: str,
    file: Path,
    scope: IdentityScope,
    force: bool,
) -> None:
    """Write the key that signs for the identity NAME, with its certificate, to FILE as PKCS #12.

    The file is encrypted with a password of at least 12 characters: the command asks for it, or
    reads it as a line of standard input. The audit log has the export.
    """
    require_database(settings)  # before anybody types a password
    refuse_existing(file, is_forced=force)
    password = ask_password(is_new=True)
    check_password(password)

    async def export(admin: PartnerAdministration) -> PemKeyPair:
        context = await operator_context(admin, *scope)
        return await admin.as2_identities.export_key(context, name)

    content = write_pkcs12(administer_partners(settings, export), name, password)
    write_new_file(file, content, is_forced=force, is_private=True)
    click.echo(
        f"The key of AS2 identity {visible(name)} ({scope.environment}) is in {visible(str(file))}."
    )


def _pair(settings: Settings, name: str, valid_days: int, key_file: Path | None) -> PemKeyPair:
    """Return the key pair in a file; without one a new pair.

    Raises:
        InvalidKeyFileError: The file cannot be used, or the password is another.
    """
    require_database(settings)  # before anybody types a password
    if key_file is not None:
        try:
            with key_file.open("rb") as opened:
                return read_pkcs12(opened.read(MAX_BYTES + 1), ask_password(is_new=False))
        except CertificateError as error:
            raise InvalidKeyFileError(f"{key_file}: {error}") from error
    return new_pair(name, valid_days)


def _changed(settings: Settings, scope: IdentityScope, change: _Change) -> As2Identity:
    async def work(admin: PartnerAdministration) -> As2Identity:
        return await change(admin, await operator_context(admin, *scope))

    return administer_partners(settings, work)


def _print_changed(identity: As2Identity, done: str, *, as_json: bool) -> None:
    if as_json:
        write_json({"identity": _identity_json(identity, SystemClock().now())})
        return
    facts = read_certificate_facts(identity.certificates[0])
    click.echo(f"AS2 identity {visible(identity.name)} ({identity.environment}) {done}.")
    click.echo(f"It signs with {facts.fingerprint}, valid until {facts.not_after:%Y-%m-%d}.")


def _row(pem: str, now: datetime) -> tuple[str, str]:
    facts = read_certificate_facts(pem)
    mark = " (renew it)" if is_expiring(facts, now) else ""
    return f"{facts.not_after:%Y-%m-%d}{mark}", facts.fingerprint[:23] + "…"


def _identity_json(identity: As2Identity, now: datetime) -> dict[str, object]:
    return {
        "id": identity.id,
        "as2_name": identity.name,
        "environment": identity.environment.value,
        "certificates": [
            {
                "certificate": pem,
                "not_after": timestamp(facts.not_after),
                "fingerprint": facts.fingerprint,
                "signs": at == 0,
                "is_expiring": is_expiring(facts, now),
            }
            for at, pem in enumerate(identity.certificates)
            for facts in (read_certificate_facts(pem),)
        ],
    }
