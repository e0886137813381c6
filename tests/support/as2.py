"""Keys and messages of AS2 partners."""

import os
from datetime import UTC, datetime
from functools import cache
from typing import Final

from longshore.as2.algorithms import Mic
from longshore.as2.certificates import PemKeyPair
from longshore.as2.headers import receipt_options
from longshore.as2.keys import KeyPair, make_key_pair
from longshore.as2.messages import Wrapping, compose
from longshore.domain.as2.identities import As2IdentityService
from longshore.domain.partners.model import PartnerId
from longshore.kit.clock import Clock
from tests.support.database import Database
from tests.support.partners import OWN, a_partner_service, new_partner
from tests.support.vault import a_sealer

SIGNED_AND_ENCRYPTED: Final = Wrapping()
NOW: Final = datetime(2026, 1, 15, 14, 5, 9, tzinfo=UTC)
CERTIFICATE: Final = """\
-----BEGIN CERTIFICATE-----
MIIC6zCCAdOgAwIBAgIUEIeIuq3n77VOZFBixHnBksAq7pAwDQYJKoZIhvcNAQEL
BQAwDzENMAsGA1UEAwwEVEhFTTAeFw0yNjAxMDEwMDAwMDBaFw0zNTEyMzAwMDAw
MDBaMA8xDTALBgNVBAMMBFRIRU0wggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEK
AoIBAQDgBr/3Wu6tcZxJanwPw0izjssN8GwOZCDXwS/d3S/C23v5nGKB9jjr/Cl5
8dxRpvgJIjYpJvBfnchKu2i+Ry36vvqndHlH3H0b87673VzPf0RvTlysGgwgUK0X
igU2LlHIEllMeTwQG3V+ofYb1LE5v1e/LVIhhgTfq/B4bfacsLkBX/Bnx1E9tFrg
AbnbgO6Es1Qtn6LA3wEtiAbjmEZMw1HFJzjNj9cGH5pG+gw1AHrfIUHdBOyqTZKJ
jJH3phyLFt3oaaEsKnJ5JdlRX+UuUVr46muWgR/fhJbQpYogb0dNcUja//R0R1NY
UbpHgSqN0Q7uKFmXNereh6xZhX1xAgMBAAGjPzA9MAwGA1UdEwEB/wQCMAAwDgYD
VR0PAQH/BAQDAgXgMB0GA1UdDgQWBBSpvpp/RyWkfJTSGX8kDKzJxDoz3DANBgkq
hkiG9w0BAQsFAAOCAQEAhDaaC8LgYWDQyo/PUjZI6K+eEayjxdSqXnIUSDNOP+jS
E0KEZz75vOdv5vvQhBZOyhkEdRtfNQCkuADkGWQ1j4nIlJxkbDOEpjyZRvrWE2LH
WEk7+A6K2k0ZNyG5nlvjMSqP9ttEJz1l/F3Kx18M7h69AasAxIE4+QVOJgu/75ao
5jv0knN10oewJxmvaBgAQagXa5NtfPCJEPTmIpg0YuAs+CAqGy2niIaNh0rKXX9Y
7IW2l8TxUn0zjZx6AnUcRWqzoK66LPwiX5HavcUAob1n7drNHRj8TbWhcDgxfL0/
PXylmirAbH2lSe5Uv5/nm367UGwYav/Xfz9i9cFGFg==
-----END CERTIFICATE-----
"""
"""Of ``THEM``, until 2035-12-30; nobody has its key any more."""


@cache
def a_pair(name: str) -> KeyPair:
    """Return a key with its certificate; the same for the same name in a process."""
    return make_key_pair(name, NOW, os.urandom(20), bits=2_048)


def pem_pair(name: str) -> PemKeyPair:
    """Return the key of a name as texts."""
    pair = a_pair(name)
    return PemKeyPair(pair.certificate.pem, pair.private_pem)


def as2_members(**members: object) -> dict[str, object]:
    """Return the connection of ``US co`` to ``THEM``, which signs with its own key."""
    return {
        "type": "as2",
        "url": "https://as2.example.com/",
        "as2_from": "US co",
        "as2_to": "THEM",
        "certificates": [a_pair("THEM").certificate.pem],
    } | members


async def an_as2_partner(database: Database, clock: Clock, **members: object) -> PartnerId:
    """Store the identity ``US co`` of the first account, and a partner ``THEM`` for test data."""
    identities = As2IdentityService(database.units, clock, a_sealer())
    await identities.create(OWN, "US co", pem_pair("US co"))
    return await another_as2_partner(database, clock, "Northwind Retail", **members)


async def another_as2_partner(
    database: Database, clock: Clock, name: str, **members: object
) -> PartnerId:
    """Store one more partner for the identity ``US co``."""
    new = new_partner(name, connections={"test": as2_members(**members)})
    return (await a_partner_service(database, clock, name).create(OWN, new)).partner.id


def a_message(
    payload: bytes, wrapping: Wrapping = SIGNED_AND_ENCRYPTED, **headers: str
) -> tuple[dict[str, str], bytes, Mic]:
    """Return headers and body of a message of ``THEM``, and its MIC. ``x_y`` is header ``x-y``."""
    composed = compose(payload, wrapping, a_pair("THEM"), a_pair("US co").certificate, NOW)
    usual = {
        "as2-from": "THEM",
        "as2-to": '"US co"',
        "message-id": "<1@them>",
        "disposition-notification-to": "them",
        "disposition-notification-options": receipt_options("sha-256"),
        "content-type": composed.body.content_type,
    }
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {name: value for name, value in (usual | given).items() if value}
    return sent, composed.body.content, composed.mic
