"""The browser: where it is found, how it is started, and how it shares a process with async tests.

Playwright's own event loop counts as running in this thread from its start to its end, between the
calls too, so no other loop could run. It is therefore hidden while no test uses the browser.
"""

import os
import shutil
from asyncio import AbstractEventLoop, get_running_loop
from asyncio.events import _set_running_loop
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, sync_playwright

# The first one has no window to draw: contexts and pages take half as long.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(frozen=True)
class Chromium:
    """The one browser of this process; use it inside ``awake`` only."""

    browser: Browser
    loop: AbstractEventLoop

    @contextmanager
    def awake(self) -> Iterator[Browser]:
        """Show Playwright its loop; hide it again at the end."""
        _set_running_loop(self.loop)
        try:
            yield self.browser
        finally:
            _set_running_loop(None)


def chromium_path() -> str | None:
    """Return the program named by CHROMIUM, else the first one found on the PATH."""
    if named := os.environ.get("CHROMIUM"):
        return named
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def need_chromium() -> str:
    """Return the program; without one skip the test, or fail it where nothing may be skipped."""
    path = chromium_path()
    if path is None:
        reason = (
            "NO BROWSER: the tests of the pages did not run. Install Chromium (Debian, Ubuntu: "
            "apt-get install chromium), or name a program: make test CHROMIUM=/path/to/chromium"
        )
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@contextmanager
def running_chromium(path: str) -> Iterator[Chromium]:
    """Start the browser, hide its loop, and end it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        chromium = Chromium(browser, get_running_loop())
        _set_running_loop(None)
        yield chromium
        with chromium.awake():
            browser.close()
        _set_running_loop(chromium.loop)  # for the end of Playwright itself
