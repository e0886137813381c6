"""Every route, empty and filled, with what opens on it: axe, narrow screens, structure, focus.

The structure of a route is compared with ``baselines/<name>.txt``. After a wanted change write it
anew with ``BASELINES=write`` and read the difference.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import Rules, axe
from tests.e2e.support.documents import ORDER
from tests.e2e.support.mapper import stored_map
from tests.e2e.support.site import Site, User
from tests.e2e.support.states import (
    acks,
    interchanges,
    owners,
    partners,
    transactions,
    webhooks,
)
from tests.e2e.support.states.state import State, hit, press, press_all
from tests.e2e.support.trade import Traded, trade
from tests.e2e.support.waiting import wait_until

BASELINES = Path(__file__).parent / "baselines"
SAMPLE = "/app/inspect?sample=850_purchase_order"
RULES = [
    {"src": "BEG.03", "tgt": "number"},
    {"src": "PO1[*].02", "tgt": "items[*].quantity", "type": "number"},
    {"src": "CUR.01", "tgt": "currency", "transform": "uppercase"},
]
EXAMPLE = {"number": "x", "items": [{"quantity": 1, "sku": "x"}], "currency": "x", "other": 1}

NO_SIDEWAYS = "width => document.documentElement.scrollWidth <= width"

AREAS = (transactions, acks, interchanges, partners, owners, webhooks)

EMPTY = [
    State("overview-empty", "/app", is_route=True),
    State("inspect-empty", "/app/inspect", is_route=True),
    State("maps-empty", "/app/maps"),
    State("maps-new-dialog", "/app/maps?dialog=new"),
    State("maps-import-dialog", "/app/maps?dialog=import"),
    State("mapper-new", "/app/maps/new", is_route=True),
    State("vault-empty", "/app/vault"),
    State("keys-empty", "/app/keys"),
    State("keys-new-dialog", "/app/keys?new=true"),
    State("account", "/app/account", is_route=True),
    State("unknown", "/app/nothing-here", is_route=True),
    State("palette", "/app", hit("Control+K")),
    State("account-menu", "/app", press(re.compile("^Account "))),
    State("environment-menu", "/app", press(re.compile("^Environment "))),
    State("keyboard-help", "/app/maps", hit("?")),
    *(state for area in AREAS for state in area.EMPTY),
]
FILLED = [
    State("overview", "/app", is_route=True),
    State("overview-tables", "/app", press_all("Show as table")),
    State("inspect", SAMPLE, is_route=True),
    State("inspect-ack", f"{SAMPLE}&tab=ack"),
    State("maps", "/app/maps", is_route=True),
    State("mapper", "/app/maps/{map}", is_route=True),
    State("mapper-row", "/app/maps/{map}?row=currency&panel=issues"),
    State("mapper-tests", "/app/maps/{map}?panel=tests"),
    State("mapper-suggestions", "/app/maps/{map}", press(re.compile("^Suggest "))),
    State("mapper-menu", "/app/maps/{map}", press("More actions")),
    *[
        State(f"mapper-{view}", f"/app/maps/{{map}}?view={view}")
        for view in ("code", "history", "use", "replay", "settings")
    ],
    State("mapper-keys", "/app/maps/{map}", hit("?")),
    State("vault", "/app/vault", is_route=True),
    State("vault-raw", "/app/vault/{doc}?tab=raw", is_route=True),
    State("vault-tree", "/app/vault/{doc}?tab=tree"),
    State("vault-source", "/app/vault/{doc}?tab=source"),
    State("keys", "/app/keys", is_route=True),
    *(state for area in AREAS for state in area.FILLED),
]
VISITOR = [
    State("login", "/login", is_route=True),
    State("setup", "/setup", is_route=True),
]


@dataclass
class Filled:
    """An account with documents, a map, a key, some trade, and a webhook endpoint."""

    user: User
    map_id: int
    doc_id: int
    traded: Traded
    webhook_id: int

    def path(self, state: State) -> str:
        """Return where a page is, with the ids of this account."""
        return state.path.format(
            map=self.map_id, doc=self.doc_id, webhook=self.webhook_id, **asdict(self.traded)
        )


@pytest.fixture(scope="module")
def filled_once() -> dict[str, Filled]:
    return {}


@pytest.fixture
def filled(filled_once: dict[str, Filled], page_of: PageOf, site: Site) -> Filled:
    """The same for all tests here, which only look at it."""
    if "account" not in filled_once:
        user = site.new_account()
        page = page_of(user)
        Api(page).post("/api/samples")
        Api(page).post("/api/keys", {"name": "orders", "environment": "sandbox"})
        document = Api(page).get("/api/vault")["docs"][0]["id"]
        map_id = stored_map(page, ORDER, EXAMPLE, RULES)
        traded = trade(Api(page))
        webhook_id = webhooks.called_webhook(Api(page))
        filled_once["account"] = Filled(user, map_id, document, traded, webhook_id)
    return filled_once["account"]


def loaded(page: Page) -> None:
    """Wait until nothing is on its way any more."""
    expect(page.locator("h1").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)


def drawn(page: Page) -> None:
    """Wait until what was changed is on the screen: transitions last one frame here."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def show(page: Page, state: State, path: str) -> None:
    page.goto(path)
    loaded(page)
    if state.open is not None:
        state.open(page)


def judge(page: Page, state: State) -> None:
    """Look at a page in both themes, then as at 200 %, then as narrow as it gets.

    Every rule is applied once; the colours in both themes, and once more where a page of its own
    route is narrow and shows other elements.
    """
    looks: tuple[tuple[Literal["light", "dark"], Rules], ...] = (
        ("light", "all"),
        ("dark", "colours"),
    )
    for scheme, rules in looks:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
        drawn(page)
        axe(page, rules)
    if state.is_route:
        compare(page, state.name)
    for width in (720, 320):
        page.set_viewport_size({"width": width, "height": 640})
        wait_until(page, NO_SIDEWAYS, width)
        drawn(page)
    axe(page, "all" if state.is_route else "structure")


@pytest.fixture(scope="module")
def newcomer(site: Site) -> User:
    """The owner of an account with nothing in it, for all tests here, which only look at it."""
    return site.new_account()


@pytest.mark.parametrize("state", EMPTY, ids=lambda state: state.name)
def test_an_empty_page_is_for_everybody(page_of: PageOf, newcomer: User, state: State) -> None:
    page = page_of(newcomer)
    show(page, state, state.path)
    judge(page, state)


@pytest.mark.parametrize("state", FILLED, ids=lambda state: state.name)
def test_a_filled_page_is_for_everybody(page_of: PageOf, filled: Filled, state: State) -> None:
    page = page_of(filled.user)
    show(page, state, filled.path(state))
    judge(page, state)


@pytest.mark.parametrize("state", VISITOR, ids=lambda state: state.name)
def test_a_page_of_a_visitor_is_for_everybody(visitor_page: Page, state: State) -> None:
    show(visitor_page, state, state.path)
    judge(visitor_page, state)


# ---- structure ---------------------------------------------------------------------------------

LINE = re.compile(r"^(?P<indent> *)- '?(?P<role>[a-z]+)(?P<rest>.*)$")
ROWS = {"listitem", "row", "treeitem", "option", "text", "img", "paragraph", "code", "status"}


def structure(snapshot: str) -> Iterator[str]:
    """Yield what a page consists of, without its rows and texts; numbers and times are masked."""
    skipped = -1
    for line in snapshot.splitlines():
        found = LINE.match(line)
        depth = len(line) - len(line.lstrip())
        if found is None or (0 <= skipped < depth):
            continue
        skipped = depth if found["role"] in ROWS else -1
        if skipped < 0:
            name = re.search(r'"(?:[^"\\]|\\.)*"', found["rest"])
            shown = re.sub(r'[^\s"]*[0-9][^\s"]*', "#", name[0]) if name else ""
            yield f"{found['indent']}{found['role']} {shown}".rstrip()


def compare(page: Page, name: str) -> None:
    """Compare the structure of a page with its baseline."""
    found = "\n".join(structure(page.locator("body").aria_snapshot())) + "\n"
    file = BASELINES / f"{name}.txt"
    if os.environ.get("BASELINES") == "write":
        file.write_text(found)
    assert found == file.read_text(), f"the structure differs from {file.name}"


# ---- focus -------------------------------------------------------------------------------------

_FOCUSED = """() => {
  const { activeElement } = document;
  if (activeElement === document.body) return null;
  // Of a radio button that is not drawn itself, the label shows where the focus is.
  const isDrawn = activeElement.getBoundingClientRect().width > 0;
  const at = isDrawn ? activeElement : (activeElement.labels?.[0] ?? activeElement);
  const { outlineStyle, boxShadow } = getComputedStyle(at);
  const marked = outlineStyle !== 'none' || boxShadow !== 'none' || at.matches('input, textarea');
  const { top, bottom, width } = at.getBoundingClientRect();
  const name = at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 40);
  const shown = marked && width > 0 && bottom > 0 && top < innerHeight;
  return { name: `${at.tagName} ${name}`, shown };
}"""


@pytest.mark.parametrize(
    "path",
    ["/app", SAMPLE, "/app/maps", "/app/maps/{map}", "/app/keys", "/app/acks?tab=received"],
)
def test_tab_goes_through_a_page_and_out_and_is_always_seen(
    page_of: PageOf, filled: Filled, path: str
) -> None:
    page = page_of(filled.user)
    page.goto(path.format(map=filled.map_id))
    loaded(page)
    stops: list[str] = []
    for _ in range(150):
        page.keyboard.press("Tab")
        drawn(page)
        focused = page.evaluate(_FOCUSED)
        if focused is None or (stops and focused["name"] == stops[0]):
            break
        assert focused["shown"], f"{focused['name']} after {stops[-3:]}"
        stops.append(focused["name"])
    else:
        raise AssertionError(f"the focus does not come out: {stops[-6:]}")
    assert stops[0] == "A Skip to content"
    assert len(stops) > 10


@pytest.mark.parametrize(
    ("path", "button"),
    [
        ("/app/keys", "New key"),
        ("/app/maps", "New map"),
        ("/app/maps/{map}", "Code"),
        ("/app/maps/{map}", "History"),
        ("/app/maps/{map}", "Use it"),
        ("/app", "Search or create"),
        ("/app/partners", "New partner"),
        ("/app/partners/{partner}", "Activate"),
        ("/app/interchanges/{quarantined}", "Discard…"),
        ("/app/users", "Add user"),
        ("/app/webhooks", "New endpoint"),
    ],
)
def test_escape_closes_a_dialog_and_gives_the_focus_back(
    page_of: PageOf, filled: Filled, path: str, button: str
) -> None:
    page = page_of(filled.user)
    page.goto(filled.path(State("", path)))
    loaded(page)
    opener = page.get_by_role("button", name=button).first
    opener.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog.locator(":focus")).to_have_count(1)  # it comes in a moment after the dialog
    for _ in range(25):  # more than any of them has: the focus stays inside
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('[role=dialog]') !== null")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(opener).to_be_focused()
