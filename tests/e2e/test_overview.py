"""The overview: the way in for somebody new; what happened, for whoever trades."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from longshore.domain.users.model import UserRole
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER, paste, store
from tests.e2e.support.site import Site
from tests.e2e.support.trade import receive, simulator, trade, until
from tests.e2e.support.watch import Watch

PageOf = Callable[..., Page]


def figures(page: Page, *expected: str) -> None:
    links = page.get_by_role("list", name="Totals").get_by_role("link")
    expect(links).to_have_text(list(expected))


def test_somebody_new_sees_a_field_for_a_document_and_the_way_on(own_page: Page) -> None:
    page = own_page
    page.goto("/app")
    expect(page.get_by_role("region", name="Paste a document")).to_be_visible()
    steps = page.get_by_role("region", name="Quick start").get_by_role("listitem")
    expect(steps).to_have_count(4)
    figures(page, "0Maps", "0Stored documents", "0Active API keys")
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
    figures(page, "1Maps", "2Stored documents", "1Active API keys")
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
    figures(page, "0Maps", "unknownStored documents", "0Active API keys")
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
    figures(page, "0Maps", "0Stored documents", "0Active API keys")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width


# ---- with trade --------------------------------------------------------------------------------

EXCHANGED = 9
"""What ``trade`` leaves: five orders, three acknowledgements, and something unreadable."""


@pytest.fixture
def trading_page(own_page: Page) -> Page:
    """A blank page of the owner of an account that has exchanged documents, all of them today."""
    trade(Api(own_page))
    until(Api(own_page), "/api/stats", lambda answer: answer["totals"]["count"] == EXCHANGED)
    return own_page


def tiles(page: Page) -> Locator:
    return page.get_by_role("list", name="Figures").get_by_role("link")


def figure(page: Page, name: str) -> Locator:
    return page.get_by_role("figure", name=name)


def search_of(page: Page) -> dict[str, list[str]]:
    """Return what the address narrows by; a text that looks like a number stands in quotes."""
    found = parse_qs(urlsplit(page.url).query)
    return {name: [value.strip('"') for value in values] for name, values in found.items()}


def test_the_figures_are_those_of_the_trade_and_lead_to_it(trading_page: Page) -> None:
    page = trading_page
    page.goto("/app")
    expect(tiles(page)).to_contain_text([
        "Transactions 9 none in the 30 days before",
        "Failed 33.3 % 3 of 9",
        "Outstanding acknowledgements 1 now",
        "not overdue",
    ])
    expect(page.get_by_role("region", name="Paste a document")).to_have_count(0)
    tiles(page).nth(1).click()
    expect(page).to_have_url(re.compile(r"/app/transactions\?"))
    found = search_of(page)
    assert found["status"] == ["failed,rejected,invalid,quarantined"]
    assert found["date_from"] < found["date_to"]


def test_a_chart_and_its_table_lead_to_the_same_list(trading_page: Page) -> None:
    page = trading_page
    page.goto("/app")
    today = Api(page).get("/api/stats")["to"]
    volume = figure(page, "Volume")
    expect(volume.get_by_role("img", name="Volume. By set and UTC day")).to_be_visible()
    volume.locator(".recharts-bar-rectangle path").first.click()
    expect(page).to_have_url(re.compile(r"/app/transactions\?"))
    from_bar = search_of(page)
    assert from_bar == {"date_from": [today], "date_to": [today], "tx_set": ["850"]}
    page.go_back()
    volume.get_by_role("button", name="Show as table").click()
    newest = volume.get_by_role("row").nth(1)
    expect(newest.get_by_role("cell")).to_have_text([today, "5", "3", "1", "9"])
    newest.get_by_role("link", name="5").click()
    expect(page).to_have_url(re.compile(r"/app/transactions\?"))
    assert search_of(page) == from_bar


def test_a_day_without_trade_is_no_day_without_failures(trading_page: Page) -> None:
    page = trading_page
    page.goto("/app?period=7")
    rate = figure(page, "Failure rate")
    rate.get_by_role("button", name="Show as table").click()
    rows = rate.get_by_role("row")
    expect(rows).to_have_count(8)
    expect(rows.nth(1).get_by_role("cell").last).to_have_text("33.3 %")
    expect(rows.nth(2).get_by_role("cell").last).to_have_text("\N{EN DASH}")
    rate.get_by_role("button", name="Show as chart").click()
    expect(rate.locator(".recharts-line-dot")).to_have_count(1)


def test_why_partners_rejected_leads_to_their_answers(trading_page: Page) -> None:
    page = trading_page
    page.goto("/app")
    reasons = figure(page, "Top rejection reasons").get_by_role("listitem")
    expect(reasons).to_have_count(1)
    reasons.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/app/acks\?"))
    found = search_of(page)
    assert (found["tab"], found["result"], found["error"]) == (
        ["received"],
        ["rejected"],
        [Api(page).get("/api/stats")["rejections"][0]["error"]],
    )


def test_what_needs_attention_is_opened_without_leaving_the_application(trading_page: Page) -> None:
    page = trading_page
    page.goto("/app")
    items = page.get_by_role("region", name="Needs attention").get_by_role("listitem")
    expect(items).to_have_count(2)
    page.evaluate("window.kept = 1")
    items.filter(has_text="in quarantine").get_by_role("link", name="Open").click()
    expect(page).to_have_url(re.compile(r"/app/interchanges\?status=quarantined$"))
    assert page.evaluate("window.kept") == 1


def test_the_page_refreshes_by_itself(trading_page: Page) -> None:
    page = trading_page
    api = Api(page)
    page.clock.install()
    page.goto("/app")
    attention = page.get_by_role("region", name="Needs attention")
    expect(attention).to_contain_text("1 \N{MULTIPLICATION SIGN} interchange")
    receive(api, simulator(api), "Dear Sir, this is another order.")
    until(api, "/api/interchanges?status=quarantined", lambda answer: answer["count"] == 2)
    page.clock.fast_forward(15_000)
    expect(attention).to_contain_text("2 \N{MULTIPLICATION SIGN} interchange")


def test_the_period_is_in_the_address_and_asked_for(trading_page: Page) -> None:
    page = trading_page
    page.goto("/app?period=13")
    period = page.get_by_role("radiogroup", name="Period")
    expect(period.get_by_role("radio", name="30 days")).to_be_checked()
    with page.expect_request(re.compile(r"/api/stats\?")) as asked:
        period.get_by_text("90 days").click()
    expect(page).to_have_url(re.compile(r"/app\?period=90$"))
    days = parse_qs(urlsplit(asked.value.url).query)
    first, last = (date.fromisoformat(days[end][0]) for end in ("from", "to"))
    assert (last - first).days == 89
    page.reload()
    expect(period.get_by_role("radio", name="90 days")).to_be_checked()
    expect(tiles(page).first).to_contain_text("none in the 90 days before")


def test_figures_that_cannot_be_loaded_leave_the_rest_and_can_be_asked_for_again(
    trading_page: Page, watch: Watch
) -> None:
    watch.expect("/api/stats", 500)
    page = trading_page
    refusal = {"ok": False, "error": "A fault.", "code": "internal_error", "request_id": "req_7"}
    page.route("**/api/stats?*", lambda route: route.fulfill(status=500, json=refusal))
    page.goto("/app")
    expect(page.get_by_role("alert")).to_contain_text("req_7")
    expect(page.get_by_role("region", name="Needs attention")).to_contain_text("quarantine")
    axe(page)
    page.unroute("**/api/stats?*")
    page.get_by_role("button", name="Try again").click()
    expect(tiles(page).first).to_contain_text("Transactions 9")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_quiet_period_is_told_in_a_sentence_and_not_in_empty_charts(trading_page: Page) -> None:
    page = trading_page
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=20))
    page.goto("/app?period=7")
    expect(page.get_by_text("Nothing was exchanged in these 7 days.")).to_be_visible()
    expect(page.get_by_role("figure")).to_have_count(0)
    page.get_by_role("link", name="Show 90 days").click()
    expect(page.get_by_role("figure")).to_have_count(4)
