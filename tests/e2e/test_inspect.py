"""Inspect: every way a document comes in, what is told of it, and what is refused where."""

import json
import re
import subprocess
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from longshore.domain.users.model import UserRole
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER, choose, copied, drop, paste
from tests.e2e.support.site import Site, User
from tests.e2e.support.watch import NO_ANSWER, Watch

PageOf = Callable[..., Page]

BAD_ORDER = ORDER.replace("*SA*PO-20260302-17**20260302", "*S*PO-20260302-17**2026AA02")
SAMPLE = "/app/inspect?sample=850_purchase_order"
REFUSED = {"ok": False, "error": "No room.", "code": "overloaded", "request_id": "req_7"}


def about(page: Page) -> Locator:
    return page.get_by_role("list", name="About the document")


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("treeitem", name=name).first


def chosen(page: Page) -> Locator:
    return page.locator("[role=treeitem][aria-selected=true]")


def test_a_pasted_order_is_told_in_words_and_is_valid(page: Page) -> None:
    page.goto("/app/inspect")
    paste(page, ORDER)
    expect(about(page).get_by_role("listitem")).to_have_text([
        "X12",
        "850 Purchase order",
        "004010",
        "separators * ~ >",
        "1 transaction set, 116 values",
    ])
    expect(page.get_by_text("Valid", exact=True)).to_be_visible()
    expect(row(page, "BEG, Header, value 00 · SA · PO-20260302-17")).to_be_visible()


def test_typed_text_is_inspected_by_the_button(page: Page) -> None:
    page.goto("/app/inspect")
    page.get_by_role("textbox", name="Document").fill('{"a": 1, "b": [true]}')
    page.get_by_role("button", name="Inspect").click()
    expect(about(page).get_by_role("listitem")).to_have_text(["JSON", "2 values"])
    expect(row(page, "[0], value true")).to_be_visible()


def test_a_finding_leads_to_its_row_and_back_leads_to_the_findings(page: Page) -> None:
    page.goto("/app/inspect")
    paste(page, BAD_ORDER)
    expect(page.get_by_text("2 errors").first).to_be_visible()
    expect(row(page, "BEG, Header")).to_have_accessible_name(
        "BEG, Header, value 00 · S · PO-20260302-17 · 2026AA02, 2 errors"
    )
    page.get_by_role("tab", name="Findings 2").click()
    page.get_by_role("link", name="Go to BEG.05").click()
    expect(chosen(page)).to_have_accessible_name("BEG05, Order date, value 2026AA02, 1 error")
    findings = page.get_by_role("list", name="Findings of this row")
    expect(findings).to_contain_text("element is not a date")
    page.go_back()
    expect(page.get_by_role("list", name="Findings", exact=True)).to_be_visible()


def test_the_acknowledgement_rejects_what_has_errors(page: Page) -> None:
    page.goto("/app/inspect")
    paste(page, BAD_ORDER)
    page.get_by_role("tab", name="Acknowledgement").click()
    expect(page.get_by_role("region", name="Acknowledgement")).to_contain_text("AK5*R*5~")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy acknowledgement").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert "~AK4*5*373*8*2026AA02~" in copied(page)


def test_the_tree_is_walked_and_unfolded_by_keyboard(page: Page) -> None:
    page.goto(SAMPLE)
    tree = page.get_by_role("tree", name="Segments")
    tree.focus()
    page.keyboard.type("beg")
    expect(chosen(page)).to_have_accessible_name(
        "BEG, Header, value 00 · SA · PO-20260302-17 · 20260302"
    )
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(chosen(page)).to_have_accessible_name(
        "BEG03, Purchase order number, value PO-20260302-17"
    )
    expect(tree).to_have_attribute("aria-activedescendant", chosen(page).get_attribute("id") or "")
    expect(page.get_by_role("heading", name="BEG03 Purchase order number")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(row(page, "BEG, Header")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("End")
    expect(chosen(page)).to_have_accessible_name("IEA, Interchange trailer, value 1 · 000000417")


def test_the_chosen_row_stands_in_the_address_and_survives_a_reload(page: Page) -> None:
    page.goto(SAMPLE)
    row(page, "CUR, Currency").click()
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?sample=850_purchase_order&at=CUR")
    page.reload()
    expect(chosen(page)).to_have_accessible_name("CUR, Currency, value BY · USD")


def test_a_row_tells_its_value_path_type_and_meaning(page: Page) -> None:
    page.goto(f"{SAMPLE}&at=BEG.02")
    panel = page.get_by_role("tabpanel")
    for words in ("SA", "stand-alone order", "BEG.02", "code, 2 characters"):
        expect(panel.get_by_text(words, exact=True)).to_be_visible()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    panel.get_by_role("button", name="Copy path").click()
    expect(panel.get_by_role("button", name="Copied")).to_be_visible()
    assert copied(page) == "BEG.02"


def test_a_file_that_is_no_utf_8_is_read_as_windows_1252(page: Page) -> None:
    page.goto("/app/inspect")
    choose(page, ORDER.replace("Purchasing desk", "Café desk").encode("cp1252"), "café.edi")
    expect(about(page)).to_contain_text("café.edi")
    expect(row(page, "PER, Contacts, buyer, value BD · Café desk")).to_be_visible()


def test_what_is_no_text_is_refused_before_it_is_sent(page: Page) -> None:
    page.goto("/app/inspect")
    choose(page, bytes(range(32)) * 9, "picture.png")
    expect(page.get_by_role("textbox", name="Document")).to_have_accessible_description(
        re.compile("^The file is not text. Choose an X12, JSON, XML or CSV document.")
    )


@pytest.mark.parametrize("path", ["/app", "/app/inspect"])
def test_a_file_over_the_limit_is_refused_before_it_is_sent(page: Page, path: str) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.goto(path)
    drop(page, "large.edi", size=33 * 1_048_576)
    told = page.get_by_text("The document has 33.0 MiB; the limit is 32.0 MiB.")
    expect(told.first).to_be_visible()
    assert not [address for address in sent if address.endswith("/api/inspect")]


def test_a_dropped_file_is_inspected(page: Page) -> None:
    page.goto("/app/inspect")
    drop(page, "order.edi", text=ORDER)
    expect(about(page)).to_contain_text("order.edi")


def test_an_empty_field_is_refused_in_its_place(page: Page) -> None:
    page.goto("/app/inspect")
    page.get_by_role("button", name="Inspect").click()
    expect(page.get_by_text("The document is empty.").first).to_be_visible()
    axe(page)


def test_a_refusal_tells_the_place_and_keeps_the_text(page: Page, watch: Watch) -> None:
    watch.expect("/api/inspect", 400)
    page.goto("/app/inspect")
    paste(page, '{"a": 1,\n "b": }')
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The document could not be read.")
    expect(alert).to_contain_text("line 2, character offset 15")
    field = page.get_by_role("textbox", name="Document")
    expect(field).to_have_value('{"a": 1,\n "b": }')
    axe(page)
    field.fill('{"a": 1}')
    page.get_by_role("button", name="Inspect").click()
    expect(about(page)).to_contain_text("1 value")


def test_a_document_is_read_as_another_format_if_asked(page: Page, watch: Watch) -> None:
    watch.expect("/api/inspect", 400)
    page.goto("/app/inspect")
    with page.expect_response("**/api/inspect"):  # it is read as X12 first
        paste(page, "ISA,ST\n1,2\n")
    page.get_by_label("Format").select_option("CSV")
    expect(about(page).get_by_role("listitem")).to_have_text([
        "CSV",
        "separator ,",
        "1 row, 2 values",
    ])
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?format=csv")


def test_another_release_and_other_codes_are_chosen(page: Page) -> None:
    page.goto(SAMPLE)
    expect(page.get_by_text("Valid", exact=True)).to_be_visible()
    page.get_by_label("Release").select_option("005010")
    expect(page.get_by_text("separators * ~ >")).to_be_visible()
    expect(page).to_have_url(
        f"{page.url.partition('?')[0]}?sample=850_purchase_order&release=005010"
    )
    with page.expect_response("**/api/inspect") as answered:
        page.get_by_label("Codes").select_option("not checked")
    assert answered.value.json()["codes"] == "off"
    expect(page).to_have_url(re.compile("&release=005010&codes=off$"))


def test_the_copied_curl_runs_as_it_stands_but_for_the_key(own_page: Page) -> None:
    page = own_page
    page.goto("/app/inspect")
    paste(page, ORDER.replace("Desk lamp, brass", "Desk `lamp` $HOME 'brass' \\"))
    page.get_by_role("button", name="Copy as curl").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    key = Api(page).post("/api/keys", {"name": "curl", "environment": "sandbox"})["key"]
    command = copied(page).replace("svc_test_YOUR_KEY", key)
    ran = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=True)
    answer = json.loads(ran.stdout)
    assert (answer["ok"], answer["valid"], answer["tx_set"]) == (True, True, "850")


def test_map_it_hands_the_document_to_a_new_map(page: Page) -> None:
    page.goto(SAMPLE)
    page.get_by_role("button", name="Map it").click()
    expect(page).to_have_url(f"{page.url.partition('/app')[0]}/app/maps/new")


def test_a_viewer_inspects_but_makes_no_map(page_of: PageOf, site: Site, owner: User) -> None:
    page = page_of(site.new_user(owner.account, UserRole.VIEWER))
    page.goto(SAMPLE)
    expect(about(page)).to_contain_text("116 values")
    expect(page.get_by_role("button", name="Map it")).to_have_count(0)


def test_five_megabytes_are_few_rows_of_the_page(page: Page) -> None:
    start, end = ORDER.index("PO1*1*"), ORDER.index("CTT*")
    lines = ORDER[start:end]
    page.goto("/app/inspect")
    large = ORDER[:start] + lines * (5_000_000 // len(lines)) + ORDER[end:]
    choose(page, large.encode())
    expect(page.get_by_role("tree")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("The document continues after the tree")).to_be_visible()
    page.get_by_role("tree").focus()
    page.keyboard.press("*")
    page.keyboard.press("End")
    expect(chosen(page)).to_be_visible()
    assert page.get_by_role("treeitem").count() < 120


def test_an_unknown_sample_is_told_and_another_can_be_taken(page: Page) -> None:
    page.goto("/app/inspect?sample=nothing")
    expect(page.get_by_text("There is no sample with this name.")).to_be_visible()
    page.get_by_role("button", name="Use a sample").first.click()
    axe(page)
    page.get_by_role("menuitem", name="997").click()
    expect(about(page)).to_contain_text("sample 997_functional_acknowledgment")


def test_a_stored_document_that_is_not_there_is_told(page: Page, watch: Watch) -> None:
    watch.expect("/api/vault/987654321", 404)
    page.goto("/app/inspect?doc=987654321")
    expect(page.get_by_role("alert")).to_contain_text("Not found")


def test_a_busy_server_is_waited_for_and_asked_again(page: Page, watch: Watch) -> None:
    def busy(route: Route) -> None:
        route.fulfill(status=503, headers={"Retry-After": "1"}, json=REFUSED)

    watch.expect("/api/inspect", 503)
    page.route("**/api/inspect", busy, times=1)
    page.goto(SAMPLE)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The server is busy")
    expect(alert).to_contain_text("req_7")
    again = alert.get_by_role("button", name="Try again")
    expect(again).to_be_enabled()
    axe(page)
    again.click()
    expect(about(page)).to_contain_text("116 values")


def test_without_a_server_the_page_says_so_and_keeps_the_text(page: Page, watch: Watch) -> None:
    watch.expect("/api/inspect", NO_ANSWER)
    page.goto("/app/inspect")
    page.route("**/api/inspect", lambda route: route.abort())
    paste(page, ORDER)
    expect(page.get_by_role("alert")).to_contain_text("No connection to the server")
    expect(page.get_by_role("textbox", name="Document")).to_have_value(ORDER)


def test_while_it_is_looked_into_the_page_is_busy(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/inspect", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.goto(SAMPLE)
    expect(page.get_by_role("status", name="Inspecting the document")).to_have_attribute(
        "aria-busy", "true"
    )
    held[0].continue_()
    expect(page.get_by_role("tree")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["", "&tab=findings", "&tab=ack", "&at=BEG.02"])
def test_axe_finds_nothing_on_an_inspected_document(
    page_of: PageOf, owner: User, scheme: str, tab: str
) -> None:
    page = page_of(owner, color_scheme=scheme)
    page.goto(SAMPLE + tab)
    expect(page.get_by_role("tree")).to_be_visible()
    axe(page)


@pytest.mark.parametrize("width", [390, 320])
def test_a_narrow_screen_does_not_scroll_sideways(page_of: PageOf, owner: User, width: int) -> None:
    page = page_of(owner, viewport={"width": width, "height": 844})
    page.goto(SAMPLE)
    expect(page.get_by_role("tree")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_sample_is_made_of_any_set_and_has_the_fault_that_was_asked_for(page: Page) -> None:
    page.goto("/app/inspect")
    page.get_by_role("button", name="Make a sample").click()
    dialog = page.get_by_role("dialog", name="Make a sample")
    dialog.get_by_label("Transaction set").first.fill("271")
    page.get_by_role("option", name="271").click()
    dialog.get_by_label("Release or guide").select_option("005010X279A1")
    dialog.get_by_label("Contents").select_option("minimal")
    dialog.get_by_label("Fault").select_option("segment missing")
    dialog.get_by_label("Number").fill("3")
    axe(page)
    dialog.get_by_role("button", name="Make and inspect").click()
    expect(page.get_by_text("1 error").first).to_be_visible()
    expect(about(page)).to_contain_text("271")
    page.get_by_role("tab", name="Findings 1").click()
    findings = page.get_by_role("list", name="Findings", exact=True)
    expect(findings).to_contain_text("missing")


def test_a_sample_that_cannot_be_made_is_refused_with_the_reason(page: Page, watch: Watch) -> None:
    watch.expect("/api/samples/850", 400)
    page.goto("/app/inspect")
    page.get_by_role("button", name="Make a sample").click()
    dialog = page.get_by_role("dialog", name="Make a sample")
    dialog.get_by_label("Fault").select_option("claim out of balance")
    dialog.get_by_role("button", name="Make and inspect").click()
    expect(dialog).to_contain_text("This document has no place for claim_out_of_balance")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
