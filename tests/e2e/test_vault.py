"""The vault: its list narrowed by the address, and a document raw, as a tree, beside its source."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from longshore.domain.accounts.model import AccountType
from longshore.domain.users.model import UserRole
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER, store
from tests.e2e.support.site import Site
from tests.e2e.support.watch import NO_ANSWER, Watch

PageOf = Callable[..., Page]


def links(page: Page) -> Locator:
    """Return the names of the listed documents."""
    return (
        page
        .get_by_role("region", name="Stored documents")
        .get_by_role("rowgroup")
        .nth(1)
        .get_by_role("row")
    )


def open_first(page: Page, start: str) -> int:
    """Go to the stored document whose file name begins so; return its id."""
    found: int = Api(page).get(f"/api/vault?q={start}")["docs"][0]["id"]
    page.goto(f"/app/vault/{found}")
    return found


def test_an_empty_vault_offers_the_samples(own_page: Page) -> None:
    page = own_page
    page.goto("/app/vault")
    expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Load sample data").click()
    expect(links(page)).to_have_count(12)
    assert Api(page).get("/api/vault")["total"] == 12
    axe(page)


def test_a_viewer_is_offered_nothing_to_load(own_page: Page, page_of: PageOf, site: Site) -> None:
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app/vault")
    expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Load sample data")).to_have_count(0)


def test_filters_stand_in_the_address_and_come_back_with_it(own_page: Page) -> None:
    page = own_page
    Api(page).post("/api/samples")
    page.goto("/app/vault")
    page.get_by_role("combobox", name="Format").select_option("X12")
    expect(links(page)).to_have_count(9)
    page.get_by_role("textbox", name="Set").fill("850")
    expect(links(page)).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?fmt=x12&transaction_set="))
    page.reload()
    expect(page.get_by_role("textbox", name="Set")).to_have_value("850")
    expect(links(page)).to_contain_text(["sample-850_purchase_order.edi"])
    page.get_by_role("button", name="Clear filters").click()
    expect(links(page)).to_have_count(12)
    expect(page.get_by_role("textbox", name="Set")).to_have_value("")


@pytest.mark.parametrize(
    ("search", "count"),
    [
        ("q=sample-85", 3),
        ("direction=outbound", 0),
        ("date_from=2000-01-01", 12),
        ("date_to=2000-01-01", 0),
        ("fmt=nonsense&offset=-3&map_id=x", 12),
    ],
)
def test_an_address_narrows_the_list(own_page: Page, search: str, count: int) -> None:
    page = own_page
    Api(page).post("/api/samples")
    page.goto(f"/app/vault?{search}")
    if count == 0:
        expect(page.get_by_text("No stored document matches.")).to_be_visible()
    else:
        expect(links(page)).to_have_count(count)


def test_more_documents_than_a_page_are_turned(own_page: Page, site: Site) -> None:
    page = own_page
    for number in range(26):
        store(page, site, ORDER.replace("PO-20260302-17", f"PO-{number}"))
    page.goto("/app/vault")
    pages = page.get_by_role("navigation", name="Pages of the list")
    expect(pages).to_contain_text("1 to 50 of 52")
    pages.get_by_role("button", name="Next").click()
    expect(links(page)).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?offset=50$"))
    page.go_back()
    expect(links(page)).to_have_count(50)


def test_a_document_is_shown_a_segment_a_line_with_its_facts(own_page: Page) -> None:
    page = own_page
    Api(page).post("/api/samples")
    page.goto("/app/vault")
    page.get_by_role("link", name="sample-850_purchase_order.edi").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("sample-850_purchase_order.edi")
    text = page.get_by_role("region", name="Content, text")
    expect(text.get_by_text("BEG*00*SA*PO-20260302-17**20260302~")).to_be_visible()
    content = Api(page).get("/api/vault?q=sample-850")["docs"][0]
    expect(page.get_by_text(f"{content['file_size']} bytes")).to_be_visible()
    stored = Api(page).get(f"/api/vault/{content['id']}")["doc"]["content"]
    expect(page.get_by_text(hashlib.sha256(stored.encode()).hexdigest())).to_be_visible()
    axe(page)


def test_the_tree_is_that_of_inspect_and_stands_in_the_address(own_page: Page) -> None:
    page = own_page
    Api(page).post("/api/samples")
    open_first(page, "sample-850")
    page.get_by_role("tab", name="Tree").click()
    page.get_by_role("treeitem", name="CUR, Currency").click()
    expect(page).to_have_url(re.compile(r"\?tab=tree&at=CUR$"))
    page.reload()
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_have_accessible_name(
        "CUR, Currency, value BY · USD"
    )
    axe(page)
    page.get_by_role("link", name="Inspect", exact=True).nth(1).click()
    expect(page.get_by_role("list", name="About the document")).to_contain_text("116 values")


def test_an_output_stands_beside_what_it_was_made_from(own_page: Page, site: Site) -> None:
    page = own_page
    output = store(page, site, ORDER)
    page.goto(f"/app/vault/{output}")
    page.get_by_role("tab", name="Compare with source").click()
    source = page.get_by_role("region", name=re.compile("^Source: .*, text$"))
    this = page.get_by_role("region", name=re.compile("^This document: .*, text$"))
    expect(source.get_by_text("BEG*00*SA*PO-20260302-17**20260302~")).to_be_visible()
    expect(
        this.get_by_text('"number": "PO-20260302-17"').or_(this.get_by_text("PO-20260302-17"))
    ).to_be_visible()
    axe(page)
    page.get_by_role("link", name=re.compile("^document [0-9]+$")).click()
    expect(page.get_by_role("tab", name="Compare with source")).to_have_count(0)


def test_a_download_has_the_very_content(own_page: Page, tmp_path: Path) -> None:
    page = own_page
    Api(page).post("/api/samples")
    found = open_first(page, "sample-850")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    started.value.save_as(tmp_path / "content")
    assert started.value.suggested_filename == "sample-850_purchase_order.edi"
    stored = Api(page).get(f"/api/vault/{found}")["doc"]["content"]
    assert (tmp_path / "content").read_bytes() == stored.encode()


def test_a_csv_file_can_be_had_safe_for_spreadsheets_or_as_it_is(
    own_page: Page, site: Site, tmp_path: Path
) -> None:
    page = own_page
    document = ORDER.replace("PO-20260302-17", "=1+2")
    rules = [{"src": "BEG.03", "tgt": "number"}]
    output = store(page, site, document, field_map=rules, target_format="csv")
    page.goto(f"/app/vault/{output}")
    contents = []
    for name in ("Download", "Download original"):
        with page.expect_download() as started:
            page.get_by_role("button", name=name, exact=True).click()
        started.value.save_as(tmp_path / name)
        contents.append((tmp_path / name).read_text().splitlines()[1])
    assert contents == ["'=1+2", "=1+2"]


def test_a_live_document_opens_by_its_id_whatever_environment_is_shown(
    site: Site, page_of: PageOf, tmp_path: Path
) -> None:
    page = page_of(site.new_account(AccountType.DEVELOPER_PRO))
    output = store(page, site, ORDER, environment="production")
    page.goto("/app/vault")
    expect(page.get_by_role("button", name="Sandbox")).to_be_visible()
    expect(page.locator(f'a[href="/app/vault/{output}"]')).to_have_count(0)
    page.goto(f"/app/vault/{output}")
    expect(page.get_by_text("production", exact=True)).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    started.value.save_as(tmp_path / "content")
    stored = Api(page).get(f"/api/vault/{output}")["doc"]["content"]
    assert (tmp_path / "content").read_bytes() == stored.encode()


def test_a_document_of_five_megabytes_is_few_rows_of_the_page(own_page: Page, site: Site) -> None:
    page = own_page
    start, end = ORDER.index("PO1*1*"), ORDER.index("CTT*")
    lines = ORDER[start:end]
    large = ORDER[:start] + lines * (5_000_000 // len(lines)) + ORDER[end:]
    output = store(page, site, large)
    source = Api(page).get(f"/api/vault/{output}")["doc"]["source_doc_id"]
    page.goto(f"/app/vault/{source}")
    text = page.get_by_role("region", name="Content, text")
    expect(text.get_by_text("GS*PO*QUILLMARK")).to_be_visible()
    text.focus()
    page.keyboard.press("End")
    expect(text.get_by_text("IEA*1*000000417~")).to_be_visible()
    assert text.locator("bdi").count() < 120


def test_a_document_in_one_line_is_cut_and_loses_nothing(own_page: Page, site: Site) -> None:
    page = own_page
    document = ORDER.replace("PO-20260302-17", "N" * 3000 + "END")
    output = store(page, site, document)
    page.goto(f"/app/vault/{output}")
    text = page.get_by_role("region", name="Content, text")
    expect(text.get_by_text("END")).to_be_visible()
    shown = "".join(text.locator("bdi").all_inner_texts())
    assert shown.count("N") == 3001


@pytest.mark.parametrize("found", ["987654321", "0", "x", "%00"])
def test_what_is_not_there_is_told(page: Page, watch: Watch, found: str) -> None:
    watch.expect(f"/api/vault/{found}", 404)
    page.goto(f"/app/vault/{found}")
    expect(
        page.get_by_text("This stored document does not exist in this environment.")
    ).to_be_visible()
    axe(page)


def test_without_a_server_the_list_comes_back_by_itself(own_page: Page, watch: Watch) -> None:
    watch.expect("/api/vault", NO_ANSWER)
    page = own_page
    page.route("**/api/vault?*", lambda route: route.abort(), times=1)
    page.goto("/app/vault")
    expect(page.get_by_role("alert")).to_contain_text("No connection to the server")
    expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_narrow_vault(site: Site, page_of: PageOf, scheme: str) -> None:
    page = page_of(site.new_account(), color_scheme=scheme, viewport={"width": 390, "height": 844})
    Api(page).post("/api/samples")
    for path in ("/app/vault", f"/app/vault/{Api(page).get('/api/vault')['docs'][0]['id']}"):
        page.goto(path)
        expect(page.get_by_role("region").first).to_be_visible()
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
