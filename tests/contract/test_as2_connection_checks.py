"""Checks of AS2 connections, which send no message; on both engines."""

from datetime import timedelta

import pytest

from longshore.as2.certificates import PemKeyPair
from longshore.domain.accounts.model import AccountType
from longshore.domain.accounts.service import AccountService
from longshore.domain.as2.connection_check import As2ConnectionChecker
from longshore.domain.as2.identities import As2IdentityService
from longshore.domain.delivery.outcome import FailureKind
from longshore.domain.delivery.ports import Sent, answered, failed
from longshore.domain.partners.connection_check import (
    ConnectionCheck,
    ConnectionCheckService,
    NoCheckError,
)
from longshore.domain.partners.model import PartnerId
from longshore.kit.environment import Environment
from tests.support.as2 import CERTIFICATE
from tests.support.clock import START, StoppedClock
from tests.support.database import Database
from tests.support.partners import OWN, a_partner_service, new_partner
from tests.support.trading import PRODUCTION, SANDBOX
from tests.support.vault import a_sealer

URL = "https://as2.example.com/"
MEMBERS = {
    "type": "as2",
    "url": URL,
    "as2_from": "US",
    "as2_to": "THEM",
    "certificates": [CERTIFICATE],
}
EXPIRY = START.replace(year=2035, month=12, day=30)


class Prober:
    """Answers for the servers, and keeps which were asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Environment]] = []
        self.said: Sent = answered(405, "", None)

    async def probe(self, url: str, environment: Environment) -> Sent:
        self.asked.append((url, environment))
        return self.said


@pytest.fixture(autouse=True)
async def an_account(accounts: AccountService) -> None:
    await accounts.create("own", AccountType.ENTERPRISE)


async def check(
    database: Database, clock: StoppedClock, prober: Prober, environment: Environment = SANDBOX
) -> ConnectionCheck:
    checker = As2ConnectionChecker(database.units, clock, prober)
    partners = a_partner_service(database, clock)
    service = ConnectionCheckService(partners, {}, checker)
    return await service.check(OWN, PartnerId(1), environment)


async def a_partner(database: Database, clock: StoppedClock, **members: object) -> None:
    new = new_partner(connections={"test": MEMBERS | members, "live": MEMBERS})
    await a_partner_service(database, clock).create(OWN, new)


async def test_what_a_connection_lacks_is_named_and_nobody_is_asked(
    database: Database, clock: StoppedClock
) -> None:
    prober = Prober()
    await a_partner(database, clock, certificates=[])
    identities = As2IdentityService(database.units, clock, a_sealer())
    await identities.create(OWN, "US", PemKeyPair(CERTIFICATE, "a key"))
    assert await check(database, clock, prober) == ConnectionCheck(
        code="not_configured", message="The connection has no certificate of the partner."
    )
    # The identity is one of the sandbox.
    assert await check(database, clock, prober, PRODUCTION) == ConnectionCheck(
        code="not_configured",
        message="The account has no AS2 identity US in this environment.",
    )
    assert prober.asked == []


async def test_any_answer_shows_that_the_server_works(
    database: Database, clock: StoppedClock
) -> None:
    prober = Prober()
    await a_partner(database, clock)
    identities = As2IdentityService(database.units, clock, a_sealer())
    await identities.create(OWN, "US", PemKeyPair(CERTIFICATE, "a key"))
    answer = "The server answers (status 405); no message was sent."
    assert await check(database, clock, prober) == ConnectionCheck(code="succeeded", message=answer)
    clock.move(EXPIRY - clock.now() - timedelta(days=30))
    found = await check(database, clock, prober)
    assert found.message == (
        f"{answer} Our certificate expires on 2035-12-30."
        " The partner's certificate expires on 2035-12-30."
    )
    prober.said = failed(FailureKind.TIMED_OUT)
    assert await check(database, clock, prober) == ConnectionCheck(
        code="timed_out", message="There was no answer in time."
    )
    assert prober.asked == [(URL, SANDBOX)] * 3


async def test_without_a_checker_nothing_is_checked(
    database: Database, clock: StoppedClock
) -> None:
    await a_partner(database, clock)
    service = ConnectionCheckService(a_partner_service(database, clock), {})
    with pytest.raises(NoCheckError, match=r"^Only AS2, SFTP and FTPS connections and mailboxes"):
        await service.check(OWN, PartnerId(1), SANDBOX)
