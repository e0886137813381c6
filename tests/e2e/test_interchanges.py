"""Interchanges: why one is in quarantine, what can be decided, and what comes of it."""

import re

from playwright.sync_api import Page, expect

from longshore.domain.users.model import UserRole
from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.site import Site
from tests.e2e.support.trade import WRONG_END, receive, simulator, until
from tests.e2e.support.watch import Watch


def quarantined(api: Api, *documents: str) -> list[int]:
    """Hand in documents; return the ids of what is in quarantine, oldest first."""
    for document in documents:
        receive(api, simulator(api), document)
    path = "/api/interchanges?status=quarantined"
    kept = until(api, path, lambda answer: answer["count"] == len(documents))
    return sorted(each["id"] for each in kept["interchanges"])


def status(api: Api, interchange: int) -> str:
    found: str = api.get(f"/api/interchanges/{interchange}")["interchange"]["status"]
    return found


def test_what_is_discarded_needs_a_reason_and_is_named(own_page: Page) -> None:
    page, api = own_page, Api(own_page)
    [kept] = quarantined(api, "Dear Sir, this is an order.")
    page.goto("/app/interchanges?status=quarantined")
    expect(
        page.get_by_text("It is not X12: it does not begin with an ISA segment.")
    ).to_be_visible()
    page.get_by_role("link", name=str(kept), exact=True).click()
    expect(page.get_by_text("Ask the sender to send it again as X12")).to_be_visible()
    expect(page.get_by_role("region", name="Content, text")).to_contain_text("Dear Sir")
    page.get_by_role("button", name="Discard…").click()
    dialog = page.get_by_role("dialog", name=f"Discard interchange {kept}")
    expect(dialog).to_contain_text(f"Interchange {kept}, 1 transaction")
    dialog.get_by_role("button", name="Discard").click()
    expect(dialog.get_by_text("Enter a reason.")).to_be_visible()
    assert status(api, kept) == "quarantined"
    dialog.get_by_role("textbox", name="Reason").fill("It is a letter.")
    dialog.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("Discarded", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Discard…")).to_have_count(0)
    assert status(api, kept) == "discarded"


def test_what_is_released_is_processed_and_can_be_replayed(own_page: Page) -> None:
    page, api = own_page, Api(own_page)
    [kept] = quarantined(api, WRONG_END)
    page.goto(f"/app/interchanges/{kept}")
    expect(page.get_by_role("region", name="Reason for the quarantine")).to_contain_text(
        "IEA02 differs from ISA13."
    )
    expect(page.get_by_role("link", name="Correct and resend")).to_have_attribute(
        "href", re.compile(r"^/app/transactions/[0-9]+/correct$")
    )
    page.get_by_role("button", name="Release…").click()
    page.get_by_role("textbox", name="Reason").fill("Agreed by phone.")
    page.get_by_role("button", name="Release", exact=True).click()
    # Twice: of the interchange, and of the transaction in it.
    expect(page.get_by_text("Processed", exact=True)).to_have_count(2)
    page.get_by_role("button", name="Replay…").click()
    page.get_by_role("textbox", name="Reason").fill("The map was corrected.")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_text(f"Interchange {kept} is processed again.").first).to_be_visible()
    until(api, f"/api/interchanges/{kept}", lambda one: one["interchange"]["status"] == "processed")
    actions = [each["action"] for each in api.get("/api/audit?action=interchange")["entries"]]
    assert {"interchange.release", "interchange.replay"} <= set(actions)


def test_of_several_each_has_its_outcome(own_page: Page, watch: Watch) -> None:
    page, api = own_page, Api(own_page)
    first, second = quarantined(api, WRONG_END, "Dear Sir, this is an order.")
    page.goto("/app/interchanges")
    page.get_by_role("button", name="Select all in quarantine").click()
    expect(page.get_by_text("2 interchanges selected")).to_be_visible()
    api.post(f"/api/interchanges/{first}/discard", {"reason": "Somebody else was quicker."})
    watch.expect(f"/api/interchanges/{first}/discard", 409)
    page.get_by_role("button", name="Discard…").click()
    page.get_by_role("textbox", name="Reason").fill("Spam.")
    page.get_by_role("button", name="Discard", exact=True).click()
    outcomes = page.get_by_role("list", name="Results").get_by_role("listitem")
    expect(outcomes).to_contain_text([
        f"Interchange {second}: discarded",
        f"Interchange {first}: This interchange is discarded.",
    ])
    axe(page)
    page.get_by_role("button", name="Close").last.click()
    expect(page.get_by_role("button", name="Select all in quarantine")).to_have_count(0)
    assert (status(api, first), status(api, second)) == ("discarded", "discarded")


def test_a_large_hostile_content_is_shown_in_part_and_as_text(own_page: Page) -> None:
    page, api = own_page, Api(own_page)
    hostile = "<script>document.title = 'run'</script><img src=x onerror=alert(1)>"
    [kept] = quarantined(api, hostile + "x" * 300_000)
    page.goto(f"/app/interchanges/{kept}")
    expect(page.get_by_text("These are the first 256.0 KiB of 293.0 KiB.")).to_be_visible()
    expect(page.get_by_role("region", name="Content, text")).to_contain_text("<script>")
    assert page.title() == f"Interchange {kept} · Longshore"
    assert page.locator("main img").count() == 0
    page.get_by_role("button", name="Release…").click()
    expect(page.get_by_text("It could not be read and will return to")).to_be_visible()


def test_a_viewer_looks_and_is_offered_no_decision(
    own_page: Page, page_of: PageOf, site: Site
) -> None:
    [kept] = quarantined(Api(own_page), WRONG_END)
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app/interchanges")
    expect(page.get_by_role("link", name=str(kept), exact=True)).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("link", name=str(kept), exact=True).click()
    expect(page.get_by_role("region", name="Content, text")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Release|Discard"))).to_have_count(0)
    expect(page.get_by_role("link", name="Correct and resend")).to_have_count(0)


def test_on_a_narrow_screen_a_row_begins_with_what_it_is_and_how_it_stands(
    site: Site, page_of: PageOf
) -> None:
    page = page_of(site.new_account(), viewport={"width": 390, "height": 844})
    quarantined(Api(page), WRONG_END)
    page.goto("/app/interchanges?status=quarantined")
    table = page.get_by_role("region", name="Interchanges")
    row = table.get_by_role("row").nth(1)
    expect(row.get_by_role("cell", name="Quarantined")).to_be_visible()
    tops = row.get_by_role("cell").evaluate_all(
        "cells => cells.map((cell) => [cell.dataset.title, cell.getBoundingClientRect().bottom])"
    )
    lowest_of_lead = max(at for title, at in tops if title in {"Select", "Interchange", "Status"})
    assert all(at >= lowest_of_lead - 4 for title, at in tops if title in {"Time", "Partner"})
    assert table.evaluate("region => region.scrollWidth - region.clientWidth") == 0
