"""Two who change one map, or one at two times: nothing is put aside that nobody was told of."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER
from tests.e2e.support.mapper import (
    link_by_clicks,
    new_map,
    notice,
    open_map,
    rules_of,
    save,
    stored_map,
    target,
)
from tests.e2e.support.waiting import wait_until
from tests.e2e.support.watch import Watch

EXAMPLE = {"number": "x", "kind": "x", "gamma": "x", "delta": "x"}
NUMBER = {"src": "BEG.03", "tgt": "number"}
KIND = {"src": "BEG.02", "tgt": "kind"}
PURPOSE = {"src": "BEG.01", "tgt": "gamma"}
CURRENCY = {"src": "CUR.02", "tgt": "delta"}
TEST = {"document": ORDER, "expected": "{}"}


@pytest.fixture
def map_id(own_page: Page) -> int:
    return stored_map(own_page, ORDER, EXAMPLE, [NUMBER])


# Any: a map as the answer has it.
def stored(page: Page, map_id: int) -> dict[str, Any]:
    found: dict[str, Any] = Api(page).get(f"/api/maps/{map_id}")["map"]
    return found


def save_elsewhere(page: Page, map_id: int, **members: object) -> None:
    """Save the next version as somebody else would, with these members changed."""
    newest = stored(page, map_id)
    kept = ("name", "source_fmt", "target_fmt", "tx_set", "direction", "description")
    more = ("field_map", "lookups", "sample", "target_sample", "tests")
    body = {name: newest[name] for name in kept + more} | members
    answer = Api(page).call("PUT", f"/api/maps/{map_id}", body, if_match=f'"{newest["version"]}"')
    assert answer.status == 200, answer.text()


def drafted(page: Page, beginning: str) -> Page:
    """Wait for a draft, let the page go away without a word, and return another."""
    wait_until(
        page,
        "beginning => Object.keys(localStorage).some((name) => name.startsWith(beginning))",
        f"longshore.draft.{beginning}",
    )
    other = page.context.new_page()
    page.close()
    return other


def offer(page: Page) -> Locator:
    return page.get_by_role("alert").filter(has_text="unsaved changes")


def test_a_draft_on_an_older_version_is_joined_with_what_was_saved_since(
    own_page: Page, map_id: int
) -> None:
    open_map(own_page, map_id)
    link_by_clicks(own_page, "CUR.02", "delta")
    page = drafted(own_page, str(map_id))
    theirs = {"src": "BEG.05", "tgt": "delta"}
    save_elsewhere(page, map_id, field_map=[NUMBER, KIND, theirs])
    open_map(page, map_id)
    expect(offer(page)).to_contain_text("They are based on version 1; this is version 2.")
    offer(page).get_by_role("button", name="Restore them").click()
    dialog = page.get_by_role("dialog", name="The map has changed")
    expect(dialog).to_contain_text("It changes 2 rules. Changed by both: 1 rule.")
    axe(page)
    dialog.get_by_role("button", name="Decide later").click()
    offer(page).get_by_role("button", name="Restore them").click()
    dialog.get_by_role("button", name="Merge").click()
    expect(offer(page)).to_have_count(0)
    save(page)
    assert rules_of(page, map_id) == [NUMBER, CURRENCY, KIND]


def test_a_draft_never_replaces_edits_made_before_it_was_taken_up(
    own_page: Page, map_id: int
) -> None:
    open_map(own_page, map_id)
    link_by_clicks(own_page, "CUR.02", "delta")
    page = drafted(own_page, str(map_id))
    open_map(page, map_id)
    link_by_clicks(page, "BEG.02", "kind")
    offer(page).get_by_role("button", name="Restore them").click()
    dialog = page.get_by_role("dialog", name="The map has changed")
    expect(dialog).to_contain_text("Both changes can be kept.")
    dialog.get_by_role("button", name="Merge").click()
    save(page)
    assert rules_of(page, map_id) == [NUMBER, CURRENCY, KIND]


def test_a_conflict_keeps_tests_and_tables_of_both_and_asks_for_the_rest(
    own_page: Page, map_id: int, watch: Watch
) -> None:
    watch.expect(f"/api/maps/{map_id}", 409)
    page = own_page
    open_map(page, map_id)
    page.get_by_role("tab", name="Tests").click()
    page.get_by_role("button", name="Add test").click()
    page.get_by_role("button", name="Name: Orders").click()
    page.get_by_role("textbox", name="Name of the map").fill("Mine")
    page.keyboard.press("Enter")
    table = {"name": "units", "rows": [{"from": "EA", "to": "each"}]}
    save_elsewhere(page, map_id, name="Other", tests=[TEST | {"name": "theirs"}], lookups=[table])
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog", name="Another user saved this map")
    expect(dialog).to_contain_text("It changes 1 lookup table, 1 test and the name.")
    expect(dialog).to_contain_text("Changed by both: the name.")
    axe(page)
    dialog.get_by_role("radio", name="Theirs: Other").check()
    dialog.get_by_role("button", name="Merge").click()
    save(page)
    now = stored(page, map_id)
    assert (now["version"], now["name"], now["lookups"]) == (3, "Other", [table])
    assert [test["name"] for test in now["tests"]] == ["Test 1", "theirs"]


def test_restoring_names_the_unseen_version_and_the_edits_it_would_replace(
    own_page: Page, map_id: int
) -> None:
    page = own_page
    save_elsewhere(page, map_id, field_map=[NUMBER, KIND])
    open_map(page, map_id)
    link_by_clicks(page, "CUR.02", "delta")
    save_elsewhere(page, map_id, field_map=[NUMBER, KIND, PURPOSE])
    page.get_by_role("button", name="History").click()
    versions = page.get_by_role("list", name="Versions").get_by_role("listitem")
    versions.filter(has_text="Version 1 ").get_by_role("button", name="Compare").click()
    page.get_by_role("button", name="Restore version 1", exact=True).click()
    question = page.get_by_role("alert").filter(has_text="superseded")
    expect(question).to_contain_text("Version 3 was saved after version 2")
    expect(question).to_contain_text("Your unsaved changes would be replaced")
    axe(page)
    question.get_by_role("button", name="Do not restore").click()
    assert stored(page, map_id)["version"] == 3, "a question restores nothing"
    page.get_by_role("button", name="Restore version 1", exact=True).click()
    question.get_by_role("button", name="Restore version 1 anyway").click()
    expect(notice(page)).to_have_text("Restored version 1")
    assert (stored(page, map_id)["version"], rules_of(page, map_id)) == (4, [NUMBER])
    undo = page.get_by_role("button", name="Undo", exact=True).first
    expect(undo).to_have_attribute("title", "Undo: Restored version 1")
    undo.click()
    expect(target(page, "delta")).to_contain_text("CUR.02")


def test_restoring_what_nothing_stands_against_asks_nothing(own_page: Page, map_id: int) -> None:
    page = own_page
    save_elsewhere(page, map_id, field_map=[NUMBER, KIND])
    open_map(page, map_id, "?view=history&version=1")
    page.get_by_role("button", name="Restore version 1", exact=True).click()
    expect(notice(page)).to_have_text("Restored version 1")
    expect(page.locator("[data-state=saved]")).to_contain_text("v3")
    assert rules_of(page, map_id) == [NUMBER]


def test_the_rules_of_a_map_never_saved_outlive_its_page(own_page: Page) -> None:
    new_map(own_page, ORDER, EXAMPLE)
    link_by_clicks(own_page, "CUR.02", "delta")
    page = drafted(own_page, "new")
    page.goto("/app/maps/new")
    assert "ISA*" not in page.evaluate("JSON.stringify(localStorage)")
    expect(offer(page)).to_contain_text("850 to JSON, X12 to JSON, 1 rule")
    expect(offer(page)).to_contain_text("choose the same document and the same target again")
    axe(page)
    new_map(page, ORDER, EXAMPLE)
    offer(page).get_by_role("button", name="Restore them").click()
    expect(target(page, "delta")).to_contain_text("CUR.02")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-state=saved]")).to_contain_text("v1")
    assert rules_of(page) == [CURRENCY]
    page.goto("/app/maps/new")
    expect(page.get_by_role("heading", level=1, name="New map")).to_be_visible()
    expect(page.get_by_role("textbox", name="Document")).to_be_visible()
    expect(offer(page)).to_have_count(0)


def test_a_draft_is_offered_on_its_own_map_only(own_page: Page) -> None:
    new_map(own_page, ORDER, EXAMPLE)
    link_by_clicks(own_page, "CUR.02", "delta")
    page = drafted(own_page, "new")
    for document, example in (
        (ORDER.replace("QH-2201", "QH-2202"), EXAMPLE),
        (ORDER, EXAMPLE | {"epsilon": "x"}),
    ):
        new_map(page, document, example)
        expect(offer(page)).to_have_count(0)
    link_by_clicks(page, "BEG.02", "kind")
    wait_until(page, "() => Object.values(localStorage).some((text) => text.includes('BEG.02'))")
    page = drafted(page, "new")
    page.goto("/app/maps/new")
    expect(offer(page)).to_have_count(2)  # neither took the place of the other
    new_map(page, ORDER, EXAMPLE)
    expect(offer(page)).to_have_count(1)
    offer(page).get_by_role("button", name="Restore them").click()
    expect(target(page, "delta")).to_contain_text("CUR.02")


def test_a_draft_of_a_map_that_had_the_number_in_another_database_is_not_offered(
    own_page: Page, map_id: int
) -> None:
    open_map(own_page, map_id)
    link_by_clicks(own_page, "CUR.02", "delta")
    name = f"longshore.draft.{map_id}"
    wait_until(own_page, "name => name in localStorage", name)
    older = 'text => text.replace(/"of":"[^"]*"/, \'"of":"2020-01-01T00:00:00"\')'
    own_page.evaluate(
        f"name => localStorage.setItem(name, ({older})(localStorage.getItem(name)))", name
    )
    page = drafted(own_page, str(map_id))
    open_map(page, map_id)
    expect(offer(page)).to_have_count(0)


def test_a_save_in_one_tab_leaves_the_draft_of_the_other(own_page: Page, map_id: int) -> None:
    first, second = own_page, own_page.context.new_page()
    for tab in (first, second):
        open_map(tab, map_id)
    link_by_clicks(first, "CUR.02", "delta")
    name = f"longshore.draft.{map_id}"
    wait_until(first, "name => localStorage.getItem(name)?.includes('CUR.02')", name)
    link_by_clicks(second, "BEG.02", "kind")
    wait_until(first, "name => localStorage.getItem(name)?.includes('BEG.02')", name)
    save(second)
    wait_until(first, "name => localStorage.getItem(name)?.includes('CUR.02')", name)
    page = drafted(first, str(map_id))
    open_map(page, map_id)
    offer(page).get_by_role("button", name="Restore them").click()
    page.get_by_role("dialog").get_by_role("button", name="Merge").click()
    save(page)
    assert rules_of(page, map_id) == [NUMBER, CURRENCY, KIND]
