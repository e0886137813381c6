"""E12: whatever a document or a name holds is text: nothing runs, nothing turns the page around."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.api import Api
from tests.e2e.support.documents import ORDER, choose, store
from tests.e2e.support.site import Site
from tests.e2e.support.watch import Watch

MARKUP = "<img src=x onerror=window.ran=1><script>window.ran=1</script>{{7-7}}"
LINK = "javascript:window.ran=1"
BIDI = "\u202egpj.exe"
NUL = "a\0b"
ZERO_WIDTH = "pay\u200bload"

_STRANGERS = "document.querySelectorAll('img[src=x], script:not([src]), [onerror]').length"


def order_with(text: str) -> str:
    return ORDER.replace("Purchasing desk", text)


def nothing_ran(page: Page) -> None:
    assert page.evaluate("window.ran") is None
    assert page.evaluate(_STRANGERS) == 0


@pytest.mark.parametrize("text", [MARKUP, LINK])
def test_markup_in_a_document_is_shown_as_it_is_written(own_page: Page, text: str) -> None:
    page = own_page
    page.goto("/app/inspect?at=PER.02")
    choose(page, order_with(text).encode(), f"{text[:20].replace('/', '')}.edi")
    row = page.get_by_role("treeitem", name="PER, Contacts")
    expect(row).to_contain_text(text)
    row.click()
    expect(page.get_by_role("tabpanel")).to_contain_text(text)
    nothing_ran(page)


@pytest.mark.parametrize(
    ("text", "shown"),
    [(NUL, "aNULb"), (BIDI, "U+202Egpj.exe"), (ZERO_WIDTH, "payU+200Bload")],
)
def test_a_character_that_cannot_be_seen_is_named(own_page: Page, text: str, shown: str) -> None:
    page = own_page
    page.goto("/app/inspect")
    choose(page, order_with(text).encode())
    row = page.get_by_role("treeitem", name="PER, Contacts")
    expect(row).to_contain_text(shown)
    row.click()
    expect(page.get_by_role("tabpanel")).to_contain_text(shown)
    assert not re.search("[\0\u200b\u202e]", page.locator("main").inner_text())


def test_writing_from_right_to_left_stays_in_its_place(own_page: Page) -> None:
    page = own_page
    page.goto("/app/inspect")
    choose(page, order_with("שלום 123").encode())
    row = page.get_by_role("treeitem", name="PER, Contacts")
    expect(row.locator("bdi").last).to_have_text("BD · שלום 123 · TE · 2075550142")
    code, value = row.locator("bdi").first.bounding_box(), row.locator("bdi").last.bounding_box()
    assert code is not None
    assert value is not None
    assert code["x"] < value["x"]


@pytest.mark.parametrize("text", [MARKUP, NUL, BIDI])
def test_a_stored_document_is_text_in_every_view(own_page: Page, site: Site, text: str) -> None:
    page = own_page
    output = store(page, site, order_with(text), field_map=[{"src": "PER.02", "tgt": "name"}])
    source = Api(page).get(f"/api/vault/{output}")["doc"]["source_doc_id"]
    for found in (output, source):
        page.goto(f"/app/vault/{found}")
        expect(page.get_by_role("region", name="Content, text")).to_be_visible()
        page.get_by_role("tab", name="Tree").click()
        expect(page.get_by_role("tree")).to_be_visible()
        nothing_ran(page)
        assert not re.search("[\0\u202e]", page.locator("main").inner_text())
    page.goto(f"/app/vault/{output}?tab=source")
    expect(page.get_by_role("region", name=re.compile("^Source: .*, text$"))).to_be_visible()
    nothing_ran(page)


def test_a_name_of_a_map_is_text_wherever_it_stands(own_page: Page) -> None:
    page = own_page
    name = f"{MARKUP} שלום"
    Api(page).post("/api/maps", {"name": name, "field_map": []})
    for path in ("/app", "/app/maps", "/app/vault"):
        page.goto(path)
        where = (
            page.get_by_role("combobox", name="Map")
            if path == "/app/vault"
            else page.get_by_role("link", name=name)
        )
        expect(where).to_contain_text(name)
        nothing_ran(page)
    page.goto("/app/maps")
    page.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text(name)
    nothing_ran(page)


@pytest.mark.parametrize(
    ("search", "status"),
    [
        ("sample=<script>window.ran=1</script>", 200),
        ("at=%00%E2%80%AE<b>&tab=findings&doc=1e999", 200),
        ("sample=850_purchase_order&at[]=1&tab=%F0%9F%98%80&format=exe", 200),
        ("sample=850_purchase_order&release=<b>", 400),
    ],
)
def test_an_address_that_makes_no_sense_breaks_no_page(
    page: Page, watch: Watch, search: str, status: int
) -> None:
    if status != 200:
        watch.expect("/api/inspect", status)
    for path, title in (("inspect", "Inspect"), ("maps", "Maps"), ("vault", "Vault")):
        page.goto(f"/app/{path}?{search}&dialog=<b>")
        expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
        expect(page.get_by_role("main").get_by_role("button").first).to_be_visible()
        nothing_ran(page)


def test_a_json_document_with_names_of_prototypes_is_a_plain_tree(own_page: Page) -> None:
    page = own_page
    page.goto("/app/inspect")
    choose(page, b'{"__proto__": {"ran": 1}, "constructor": 2, "a.b": {"": 3}}', "a.json")
    for name in ("__proto__", "constructor, value 2", "a.b"):
        expect(page.get_by_role("treeitem", name=name).first).to_be_visible()
    nothing_ran(page)
