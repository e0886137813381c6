"""Pages that one test after the other uses.

A browser shows the application in a third of the time where it was shown before: what was loaded
and compiled stays with the page. All else is taken away between two tests: cookies, storage,
history, routes, permissions, other pages. A page that a test changed for good, by a clock, a script
of its own or a listener, is closed and not used again.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Error,
    Page,
    StorageState,
    ViewportSize,
)

from tests.e2e.support.watch import Watch, hear_out

VIEWPORT: Final[ViewportSize] = {"width": 1440, "height": 900}
PATIENCE_MS: Final = 15_000
"""A page that needs longer for one step hangs."""

RESTING_PLACE: Final = "/static/icon.svg"
"""A file of the same origin in which nothing runs: the page stays in its process."""

_FORGET: Final = """() => {
  sessionStorage.clear();
  localStorage.clear();
  window.name = '';
}"""
# Whatever runs before a page, such as a clock, replaces or adds something here.
_CHANGED: Final = """() => Object.entries(Object.getOwnPropertyDescriptors(window))
  .filter(([, { value }]) => typeof value !== 'function' || !/\\[native code\\]/.test(value))
  .map(([name]) => name).sort()"""


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page, and what tells whether a test changed it for good."""

    page: Page
    devtools: CDPSession
    names: Sequence[str]
    """Everything in ``window`` but the browser's own functions."""
    heard: frozenset[str]
    """The events that somebody listens to."""

    @property
    def context(self) -> BrowserContext:
        return self.page.context


@dataclass
class KeptPages:
    """The pages of one process of tests on one server, at ``address``."""

    address: str
    _free: list[KeptPage] = field(default_factory=list)

    def take(
        self,
        browser: Browser,
        watch: Watch,
        state: StorageState | None,
        *,
        viewport: ViewportSize = VIEWPORT,
        color_scheme: Literal["light", "dark"] = "light",
    ) -> KeptPage:
        """Return a page without any past, of whoever has the session ``state``."""
        kept = self._free.pop() if self._free else self._new(browser)
        if state is not None:
            kept.context.add_cookies(list(state["cookies"]))  # type: ignore[arg-type]
        kept.page.set_viewport_size(viewport)
        kept.page.emulate_media(color_scheme=color_scheme, reduced_motion="reduce")
        watch.listen_to(kept.context)
        return kept

    def give_back(self, kept: KeptPage, watch: Watch) -> None:
        """Take away what a test left in a page; close the page if that cannot be done."""
        hear_out(kept.context)
        watch.leave(kept.context)
        with suppress(Error):  # the test closed the page, or it crashed
            if self._is_as_before(kept):
                self._free.append(kept)
                return
        kept.context.close()

    def _new(self, browser: Browser) -> KeptPage:
        context = browser.new_context(
            base_url=self.address, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        Watch.report_in(context)
        page = context.new_page()
        page.goto(RESTING_PLACE)
        devtools = context.new_cdp_session(page)
        return KeptPage(page, devtools, page.evaluate(_CHANGED), _heard(page))

    def _is_as_before(self, kept: KeptPage) -> bool:
        page, context = kept.page, kept.context
        for other in context.pages:
            if other is not page:
                other.close()
        page.unroute_all(behavior="ignoreErrors")
        context.unroute_all(behavior="ignoreErrors")
        page.goto(RESTING_PLACE)
        page.mouse.move(0, 0)
        page.evaluate(_FORGET)
        everything = {"origin": self.address, "storageTypes": "all"}
        kept.devtools.send("Storage.clearDataForOrigin", everything)
        kept.devtools.send("Page.resetNavigationHistory")
        context.clear_cookies()
        context.clear_permissions()
        return page.evaluate(_CHANGED) == kept.names and _heard(page) == kept.heard


def _heard(page: Page) -> frozenset[str]:
    both = (page, page.context)
    return frozenset(
        name
        for each in both
        for name in each._impl_obj.event_names()  # noqa: SLF001 - nothing else lists them
    )
