"""What is typed into the fields and dialogs of the mapper is never lost, and keeps its kind."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER
from tests.e2e.support.mapper import (
    notice,
    open_map,
    output,
    rules_of,
    save,
    saved,
    settled,
    source,
    stored_map,
    target,
)
from tests.e2e.support.watch import Watch

NUMBER = {"src": "BEG.03", "tgt": "number"}
FIVE = {"const": 5, "type": "raw", "tgt": "five"}
SEVEN = {"src": "BEG.99", "default": 7, "type": "raw", "tgt": "seven"}
EXAMPLE = {"number": "x", "five": 1, "seven": 1}
PAIRS = [{"name": "one", "rows": [{"from": "A", "to": "aaa"}]}]
MORE_PAIRS = [*PAIRS, {"name": "two", "rows": [{"from": "B", "to": "bbb"}]}]
OTHER_RULES = '[ {"src":"BEG.04","tgt":"number"} ]'


@pytest.fixture
def map_id(own_page: Page) -> int:
    return stored_map(own_page, ORDER, EXAMPLE, [NUMBER, FIVE, SEVEN], lookups=MORE_PAIRS)


# Any: a map as the answer has it.
def stored(page: Page, map_id: int) -> dict[str, Any]:
    found: dict[str, Any] = Api(page).get(f"/api/maps/{map_id}")["map"]
    return found


def inspector(page: Page) -> Locator:
    return page.get_by_role("region", name="Inspector")


def settings(page: Page, map_id: int) -> Locator:
    open_map(page, map_id, "?view=settings")
    return page.get_by_role("dialog", name="Settings and lookups")


def code(page: Page, map_id: int) -> Locator:
    open_map(page, map_id, "?view=code")
    return page.get_by_role("dialog", name="Rules as code")


def version_saved(page: Page, version: int) -> None:
    expect(page.locator("[data-state=saved]")).to_contain_text(f"v{version} ")


def test_removing_a_table_leaves_the_pairs_of_the_others(own_page: Page, map_id: int) -> None:
    page = own_page
    dialog = settings(page, map_id)
    dialog.get_by_role("button", name="Remove table one").click()
    pairs = dialog.get_by_label("Pairs of two")
    expect(pairs).to_have_value("B=bbb")
    pairs.click()
    pairs.press("Tab")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("button", name="Apply")).to_be_disabled()
    axe(page)
    page.keyboard.press("Escape")
    save(page)
    assert stored(page, map_id)["lookups"] == [MORE_PAIRS[1]]


def test_pairs_are_taken_up_as_they_are_typed(own_page: Page, map_id: int) -> None:
    page = own_page
    pairs = settings(page, map_id).get_by_label("Pairs of one")
    pairs.press("Control+End")
    pairs.press_sequentially("\n\nC=c=c")
    expect(pairs).to_have_value("A=aaa\n\nC=c=c")
    pairs.press("Control+s")
    version_saved(page, 2)
    rows = [{"from": "A", "to": "aaa"}, {"from": "C", "to": "c=c"}]
    assert stored(page, map_id)["lookups"] == [{"name": "one", "rows": rows}, MORE_PAIRS[1]]


def test_saving_takes_up_the_field_that_has_the_focus(own_page: Page, map_id: int) -> None:
    page = own_page
    open_map(page, map_id)
    target(page, "number").click()
    for version, label, text in ((2, "Note", "why"), (3, "Condition", "BEG.01=00")):
        field = inspector(page).get_by_label(label)
        field.fill(text)
        field.press("Control+s")
        version_saved(page, version)
        expect(field).to_be_focused()
    assert rules_of(page)[0] == {**NUMBER, "note": "why", "when": "BEG.01=00"}


def test_saving_takes_up_the_name_that_is_being_typed(own_page: Page, map_id: int) -> None:
    page = own_page
    open_map(page, map_id)
    page.get_by_role("button", name="Name: ").click()
    page.get_by_label("Name of the map").fill("Renamed")
    page.keyboard.press("Control+s")
    version_saved(page, 2)
    assert stored(page, map_id)["name"] == "Renamed"


def test_escape_takes_back_what_was_typed_and_saving_does_not_take_it_up(
    own_page: Page, map_id: int
) -> None:
    page = own_page
    open_map(page, map_id)
    target(page, "number").click()
    note = inspector(page).get_by_label("Note")
    note.fill("why")
    note.press("Escape")
    expect(note).to_have_value("")
    note.press("Control+s")
    saved(page)
    assert stored(page, map_id)["version"] == 1


@pytest.mark.parametrize(
    ("path", "label", "member"), [("five", "Constant", "const"), ("seven", "Default", "default")]
)
def test_a_number_stays_a_number(
    own_page: Page, map_id: int, path: str, label: str, member: str
) -> None:
    page = own_page
    open_map(page, map_id)
    target(page, path).click()
    field = inspector(page).get_by_label(label, exact=True)
    field.fill("6")
    field.press("Enter")
    expect(output(page)).to_contain_text(f'"{path}": 6')
    kind = inspector(page).get_by_label(f"Kind of {label.lower()}")
    expect(kind).to_have_value("number")
    axe(page)
    save(page)
    stored_rule = next(rule for rule in rules_of(page) if rule["tgt"] == path)
    assert stored_rule[member] == 6
    assert not isinstance(stored_rule[member], str)


def test_every_kind_of_a_default_can_be_chosen(own_page: Page, map_id: int) -> None:
    page = own_page
    open_map(page, map_id)
    target(page, "seven").click()
    kind = inspector(page).get_by_label("Kind of default")
    field = inspector(page).get_by_label("Default", exact=True)
    for version, (chosen, value) in enumerate(
        [("text", "7"), ("true", True), ("false", False), ("null", None), ("text", "")], start=2
    ):
        kind.select_option(chosen)
        expect(field).to_have_count(1 if chosen == "text" else 0)
        save(page)
        version_saved(page, version)
        assert rules_of(page)[2]["default"] == value
        assert type(rules_of(page)[2]["default"]) is type(value)
    kind.select_option("none")
    save(page)
    version_saved(page, 7)
    assert rules_of(page)[2].get("default") is None
    expect(kind).to_have_value("none")


@pytest.mark.parametrize("with_key", [True, False])
def test_closing_the_code_takes_up_what_was_typed(
    own_page: Page, map_id: int, *, with_key: bool
) -> None:
    page = own_page
    dialog = code(page, map_id)
    text = dialog.get_by_role("textbox", name="Rules")
    text.fill(OTHER_RULES)
    if with_key:
        text.press("Escape")
    else:
        dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    expect(notice(page)).to_contain_text("Changed the rules as code")
    save(page)
    assert rules_of(page) == json.loads(OTHER_RULES)


def test_saving_in_the_code_saves_what_was_typed(own_page: Page, map_id: int) -> None:
    page = own_page
    text = code(page, map_id).get_by_role("textbox", name="Rules")
    text.fill(OTHER_RULES)
    text.press("Control+s")
    version_saved(page, 2)
    assert rules_of(page) == json.loads(OTHER_RULES)


def test_rules_that_cannot_be_read_are_neither_lost_nor_saved(own_page: Page, map_id: int) -> None:
    page = own_page
    dialog = code(page, map_id)
    text = dialog.get_by_role("textbox", name="Rules")
    printed = text.input_value()
    text.fill("[ {] ")
    text.press("Control+s")
    expect(dialog.get_by_role("alert")).to_contain_text("Not applied and not saved.")
    text.press("Escape")
    expect(text).to_have_value("[ {] ")
    axe(page)
    dialog.get_by_role("button", name="Revert").click()
    expect(text).to_have_value(printed)
    text.press("Escape")
    expect(dialog).to_have_count(0)
    saved(page)
    assert stored(page, map_id)["version"] == 1


def test_take_back_takes_back_what_could_be_applied(own_page: Page, map_id: int) -> None:
    dialog = code(own_page, map_id)
    text = dialog.get_by_role("textbox", name="Rules")
    printed = text.input_value()
    text.fill(OTHER_RULES)
    dialog.get_by_role("button", name="Revert").click()
    expect(text).to_have_value(printed)
    dialog.get_by_role("button", name="Close").click()
    saved(own_page)


def test_closing_the_settings_takes_them_up_once(own_page: Page, map_id: int) -> None:
    page = own_page
    dialog = settings(page, map_id)
    dialog.get_by_label("Description").fill("Orders of last year")
    apply = dialog.get_by_role("button", name="Apply")
    apply.click()
    expect(apply).to_be_disabled()
    dialog.get_by_label("Transaction set").fill("855")
    dialog.press("Escape")
    expect(dialog).to_have_count(0)
    undo = page.get_by_role("button", name="Undo", exact=True).first
    save(page)
    found = stored(page, map_id)
    assert (found["description"], found["tx_set"]) == ("Orders of last year", "855")
    for _ in range(2):
        undo.click()
    expect(undo).to_be_disabled()


def test_leaving_with_typed_settings_is_asked_about(own_page: Page, map_id: int) -> None:
    page = own_page
    page.goto("/app/vault")
    page.get_by_role("link", name="Maps").first.click()
    page.get_by_role("link", name="Orders").first.click()
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Settings and lookups").click()
    page.get_by_role("dialog").get_by_label("Description").fill("typed")
    page.evaluate("history.back()")
    expect(page.locator("[data-state=unsaved]")).to_be_visible()
    page.evaluate("history.back()")
    page.get_by_role("dialog", name="Unsaved changes").get_by_text("Save and leave").click()
    expect(page.get_by_role("heading", level=1, name="Maps")).to_be_visible()
    assert stored(page, map_id)["description"] == "typed"


def test_a_refused_save_counts_down_until_it_is_possible(
    own_page: Page, map_id: int, watch: Watch
) -> None:
    watch.expect(f"/api/maps/{map_id}", 429)
    page = own_page
    open_map(page, map_id)
    type_note(page)
    answer = {"error": "Too many requests.", "code": "rate_limited", "request_id": "req_1"}
    wait = {"Retry-After": "2"}
    answer_saves(
        page, map_id, lambda put: put.fulfill(status=429, headers=wait, body=json.dumps(answer))
    )
    page.get_by_role("button", name="Save", exact=True).click()
    alert = page.get_by_role("alert").filter(has_text="The map was not saved.")
    expect(alert).to_contain_text("Too many requests. Request req_1. Available again in ")
    axe(page)
    expect(alert).to_contain_text("Available again now.")


def test_the_page_of_a_proxy_in_place_of_an_answer_is_said_so(own_page: Page, map_id: int) -> None:
    page = own_page
    open_map(page, map_id)
    type_note(page)
    answer_saves(
        page, map_id, lambda put: put.fulfill(content_type="text/html", body="<h1>Hello</h1>")
    )
    page.get_by_role("button", name="Save", exact=True).click()
    alert = page.get_by_role("alert").filter(has_text="The map was not saved.")
    expect(alert).to_contain_text("The response is not JSON.")
    expect(page.locator("[data-state=failed]")).to_be_visible()
    assert stored(page, map_id)["version"] == 1


def type_note(page: Page) -> None:
    target(page, "number").click()
    note = inspector(page).get_by_label("Note")
    note.fill("why")
    note.press("Enter")
    settled(page)


def answer_saves(page: Page, map_id: int, answer: Callable[[Route], None]) -> None:
    def instead(route: Route) -> None:
        if route.request.method == "PUT":
            answer(route)
        else:
            route.fallback()

    page.route(f"**/api/maps/{map_id}", instead)


def test_a_map_without_a_document_gets_a_made_sample_of_its_set(own_page: Page) -> None:
    body = {"name": "Advance", "source_fmt": "x12", "tx_set": "990", "field_map": []}
    map_id = Api(own_page).post("/api/maps", body)["map"]["id"]
    own_page.goto(f"/app/maps/{map_id}")
    own_page.get_by_role("button", name="Make a sample of 990").click()
    expect(source(own_page, "B1.02")).to_be_visible()
