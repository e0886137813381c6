"""The overview: the way in for somebody new, and what there is for everybody else."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from longshore.domain.users.model import UserRole
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER, paste, store
from tests.e2e.support.site import Site
from tests.e2e.support.watch import Watch

PageOf = Callable[..., Page]


def figures(page: Page, *expected: str) -> None:
    links = page.get_by_role("list", name="What there is").get_by_role("link")
    expect(links).to_have_text(list(expected))


def test_somebody_new_sees_a_field_for_a_document_and_the_way_on(own_page: Page) -> None:
    page = own_page
    page.goto("/app")
    expect(page.get_by_role("region", name="Paste a document")).to_be_visible()
    steps = page.get_by_role("region", name="Quick start").get_by_role("listitem")
    expect(steps).to_have_count(4)
    figures(page, "0Maps", "0Stored documents", "0Working API keys")
    expect(page.get_by_text("There are no maps yet.")).to_be_visible()
    axe(page)


def test_a_pasted_document_goes_on_to_inspect(own_page: Page) -> None:
    page = own_page
    page.goto("/app")
    paste(page, ORDER)
    expect(page).to_have_url(re.compile("/app/inspect$"))
    expect(page.get_by_role("list", name="About the document")).to_contain_text("116 values")
    page.go_back()
    expect(page.get_by_role("region", name="Paste a document")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("list", name="About the document")).to_contain_text("116 values")


def test_a_reload_forgets_a_pasted_document(own_page: Page) -> None:
    page = own_page
    page.goto("/app")
    paste(page, ORDER)
    expect(page.get_by_role("tree")).to_be_visible()
    page.reload()
    expect(page.get_by_role("textbox", name="Document")).to_have_value("")
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}])"
    assert "PO-20260302-17" not in page.evaluate(kept)


def test_the_sample_order_is_one_click_away(own_page: Page) -> None:
    page = own_page
    page.goto("/app")
    page.get_by_role("link", name="Use a sample 850").click()
    expect(page.get_by_text("Valid", exact=True)).to_be_visible()


def test_the_quick_start_ends_with_the_first_conversion(own_page: Page, site: Site) -> None:
    page = own_page
    page.goto("/app")
    start = page.get_by_role("region", name="Quick start")
    expect(start.get_by_text("done")).to_have_count(0)
    Api(page).post("/api/maps", {"name": "Orders", "field_map": []})
    page.reload()
    expect(start.get_by_text("done")).to_have_count(1)
    store(page, site, ORDER)
    page.reload()
    figures(page, "1Maps", "2Stored documents", "1Working API keys")
    expect(start).to_have_count(0)


def test_the_latest_maps_and_documents_are_links(own_page: Page) -> None:
    page = own_page
    for number in range(6):
        Api(page).post("/api/maps", {"name": f"Map {number}", "field_map": []})
    page.goto("/app")
    page.get_by_role("button", name="Load sample data").click()
    maps = page.get_by_role("region", name="Latest maps").get_by_role("link")
    expect(maps).to_have_text(["Map 5", "Map 4", "Map 3", "Map 2", "Map 1"])
    documents = page.get_by_role("region", name="Latest stored documents").get_by_role("link")
    expect(documents).to_have_count(5)
    axe(page)
    documents.first.click()
    expect(page).to_have_url(re.compile("/app/vault/[0-9]+$"))


def test_a_viewer_is_offered_nothing_to_load(own_page: Page, page_of: PageOf, site: Site) -> None:
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app")
    expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Load sample data")).to_have_count(0)


def test_what_cannot_be_loaded_is_told_in_its_place_and_not_taken_for_nothing(
    own_page: Page, watch: Watch
) -> None:
    watch.expect("/api/vault", 500)
    page = own_page
    refusal = {"ok": False, "error": "A fault.", "code": "internal_error", "request_id": "req_9"}
    page.route("**/api/vault?*", lambda route: route.fulfill(status=500, json=refusal))
    page.goto("/app")
    region = page.get_by_role("region", name="Latest stored documents")
    expect(region.get_by_role("alert")).to_contain_text("req_9")
    figures(page, "0Maps", "not knownStored documents", "0Working API keys")
    expect(page.get_by_text("There are no maps yet.")).to_be_visible()
    axe(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 320])
def test_axe_finds_nothing_on_a_narrow_overview(
    site: Site, page_of: PageOf, scheme: str, width: int
) -> None:
    page = page_of(
        site.new_account(), color_scheme=scheme, viewport={"width": width, "height": 844}
    )
    page.goto("/app")
    figures(page, "0Maps", "0Stored documents", "0Working API keys")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width
