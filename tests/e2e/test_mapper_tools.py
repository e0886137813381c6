"""What stands around the trees: code, history, tests, replay, suggestions, use, lineage."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER
from tests.e2e.support.mapper import (
    exact_output,
    link_by_clicks,
    new_map,
    notice,
    open_map,
    output,
    rules_of,
    save,
    settled,
    source,
    stored_map,
    target,
    walk,
)
from tests.e2e.support.site import Site

EXAMPLE = {"number": "x", "kind": "x", "gamma": "x"}
NUMBER = {"src": "BEG.03", "tgt": "number"}
KIND = {"src": "BEG.02", "tgt": "kind"}


@pytest.fixture
def map_id(own_page: Page) -> int:
    return stored_map(own_page, ORDER, EXAMPLE, [NUMBER, KIND])


@pytest.fixture
def page(own_page: Page, map_id: int) -> Page:
    """A map with two rules."""
    open_map(own_page, map_id)
    return own_page


def dialog(page: Page, name: str) -> Locator:
    return page.get_by_role("dialog", name=name)


def closed(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_what_the_output_leaves_out_stands_above_it(own_page: Page) -> None:
    start, end = ORDER.index("ST*"), ORDER.index("GE*")
    second = ORDER[start:end].replace("*0001", "*0002")
    document = ORDER[:end] + second + ORDER[end:].replace("GE*1*", "GE*2*")
    open_map(own_page, stored_map(own_page, document, EXAMPLE, [NUMBER, KIND]))
    warning = own_page.get_by_text("1 of 2 transaction sets were not converted")
    expect(warning).to_contain_text("split makes an output of each set: ST[2] 850 0002")
    own_page.get_by_role("button", name="Use it").click()
    used = dialog(own_page, "Use it")
    expect(used.get_by_text('add "split": true to the body')).to_be_visible()


def test_rules_typed_as_code_are_links_and_faults_name_their_line(page: Page) -> None:
    page.get_by_role("button", name="Code").click()
    code = dialog(page, "Rules as code").get_by_role("textbox", name="Rules")
    assert json.loads(code.input_value()) == [NUMBER, KIND]
    code.fill('[\n  {"src": "BEG.03", "tgt": "number"},\n  {"src": 5, "tgt": "kind"}\n]\n')
    code.press("Control+Enter")
    faults = page.get_by_role("list", name="Errors in the rules")
    expect(faults.get_by_role("button", name="Line 3")).to_be_visible()
    axe(page)
    faults.get_by_role("button", name="Line 3").click()
    expect(code).to_be_focused()
    assert code.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)") == (
        '  {"src": 5, "tgt": "kind"}'
    )
    code.fill(json.dumps([NUMBER, KIND, {"src": "CUR.02", "tgt": "gamma"}]))
    code.press("Control+Enter")
    expect(faults).to_have_count(0)
    closed(page)
    expect(target(page, "gamma")).to_contain_text("CUR.02")
    expect(output(page)).to_contain_text('"gamma": "USD"')
    page.keyboard.press("Control+Z")
    expect(target(page, "gamma")).not_to_contain_text("CUR.02")


def test_an_older_version_is_compared_and_restored_as_a_new_one(page: Page) -> None:
    link_by_clicks(page, "BEG.01", "number")
    save(page)
    page.get_by_role("button", name="History").click()
    history = dialog(page, "History")
    versions = history.get_by_role("list", name="Versions").get_by_role("listitem")
    expect(versions).to_have_count(2)
    versions.filter(has_text="Version 1").get_by_role("button", name="Compare").click()
    restore = history.get_by_role("button", name="Restore version 1")
    expect(restore).to_be_visible()
    expect(history.get_by_text("Output of")).not_to_have_count(0)
    axe(page)
    restore.click()
    expect(history).to_have_count(0)
    expect(target(page, "number")).to_contain_text("BEG.03")
    assert rules_of(page) == [NUMBER, KIND]
    map_id = page.url.partition("/maps/")[2].split("?")[0]
    assert Api(page).get(f"/api/maps/{map_id}")["map"]["version"] == 3


def test_a_test_fails_with_its_difference_and_the_new_output_can_be_accepted(page: Page) -> None:
    expect(output(page)).to_contain_text("PO-20260302-17")
    page.get_by_role("tab", name="Tests").click()
    page.get_by_label("Add the shown document and its output as a test").fill("order")
    page.get_by_role("button", name="Add test").click()
    save(page)
    result = page.get_by_role("status").filter(has_text=" pass")
    page.get_by_role("button", name="Run all").click()
    expect(result).to_contain_text("1 of 1 pass.")
    link_by_clicks(page, "BEG.01", "number")
    page.get_by_role("button", name="Run all").click()
    expect(result).to_contain_text("0 of 1 pass.")
    one = page.get_by_role("list", name="Tests").get_by_role("listitem")
    expect(one).to_contain_text("number - PO-20260302-17 + 00")
    axe(page)
    one.get_by_role("button", name="Accept as new expected").click()
    expect(result).to_have_count(0)
    save(page)
    page.get_by_role("button", name="Run all").click()
    expect(result).to_contain_text("1 of 1 pass.")


def test_replay_tells_what_the_new_rules_would_change(page: Page, map_id: int, site: Site) -> None:
    key = Api(page).post("/api/keys", {"name": "replay", "environment": "sandbox"})["key"]
    body = {"map_id": map_id, "document": ORDER, "save_to_vault": True}
    status, answer = site.server.call("POST", "/api/v1/convert", key, body)
    assert status == 200, answer
    link_by_clicks(page, "BEG.01", "number")
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Replay stored documents").click()
    replay = dialog(page, "Replay stored documents")
    replay.get_by_role("button", name="Replay").click()
    expect(replay.get_by_role("status")).to_have_text(
        "1 compared: 0 identical, 1 changed, 0 failed."
    )
    expect(replay.get_by_role("list", name="Replayed documents")).to_contain_text("PO-20260302-17")
    axe(page)


def test_suggestions_are_taken_with_y_and_stay_away_after_n(own_page: Page) -> None:
    page = own_page
    new_map(page, ORDER, {"orderNumber": "PO-1", "currency": "EUR", "orderDate": "2026-01-31"})
    tree = page.get_by_role("tree", name="Target fields")
    expect(page.get_by_role("button", name="Suggest 3")).to_be_visible()
    tree.focus()
    walk(page, "target", "orderNumber")
    page.keyboard.press("y")
    expect(target(page, "orderNumber")).to_have_accessible_name(re.compile("from BEG.03"))
    walk(page, "target", "currency")
    page.keyboard.press("n")
    expect(target(page, "currency")).to_have_accessible_name("currency, text, not mapped")
    save(page)
    assert rules_of(page) == [NUMBER | {"tgt": "orderNumber"}]
    page.reload()
    expect(page.get_by_role("button", name="Suggest 1")).to_be_visible()
    expect(target(page, "orderDate").locator("[data-kind=offer]")).to_be_visible()
    expect(target(page, "currency")).to_have_accessible_name("currency, text, not mapped")


def test_run_it_here_shows_the_real_answer_and_the_key_is_kept_nowhere(page: Page) -> None:
    page.get_by_role("button", name="Use it").click()
    use = dialog(page, "Use it")
    expect(use.get_by_role("button", name="Run it here")).to_be_disabled()
    axe(page)
    use.get_by_role("button", name="Create sandbox key").click()
    key = use.get_by_label("Sandbox key").input_value()
    assert key.startswith("svc_test_")
    # The command line reads the map from the data directory and needs no key.
    for name in ("Python", "JavaScript", "PowerShell", "curl"):
        use.get_by_role("tab", name=name, exact=True).click()
        expect(use.get_by_role("region", name=f"{name} command")).to_contain_text(key)
    use.get_by_role("button", name="Run it here").click()
    answer = use.get_by_role("region", name="Answer")
    expect(answer).to_contain_text('"ok"')
    axe(page)
    text = json.loads(answer.inner_text())["output"]
    closed(page)
    assert exact_output(page) == text
    assert key not in page.evaluate("JSON.stringify([localStorage, sessionStorage, history.state])")
    assert key not in page.content()


def test_pointing_at_an_end_of_a_link_or_its_value_lights_all_of_it(page: Page) -> None:
    settled(page)
    lit = page.locator("[data-lit]")
    target(page, "number").hover()
    expect(lit).to_have_count(2)
    expect(source(page, "BEG.03")).to_have_attribute("data-lit", "")
    expect(output(page).locator("mark")).to_have_text('"PO-20260302-17"')
    source(page, "BEG.02").hover()
    expect(target(page, "kind")).to_have_attribute("data-lit", "")
    expect(target(page, "number")).not_to_have_attribute("data-lit", "")
    box = output(page).locator("pre").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 120, box["y"] + 27)  # the second line: the number
    expect(source(page, "BEG.03")).to_have_attribute("data-lit", "")
    target(page, "kind").click()
    expect(output(page).locator("mark[data-selected]")).to_have_text('"SA"')


def test_undo_beside_the_notice_takes_back_what_it_tells(page: Page) -> None:
    target(page, "kind").click()
    page.keyboard.press("Delete")
    expect(notice(page)).to_contain_text("kind")
    page.locator("div", has=notice(page)).last.get_by_role("button", name="Undo").click()
    expect(target(page, "kind")).to_contain_text("BEG.02")
