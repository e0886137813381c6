"""Finds AS2 certificates that expire soon, and reports each of them once.

Certificates are ours, those of identities, and those of partners, pinned in connections. Whoever
has a certificate in both environments, or shares it with others, is reported for each of them. The
audit log says what was reported: a certificate that it names is not reported again, so neither a
restart nor a second worker repeats an event.

Fault points: ``as2.report_certificate.before_commit``, ``as2.report_certificate.after_commit``.

Source: contract.md section 13, transports.md section 2.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.as2.certificates import CertificateFacts, read_certificate_facts
from longshore.domain.accounts.model import Account
from longshore.domain.as2.profile import is_expiring
from longshore.domain.as2.store import StoredAs2Identity
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.events.model import EventType, NewEvent
from longshore.domain.events.writer import EventWriter
from longshore.domain.partners.connections import As2Connection, ConnectionType
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.store import StoredPartner
from longshore.domain.ports import SYSTEM, WORKER, AccountId, Compute, Ports, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point

_Stored = tuple[Sequence[StoredAs2Identity], Sequence[StoredPartner]]
"""The identities and the AS2 partners of an account."""
_PARTNER: Final = "partner"
_IDENTITY: Final = "as2_identity"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpiringCertificate:
    """A certificate that expires within 30 days, or has expired."""

    account_id: AccountId
    environment: Environment
    holder: str
    """Whose certificate it is: ``partner`` or ``as2_identity``."""
    holder_id: int
    facts: CertificateFacts


class As2Certificates:
    """The AS2 certificates of all accounts."""

    def __init__(self, units: Units) -> None:
        self._units = units

    async def list_expiring(self, now: datetime, compute: Compute) -> Sequence[ExpiringCertificate]:
        """Return those that expire within 30 days or have expired, by account.

        They are read where ``compute`` says.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """

        async def accounts(unit: ReadUnit) -> Sequence[Account]:
            return await unit.accounts.list()

        found = await self._units.read(SYSTEM, accounts)
        stored = [await self._of_account(account.id) for account in found]
        return await compute.submit_to_executor(_expiring, stored, now)

    async def _of_account(self, account_id: AccountId) -> _Stored:
        async def stored(unit: ReadUnit) -> _Stored:
            identities = [
                each
                for environment in Environment
                for each in await unit.as2_identities.list(environment)
            ]
            return identities, await unit.partners.list_connected(ConnectionType.AS2)

        # That scope sees the identities of both environments.
        scope = Scope(account_id=account_id, environment=Environment.PRODUCTION)
        return await self._units.read(scope, stored)


class ExpiringCertificateChecker:
    """Records an event for each certificate that expires soon, in all accounts."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._certificates = As2Certificates(ports.units)

    async def run_once(self) -> int:
        """Report what was not reported yet; return how many certificates that were.

        Raises:
            LongshoreError: ``storage_unavailable``; what was reported before stays so.
        """
        found = await self._certificates.list_expiring(self._ports.clock.now(), self._ports.threads)
        return sum([await self._report(each) for each in found])

    async def _report(self, found: ExpiringCertificate) -> bool:
        name = f"{found.holder} {found.holder_id} {found.facts.fingerprint}"
        subject = f"certificate {found.environment} {name}"
        scope = Scope(account_id=found.account_id, environment=found.environment)

        async def is_reported(unit: ReadUnit) -> bool:
            return bool(await unit.audit.list_newest(found.account_id, None, 1, subject))

        async def report(unit: WriteUnit) -> bool:
            await unit.partners.lock_identities(found.account_id)
            if await is_reported(unit):
                return False  # another worker was first
            now, owner = self._ports.clock.now(), (found.account_id, found.environment)
            await EventWriter(unit, self._ports.sealer, owner).record([_event(found)], now)
            entry = NewEntry(actor=WORKER, action=EventType.CERTIFICATE_EXPIRING, object=subject)
            await AuditWriter(unit, self._ports.sealer, found.account_id).record([entry], now)
            fault_point("as2.report_certificate.before_commit")
            return True

        if await self._ports.units.read(scope, is_reported):
            return False
        is_first = await self._ports.units.write(scope, report)
        fault_point("as2.report_certificate.after_commit")
        return is_first


def _event(found: ExpiringCertificate) -> NewEvent:
    data: dict[str, int | str] = {
        f"{found.holder}_id": found.holder_id,
        "fingerprint": found.facts.fingerprint,
        "expires_on": f"{found.facts.not_after:%Y-%m-%d}",
    }
    return NewEvent(type=EventType.CERTIFICATE_EXPIRING, data=data, actor=WORKER)


def _expiring(stored: Sequence[_Stored], now: datetime) -> Sequence[ExpiringCertificate]:
    return [
        ExpiringCertificate(
            account_id=account_id,
            environment=environment,
            holder=holder,
            holder_id=holder_id,
            facts=facts,
        )
        for identities, partners in stored
        for account_id, environment, holder, holder_id, certificates in (
            *_ours(identities),
            *_pinned(partners),
        )
        for facts in map(read_certificate_facts, certificates)
        if is_expiring(facts, now)
    ]


_Held = tuple[AccountId, Environment, str, int, tuple[str, ...]]


def _ours(identities: Sequence[StoredAs2Identity]) -> Iterator[_Held]:
    for identity in (each.identity for each in identities):
        owner = identity.account_id, identity.environment
        yield *owner, _IDENTITY, identity.id, identity.certificates


def _pinned(partners: Sequence[StoredPartner]) -> Iterator[_Held]:
    for stored in partners:
        connections = partner_of(stored).terms.connections
        for environment in Environment:
            connection = connections.of(environment)
            if isinstance(connection, As2Connection):
                yield stored.account_id, environment, _PARTNER, stored.id, connection.certificates
