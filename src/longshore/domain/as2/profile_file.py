"""The AS2 profile of one side as a JSON file, from which the other side makes its connection.

Source: transports.md section 2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from longshore.domain.as2.errors import InvalidAs2ProfileError
from longshore.domain.as2.model import As2Identity
from longshore.domain.partners.connection_members import AS2_MEMBERS, connection_json
from longshore.domain.partners.connections import As2Connection, Connection
from longshore.domain.partners.members import Member, RequestFaults, choice, one_of, read_members
from longshore.kit.environment import Environment

FORMAT: Final = "longshore-as2-profile-1"
"""The value of ``format``: the kind of the file, and the version of its members."""

# The security that a side wants for its messages. An omitted one stays as the connection has it.
_AGREED: Final = (
    *("sign", "encrypt", "compress", "sign_algorithm", "encrypt_algorithm", "oaep"),
    *("mdn", "mdn_signed", "content_type"),
)
_NAMES: Final = ("as2_from", "as2_to")
_OF_CONNECTION: Final = ("url", "certificates", *_AGREED)
_MEMBERS: Final[Mapping[str, Member]] = {
    "format": Member(one_of((FORMAT,)), is_required=True),
    "environment": Member(choice(Environment), is_required=True),
    "as2_name": AS2_MEMBERS["as2_to"],
    "url": AS2_MEMBERS["url"],
    "certificates": Member(AS2_MEMBERS["certificates"].kind, is_required=True),
    **{name: AS2_MEMBERS[name] for name in _AGREED},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class As2Profile:
    """The AS2 profile of a partner, as read from its file."""

    environment: Environment
    connection: As2Connection
    """The connection to the partner. Our own name in it is empty: no profile has it."""
    omitted: tuple[str, ...]
    """The members of the connection that the profile does not name; they have their default."""


def profile_members(identity: As2Identity, url: str) -> dict[str, object]:
    """Return the profile of one of our identities, as ``read_profile`` reads it.

    The certificate that signs is the first. The algorithms are those of a new connection.
    """
    of_us = As2Connection(
        url=url, as2_from="", as2_to=identity.name, certificates=identity.certificates
    )
    shown = connection_json(of_us)
    return {
        "format": FORMAT,
        "environment": identity.environment.value,
        "as2_name": identity.name,
        **{name: shown[name] for name in _OF_CONNECTION},
    }


def read_profile(given: object) -> As2Profile:
    """Return the profile in the JSON of a file.

    Raises:
        InvalidAs2ProfileError: Members of it are missing, unknown or at fault; it names each.
    """
    faults = RequestFaults()
    values = read_members(given, _MEMBERS, faults)
    if values.get("certificates") == ():
        faults.add("certificates", 'Parameter "certificates" must have one certificate or two.')
    if faults.details:
        raise InvalidAs2ProfileError(faults.details)
    environment = Environment(str(values["environment"]))
    make: Callable[..., As2Connection] = As2Connection  # each value was read by its kind
    named = {name: value for name, value in values.items() if name in _OF_CONNECTION}
    return As2Profile(
        environment=environment,
        connection=make(as2_from="", as2_to=values["as2_name"], **named),
        omitted=tuple(
            each.name
            for each in fields(As2Connection)
            if each.name not in named and each.name not in _NAMES
        ),
    )


def connection_by_profile(old: Connection, profile: As2Profile, as2_from: str) -> As2Connection:
    """Return the connection of our AS2 name to the side of a profile.

    What the profile omits stays as it is in ``old``, if that is an AS2 connection.
    """
    kept = profile.omitted if isinstance(old, As2Connection) else ()
    members = {name: getattr(old, name) for name in kept}
    return replace(profile.connection, as2_from=as2_from, **members)
