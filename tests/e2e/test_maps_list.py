"""The list of maps: found, begun, copied, carried as files, locked and deleted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from longshore.domain.users.model import UserRole
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.site import Site, User
from tests.e2e.support.watch import NO_ANSWER, Watch

PageOf = Callable[..., Page]

RULES = [{"const": 1.0, "tgt": "big"}, {"src": "BEG.03", "tgt": "number", "note": "who <b>?"}]


def make_map(page: Page, name: str, **members: object) -> dict[str, Any]:
    made: dict[str, Any] = Api(page).post(
        "/api/maps", {"name": name, "field_map": RULES, **members}
    )["map"]
    return made


def row(page: Page, name: str) -> Locator:
    link = page.get_by_role("link", name=name, exact=True)
    return page.get_by_role("row").filter(has=link)


def act(page: Page, name: str, action: str) -> None:
    page.get_by_role("button", name=f"Actions for {name}", exact=True).click()
    page.get_by_role("menuitem", name=action, exact=True).click()


def import_text(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Map as JSON").fill(text)
    page.get_by_role("dialog").get_by_role("button", name="Import").click()


def test_without_maps_there_is_one_thing_to_do(own_page: Page) -> None:
    page = own_page
    page.goto("/app/maps")
    expect(page.get_by_text("There are no maps yet.")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Create the first map").click()
    expect(page.get_by_role("dialog", name="New map")).to_be_visible()
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?dialog=new")


def test_a_starter_map_is_copied_and_opened(own_page: Page) -> None:
    page = own_page
    page.goto("/app/maps?dialog=new")
    starters = page.get_by_role("list", name="Starter maps")
    expect(starters.get_by_role("button")).to_have_count(
        len(Api(page).get("/api/maps/starters")["starters"])
    )
    axe(page)
    starters.get_by_role("button", name="850 purchase order to JSON order").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    [made] = Api(page).get("/api/maps")["maps"]
    expect(page).to_have_url(f"{page.url.partition('/app')[0]}/app/maps/{made['id']}")


def test_a_map_tells_formats_set_version_and_rules_and_leads_to_the_mapper(own_page: Page) -> None:
    page = own_page
    made = make_map(page, "Orders", target_fmt="xml", tx_set="850")
    page.goto("/app/maps")
    for words in ("X12 → XML", "850", "v1", "2", "open"):
        expect(row(page, "Orders").get_by_role("cell", name=words, exact=True)).to_be_visible()
    axe(page)
    row(page, "Orders").get_by_role("link").click()
    expect(page).to_have_url(f"{page.url.partition('/app')[0]}/app/maps/{made['id']}")


def test_a_search_stands_in_the_address_and_comes_back_with_it(own_page: Page) -> None:
    page = own_page
    for name in ("Orders in", "Invoices out"):
        make_map(page, name)
    page.goto("/app/maps")
    page.get_by_role("searchbox", name="Name").fill("invo")
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?q=invo")
    expect(row(page, "Orders in")).to_have_count(0)
    page.reload()
    expect(row(page, "Invoices out")).to_be_visible()
    expect(page.get_by_role("searchbox", name="Name")).to_have_value("invo")
    page.get_by_role("searchbox", name="Name").fill("nothing like it")
    page.get_by_role("button", name="Show all maps").click()
    expect(row(page, "Orders in")).to_be_visible()


def test_a_copy_has_the_same_rules_to_the_digit(own_page: Page) -> None:
    page = own_page
    made = make_map(page, "Orders")
    page.goto("/app/maps")
    act(page, "Orders", "Duplicate")
    expect(page).not_to_have_url(f"{page.url.partition('/app')[0]}/app/maps")
    maps = {each["name"]: each["id"] for each in Api(page).get("/api/maps")["maps"]}
    assert set(maps) == {"Orders", "Copy of Orders"}
    rules = [
        Api(page).call("GET", f"/api/maps/{map_id}").text().partition('"field_map"')[2]
        for map_id in (made["id"], maps["Copy of Orders"])
    ]
    assert rules[0].partition('"lookups"')[0] == rules[1].partition('"lookups"')[0]
    assert '"const":1.0' in rules[1].replace(" ", "")


def test_an_exported_map_can_be_imported_as_it_is(own_page: Page, tmp_path: Path) -> None:
    page = own_page
    make_map(page, "Orders → shop", description="for the shop")
    page.goto("/app/maps")
    with page.expect_download() as started:
        act(page, "Orders → shop", "Export")
    assert started.value.suggested_filename == "orders-shop.map.json"
    started.value.save_as(tmp_path / "map.json")
    page.get_by_role("button", name="Import").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "map.json")
    page.get_by_role("dialog").get_by_role("button", name="Import").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    one, other = (
        Api(page).get(f"/api/maps/{each['id']}")["map"]
        for each in Api(page).get("/api/maps")["maps"]
    )
    told = ("name", "description", "source_fmt", "target_fmt", "field_map", "lookups", "tests")
    assert [one[name] for name in told] == [other[name] for name in told]
    assert one["id"] != other["id"]


def test_every_fault_of_an_import_is_told_and_nothing_is_stored(
    own_page: Page, watch: Watch
) -> None:
    watch.expect("/api/maps", 400)
    page = own_page
    page.goto("/app/maps?dialog=import")
    import_text(page, json.dumps({"name": "x", "field_map": [{"src": "BEG.03"}, {"tgtt": "a"}]}))
    faults = page.get_by_role("list", name="Faults").get_by_role("listitem")
    expect(faults.filter(has_text="field_map[0].tgt")).not_to_have_count(0)
    expect(faults.filter(has_text="field_map[1].tgtt")).not_to_have_count(0)
    axe(page)
    assert Api(page).get("/api/maps")["count"] == 0


@pytest.mark.parametrize("text", ["", "{", "[]"])
def test_what_is_no_json_object_is_not_sent(page: Page, text: str) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto("/app/maps?dialog=import")
    import_text(page, text)
    expect(page.get_by_role("textbox", name="Map as JSON")).to_have_attribute(
        "aria-invalid", "true"
    )
    assert "POST" not in sent


def test_a_deleted_map_is_gone_after_a_question(own_page: Page) -> None:
    page = own_page
    make_map(page, "Orders")
    page.goto("/app/maps")
    act(page, "Orders", "Delete")
    dialog = page.get_by_role("dialog", name="Delete the map Orders?")
    axe(page)
    dialog.get_by_role("button", name="Cancel").click()
    expect(row(page, "Orders")).to_be_visible()
    act(page, "Orders", "Delete")
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("There are no maps yet.")).to_be_visible()
    assert Api(page).get("/api/maps")["count"] == 0


def test_a_map_that_somebody_saved_since_is_not_deleted(own_page: Page, watch: Watch) -> None:
    page = own_page
    made = make_map(page, "Orders")
    path = f"/api/maps/{made['id']}"
    watch.expect(path, 409)
    page.goto("/app/maps")
    act(page, "Orders", "Delete")
    body = {"name": "Orders", "field_map": RULES[:1]}
    assert Api(page).call("PUT", path, body, if_match='"1"').status == 200
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("The map could not be deleted.").first).to_be_visible()
    assert Api(page).get(path)["map"]["version"] == 2


def test_a_locked_map_cannot_be_deleted_until_it_is_unlocked(own_page: Page) -> None:
    page = own_page
    make_map(page, "Orders")
    page.goto("/app/maps")
    act(page, "Orders", "Lock")
    expect(row(page, "Orders").get_by_role("cell", name="Locked")).to_be_visible()
    page.get_by_role("button", name="Actions for Orders").click()
    expect(page.get_by_role("menuitem", name="Delete (unlock it first)")).to_be_disabled()
    axe(page)
    page.get_by_role("menuitem", name="Unlock", exact=True).click()
    expect(row(page, "Orders").get_by_role("cell", name="open")).to_be_visible()


def test_a_viewer_is_told_why_there_is_nothing_to_press(
    own_page: Page, page_of: PageOf, site: Site
) -> None:
    make_map(own_page, "Orders")
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app/maps?dialog=new")
    expect(row(page, "Orders")).to_be_visible()
    expect(page.get_by_text("Your role is viewer: you can view maps.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    axe(page)


def test_more_maps_than_a_page_are_turned(own_page: Page) -> None:
    page = own_page
    for number in range(51):
        make_map(page, f"Map {number:02}")
    page.goto("/app/maps")
    pages = page.get_by_role("navigation", name="Pages of the list")
    expect(pages).to_contain_text("1 to 50 of 51")
    pages.get_by_role("button", name="Next").click()
    expect(row(page, "Map 00")).to_be_visible()
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?offset=50")
    page.go_back()
    expect(row(page, "Map 50")).to_be_visible()


def test_a_fault_of_the_server_is_told_with_its_request_and_tried_again(
    own_page: Page, watch: Watch
) -> None:
    watch.expect("/api/maps", 500)
    page = own_page
    refusal = {"ok": False, "error": "A fault.", "code": "internal_error", "request_id": "req_9"}
    page.route("**/api/maps?*", lambda route: route.fulfill(status=500, json=refusal), times=1)
    page.goto("/app/maps")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The maps could not be loaded.")
    expect(alert).to_contain_text("req_9")
    axe(page)
    alert.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("There are no maps yet.")).to_be_visible()


def test_without_a_server_the_list_comes_back_by_itself(own_page: Page, watch: Watch) -> None:
    watch.expect("/api/maps", NO_ANSWER)
    page = own_page
    page.route("**/api/maps?*", lambda route: route.abort(), times=1)
    page.goto("/app/maps")
    expect(page.get_by_role("alert")).to_contain_text("No connection to the server")
    expect(page.get_by_text("There are no maps yet.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_narrow_list(page_of: PageOf, owner: User, scheme: str) -> None:
    page = page_of(owner, color_scheme=scheme, viewport={"width": 390, "height": 844})
    page.goto("/app/maps")
    expect(page.get_by_role("heading", level=1, name="Maps")).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
