"""Passwords of mailboxes: what is stored of one is its argon2id hash.

Source: transports.md section 3.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from longshore.domain.partners.connections import Connection, MailboxConnection
from longshore.domain.partners.errors import InvalidPartnerError
from longshore.domain.partners.members import RequestFaults
from longshore.domain.partners.model import Connections, NewPartner

if TYPE_CHECKING:
    from longshore.domain.users.passwords import PasswordHasher


async def with_hashed_passwords(new: NewPartner, hasher: PasswordHasher | None) -> NewPartner:
    """Return a partner of a request with hashes in place of the passwords of its mailboxes.

    Raises:
        InvalidPartnerError: There is a password and no ``hasher``.
        TooManyLoginsError: Too many passwords wait to be hashed.
    """
    both, terms = new.terms.connections, new.terms
    connections = Connections(
        test=await _hashed(both.test, "test", hasher),
        live=await _hashed(both.live, "live", hasher),
    )
    return replace(new, terms=replace(terms, connections=connections))


async def _hashed(connection: Connection, side: str, hasher: PasswordHasher | None) -> Connection:
    if not isinstance(connection, MailboxConnection) or connection.password is None:
        return connection
    if hasher is None:
        faults = RequestFaults()
        param = f"connections.{side}.password"
        faults.add(param, f'Parameter "{param}" cannot be set here: use the server or its command.')
        raise InvalidPartnerError(faults.details)
    return replace(connection, password=await hasher.hash(connection.password))
