"""Keys and messages of AS2 partners."""

import os
from datetime import UTC, datetime
from functools import cache
from typing import Final

from longshore.as2.keys import KeyPair, make_key_pair

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
