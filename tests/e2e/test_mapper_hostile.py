"""Documents, names and maps full of markup are nothing but text in the mapper (E12)."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.axe import axe
from tests.e2e.support.mapper import open_map, output, stored_map

NAME = '<img src=x onerror="hit=1">'
VALUE = "</pre></textarea><script>hit=2</script><svg onload='hit=3'>{{7*7}}${7*7}"
BIDI = "in\u202ever\u0000se\u2028d"
RULES = [
    {"src": "plain", "tgt": "out", "note": VALUE},
    {"src": "value", "tgt": r"<b onclick='hit=4'\>name<\/b\>"},
    {"src": "bidi", "tgt": "bidi"},
    {"const": VALUE, "tgt": "javascript:hit=5"},
]
DOCUMENT = {NAME: "named", "plain": "p", "value": VALUE, "bidi": BIDI}
EXAMPLE = {"out": "x", "<b onclick='hit=4'>name</b>": "x", "bidi": "x", "javascript:hit=5": "x"}


def nothing_ran(page: Page) -> None:
    """Fail if markup of the document became part of the page."""
    made = "img[src=x], main b, svg[onload], pre script, [onerror], [onclick]"
    assert page.locator(made).count() == 0
    assert page.evaluate("typeof hit") == "undefined"


@pytest.fixture
def page(own_page: Page) -> Page:
    """A map whose every text is hostile."""
    members = {
        "name": VALUE,
        "description": VALUE,
        "lookups": [{"name": NAME, "rows": [{"from": VALUE, "to": NAME}]}],
        "tests": [{"name": NAME, "document": json.dumps(DOCUMENT), "expected": VALUE}],
    }
    open_map(own_page, stored_map(own_page, json.dumps(DOCUMENT), EXAMPLE, RULES, **members))
    return own_page


def test_markup_in_names_values_chips_and_output_is_shown_as_text(page: Page) -> None:
    expect(page.get_by_role("button", name=f"Name: {VALUE}")).to_have_text(VALUE)
    expect(page.get_by_role("treeitem").filter(has_text=NAME)).to_be_visible()
    named = page.get_by_role("treeitem").filter(has_text="<b onclick='hit=4'>name</b>")
    expect(named).to_be_visible()
    expect(output(page)).to_contain_text("<script>hit=2</script>")
    nothing_ran(page)
    named.click()
    expect(page.get_by_role("region", name="Inspector")).to_contain_text("<b onclick='hit=4'>name")
    named.hover()
    page.get_by_role("treeitem").filter(has_text="plain").first.click()
    nothing_ran(page)
    axe(page)


def test_characters_that_hide_or_turn_others_are_named(page: Page) -> None:
    row = page.locator("[data-panel=source] [data-node=bidi]")
    expect(row).to_contain_text("in[U+202E]ver[NUL]se[U+2028]d")
    expect(row).to_have_accessible_name(re.compile(r"in\[U\+202E]ver\[NUL]se\[U\+2028]d"))
    expect(output(page)).to_contain_text("bidi")
    shown = output(page).inner_text()
    assert not set(shown) & {"\u202e", "\u0000", "\u2028"}


def test_dialogs_and_panels_show_hostile_texts_as_text(page: Page) -> None:
    for view, title in (("code", "Rules as code"), ("history", "History"), ("use", "Use it")):
        page.goto(f"{page.url.split('?')[0]}?view={view}")
        expect(page.get_by_role("dialog", name=title)).to_be_visible()
        nothing_ran(page)
    page.goto(f"{page.url.split('?')[0]}?view=settings")
    dialog = page.get_by_role("dialog", name="Settings and lookups")
    expect(dialog.get_by_label("Name of the table")).to_have_value(NAME)
    expect(dialog.get_by_label("Description")).to_have_value(VALUE)
    nothing_ran(page)
    page.goto(f"{page.url.split('?')[0]}?panel=tests")
    page.get_by_role("button", name="Run all").click()
    expect(page.get_by_role("list", name="Tests")).to_contain_text(NAME)
    expect(page.get_by_text("0 of 1 pass")).to_be_visible()
    nothing_ran(page)


def test_five_megabytes_in_one_value_neither_freeze_nor_fill_the_page(own_page: Page) -> None:
    page, document = own_page, json.dumps({"big": "<b>" * 1_700_000, "small": "s"})
    rules = [{"src": "big", "tgt": "big"}, {"src": "small", "tgt": "small"}]
    open_map(page, stored_map(page, document, {"big": "x", "small": "x"}, rules))
    expect(output(page)).to_contain_text("Only the first 400,000 characters are shown.")
    page.locator("[data-panel=target] [data-node=small]").click()
    expect(page.get_by_role("textbox", name="Source", exact=True)).to_have_value("small")
    assert page.evaluate("document.body.textContent.length") < 1_500_000
