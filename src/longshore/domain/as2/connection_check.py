"""Checks an AS2 connection without sending a message.

Source: transports.md section 2.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from longshore.as2.certificates import read_certificate_facts
from longshore.domain.as2.profile import is_expiring
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.partners.connection_check import SUCCEEDED, ConnectionCheck
from longshore.domain.partners.connections import MdnMode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from longshore.domain.as2.store import StoredAs2Identity
    from longshore.domain.delivery.ports import Sent
    from longshore.domain.partners.connections import As2Connection
    from longshore.domain.ports import RequestContext
    from longshore.domain.units import ReadUnit, Units
    from longshore.kit.clock import Clock
    from longshore.kit.environment import Environment

_OURS: Final = "Our certificate"
_THEIRS: Final = "The partner's certificate"


class UrlProber(Protocol):
    """Asks servers for an answer."""

    async def probe(self, url: str, environment: Environment) -> Sent:
        """Ask the server of a URL for an answer, without a message."""
        ...


class As2ConnectionChecker:
    """The port ``partners.connection_check.As2Checker``."""

    def __init__(self, units: Units, clock: Clock, prober: UrlProber) -> None:
        self._units = units
        self._clock = clock
        self._prober = prober

    async def check(self, context: RequestContext, connection: As2Connection) -> ConnectionCheck:
        """Return what a connection lacks, or what its server answers.

        An answer with any status shows that the address, its TLS certificate and its server work.
        """

        async def find(unit: ReadUnit) -> StoredAs2Identity | None:
            return await unit.as2_identities.find(context.environment, connection.as2_from)

        stored = await self._units.read(context.scope, find)
        lack = lack_of(connection, has_identity=stored is not None)
        if stored is None or lack:
            return ConnectionCheck(code=FailureKind.NOT_CONFIGURED, message=lack)
        sent = await self._prober.probe(connection.url, context.environment)
        if sent.http_status is None:
            assert sent.error_code is not None  # there was no answer
            return ConnectionCheck(code=sent.error_code, message=sent.message)
        now = self._clock.now()
        sentences = (
            f"The server answers (status {sent.http_status}); no message was sent.",
            *_warnings(_OURS, stored.identity.certificates[:1], now),
            *_warnings(_THEIRS, connection.certificates[:1], now),
        )
        return ConnectionCheck(code=SUCCEEDED, message=" ".join(sentences))


def lack_of(connection: As2Connection, *, has_identity: bool) -> str:
    """Return what a connection lacks to send by it, ``""`` if nothing."""
    if not has_identity:
        return f"The account has no AS2 identity {connection.as2_from} in this environment."
    if connection.certificates:
        return ""
    needs = connection.encrypt or (connection.mdn is not MdnMode.NONE and connection.mdn_signed)
    return "The connection has no certificate of the partner." if needs else ""


def _warnings(whose: str, certificates: Iterable[str], now: datetime) -> Iterable[str]:
    for facts in map(read_certificate_facts, certificates):
        if is_expiring(facts, now):
            yield f"{whose} expires on {facts.not_after:%Y-%m-%d}."
