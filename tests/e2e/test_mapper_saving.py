"""What is kept and what is never lost: saving, drafts, undo, two tabs, late answers."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER
from tests.e2e.support.mapper import (
    link_by_clicks,
    notice,
    open_map,
    output,
    rules_of,
    save,
    source,
    stored_map,
    target,
)
from tests.e2e.support.waiting import wait_until
from tests.e2e.support.watch import Watch

EXAMPLE = {"number": "x", "kind": "x", "gamma": "x", "delta": "x"}
"""Of the last two nothing is suggested by their names."""
NUMBER = {"src": "BEG.03", "tgt": "number"}
KIND = {"src": "BEG.02", "tgt": "kind"}
PURPOSE = {"src": "BEG.01", "tgt": "gamma"}
CURRENCY = {"src": "CUR.02", "tgt": "delta"}

# A client that cannot abort: every answer arrives, however late.
NO_ABORT = """{
  const send = window.fetch;
  window.fetch = (input, init) => send(new Request(input, { ...init, signal: null }));
}"""


@pytest.fixture
def map_id(own_page: Page) -> int:
    return stored_map(own_page, ORDER, EXAMPLE, [NUMBER, KIND])


def unsaved(page: Page) -> None:
    expect(page.locator("[data-state=unsaved]")).to_be_visible()


def no_changes(page: Page) -> None:
    expect(page.locator("[data-state=saved]")).to_be_visible()


def code(page: Page) -> str:
    """Return the rules as the code view prints them."""
    page.get_by_role("button", name="Code").click()
    text = page.get_by_role("textbox", name="Rules").input_value()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    return text


def set_constant(page: Page, path: str, text: str) -> None:
    target(page, path).hover()
    target(page, path).get_by_role("button", name="+ set value").click()
    field = page.get_by_role("region", name="Inspector").get_by_label("Constant")
    field.fill(text)
    field.press("Enter")


def test_what_is_saved_is_what_a_reload_shows(own_page: Page, map_id: int) -> None:
    page = own_page
    open_map(page, map_id)
    link_by_clicks(page, "CUR.02", "delta")
    set_constant(page, "gamma", "a \"b\" \\ 'c' <é>")
    unsaved(page)
    drawn = code(page)
    save(page)
    page.reload()
    no_changes(page)
    assert code(page) == drawn
    assert rules_of(page) == json.loads(drawn)
    assert rules_of(page)[2:] == [{"const": "a \"b\" \\ 'c' <é>", "tgt": "gamma"}, CURRENCY]


def test_unsaved_rules_are_offered_after_the_page_went_away(own_page: Page, map_id: int) -> None:
    open_map(own_page, map_id)
    link_by_clicks(own_page, "CUR.02", "delta")
    wait_until(own_page, "id => `longshore.draft.${id}` in localStorage", map_id)
    kept: str = own_page.evaluate("JSON.stringify(localStorage)")
    assert "ISA*" not in kept
    page = own_page.context.new_page()
    own_page.close()
    page.goto(f"/app/maps/{map_id}")
    offer = page.get_by_role("alert").filter(has_text="There are earlier unsaved changes")
    expect(offer).to_be_visible()
    axe(page)
    expect(target(page, "delta")).to_contain_text("set value")
    offer.get_by_role("button", name="Restore them").click()
    expect(target(page, "delta")).to_contain_text("CUR.02")
    save(page)
    assert rules_of(page) == [NUMBER, KIND, CURRENCY]
    assert page.evaluate("id => localStorage.getItem(`longshore.draft.${id}`)", map_id) is None


def test_undoing_everything_gives_the_map_as_it_was_opened(own_page: Page, map_id: int) -> None:
    page = own_page
    open_map(page, map_id)
    before = code(page)
    link_by_clicks(page, "CUR.02", "delta")
    link_by_clicks(page, "BEG.01", "number")
    set_constant(page, "gamma", "new")
    target(page, "kind").click()
    page.get_by_role("button", name="Remove link").click()
    expect(notice(page)).to_contain_text("kind")
    after = code(page)
    undo = page.get_by_role("button", name="Undo", exact=True).first
    for steps in range(4):
        expect(undo, f"after {steps} steps back").to_be_enabled()
        undo.click()
    expect(undo).to_be_disabled()
    no_changes(page)
    assert code(page) == before
    for _ in range(4):
        page.get_by_role("button", name="Redo").click()
    assert code(page) == after


def test_whoever_leaves_with_changes_is_asked(own_page: Page, map_id: int) -> None:
    page = own_page
    open_map(page, map_id)
    link_by_clicks(page, "CUR.02", "delta")
    page.get_by_role("link", name="Vault").click()
    dialog = page.get_by_role("dialog", name="Unsaved changes")
    expect(dialog).to_be_visible()
    axe(page)
    dialog.get_by_role("button", name="Stay").click()
    expect(dialog).to_have_count(0)
    unsaved(page)
    page.get_by_role("link", name="Vault").click()
    dialog.get_by_role("button", name="Save and leave").click()
    expect(page.get_by_role("heading", level=1, name="Vault")).to_be_visible()
    assert rules_of(page, map_id) == [NUMBER, KIND, CURRENCY]


def test_two_tabs_never_lose_a_rule(own_page: Page, map_id: int, watch: Watch) -> None:
    watch.expect(f"/api/maps/{map_id}", 409)
    mine, theirs = own_page, own_page.context.new_page()
    for tab in (mine, theirs):
        open_map(tab, map_id)
    link_by_clicks(theirs, "BEG.01", "gamma")
    link_by_clicks(theirs, "BEG.05", "number")
    save(theirs)
    link_by_clicks(mine, "CUR.02", "delta")
    link_by_clicks(mine, "BEG.02", "number")
    mine.get_by_role("button", name="Save", exact=True).click()
    dialog = mine.get_by_role("dialog", name="Another user saved this map")
    expect(dialog).to_contain_text("Changed by both: 1 rule")
    axe(mine)
    before = rules_of(mine, map_id)
    dialog.get_by_role("radio", name="Theirs: ").check()
    dialog.get_by_role("button", name="Merge").click()
    expect(dialog).to_have_count(0)
    assert rules_of(mine, map_id) == before, "a merge saves nothing by itself"
    save(mine)
    by_target = {rule["tgt"]: rule for rule in rules_of(mine, map_id)}
    theirs_won = {"src": "BEG.05", "tgt": "number"}
    assert by_target == {
        "number": theirs_won,
        "kind": KIND,
        "gamma": PURPOSE,
        "delta": CURRENCY,
    }


def test_a_locked_map_is_read_only(own_page: Page, map_id: int) -> None:
    page = own_page
    Api(page).post(f"/api/maps/{map_id}/lock", {})
    open_map(page, map_id)
    expect(page.locator("[data-state=locked]")).to_be_visible()
    link_by_clicks(page, "CUR.02", "delta")
    target(page, "number").click()
    page.keyboard.press("Delete")
    expect(page.get_by_role("region", name="Inspector").get_by_role("textbox")).not_to_have_count(0)
    for field in page.get_by_role("region", name="Inspector").get_by_role("textbox").all():
        expect(field).not_to_be_editable()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    expect(target(page, "delta")).to_have_accessible_name("delta, text, not mapped")
    axe(page)
    assert rules_of(page) == [NUMBER, KIND]


def test_a_late_output_never_overwrites_a_newer_one(own_page: Page, map_id: int) -> None:
    page = own_page
    page.add_init_script(NO_ABORT)
    open_map(page, map_id)
    expect(output(page)).to_contain_text('"kind": "SA"')
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/maps/preview", hold, times=1)
    with page.expect_request("**/api/maps/preview"):
        link_by_clicks(page, "BEG.01", "kind")
    link_by_clicks(page, "CUR.02", "kind")
    expect(output(page)).to_contain_text('"kind": "USD"')
    with page.expect_response("**/api/maps/preview") as late:
        held[0].continue_()
    assert '\\"kind\\":\\"00\\"' in late.value.text()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(output(page)).to_contain_text('"kind": "USD"')
    expect(output(page)).to_have_attribute("aria-busy", "false")


def test_an_error_of_the_engine_shows_at_its_rule(
    own_page: Page, map_id: int, watch: Watch
) -> None:
    watch.expect("/api/maps/preview", 400)
    page = own_page
    open_map(page, map_id)
    expect(output(page)).to_contain_text('"kind": "SA"')
    target(page, "kind").click()
    page.get_by_role("region", name="Inspector").get_by_label("Type").select_option("number")
    row = target(page, "kind")
    expect(row.locator("[data-kind=fault]")).to_be_visible()
    assert ", error: " in (row.get_attribute("aria-label") or "")
    expect(target(page, "number").locator("[data-kind=fault]")).to_have_count(0)
    page.get_by_role("tab", name="Issues").click()
    expect(page.get_by_role("list", name="Issues").get_by_role("button")).to_have_count(1)
    axe(page)
    source(page, "BEG.03").click()
    page.get_by_role("list", name="Issues").get_by_role("button").click()
    expect(row).to_have_attribute("aria-selected", "true")
