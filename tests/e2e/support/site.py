"""A real server for the browser, the accounts and users on it, and their sessions."""

import asyncio
import re
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TypeVar

from playwright.sync_api import Browser, BrowserContext, StorageState

from longshore.cli.administration import PartnerAdministration, administer_partners
from longshore.domain.accounts.model import AccountType
from longshore.domain.users.model import UserRole
from longshore.settings import Settings, load_settings
from longshore.wiring import open_user_administration
from tests.system.server import Server, serving

PASSWORD = "correct horse battery"
SET_UP_LINK = re.compile(r"http://\S+(/setup#token=([0-9A-Za-z_-]{43}))")

SESSION_SECONDS = 600
"""After half an hour without a request a session ends: a long run of tests may leave one alone."""

T = TypeVar("T")


@dataclass(frozen=True)
class User:
    """Somebody who can log in."""

    email: str
    account: str
    password: str = PASSWORD


FIRST_USER = User("ada@example.com", "demo")


@dataclass
class Site:
    """A server and what is known of it. Its first account is ``demo``."""

    server: Server
    states: dict[User, tuple[float, StorageState]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def address(self) -> str:
        return self.server.address

    @property
    def set_up_path(self) -> str:
        """The link for the first user, without the address."""
        return self._link()[1]

    def set_up(self) -> User:
        """Make the first user, owner of ``demo``, without a browser."""
        user = FIRST_USER
        body = {"token": self._link()[2], "email": user.email, "password": user.password}
        status, answer = self.server.call("POST", "/api/setup", body=body)
        assert (status, answer["ok"]) == (200, True), answer
        return user

    def new_account(self, plan: AccountType = AccountType.DEVELOPER) -> User:
        """Make an account as the command does, empty but for its simulator, and its owner."""
        name = f"account-{next(self._numbers)}"

        async def make(administration: PartnerAdministration) -> None:
            account = await administration.accounts.create(name, plan)
            await administration.provisioner.provision_defaults(account)

        with ThreadPoolExecutor(1) as pool:
            pool.submit(administer_partners, self._settings(), make).result()
        return self.new_user(name)

    def new_user(self, account: str, role: UserRole = UserRole.OWNER) -> User:
        """Make a user of ``account``."""
        user = User(f"{role}-{next(self._numbers)}@{account}.example", account)

        async def make() -> None:
            async with open_user_administration(self._settings()) as administration:
                await administration.create(account, user.email, role, user.password)

        in_thread(make())
        return user

    def state_of(self, user: User, browser: Browser) -> StorageState:
        """Return a session of ``user`` for new contexts, a new one before the last ends unused."""
        if user not in self.states or monotonic() - self.states[user][0] > SESSION_SECONDS:
            context = browser.new_context(base_url=self.address)
            log_in(context, user)
            self.states[user] = monotonic(), context.storage_state()
            context.close()
        return self.states[user][1]

    def _link(self) -> re.Match[str]:
        found = SET_UP_LINK.search(self.server.printed)
        assert found is not None, self.server.printed
        return found

    def _settings(self) -> Settings:
        return load_settings({"data_dir": str(self.server.folder / "data")}, environ={})


def log_in(context: BrowserContext, user: User) -> None:
    """Give a context a session of its own, without a page."""
    body = {"email": user.email, "password": user.password}
    response = context.request.post("/api/session", data=body)
    assert response.status == 200, response.text()


@contextmanager
def open_site(folder: Path) -> Iterator[Site]:
    """Serve a new data directory in ``folder``; nobody is set up yet."""
    with serving(folder, is_measured=False) as server:
        yield Site(server)


def in_thread(work: Coroutine[object, object, T]) -> T:
    """Run ``work`` on another thread: in this one Playwright's loop counts as running."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
