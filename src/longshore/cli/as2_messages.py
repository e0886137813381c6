"""``longshore as2 open``: a message that was saved, opened step by step."""

import re
from pathlib import Path
from typing import Final

import click

from longshore.as2.algorithms import STRONG_CIPHERS, STRONG_DIGESTS
from longshore.as2.errors import Disposition, MimeError
from longshore.as2.headers import HeadersError, MessageHeaders, read_message_headers
from longshore.as2.inspection import Inspection, Step, inspect_message
from longshore.as2.keys import read_certificate, read_key_pair
from longshore.as2.messages import Acceptance
from longshore.as2.mime import Entity, read_entity
from longshore.cli.administration import PartnerAdministration, administer_partners
from longshore.cli.as2_options import IdentityScope, identity_scope_options
from longshore.cli.new_files import write_new_file
from longshore.cli.options import json_option, with_settings
from longshore.cli.partners import operator_context
from longshore.cli.terminal import EXIT_FINDINGS, EXIT_OK, read_document, visible, write_json
from longshore.domain.as2.model import As2Keys
from longshore.domain.partners.connections import As2Connection
from longshore.settings import Settings

MAX_PAYLOAD_BYTES: Final = 100 * 1024 * 1024
_REQUEST_LINE: Final = re.compile(rb"[A-Z]+ [!-~]+ HTTP/[0-9.]+\r?\n")


@click.command("open")
@click.argument("file", metavar="FILE|-")
@identity_scope_options
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the payload to this file.",
)
@click.option("--force", is_flag=True, help="Overwrite the file of --output.")
@json_option
@with_settings
def open_saved_message(
    settings: Settings,
    *,
    file: str,
    scope: IdentityScope,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Open the AS2 message in FILE and say step by step what is right and what is wrong.

    FILE has the request as it came: its headers, an empty line, and its body. It is opened with the
    keys of the identity that AS2-To names, and compared with the connection of the partner that
    AS2-From names. Nothing is stored but an entry in the audit log. The exit code is 1 if the
    message is refused.
    """
    found = _inspected(settings, scope, read_document(file))
    if as_json:
        write_json({
            "accepted": found.opened is not None,
            "disposition": found.disposition.value,
            "steps": [{"ok": each.is_right, "text": each.text} for each in found.steps],
        })
    else:
        for each in found.steps:
            click.echo(f"{'ok   ' if each.is_right else 'wrong'}  {visible(each.text)}")
        click.echo(f"Its receipt says: {found.disposition}.")
    if found.opened is not None and output is not None:
        write_new_file(output, found.opened.payload, is_forced=force)
    return EXIT_OK if found.opened is not None else EXIT_FINDINGS


def _inspected(settings: Settings, scope: IdentityScope, raw: bytes) -> Inspection:
    start = _REQUEST_LINE.match(raw)
    try:
        entity = read_entity(raw[start.end() :] if start else raw)
        of = read_message_headers(entity.headers)
    except (MimeError, HeadersError) as error:
        return _refused(Step(is_right=False, text=str(error)))

    async def find(admin: PartnerAdministration) -> tuple[As2Keys, As2Connection | None]:
        context = await operator_context(admin, *scope)
        return await admin.as2_identities.keys_to_open(context, of.receiver, of.sender)

    keys, connection = administer_partners(settings, find)
    names = f"from {of.sender} to {of.receiver}"
    if connection is None:
        text = f"No partner has a connection for messages {names} ({scope.environment})."
        return _refused(Step(is_right=False, text=text), Disposition.UNKNOWN_RELATIONSHIP)
    named = Step(is_right=True, text=f"The message {of.message_id} is {names}.")
    found = _opened(of, entity, keys, connection)
    return Inspection(
        steps=(named, *found.steps), opened=found.opened, disposition=found.disposition
    )


def _refused(step: Step, says: Disposition = Disposition.UNSUPPORTED_FORMAT) -> Inspection:
    return Inspection(steps=(step,), opened=None, disposition=says)


def _opened(
    of: MessageHeaders, entity: Entity, keys: As2Keys, connection: As2Connection
) -> Inspection:
    accepts = Acceptance(
        pairs=[read_key_pair(each) for each in keys.pairs],
        certificates=[read_certificate(each) for each in connection.certificates],
        must_be_signed=connection.sign,
        must_be_encrypted=connection.encrypt,
        digests=tuple({*STRONG_DIGESTS, connection.sign_algorithm}),
        ciphers=tuple({*STRONG_CIPHERS, connection.encrypt_algorithm}),
        max_bytes=MAX_PAYLOAD_BYTES,
    )
    return inspect_message(entity.headers, entity.body, of.receipt, accepts)
