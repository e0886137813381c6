"""The pages in a real browser on a real server: one of each for a whole run of tests.

Every page comes from ``page``, ``own_page``, ``visitor_page`` or ``page_of``, which watch it: a
broken policy, an error on the console or an uncaught exception fails the test (``support/watch``).
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from longshore.http.ui.files import INDEX
from longshore.http.ui.routes import STATIC_FOLDER
from tests.e2e.support.chromium import Chromium, need_chromium, running_chromium
from tests.e2e.support.kept import PATIENCE_MS, VIEWPORT, KeptPage, KeptPages
from tests.e2e.support.site import FIRST_USER, Site, User, open_site
from tests.e2e.support.watch import Watch, close
from tests.system.server import serving

PageOf = Callable[..., Page]
OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """The browser, asleep; tests take ``browser``."""
    path = need_chromium()
    if not (STATIC_FOLDER / INDEX).is_file():
        pytest.fail("the pages are not built: run `make web`")
    expect.set_options(timeout=PATIENCE_MS)
    with running_chromium(path) as chromium:
        yield chromium


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Browser]:
    with chromium.awake() as browser:
        yield browser


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server all tests share. What a test makes in ``demo`` others see."""
    with open_site(tmp_path_factory.mktemp("site")) as site:
        site.set_up()
        yield site


@pytest.fixture
def owner() -> User:
    """The first user: owner of ``demo``."""
    return FIRST_USER


@pytest.fixture
def new_site(tmp_path: Path) -> Iterator[Site]:
    """A server of this test alone, on which nobody is set up."""
    with open_site(tmp_path) as site:
        yield site


@pytest.fixture
def reaching_site(tmp_path: Path) -> Iterator[Site]:
    """A server of this test alone, which may send to this machine."""
    allowed = {"LONGSHORE_ALLOWED_NETWORKS": "127.0.0.0/8"}
    with serving(tmp_path, is_measured=False, environment=allowed) as server:
        yield Site(server)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """What the pages of this test did wrong so far; a failing call is declared here."""
    watch = Watch()
    yield watch
    watch.judge()  # after all pages, which take it, are closed or given back


@pytest.fixture
def new_context(
    browser: Browser, site: Site, watch: Watch
) -> Iterator[Callable[..., BrowserContext]]:
    """Make a browser without any past, such as ``new_context(color_scheme="dark")``."""
    made: list[BrowserContext] = []

    # Any: the options of Playwright, which are its own affair.
    def make(**options: Any) -> BrowserContext:  # noqa: ANN401 - Playwright's own
        usual = {
            "base_url": site.address,
            "viewport": VIEWPORT,
            "locale": "en-GB",
            "timezone_id": "UTC",
            "reduced_motion": "reduce",
        }
        context = browser.new_context(**usual | options)
        context.set_default_timeout(PATIENCE_MS)
        watch.over(context)
        made.append(context)
        return context

    yield make
    for context in made:
        close(context)


@pytest.fixture(scope="session")
def kept_pages(site: Site) -> KeptPages:
    """The pages of ``site`` that one test after the other uses; tests take ``page_of``."""
    return KeptPages(site.address)


@pytest.fixture
def open_page(
    kept_pages: KeptPages,
    browser: Browser,
    watch: Watch,
) -> Iterator[OpenPage]:
    """Open a page of whoever has a session, in the colours and the size that are asked for."""
    taken: list[KeptPage] = []

    def take(state: StorageState | None, **options: Any) -> Page:  # noqa: ANN401 - Playwright's own
        taken.append(kept_pages.take(browser, watch, state, **options))
        return taken[-1].page

    yield take
    for kept in reversed(taken):
        kept_pages.give_back(kept, watch)


@pytest.fixture
def page_of(open_page: OpenPage, site: Site, browser: Browser) -> PageOf:
    """Open a page as a user, without any past: ``page_of(user, color_scheme="dark")``."""

    def open_as(user: User, **options: Any) -> Page:  # noqa: ANN401 - Playwright's own
        return open_page(site.state_of(user, browser), **options)

    return open_as


@pytest.fixture
def page(page_of: PageOf, owner: User) -> Page:
    """A page of the owner of ``demo``."""
    return page_of(owner)


@pytest.fixture
def own_page(page_of: PageOf, site: Site) -> Page:
    """A page of the owner of an account with nothing in it."""
    return page_of(site.new_account())


@pytest.fixture
def visitor_page(open_page: OpenPage) -> Page:
    """A page of somebody who is not logged in."""
    return open_page(None)
