"""Linking: three ways that give the same rules, loops that follow by themselves, qualifiers."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.documents import ORDER
from tests.e2e.support.mapper import (
    asked,
    drag,
    exact_output,
    link_by_clicks,
    link_by_drag,
    link_by_keys,
    notice,
    open_map,
    output,
    reach,
    rules_of,
    save,
    saved,
    source,
    stored_map,
    target,
    unfold,
)

Link = Callable[[Page, str, str], None]

EXAMPLE = {
    "number": "PO-1",
    "date": "2026-01-31",
    "shipTo": {"name": "x", "city": "x"},
    "billTo": {"name": "x", "city": "x"},
    "units": "EA",
    "items": [{"quantity": 1, "unit": "EA", "texts": [{"text": "x"}]}],
}
LINKS = [
    ("BEG.03", "number"),
    ("BEG.05", "date"),
    ("N1[01=ST].02", "shipTo.name"),
    ("PO1[*].02", "items[*].quantity"),
    ("PO1[*].03", "items[*].unit"),
]
RULES = [
    {"src": "BEG.03", "tgt": "number"},
    {"src": "BEG.05", "tgt": "date", "transform": "date_iso"},
    {"src": "N1[01=ST].02", "tgt": "shipTo.name"},
    {"src": "PO1[*].02", "tgt": "items[*].quantity", "type": "number"},
    {"src": "PO1[*].03", "tgt": "items[*].unit"},
]


@pytest.fixture
def page(own_page: Page) -> Page:
    """A map over an order, without rules."""
    open_map(own_page, stored_map(own_page, ORDER, EXAMPLE, []))
    return own_page


@pytest.mark.parametrize("link", [link_by_drag, link_by_clicks, link_by_keys])
def test_mouse_clicks_and_keys_give_the_same_rules(page: Page, link: Link) -> None:
    for pattern, path in LINKS:
        link(page, pattern, path)
        expect(notice(page)).to_contain_text("Linked ")
        expect(target(page, path)).to_have_accessible_name(re.compile(", from "))
    page.keyboard.press("Control+S")
    saved(page)
    assert rules_of(page) == RULES


def test_a_link_into_an_array_repeats_and_one_undo_takes_it_back(page: Page) -> None:
    items = reach(page, "target", "items[*]")
    link_by_drag(page, "PO1[*].02", "items[*].quantity")
    expect(items).to_have_accessible_name("items, array, for each PO1 \u00d73")
    expect(notice(page)).to_have_text("Linked PO1.02 to quantity, repeated for each PO1")
    expect(output(page)).to_contain_text('"quantity": 48')
    assert [each["quantity"] for each in json.loads(exact_output(page))["items"]] == [48, 120, 10]
    page.get_by_role("button", name="Undo").first.click()
    expect(items).to_have_accessible_name("items, array")
    expect(page.get_by_text("The output is shown once the map has a rule.")).to_be_visible()
    expect(page.locator("[data-state=saved]")).to_be_visible()


def test_nested_loops_nest_in_the_output(own_page: Page) -> None:
    page, mug = own_page, "PID*F****Stoneware mug, blue~\n"
    open_map(page, stored_map(page, ORDER.replace(mug, f"{mug}PID*F****Hand made~\n"), EXAMPLE, []))
    link_by_drag(page, "PO1[*]>PID[*].05", "items[*].texts[*].text")
    expect(output(page)).to_contain_text("Hand made")
    assert json.loads(exact_output(page))["items"][1] == {
        "texts": [{"text": "Stoneware mug, blue"}, {"text": "Hand made"}]
    }
    save(page)
    assert rules_of(page) == [{"src": "PO1[*]>PID[*].05", "tgt": "items[*].texts[*].text"}]


@pytest.mark.parametrize(
    ("choice", "rule", "text"),
    [
        ("The first", {"src": "PO1.03", "tgt": "units"}, '"units": "EA"'),
        ("The last", {"src": "PO1[-1].03", "tgt": "units"}, '"units": "CA"'),
        (
            "All, joined into one text",
            {"src": "PO1[*].03", "tgt": "units", "on_duplicate": "join:, "},
            '"units": "EA, EA, CA"',
        ),
        (
            "All, as a list",
            {"src": "PO1[*].03", "tgt": "units", "on_duplicate": "append"},
            '"CA"',
        ),
    ],
)
def test_a_loop_for_one_place_is_asked_about(
    page: Page, choice: str, rule: dict[str, str], text: str
) -> None:
    link_by_drag(page, "PO1[*].03", "units")
    expect(asked(page)).to_contain_text("PO1.03 has a value for each PO1, and units takes one.")
    asked(page).get_by_role("radio", name=choice).check()
    asked(page).get_by_role("button", name="Link").click()
    expect(output(page)).to_contain_text(text)
    save(page)
    assert rules_of(page) == [rule]


def test_a_question_that_is_not_answered_changes_nothing(page: Page) -> None:
    link_by_drag(page, "PO1[*].03", "units")
    expect(asked(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(asked(page)).to_have_count(0)
    expect(target(page, "units")).to_have_accessible_name("units, text, not mapped")
    expect(page.locator("[data-state=saved]")).to_be_visible()


def test_another_loop_for_the_same_array_is_explained_and_can_take_its_place(page: Page) -> None:
    link_by_drag(page, "PO1[*].02", "items[*].quantity")
    unfold(page, "source", "N1[*]")
    link_by_drag(page, "N1[*].02", "items[*].unit")
    expect(asked(page)).to_contain_text("items[] is repeated for each PO1, and N1.02 for each N1.")
    asked(page).get_by_role("button", name="Repeat items[] for each N1 instead").click()
    expect(target(page, "items[*]")).to_have_accessible_name("items, array, for each N1 \u00d73")
    save(page)
    assert rules_of(page) == [{"src": "N1[*].02", "tgt": "items[*].unit"}]


def test_the_parties_of_an_order_are_told_apart_by_their_qualifier(page: Page) -> None:
    for party, place in (("ST", "shipTo"), ("BT", "billTo")):
        link_by_drag(page, f"N1[01={party}].02", f"{place}.name")
        link_by_drag(page, f"N1[01={party}]>N4.01", f"{place}.city")
    expect(output(page)).to_contain_text("Port Merrin")
    assert json.loads(exact_output(page)) == {
        "shipTo": {"name": "Quillmark Warehouse 3", "city": "Eastling"},
        "billTo": {"name": "Quillmark Home Goods", "city": "Port Merrin"},
    }
    expect(target(page, "shipTo.name")).to_contain_text("N1.02 if 01=ST")


def test_a_drag_onto_a_mapped_row_replaces_and_with_shift_combines(page: Page) -> None:
    link_by_drag(page, "BEG.03", "number")
    link_by_drag(page, "BEG.05", "number")
    expect(notice(page)).to_contain_text("in place of BEG.03")
    reach(page, "source", "BEG.02").hover()
    page.keyboard.down("Shift")
    drag(page, source(page, "BEG.02"), target(page, "number"))
    page.keyboard.up("Shift")
    expect(output(page)).to_contain_text("20260302 SA")
    save(page)
    [rule] = rules_of(page)
    assert (rule["src"], rule["join"]) == (["BEG.05", "BEG.02"], " ")


def test_escape_ends_a_drag_without_a_link(page: Page) -> None:
    reach(page, "source", "BEG.03").hover()
    page.mouse.down()
    box = target(page, "number").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10, steps=8)
    expect(target(page, "number")).to_have_attribute("data-drop", "yes")
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(target(page, "number")).not_to_have_attribute("data-drop", "yes")
    expect(target(page, "number")).to_have_accessible_name("number, text, not mapped")
