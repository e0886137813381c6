"""People who can log in: real services on a real database, sessions of every role."""

from dataclasses import dataclass

from longshore.crypto.passwords import Argon2Hasher, HashCost
from longshore.domain.ports import RequestContext
from longshore.domain.users.administration import UserAdministration
from longshore.domain.users.authentication import SessionAuthenticator
from longshore.domain.users.changes import actor_of
from longshore.domain.users.login import LoginService
from longshore.domain.users.model import SessionUser, UserRole
from longshore.domain.users.own_keys import OwnKeyService
from longshore.domain.users.passwords import csrf_token
from longshore.domain.users.service import UserService
from longshore.http.origin import SECURE_COOKIE_NAME, OwnAddress
from longshore.kit.clock import Clock
from tests.support.clock import CountedIds
from tests.support.database import Database

PASSWORD = "correct horse battery"
IP = "192.0.2.7"
BASE_URL = "https://edi.example.com"
CHEAP = HashCost(memory_kib=8)
"""The least that argon2 accepts; tests/http/test_login_costs.py looks at the real cost."""


@dataclass(frozen=True, kw_only=True)
class Sessions:
    """The secrets of sessions: every role of ``demo``, the owners of Northwind and of gone.

    ``suspended`` is a session whose account was suspended after it began.
    """

    owner: str
    editor: str
    viewer: str
    neighbour_owner: str
    suspended: str


class People:
    """The services of the users slice over one database.

    Args:
        database: Where the users are.
        clock: The time.
        seed: What the ids are counted from.
        cost: The cost of a hash of a password.
    """

    def __init__(
        self, database: Database, clock: Clock, seed: str = "people", cost: HashCost = CHEAP
    ) -> None:
        units, revocations = database.units, database.revocations
        ids, hasher = CountedIds(seed), Argon2Hasher(cost)
        self.administration = UserAdministration(units, clock, revocations, hasher)
        self.sessions = SessionAuthenticator(units, clock, revocations)
        self.login = LoginService(units, clock, ids, revocations, hasher)
        self.users = UserService(units, clock, ids, revocations, hasher)
        self.own_keys = OwnKeyService(units, clock, ids, revocations, self.login)
        self.own_address = OwnAddress(BASE_URL)

    async def with_session(self, account: str, email: str, role: UserRole) -> str:
        """Make a user, log in, and return the secret of the session."""
        await self.administration.create(account, email, role, PASSWORD)
        return (await self.login.log_in(email, PASSWORD, IP)).secret


def context_for(caller: SessionUser) -> RequestContext:
    """Return who acts when a caller asks for something from ``IP``."""
    return RequestContext(
        account_id=caller.account_id,
        environment=caller.environment,
        actor=actor_of(caller.user_id),
        ip=IP,
        request_id="req_1",
    )


def session_headers(secret: str, environment: str = "sandbox") -> dict[str, str]:
    """Return what a page of ours sends with every request of a session."""
    return {
        "Cookie": f"{SECURE_COOKIE_NAME}={secret}",
        "X-CSRF-Token": csrf_token(secret),
        "X-Environment": environment,
    }
