"""The mapper as tests drive it, and a hand that counts what a person does."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.support.api import Api

Rule = Mapping[str, object]


@dataclass
class Hand:
    """A person at a page. Each click, typed text, paste and drag is one action."""

    page: Page
    actions: int = 0

    def click(self, thing: Locator) -> None:
        self.actions += 1
        thing.click()

    def type(self, field: Locator, text: str) -> None:
        """Type into ``field``, as one goes there with the tabulator."""
        self.actions += 1
        field.focus()
        self.page.keyboard.type(text)

    def paste(self, field: Locator, text: str) -> None:
        """Paste what was copied elsewhere."""
        self.actions += 1
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        field.focus()
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.page.keyboard.press("Control+V")

    def drag(self, source: Locator, target: Locator) -> None:
        self.actions += 1
        drag(self.page, source, target)


def drag(page: Page, source: Locator, target: Locator, moves: int = 12) -> None:
    """Move the real mouse with its button down from one row to the other."""
    source.hover()
    page.mouse.down()
    x, y = middle(target)
    page.mouse.move(x, y, steps=moves)
    page.mouse.up()


def middle(row: Locator) -> tuple[float, float]:
    box = row.bounding_box()
    assert box is not None, "the row is not on the screen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def source(page: Page, pattern: str) -> Locator:
    """The source row of a path such as ``PO1[*].02``."""
    return page.locator(f'[data-panel=source] [data-node="{pattern}"]')


def target(page: Page, path: str) -> Locator:
    """The target row of a path such as ``items[*].quantity``."""
    return page.locator(f'[data-panel=target] [data-node="{path}"]')


def notice(page: Page) -> Locator:
    """What the page says of the last change."""
    return page.locator("[data-notice]")


def output(page: Page) -> Locator:
    return page.get_by_role("region", name="Output", exact=True)


def exact_output(page: Page) -> str:
    """Return the output as convert answers it, when it belongs to the rules shown."""
    lines = page.get_by_role("switch", name="Lines")
    lines.uncheck()
    settled(page)
    text: str = output(page).evaluate("region => region.textContent")
    return text


def settled(page: Page) -> None:
    """Wait until the output belongs to the rules shown; without rules there is none."""
    made = page.locator('[aria-label="Output"][aria-busy="false"]')
    none = page.get_by_text("The output is shown once the map has a rule.")
    expect(made.or_(none)).to_be_visible()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    saved(page)


def saved(page: Page) -> None:
    expect(page.locator("[data-state=saved]")).to_be_visible()


def new_map(page: Page, document: str, example: object) -> None:
    """Open a new map over ``document`` for output such as ``example``, by hand."""
    page.goto("/app/maps/new")
    page.get_by_role("textbox", name="Document").fill(document)
    page.get_by_role("button", name="Use this document").click()
    page.get_by_role("radio", name="My own example").check()
    page.get_by_role("textbox", name="The output you want").fill(json.dumps(example))
    page.get_by_role("button", name="Begin").click()
    ready(page)


def ready(page: Page) -> None:
    """Wait until the trees and the output stand."""
    expect(page.get_by_role("tree", name="Source fields")).to_be_visible()
    expect(page.get_by_role("tree", name="Target fields")).to_be_visible()
    for side in ("source", "target"):
        rows = page.locator(f"[data-panel={side}]").get_by_role("treeitem")
        expect(rows.first).to_be_visible()


def stored_map(
    page: Page, document: str, example: object, rules: Sequence[Rule], **members: object
) -> int:
    """Store a map by the API and return its id."""
    format_ = "x12" if document.startswith("ISA") else "json"
    body = {
        "name": "Orders",
        "source_fmt": format_,
        "target_fmt": "json",
        "tx_set": "850" if format_ == "x12" else "",
        "field_map": list(rules),
        "sample": {"document": document, "format": format_},
        "target_sample": json.dumps(example),
        **members,
    }
    stored: int = Api(page).post("/api/maps", body)["map"]["id"]
    return stored


def open_map(page: Page, map_id: int, search: str = "") -> None:
    page.goto(f"/app/maps/{map_id}{search}")
    ready(page)


# Any: rules as the answer has them.
def rules_of(page: Page, map_id: int | None = None) -> list[dict[str, Any]]:
    """Return the stored rules of a map, by default of the one that is open."""
    found = map_id if map_id is not None else int(page.url.partition("/maps/")[2].split("?")[0])
    rules: list[dict[str, Any]] = Api(page).get(f"/api/maps/{found}")["map"]["field_map"]
    return rules


def reach(page: Page, side: str, row_id: str) -> Locator:
    """Scroll the tree of a side until a row is drawn, and return it."""
    panel = page.locator(f"[data-panel={side}]")
    row = panel.locator(f'[data-node="{row_id}"]')
    for top in range(0, panel.evaluate("panel => panel.scrollHeight"), 300):
        if row.count() > 0:
            break
        panel.evaluate("(panel, top) => { panel.scrollTop = top }", top)
        page.evaluate("new Promise(requestAnimationFrame)")
    row.scroll_into_view_if_needed()
    return row


def unfold(page: Page, side: str, row_id: str) -> None:
    """Open a row that holds others."""
    row = reach(page, side, row_id)
    row.locator("[data-part=twist]").click()
    expect(row).to_have_attribute("aria-expanded", "true")


def walk(page: Page, side: str, row_id: str) -> None:
    """Go to a row of the tree that has the focus, by arrow keys alone."""
    tree = page.locator(f"[data-panel={side}]")
    expect(tree).to_be_focused()
    page.keyboard.press("Home")
    for _ in range(300):
        active = tree.get_attribute("aria-activedescendant")
        if tree.locator(f"id={active}").get_attribute("data-node") == row_id:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"the arrows do not lead to {row_id}")


def link_by_drag(page: Page, pattern: str, path: str) -> None:
    drag(page, reach(page, "source", pattern), reach(page, "target", path))


def link_by_clicks(page: Page, pattern: str, path: str) -> None:
    reach(page, "source", pattern).click()
    reach(page, "target", path).click()


def link_by_keys(page: Page, pattern: str, path: str) -> None:
    """Link from wherever the focus is, without the mouse."""
    for _ in range(6):
        if page.locator("[data-panel=source]:focus").count() > 0:
            break
        page.keyboard.press("F6")
    walk(page, "source", pattern)
    page.keyboard.press("Enter")
    walk(page, "target", path)
    page.keyboard.press("Enter")


def asked(page: Page) -> Locator:
    """The question about a link that can be meant in several ways, or not made."""
    return page.get_by_role("dialog", name="About this link")
