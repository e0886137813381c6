"""Acknowledgements: who owes one, what partners complain about, where that is in our document."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.trade import settle, submit, trade
from tests.e2e.support.watch import Watch


def rows(page: Page, table: str) -> Locator:
    """Return the rows of a table, with those that say more."""
    region = page.get_by_role("region", name=table)
    return region.get_by_role("rowgroup").nth(1).get_by_role("row")


def test_which_partners_owe_an_answer_is_one_look(own_page: Page) -> None:
    page = own_page
    traded = trade(Api(page))
    page.goto("/app")
    page.get_by_role("link", name="Acknowledgements", exact=True).click()
    expect(page.get_by_text("1 acknowledgement of 1 partner is outstanding.")).to_be_visible()
    expect(rows(page, "Outstanding by partner")).to_have_count(1)
    owed = rows(page, "Outstanding acknowledgements")
    expect(owed).to_have_count(1)
    expect(owed).to_contain_text("Not due yet")
    link = owed.get_by_role("link", name="PO-1003", exact=True)
    expect(link).to_have_attribute("href", f"/app/transactions/{traded.unanswered}")
    page.get_by_role("combobox", name="Due").select_option("Overdue")
    expect(page.get_by_text("No outstanding acknowledgement matches.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?overdue=true$"))
    page.get_by_role("textbox", name="Set").fill("85!")
    expect(page.get_by_text("For example 850 or 850,810")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?overdue=true$"))
    page.get_by_role("button", name="Clear filters").click()
    expect(page.get_by_role("textbox", name="Set")).to_have_value("")
    expect(owed).to_have_count(1)


def test_overdue_answers_come_first_and_are_counted_by_partner(own_page: Page) -> None:
    page = own_page
    traded = trade(Api(page))
    awaited = Api(page).get("/api/acks?status=pending")["acks"][0]
    late = {**awaited, "id": 900, "overdue": True, "partner_id": 900, "partner_name": "Late & Co"}

    # Nobody can wait for the two days after which the service itself says so.
    def answer(acks: list[object]) -> dict[str, object]:
        known = Api(page).get("/api/acks?limit=1")
        return {**known, "acks": acks, "count": len(acks), "total": len(acks), "has_more": False}

    lists = {"true": answer([late]), "false": answer([awaited])}
    page.route(
        re.compile(r"/api/acks\?.*overdue=(true|false)"),
        lambda route: route.fulfill(
            json=lists[re.findall("overdue=([a-z]+)", route.request.url)[0]]
        ),
    )
    page.goto("/app/acks")
    expect(
        page.get_by_text("2 acknowledgements of 2 partners are outstanding, 1 of them overdue.")
    ).to_be_visible()
    expect(rows(page, "Outstanding by partner")).to_contain_text([
        re.compile("Late & Co.*1 overdue"),
        "Simulator",
    ])
    expect(rows(page, "Outstanding acknowledgements")).to_contain_text(["Late & Co", "Simulator"])
    page.get_by_role("region", name="Outstanding by partner").get_by_role("link", name="1").nth(
        1
    ).click()
    expect(page).to_have_url(re.compile(f"partner_id={traded.partner}$"))


def test_a_complaint_names_the_place_in_our_document_and_leads_there(own_page: Page) -> None:
    page = own_page
    traded = trade(Api(page))
    page.goto("/app/acks")
    page.get_by_role("tab", name="Received").click()
    page.get_by_role("combobox", name="Result").select_option("Rejected")
    received = rows(page, "Received acknowledgements")
    expect(received).to_have_count(1)
    page.get_by_role("button", name="1 error").click()
    page.reload()
    expect(
        page.get_by_text("Result of the set: R, rejected. Codes: 5, Segments in error.")
    ).to_be_visible()
    complaint = page.get_by_role("list", name="Reported errors").get_by_role("listitem")
    expect(complaint).to_contain_text("Invalid code value (7) BEG, segment 2, element 1")
    expect(complaint).to_contain_text("In our document: BEG.01 has the value 00.")
    expect(page.get_by_role("link", name="Open transaction PO-1002")).to_be_visible()
    place = complaint.get_by_role("link", name="BEG.01")
    href = f"/app/transactions/{traded.rejected}?tab=raw&at=BEG.01"
    expect(place).to_have_attribute("href", href)
    axe(page)
    page.get_by_role("button", name="1 error").click()
    expect(complaint).to_have_count(0)


def test_an_export_has_the_rows_of_the_list(own_page: Page, tmp_path: Path) -> None:
    page = own_page
    traded = trade(Api(page))
    page.goto("/app/acks?tab=received&result=rejected")
    with page.expect_download() as started:
        page.get_by_role("button", name="Export CSV").click()
    assert started.value.suggested_filename == "acknowledgements-received.csv"
    started.value.save_as(tmp_path / "acks.csv")
    head, row = (tmp_path / "acks.csv").read_text().splitlines()
    cells = dict(zip(head.split(","), row.split(","), strict=True))
    told = (cells["transaction_id"], cells["business_key"], cells["result"])
    assert told == (str(traded.rejected), "PO-1002", "rejected")


def test_a_refused_export_says_why(own_page: Page, watch: Watch) -> None:
    page = own_page
    watch.expect("/api/acks/export", 400)
    text = "More than 100,000 rows fit. Narrow the list."
    body = {"ok": False, "error": text, "code": "limit_exceeded", "request_id": "req_1"}
    page.route("**/api/acks/export*", lambda route: route.fulfill(status=400, json=body))
    page.goto("/app/acks?tab=sent")
    page.get_by_role("button", name="Export CSV").click()
    expect(page.get_by_text("The rows could not be exported.").first).to_be_visible()
    expect(page.get_by_role("alert").get_by_text(text)).to_be_visible()


def test_what_we_answered_is_listed_with_its_result(own_page: Page) -> None:
    page = own_page
    trade(Api(page))
    page.goto("/app/acks?tab=sent")
    sent = rows(page, "Sent acknowledgements")
    expect(sent).to_have_count(1)
    expect(sent).to_contain_text("Accepted")
    page.get_by_role("button", name="Details").click()
    expect(page.get_by_text("Result of the set: A, accepted.")).to_be_visible()


def test_what_we_have_not_sent_yet_says_so_and_is_owed_by_nobody(own_page: Page) -> None:
    page, api = own_page, Api(own_page)
    trade(api)
    known = api.get("/api/acks?direction=outbound")
    queued = {**known["acks"][0], "status": "queued", "sent_at": None}
    page.route(
        re.compile(r"/api/acks\?.*direction=outbound"),
        lambda route: route.fulfill(json={**known, "acks": [queued]}),
    )
    page.goto("/app/acks?tab=sent")
    expect(rows(page, "Sent acknowledgements")).to_contain_text("Not sent yet")
    pending = api.get("/api/acks?status=pending")["acks"]
    assert [each["direction"] for each in pending] == ["inbound"]


def test_an_answer_that_comes_while_one_is_read_waits_above(own_page: Page) -> None:
    page, api = own_page, Api(own_page)
    trade(api)
    page.clock.install()
    page.goto("/app/acks?tab=received")
    page.get_by_role("button", name="1 error").click()
    settle(api, submit(api, "PO-2001"), "acknowledged")
    page.clock.fast_forward(16_000)
    received = rows(page, "Received acknowledgements")
    expect(page.get_by_role("button", name="1 new")).to_be_visible()
    expect(received).to_have_count(3)  # two, and what the open one says
    page.get_by_role("button", name="1 new").click()
    expect(received).to_have_count(4)
    expect(page.get_by_role("list", name="Reported errors")).to_be_visible()
