"""AS2 certificates that expire are reported once, on both databases."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from longshore.as2.certificates import PemKeyPair, read_certificate_facts
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.as2.expiring_certificates import ExpiringCertificateChecker
from longshore.domain.as2.identities import As2IdentityService
from longshore.domain.audit.model import ChainedEntry
from longshore.domain.events.model import EventType
from longshore.storage.audit import SqlAuditStore
from tests.support.answers import feed
from tests.support.as2 import CERTIFICATE, as2_members
from tests.support.clock import StoppedClock
from tests.support.database import Database
from tests.support.partners import (
    NEIGHBOUR,
    OWN,
    a_partner_service,
    audited,
    new_partner,
)
from tests.support.ports import some_ports
from tests.support.trading import FOREIGN_TEST, LIVE, TEST
from tests.support.vault import a_sealer

EXPIRES = datetime(2035, 12, 30, tzinfo=UTC)
FINGERPRINT = read_certificate_facts(CERTIFICATE).fingerprint
FACTS = {"fingerprint": FINGERPRINT, "expires_on": "2035-12-30"}
SECOND = timedelta(seconds=1)


@pytest.fixture
async def checker(
    database: Database, clock: StoppedClock, accounts: AccountService
) -> ExpiringCertificateChecker:
    """Certificates of an identity for each of two accounts, and of a partner for both uses."""
    for name in ("own", "Northwind", "nothing to report"):
        await accounts.create(name, AccountType.ENTERPRISE)
    identities = As2IdentityService(database.units, clock, a_sealer())
    await identities.create(OWN, "ACME", PemKeyPair(CERTIFICATE, "key"))
    await identities.create(NEIGHBOUR, "NORTHWIND", PemKeyPair(CERTIFICATE, "key"))
    partners = a_partner_service(database, clock)
    members = as2_members(certificates=[CERTIFICATE])
    await partners.create(OWN, new_partner("Both", connections={"test": members, "live": members}))
    http = {"type": "http", "url": "https://edi.example.com/"}
    for other in ({"test": http}, {"test": http, "live": as2_members(certificates=[])}):
        await partners.create(OWN, new_partner(f"Other {len(other)}", connections=other))
    return ExpiringCertificateChecker(some_ports(database, clock))


async def test_each_certificate_is_reported_once_thirty_days_before_it_expires(
    checker: ExpiringCertificateChecker, database: Database, clock: StoppedClock
) -> None:
    clock.move(EXPIRES - timedelta(days=30) - SECOND - clock.now())
    assert await checker.run_once() == 0
    clock.move(SECOND)
    assert await checker.run_once() == 4
    restarted = ExpiringCertificateChecker(some_ports(database, clock))
    clock.move(timedelta(days=60))
    assert [await restarted.run_once(), await checker.run_once()] == [0, 0]
    found = {
        given: [
            (each.actor, dict(each.data))
            for each in await feed(database, given)
            if each.type == "certificate.expiring"
        ]
        for given in (TEST, LIVE, FOREIGN_TEST)
    }
    ours, pinned = {"as2_identity_id": 1, **FACTS}, {"partner_id": 1, **FACTS}
    assert found == {
        TEST: [("worker", ours), ("worker", pinned)],
        LIVE: [("worker", pinned)],
        FOREIGN_TEST: [("worker", {**ours, "as2_identity_id": 2})],
    }
    assert [each for each in await audited(database) if each.startswith("worker")] == [
        f"worker certificate.expiring certificate {holder} {FINGERPRINT}"
        for holder in ("sandbox as2_identity 1", "sandbox partner 1", "production partner 1")
    ]


async def test_of_several_workers_at_once_one_reports(
    checker: ExpiringCertificateChecker, database: Database, clock: StoppedClock
) -> None:
    clock.move(EXPIRES - clock.now())
    others = [ExpiringCertificateChecker(some_ports(database, clock)) for _ in range(3)]
    found = await asyncio.gather(*(each.run_once() for each in (checker, *others)))
    assert sum(found) == 4
    assert [each.type for each in await feed(database)].count(EventType.CERTIFICATE_EXPIRING) == 2


async def test_a_worker_that_comes_second_repeats_nothing(
    checker: ExpiringCertificateChecker, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.move(EXPIRES - clock.now())
    assert await checker.run_once() == 4
    looks, look = 0, SqlAuditStore.list_newest

    async def look_before_the_other(store: SqlAuditStore, *which: object) -> Sequence[ChainedEntry]:
        nonlocal looks
        looks += 1
        return [] if looks % 2 else await look(store, *which)  # type: ignore[arg-type]

    monkeypatch.setattr(SqlAuditStore, "list_newest", look_before_the_other)
    assert (await checker.run_once(), looks) == (0, 8)
