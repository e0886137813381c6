"""The pages look as they did: pictures of eight of them, compared with ``pictures/<major>``.

What a letter looks like belongs to one major version of Chromium and one set of fonts. Where either
is another one the baselines say nothing; then two pictures of one run are compared, and the test
says so. After a wanted change write the pictures anew with ``PICTURES=write`` and look at them.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from longshore.kit.clock import SystemClock
from tests.e2e.support.chromium import Chromium
from tests.e2e.support.pictures import CHANNEL_TOLERANCE, difference
from tests.e2e.support.site import FIRST_USER, Site, open_site
from tools.screenshots import AHEAD, SHOTS, SIZES, THEMES, Shot, file_name, fill, show

BASELINES: Final = Path(__file__).parent / "pictures"
FAILED: Final = Path(__file__).parents[2] / "build/pictures"
IS_WRITING: Final = os.environ.get("PICTURES") == "write"
MAX_DIFFERING: Final = 0.003

NAMES: Final = frozenset((
    "login",
    "overview",
    "inspect-document",
    "maps",
    "mapper",
    "vault",
    "keys",
    "account",
))
COMPARED: Final = tuple(shot for shot in SHOTS if shot.name in NAMES)
MASKED: Final = {"keys": "td code", "overview": "[aria-label=Figures] li:last-child"}
"""What is another one in each run, by page: the endings of keys, for how long an answer is owed."""
WITH_DAYS: Final = frozenset({"overview"})
"""Pages with charts by day. In the evening of UTC they are shown on the day after their trade."""

# The families of web/src/theme.ts, written here again: a page that names others has to be noticed
# as a changed page, not as another set of fonts.
PROBE: Final = """() => {
  const write = (family, weight) => {
    const line = document.body.appendChild(document.createElement('p'));
    line.textContent = 'Sphinx of black quartz, judge my vow: 0123456789 → ✓ …';
    line.style.font = `${weight} 14px ${family}`;
  };
  for (const weight of [400, 700]) write('Inter, system-ui, sans-serif', weight);
  write('ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace', 400);
}"""


@dataclass(frozen=True, slots=True)
class Shown:
    """A server with the samples, and the time that its pages are shown at.

    ``is_next_day``: in UTC, by whose days charts count: their bars stand elsewhere then.
    """

    site: Site
    at: datetime
    is_next_day: bool


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, chromium: Chromium) -> Iterator[Shown]:
    with open_site(tmp_path_factory.mktemp("pictures")) as site:
        site.set_up()
        with chromium.awake() as browser:
            fill(site, browser)
            site.state_of(FIRST_USER, browser)  # the account lists its sessions: always the same
        now = SystemClock().now()
        yield Shown(site, now + AHEAD, (now + AHEAD).date() != now.date())


@pytest.fixture
def blank(new_context: Callable[..., BrowserContext]) -> Page:
    """A page of nobody, without a policy."""
    return new_context().new_page()


@pytest.fixture
def baselines(browser: Browser, blank: Page) -> Path | None:
    """The folder of this browser with these fonts, if there is one."""
    folder = BASELINES / browser.version.split(".")[0]
    blank.set_viewport_size({"width": 480, "height": 150})
    blank.evaluate(PROBE)
    probe, kept = blank.screenshot(), folder / "fonts.png"
    if IS_WRITING:
        folder.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(probe)
    if not kept.is_file() or difference(kept.read_bytes(), probe, blank=blank).share > 0:
        return None
    return folder


def picture(page: Page, masked: str | None) -> bytes:
    mask = [] if masked is None else [page.locator(masked)]
    return page.screenshot(animations="disabled", mask=mask)


def faults(
    name: str, before: bytes, after: bytes, *, blank: Page, folder: Path = FAILED
) -> list[str]:
    """Return what is wrong and which files in ``folder`` show it; nothing if it is the same."""
    if before == after:
        return []
    found = difference(before, after, blank=blank)
    if found.share <= MAX_DIFFERING:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    new, marked = folder / name, folder / f"difference-{name}"
    new.write_bytes(after)
    marked.write_bytes(found.picture)
    return [f"{name}: {found.share:.2%} of the pixels differ; see {new} and {marked}"]


@pytest.mark.parametrize("shot", COMPARED, ids=lambda shot: shot.name)
def test_a_page_looks_as_it_did(
    shot: Shot,
    shown: Shown,
    baselines: Path | None,
    browser: Browser,
    blank: Page,
    new_context: Callable[..., BrowserContext],
) -> None:
    state = shown.site.state_of(FIRST_USER, browser) if shot.is_logged_in else None
    page = new_context(base_url=shown.site.address, storage_state=state).new_page()
    page.clock.set_fixed_time(shown.at)
    if shown.is_next_day and shot.name in WITH_DAYS:
        baselines = None
    wrong = []
    for theme, size in product(THEMES, SIZES):
        show(page, shot, theme, size)
        name = file_name(shot, theme, size)
        after = picture(page, MASKED.get(shot.name))
        if baselines is None:
            before = picture(page, MASKED.get(shot.name))
        elif IS_WRITING:
            (baselines / name).write_bytes(before := after)
        else:
            before = (baselines / name).read_bytes()
        wrong += faults(name, before, after, blank=blank)
    compared = "two pictures of this run: no baselines for this browser, these fonts and this hour"
    print(f"{shot.name}: {baselines or compared}")  # noqa: T201 - what the result is worth
    assert wrong == []


def test_every_picture_has_a_page() -> None:
    assert {shot.name for shot in COMPARED} == NAMES


def block(page: Page, side: int, red: int) -> bytes:
    """Return a picture of a square of rgb(``red``, 100, 100) on a page of grey 100."""
    page.evaluate(
        """([side, red]) => {
          const square = document.createElement('div');
          square.style.cssText = `position: absolute; inset: 0 auto auto 0;
            width: ${side}px; height: ${side}px; background: rgb(${red} 100 100)`;
          document.body.style.background = 'rgb(100 100 100)';
          document.body.replaceChildren(square);
        }""",
        [side, red],
    )
    return page.screenshot()


def test_a_changed_block_is_noticed_and_shown(blank: Page, tmp_path: Path) -> None:
    before, small, large = (block(blank, side, 200) for side in (0, 62, 63))
    assert faults("small.png", before, small, blank=blank, folder=tmp_path) == []
    assert list(tmp_path.iterdir()) == []
    [fault] = faults("large.png", before, large, blank=blank, folder=tmp_path)
    assert fault.startswith("large.png: 0.31% of the pixels differ")
    assert (tmp_path / "large.png").read_bytes() == large
    assert (tmp_path / "difference-large.png").is_file()


def test_pixels_are_counted_exactly_and_a_shade_is_none(blank: Page) -> None:
    before = block(blank, 0, 100)
    shade = block(blank, 40, 100 + CHANNEL_TOLERANCE)
    assert difference(before, shade, blank=blank).share == 0
    other = block(blank, 40, 101 + CHANNEL_TOLERANCE)
    assert difference(before, other, blank=blank).share == 40 * 40 / (1440 * 900)


def test_a_picture_of_another_size_differs_everywhere(blank: Page) -> None:
    before = block(blank, 0, 100)
    blank.set_viewport_size({"width": 390, "height": 844})
    assert difference(before, block(blank, 0, 100), blank=blank).share == 1
