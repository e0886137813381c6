"""The list of transactions and the page of each: found, understood, sent again, exported."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from longshore.domain.users.model import UserRole
from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.destination import destination
from tests.e2e.support.mapped import MAP_NAME, WRONG, rejected_order
from tests.e2e.support.mapper import Hand
from tests.e2e.support.site import Site
from tests.e2e.support.trade import order, receive, settle, simulator, submit, trade
from tests.e2e.support.watch import Watch

TEXT = "Document, text"


def rows(page: Page) -> Locator:
    """Return the rows of the list."""
    body = page.get_by_role("region", name="Transactions").get_by_role("rowgroup").nth(1)
    return body.get_by_role("row")


def invalid(api: Api, number: str) -> int:
    """Store an order with an error; nothing is sent."""
    broken = order(number).replace("PO1*1*", "PO1*1*many", 1)
    return submit(api, number, content=broken, on_invalid="store")


def held(api: Api, numbers: list[str]) -> None:
    """Store orders for a partner without a connection."""
    body = {"name": "Harbour Foods", "isa_qualifier": "ZZ", "isa_id": "HARBOUR", "gs_id": "HARBOUR"}
    partner = api.post("/api/partners", body)["partner"]["id"]
    for number in numbers:
        submit(api, number, partner_id=partner)


# ---- the list ----------------------------------------------------------------------------------


def test_filters_stand_in_the_address_and_come_back_with_it(own_page: Page) -> None:
    page = own_page
    trade(Api(page))
    page.goto("/app/transactions")
    expect(rows(page)).to_have_count(9)
    page.get_by_role("button", name="Status: all").click()
    page.get_by_role("checkbox", name="Rejected").check()
    page.get_by_role("checkbox", name="Invalid").check()
    page.keyboard.press("Escape")
    expect(rows(page)).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?status=rejected%2Cinvalid$"))
    page.reload()
    expect(page.get_by_role("button", name="Status: Rejected, Invalid")).to_be_visible()
    page.get_by_role("searchbox", name="Id, number or partner").fill("PO-1002")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Clear filters").click()
    expect(rows(page)).to_have_count(9)


def test_more_transactions_than_a_page_are_sorted_and_turned(own_page: Page) -> None:
    page = own_page
    for number in range(51):
        invalid(Api(page), f"PO-{number:03}")
    page.goto("/app/transactions")
    pages = page.get_by_role("navigation", name="Pages of the list")
    expect(pages).to_contain_text("1 to 50 of 51")
    pages.get_by_role("button", name="Next").click()
    expect(rows(page)).to_contain_text(["PO-000"])
    expect(page).to_have_url(re.compile(r"offset=50$"))
    page.go_back()
    page.get_by_role("button", name="Created").click()
    expect(rows(page).first).to_contain_text("PO-000")
    expect(page).to_have_url(re.compile(r"sort=created_at$"))


def test_nothing_moves_under_the_reader_while_the_list_grows(own_page: Page) -> None:
    page = own_page
    api = Api(page)
    invalid(api, "PO-1")
    page.clock.install()
    page.goto("/app/transactions")
    page.get_by_role("checkbox", name="Select PO-1").check()
    invalid(api, "PO-2")
    page.clock.fast_forward(16_000)
    expect(page.get_by_role("button", name="1 new")).to_be_visible()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="1 new").click()
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Select none").click()
    invalid(api, "PO-3")
    page.clock.fast_forward(16_000)
    expect(rows(page).first).to_contain_text("PO-3")


def test_a_view_is_kept_in_the_browser_opened_and_deleted(own_page: Page) -> None:
    page = own_page
    trade(Api(page))
    page.goto("/app/transactions?tx_set=850&direction=outbound")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Save or delete views…").click()
    page.get_by_role("textbox", name="Save the filters of the list as").fill("Our orders")
    page.get_by_role("button", name="Save view").click()
    page.goto("/app/transactions")
    page.get_by_role("button", name="Views").click()
    axe(page)
    page.get_by_role("menuitem", name="Our orders").click()
    expect(rows(page)).to_have_count(4)
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Save or delete views…").click()
    page.get_by_role("button", name="Delete Our orders").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Views").click()
    expect(page.get_by_role("menuitem", name="Our orders")).to_have_count(0)
    page.get_by_role("menuitem", name="Waiting for an acknowledgement").click()
    expect(rows(page)).to_contain_text(["PO-1003"])


FAILURES = ("quarantined", "PO-1004", "PO-1002")


def test_last_months_failures_are_exported(own_page: Page, tmp_path: Path) -> None:
    page = own_page
    trade(Api(page))
    hand = Hand(page)
    page.goto("/app")
    hand.click(page.get_by_role("link", name="Transactions", exact=True))
    hand.click(page.get_by_role("button", name="Views"))
    month = f"{datetime.now(UTC):%B %Y}"
    hand.click(page.get_by_role("menuitem", name=f"Failures in {month}"))
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_role("main")).to_contain_text(f"1 to 3 of 3, {month}")
    # What failed says why, or where that is said.
    expect(rows(page).filter(has_text="PO-1004")).to_contain_text("error")
    hand.actions -= 1
    hand.click(page.get_by_role("link", name="Why PO-1002 was refused"))
    expect(page.get_by_role("heading", name="Errors reported by the partner")).to_be_visible()
    page.go_back()
    with page.expect_download() as started:
        hand.click(page.get_by_role("button", name="Export CSV"))
    started.value.save_as(tmp_path / "rows.csv")
    _, *lines = (tmp_path / "rows.csv").read_text().splitlines()
    named = [(word, word in line) for word, line in zip(FAILURES, lines, strict=True)]
    assert named == [(word, True) for word in FAILURES]
    assert hand.actions <= 6


def test_several_are_cancelled_and_each_outcome_is_told(own_page: Page, watch: Watch) -> None:
    page = own_page
    held(Api(page), ["PO-1", "PO-2"])
    watch.expect(f"/api/transactions/{invalid(Api(page), 'PO-3')}/cancel", 409)
    page.goto("/app/transactions")
    page.get_by_role("button", name="Select page").click()
    page.get_by_role("button", name="Cancel transactions…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel transactions").click()
    expect(dialog).to_contain_text("Enter a reason; the timeline shows it.")
    dialog.get_by_role("textbox", name="Reason").fill("Ordered twice")
    dialog.get_by_role("button", name="Cancel transactions").click()
    outcomes = dialog.get_by_role("list", name="Results").get_by_role("listitem")
    expect(outcomes).to_have_count(3)
    expect(outcomes.filter(has_text=": cancelled")).to_have_count(2)
    axe(page)
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    expect(page.get_by_role("main")).to_be_focused()  # nothing is ticked, so the button is gone
    expect(rows(page).filter(has_text="Cancelled")).to_have_count(2)


def test_what_cannot_be_sent_again_is_named(own_page: Page) -> None:
    page = own_page
    record = submit(Api(page), "PO-1")
    settle(Api(page), record, "acknowledged")
    page.goto("/app/transactions?tx_set=850")
    page.get_by_role("checkbox", name="Select PO-1").check()
    page.get_by_role("button", name="Retry deliveries…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Retry deliveries").click()
    expect(dialog).to_contain_text("0 transactions are sent again. 1 transaction skipped.")
    expect(dialog.get_by_role("listitem")).to_contain_text("it is neither failed nor waiting")
    assert Api(page).get(f"/api/transactions/{record}")["transaction"]["attempts"] == 1


def gone(page: Page, partner: str, number: str, url: str) -> int:
    """Send an order to a partner whose address says that it is gone for good."""
    api = Api(page)
    names = {"name": partner, "isa_qualifier": "ZZ", "isa_id": partner.upper(), "ack_type": "none"}
    body = {**names, "connections": {"test": {"type": "http", "url": url}}}
    made = api.post("/api/partners", body)["partner"]["id"]
    record = submit(api, number, partner_id=made)
    settle(api, record, "failed")
    return record


def test_failed_deliveries_are_sent_again_and_each_outcome_is_told(
    reaching_site: Site, browser: Browser, new_context: Callable[..., BrowserContext]
) -> None:
    state = reaching_site.state_of(reaching_site.set_up(), browser)
    page = new_context(base_url=reaching_site.address, storage_state=state).new_page()
    invalid(Api(page), "PO-3")
    with destination(status=410) as (url, bodies):
        failed = [gone(page, "North", "PO-1", url), gone(page, "South", "PO-2", url)]
        page.goto("/app/transactions?status=failed,invalid")
        expect(rows(page)).to_have_count(3)
        page.get_by_role("button", name="Select page").click()
        page.get_by_role("button", name="Retry deliveries…").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Retry deliveries").click()
        expect(dialog).to_contain_text("2 transactions are sent again. 1 transaction skipped")
        expect(dialog.get_by_role("listitem")).to_have_text([
            re.compile("PO-[12]: sent again"),
            re.compile("PO-[12]: sent again"),
            re.compile("PO-3: skipped: it is neither failed nor waiting"),
        ])
        axe(page)
        for record in failed:  # a partner that is gone takes nothing more until somebody says so
            settle(Api(page), record, "held")
    assert len(bodies) == 2
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    expect(rows(page)).to_contain_text(["PO-3"])


def test_all_failed_deliveries_of_a_filtered_list_are_sent_again(
    reaching_site: Site, browser: Browser, new_context: Callable[..., BrowserContext]
) -> None:
    state = reaching_site.state_of(reaching_site.set_up(), browser)
    page = new_context(base_url=reaching_site.address, storage_state=state).new_page()
    with destination(status=410) as (url, _bodies):
        north, south = gone(page, "North", "PO-1", url), gone(page, "South", "PO-2", url)
        page.goto("/app/transactions?status=failed&q=North")
        expect(rows(page)).to_have_count(1)
        page.get_by_role("button", name="Retry deliveries…").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Of the 1 transaction in the list")
        dialog.get_by_role("button", name="Retry deliveries").click()
        expect(dialog).to_contain_text("1 transaction is sent again.")
        settle(Api(page), north, "held")
    assert Api(page).get(f"/api/transactions/{south}")["transaction"]["status"] == "failed"


def test_why_something_is_held_is_said_and_where_to_change_it(own_page: Page) -> None:
    page = own_page
    held(Api(page), ["PO-1"])
    page.goto("/app/transactions")
    expect(rows(page)).to_contain_text("Held")
    expect(rows(page)).to_contain_text("After delivery")
    page.get_by_role("link", name="PO-1", exact=True).click()
    about = page.get_by_role("region", name="About this transaction")
    expect(about).to_contain_text("Harbour Foods has no connection.")
    expect(page.get_by_role("list", name="Timeline")).to_contain_text("Held")
    page.get_by_role("tab", name="Events").click()
    happened = page.get_by_role("region", name="What happened")
    session = Api(page).get("/api/session")
    expect(happened.get_by_role("row").last).to_contain_text(session["user"]["email"])
    axe(page)
    about.get_by_role("link", name="Harbour Foods").last.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Harbour Foods")


def test_a_viewer_looks_and_changes_nothing(own_page: Page, page_of: PageOf, site: Site) -> None:
    traded = trade(Api(own_page))
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app/transactions")
    expect(rows(page)).to_have_count(9)
    for name in ("Select page", "Retry deliveries…"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.goto(f"/app/transactions/{traded.rejected}")
    expect(page.get_by_role("region", name=TEXT)).to_contain_text("BEG*00*SA*PO-1002")
    expect(page.get_by_role("region", name="Actions")).to_have_count(0)
    page.goto(f"/app/transactions/{traded.rejected}/correct")
    expect(
        page.get_by_text("Your role is viewer: only owners and editors can send documents.")
    ).to_be_visible()


# ---- one transaction ---------------------------------------------------------------------------


def test_why_an_order_was_rejected_and_which_rule_did_it_takes_six_actions(own_page: Page) -> None:
    page = own_page
    rejected_order(Api(page), "PO-12345")
    hand = Hand(page)
    page.goto("/app")
    hand.click(page.get_by_role("link", name="Transactions", exact=True))
    hand.click(page.get_by_role("link", name="PO-12345", exact=True))
    text = page.get_by_role("region", name=TEXT)
    expect(text.locator("mark")).to_have_text("XX")
    expect(text).to_contain_text("PO1.06: Simulator says Invalid code value (AK4 7)")
    expect(text).to_contain_text(f"Set by rule 9 of “{MAP_NAME}”, version 1. It always writes XX.")
    axe(page)
    hand.click(text.get_by_role("link", name="Open rule 9"))
    row = page.locator(f'[data-panel=target] [data-node="{WRONG}"]')
    expect(row).to_have_attribute("aria-selected", "true")
    assert hand.actions <= 6


def test_an_acknowledgement_that_comes_is_shown_by_itself(own_page: Page) -> None:
    page = own_page
    api = Api(page)
    record = submit(api, "PO-1", "never")
    settle(api, record, "delivered")
    page.goto(f"/app/transactions/{record}")
    about = page.get_by_role("region", name="About this transaction")
    expect(about).to_contain_text("Waiting")
    expect(about).to_contain_text("due tomorrow")
    receive(api, simulator(api), accepted(api, record))
    expect(page.get_by_role("list", name="Timeline")).to_contain_text("Acknowledgement: accepted")
    expect(about).not_to_contain_text("Waiting")
    page.get_by_role("tab", name="Acknowledgements").click()
    expect(page.get_by_role("region", name="997 from the partner")).to_contain_text("A, accepted")
    expect(page).to_have_url(re.compile(r"\?tab=acks$"))


def accepted(api: Api, record: int) -> str:
    """Return the 997 with which the simulator would have accepted an order."""
    sent = api.call("GET", f"/api/transactions/{record}/content").text()
    own = sent[35:50].strip()
    isa = f"ISA*00*{'':10}*00*{'':10}*ZZ*{'SIMULATOR':15}*ZZ*{own:15}*260115*1406*U*00401*900000001"
    body = "ST*997*0001~AK1*PO*1~AK2*850*0001~AK5*A~AK9*A*1*1*1~SE*6*0001"
    group = f"GS*FA*SIMULATOR*{own}*20260115*1406*9*X*004010"
    return f"{isa}*0*T*>~{group}~{body}~GE*1*9~IEA*1*900000001~"


@pytest.mark.parametrize(
    ("tab", "region", "text"),
    [
        ("tree", "Segments", "Purchase order"),
        ("fields", "Fields of the document", "BEG.03"),
        (
            "findings",
            "Errors reported by the partner",
            "BEG.01: Simulator says Invalid code value (AK4 7)",
        ),
        ("deliveries", "Attempts to deliver", "succeeded"),
        ("events", "What happened", "Acknowledgement: rejectedLongshore"),
    ],
)
def test_each_tab_stands_in_the_address(own_page: Page, tab: str, region: str, text: str) -> None:
    page = own_page
    record = submit(Api(page), "PO-1", "reject:5")
    settle(Api(page), record, "rejected")
    page.goto(f"/app/transactions/{record}?tab={tab}")
    expect(page.get_by_role("region", name=region, exact=True)).to_contain_text(text)
    axe(page)


def test_a_path_in_the_address_brings_its_place_into_view(own_page: Page) -> None:
    page = own_page
    record = invalid(Api(page), "PO-1")
    page.goto(f"/app/transactions/{record}?at=PO1.02")
    chosen = page.get_by_role("region", name=TEXT).locator("[data-chosen]")
    expect(chosen).to_contain_text("PO1*1*many48*EA")
    expect(chosen.locator("mark")).to_have_text("many48")


def test_what_was_delivered_is_sent_again_only_for_a_reason(own_page: Page) -> None:
    page = own_page
    api = Api(page)
    record = submit(api, "PO-1")
    settle(api, record, "acknowledged")
    page.goto(f"/app/transactions/{record}")
    actions = page.get_by_role("region", name="Actions")
    expect(actions.get_by_role("button", name="Cancel…")).to_be_disabled()
    expect(actions).to_contain_text("This one cannot: it was delivered.")
    actions.get_by_role("button", name="Retry…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Resend").click()
    expect(dialog).to_contain_text("Enter a reason; the timeline shows it.")
    dialog.get_by_role("textbox", name="Reason").fill("They lost it")
    dialog.get_by_role("button", name="Resend").click()
    expect(page.get_by_role("list", name="Timeline")).to_contain_text("Attempt 2 succeeded")
    page.get_by_role("tab", name="Events").click()
    expect(page.get_by_role("region", name="What happened")).to_contain_text("They lost it")


def test_a_reissue_leads_to_its_record_and_back(own_page: Page) -> None:
    page = own_page
    record = submit(Api(page), "PO-1", "reject:5")
    settle(Api(page), record, "rejected")
    page.goto(f"/app/transactions/{record}")
    page.get_by_role("button", name="Reissue…").click()
    page.get_by_role("dialog").get_by_role("button", name="Reissue").click()
    page.get_by_role("tab", name=f"Compared with {record}").click()
    expect(page.get_by_role("region", name="Both documents").locator("ins").first).to_be_visible()
    about = page.get_by_role("region", name="About this transaction")
    about.get_by_role("link", name=str(record), exact=True).last.click()
    expect(page).to_have_url(re.compile(rf"/transactions/{record}$"))
    expect(about).to_contain_text("Resent as")


def test_a_redacted_copy_keeps_structure_and_tells_nothing(own_page: Page) -> None:
    page = own_page
    record = submit(Api(page), "PO-1001")
    page.goto(f"/app/transactions/{record}")
    page.get_by_role("button", name="Copy redacted…").click()
    copy = page.get_by_role("dialog").get_by_role("region", name="Redacted document")
    expect(copy).to_contain_text("BEG*00*SA*XX-9999**99999999~")
    shown = copy.inner_text()
    assert re.search("Quillmark|PO-1001|SIMULATOR|2075550142", shown) is None
    assert shown.count("~") == Api(page).call(
        "GET", f"/api/transactions/{record}/content"
    ).text().count("~")
    axe(page)


# ---- what is not there -------------------------------------------------------------------------


def test_a_document_of_many_megabytes_is_shown_in_part(own_page: Page) -> None:
    page = own_page
    record = submit(Api(page), "PO-1")
    segment = f"N3*{'x' * 80}~"
    long = order("PO-1") + segment * 40_000
    page.route("**/content", lambda route: route.fulfill(body=long))
    page.goto(f"/app/transactions/{record}")
    expect(page.get_by_text("Shown are the first")).to_be_visible()
    expect(page.get_by_role("region", name=TEXT)).to_contain_text("BEG*00*SA*PO-1")
    page.get_by_role("tab", name="Tree").click()
    expect(page.get_by_text("is too large to be shown here")).to_be_visible()


def refused(route: Route) -> None:
    """Answer as the service does for what it has not."""
    body = {"ok": False, "error": "It does not exist.", "code": "not_found", "request_id": "r"}
    route.fulfill(status=404, json=body)


def test_a_document_deleted_by_retention_is_explained(own_page: Page, watch: Watch) -> None:
    page = own_page
    record = submit(Api(page), "PO-1")
    settle(Api(page), record, "acknowledged")
    watch.expect(f"/api/transactions/{record}/content", 404)
    page.route("**/content", refused)
    page.goto(f"/app/transactions/{record}")
    expect(page.get_by_text("The document is no longer stored")).to_be_visible()
    expect(page.get_by_role("region", name="About this transaction")).to_contain_text("ISA ")


def test_a_record_deleted_while_it_is_open_stays_readable(own_page: Page, watch: Watch) -> None:
    page = own_page
    record = invalid(Api(page), "PO-1")
    page.clock.install()
    page.goto(f"/app/transactions/{record}")
    expect(page.get_by_role("region", name=TEXT)).to_be_visible()
    watch.expect(f"/api/transactions/{record}", 404)
    page.route(f"**/api/transactions/{record}", refused)
    page.wait_for_load_state("networkidle")  # each list has set its clock by then
    page.clock.fast_forward(16_000)
    expect(page.get_by_text("was deleted while the page was open")).to_be_visible()
    expect(page.get_by_role("region", name=TEXT)).to_contain_text("PO-1")
    expect(page.get_by_role("region", name="Actions")).to_have_count(0)


@pytest.mark.parametrize("found", ["987654321", "x"])
def test_what_is_not_there_is_told(page: Page, watch: Watch, found: str) -> None:
    watch.expect(f"/api/transactions/{found}", 404)
    page.goto(f"/app/transactions/{found}")
    expect(page.get_by_text("This transaction does not exist in this environment.")).to_be_visible()
    axe(page)


def test_a_period_that_ends_before_it_begins_is_told_at_its_fields(page: Page) -> None:
    page.goto("/app/transactions?date_from=2026-02-01&date_to=2026-01-31")
    told = "Created from is after Created to, so the period is empty."
    expect(page.get_by_role("alert")).to_have_text(told)
    for name in ("Created from", "Created to"):
        field = page.get_by_label(name)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(told)
    axe(page)
    page.get_by_label("Created to").fill("2026-02-01")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_label("Created from")).not_to_have_attribute("aria-invalid", "true")


def test_what_nobody_knows_in_an_address_is_left_out_and_told(own_page: Page) -> None:
    page = own_page
    invalid(Api(page), "PO-1")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/app/transactions?status=foo,invalid&date_from=never&tx_set=85-0&partner_id=x")
    expect(rows(page)).to_contain_text(["PO-1"])
    expect(
        page.get_by_text("status=foo, date_from=never, tx_set=85-0, partner_id=x")
    ).to_be_visible()
    lists = [url.partition("?")[2] for url in asked if "/api/transactions?" in url]
    assert set(lists) == {"status=invalid&limit=50"}
