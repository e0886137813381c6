"""Pictures of every page, in both themes and two sizes: ``make screenshots``, ARGS="login" for one.

They are for the eye: what changed, what is ugly. Everything comes from a server of its own with the
samples that Longshore brings, and the browser's clock stands still later than they were stored, so
that two runs show the same. ``tests/e2e/test_pictures.py`` compares some of them.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Browser, Page, ViewportSize, expect

from longshore.kit.clock import SystemClock
from tests.e2e.support.api import Api
from tests.e2e.support.chromium import chromium_path, running_chromium
from tests.e2e.support.site import FIRST_USER, Site, log_in, open_site
from tests.e2e.support.states.state import press_all
from tests.e2e.support.states.webhooks import called_webhook
from tests.e2e.support.trade import Traded, trade

FOLDER: Final = Path(__file__).parents[1] / "build/screenshots"
SIZES: Final[tuple[ViewportSize, ...]] = (
    {"width": 1440, "height": 900},
    {"width": 390, "height": 844},
)
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
PATIENCE_MS: Final = 15_000
AHEAD: Final = timedelta(minutes=90)
"""Half an hour from both ends of "1 hour ago", however long the storing takes."""


def nothing(_page: Page) -> None:
    """Leave the page as it opens."""


def press(name: str) -> Callable[[Page], None]:
    """Return what presses the first button of this name, such as one that opens a dialog."""
    return lambda page: page.get_by_role("button", name=name).first.click()


def see(text: str) -> Callable[[Page], None]:
    """Return what waits for a text that comes after the page, unannounced where it is narrow."""
    return lambda page: expect(page.get_by_text(text).filter(visible=True).first).to_be_visible(
        timeout=PATIENCE_MS
    )


@dataclass(frozen=True, slots=True)
class Shot:
    """A page to be shown: ``name`` of its pictures, where it is, what is done there before.

    In ``path`` each member of ``Traded`` is an id.
    """

    name: str
    path: str
    prepare: Callable[[Page], None] = nothing
    is_logged_in: bool = True


MAP: Final = "/app/maps/1"
WEBHOOK: Final = "/app/webhooks/1"
REJECTED: Final = "/app/transactions/{rejected}"
PARTNER: Final = "/app/partners/{partner}"

SHOTS: Final = (
    Shot("login", "/login", is_logged_in=False),
    Shot("setup", "/setup#token=" + "A" * 43, is_logged_in=False),
    Shot("overview", "/app"),
    Shot("overview-tables", "/app", press_all("Show as table")),
    Shot("overview-today", "/app?period=1"),
    Shot("palette", "/app", press("Search or create")),
    Shot("transactions", "/app/transactions"),
    Shot("transactions-nothing", "/app/transactions?q=nothing"),
    *[
        Shot(f"transaction-{tab}", f"{REJECTED}?tab={tab}")
        for tab in ("raw", "tree", "fields", "findings", "deliveries", "acks", "events")
    ],
    Shot("correct", "/app/transactions/{invalid}/correct"),
    Shot("correct-rejected", f"{REJECTED}/correct"),
    Shot("acks", "/app/acks"),
    Shot("acks-received", "/app/acks?tab=received"),
    Shot("acks-sent", "/app/acks?tab=sent"),
    Shot("interchanges", "/app/interchanges"),
    Shot("interchange", "/app/interchanges/{quarantined}"),
    Shot("partners", "/app/partners"),
    Shot("partner-new", "/app/partners?new=true"),
    *[
        Shot(f"partner-{tab}", f"{PARTNER}?tab={tab}")
        for tab in ("setup", "identity", "connection", "settings", "maps", "numbers")
    ],
    Shot("inspect", "/app/inspect"),
    Shot("inspect-document", "/app/inspect?sample=850_purchase_order&at=BEG.03"),
    Shot("maps", "/app/maps"),
    Shot("maps-new", "/app/maps?dialog=new"),
    Shot("mapper-new", "/app/maps/new"),
    Shot("mapper", f"{MAP}?row=order.number", see("QUILLMARK")),
    Shot("mapper-issues", f"{MAP}?panel=issues"),
    Shot("mapper-tests", f"{MAP}?panel=tests"),
    Shot("mapper-code", f"{MAP}?view=code"),
    Shot("mapper-history", f"{MAP}?view=history"),
    Shot("mapper-use", f"{MAP}?view=use"),
    Shot("mapper-replay", f"{MAP}?view=replay"),
    Shot("mapper-settings", f"{MAP}?view=settings"),
    Shot("vault", "/app/vault"),
    Shot("vault-empty", "/app/vault?q=nothing"),
    Shot("vault-document", "/app/vault/1"),
    Shot("vault-tree", "/app/vault/1?tab=tree"),
    Shot("keys", "/app/keys"),
    Shot("key-new", "/app/keys?new=true"),
    Shot("webhooks", "/app/webhooks"),
    Shot("webhook-new", "/app/webhooks?new=true"),
    Shot("webhook", WEBHOOK, press("Show attempts of")),
    Shot("users", "/app/users"),
    Shot("user-new", "/app/users", press("Add user")),
    Shot("audit", "/app/audit"),
    Shot("account", "/app/account"),
    Shot("not-found", "/app/nothing"),
)


def fill(site: Site, browser: Browser) -> Traded:
    """Store what the pages are to show: the samples, maps, a key, trade, a webhook."""
    context = browser.new_context(base_url=site.address)
    log_in(context, FIRST_USER)
    api = Api(context.new_page())
    api.post("/api/samples")
    starters = api.get("/api/maps/starters")["starters"]
    order = api.get("/api/samples")["samples"][0]
    sample = {"document": order["document"], "format": order["format"]}
    for starter in starters[:3]:
        api.post("/api/maps", {"starter": starter["key"], "sample": sample})
    api.post("/api/keys", {"name": "ci", "environment": "sandbox"})
    traded = trade(api)
    called_webhook(api)
    context.close()
    return traded


def show(page: Page, shot: Shot, theme: Theme, size: ViewportSize) -> None:
    """Open what ``shot`` tells of, and wait until all of it is there."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme)
    page.goto(shot.path, wait_until="networkidle")
    shot.prepare(page)
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=PATIENCE_MS)


def file_name(shot: Shot, theme: Theme, size: ViewportSize) -> str:
    """Return the name of a picture: ``mapper-dark-390.png``."""
    return f"{shot.name}-{theme}-{size['width']}.png"


def take(shot: Shot, *, site: Site, browser: Browser, at: datetime) -> Iterator[Path]:
    """Take the pictures of ``shot``; yield where each is."""
    context = browser.new_context(
        base_url=site.address,
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
        storage_state=site.state_of(FIRST_USER, browser) if shot.is_logged_in else None,
    )
    context.set_default_timeout(PATIENCE_MS)
    context.clock.set_fixed_time(at)
    for theme, size in product(THEMES, SIZES):
        page = context.new_page()
        show(page, shot, theme, size)
        target = FOLDER / file_name(shot, theme, size)
        page.screenshot(path=target, animations="disabled")
        page.close()
        yield target
    context.close()


def main(names: list[str]) -> int:
    """Take the pictures of the pages named, of all without a name; return the exit status."""
    unknown = set(names) - {shot.name for shot in SHOTS}
    path = chromium_path()
    if unknown or path is None:
        known = ", ".join(shot.name for shot in SHOTS)
        print(f"pages: {known}" if unknown else "no Chromium was found", file=sys.stderr)
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = [shot for shot in SHOTS if not names or shot.name in names]
    with (
        tempfile.TemporaryDirectory() as folder,
        open_site(Path(folder)) as site,
        running_chromium(path) as chromium,
        chromium.awake() as browser,
    ):
        site.set_up()
        ids = asdict(fill(site, browser))
        at = SystemClock().now() + AHEAD
        for shot in chosen:
            placed = replace(shot, path=shot.path.format(**ids))
            for target in take(placed, site=site, browser=browser, at=at):
                print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
