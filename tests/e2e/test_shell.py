"""What stands around every page: environment, palette, keyboard, focus, colours, and no server."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from longshore.domain.accounts.model import AccountType
from longshore.settings import load_settings
from longshore.wiring import open_administration
from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.site import Site, User, in_thread
from tests.e2e.support.trade import submit
from tests.e2e.support.watch import NO_ANSWER, Watch

SCHEMES = ["light", "dark"]


@pytest.fixture
def live_owner(site: Site) -> User:
    """The owner of a new account whose plan has production."""
    return site.new_account(AccountType.ENTERPRISE)


def headline(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()


def choose_environment(page: Page, name: str) -> None:
    page.get_by_role("button", name="Environment").click()
    page.get_by_role("menuitemradio", name=name).click()
    expect(page.get_by_role("button", name=f"Environment {name}")).to_be_visible()


def suspend(site: Site, account: str) -> None:
    settings = load_settings({"data_dir": str(site.server.folder / "data")}, environ={})

    async def work() -> None:
        async with open_administration(settings) as administration:
            await administration.accounts.suspend(account)

    in_thread(work())


def focused(page: Page) -> str:
    """What has the focus, by the words a screen reader says."""
    words: str = page.evaluate(
        "(document.activeElement.getAttribute('aria-label')"
        " ?? document.activeElement.textContent).trim()"
    )
    return words


@pytest.mark.parametrize("scheme", SCHEMES)
def test_production_is_chosen_and_said_over_every_page(
    page_of: PageOf, live_owner: User, scheme: str
) -> None:
    page = page_of(live_owner, color_scheme=scheme)
    page.goto("/app/account")
    expect(page.get_by_role("region", name="Plan")).to_be_visible()
    expect(page.get_by_text("PRODUCTION", exact=True)).to_have_count(0)
    with page.expect_request("**/api/account") as asked:
        choose_environment(page, "Production")
    assert asked.value.headers["x-environment"] == "production"
    band = page.get_by_role("banner").get_by_text("PRODUCTION", exact=True)
    expect(band).to_be_visible()
    axe(page)
    page.reload()
    expect(band).to_be_visible()
    choose_environment(page, "Sandbox")
    expect(band).to_have_count(0)


def test_nothing_of_the_other_environment_stays_on_the_page(
    page_of: PageOf, live_owner: User
) -> None:
    page = page_of(live_owner)
    Api(page).post("/api/samples")
    page.goto("/app/vault")
    expect(page.get_by_text("sample-850_purchase_order.edi").first).to_be_visible()
    choose_environment(page, "Production")
    expect(page.get_by_text("sample-850_purchase_order.edi")).to_have_count(0)


def test_a_new_tab_begins_in_the_sandbox(page_of: PageOf, live_owner: User) -> None:
    page = page_of(live_owner)
    page.goto("/app/account")
    choose_environment(page, "Production")
    other = page.context.new_page()
    other.goto("/app/account")
    expect(other.get_by_role("button", name="Environment Sandbox")).to_be_visible()


def test_without_the_plan_production_is_explained(page: Page) -> None:
    page.goto("/app/account")
    page.get_by_role("button", name="Environment Sandbox").click()
    expect(page.get_by_role("menuitemradio", name="Production")).to_be_disabled()
    expect(page.get_by_text("The plan “developer” does not include production")).to_be_visible()
    axe(page)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_palette_leads_to_a_page_by_keyboard(page_of: PageOf, owner: User, scheme: str) -> None:
    page = page_of(owner, color_scheme=scheme)
    page.goto("/app/account")
    headline(page, "Account")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Command palette")
    expect(palette.get_by_role("textbox", name="Command")).to_be_focused()
    axe(page)
    page.keyboard.type("API k")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    headline(page, "API keys")
    expect(palette).to_be_hidden()


def test_the_palette_makes_a_key(page: Page, site: Site) -> None:
    page.goto("/app/account")
    page.get_by_role("button", name="Search or create").click()
    page.get_by_role("textbox", name="Command").fill("new api key")
    page.get_by_role("button", name="New API key").click()
    expect(page.get_by_role("dialog", name="New API key")).to_be_visible()
    assert page.url == f"{site.address}/app/keys?new=true"


def test_the_palette_makes_a_partner(own_page: Page) -> None:
    own_page.goto("/app")
    expect(own_page.get_by_role("heading", level=1)).to_be_visible()
    own_page.keyboard.press("Control+K")
    own_page.get_by_role("textbox", name="Command").fill("new partner")
    own_page.keyboard.press("Enter")
    expect(own_page.get_by_role("dialog", name="New partner")).to_be_visible()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_palette_finds_an_order_by_its_number(page_of: PageOf, site: Site, scheme: str) -> None:
    page = page_of(site.new_account(), color_scheme=scheme)
    record = submit(Api(page), "PO-77")
    asked: list[str] = []
    page.on(
        "request",
        lambda request: (
            asked.extend(parse_qs(urlsplit(request.url).query)["q"])
            if "?q=" in request.url
            else None
        ),
    )
    page.goto("/app/account")
    headline(page, "Account")
    page.keyboard.press("Control+K")
    palette = page.get_by_role("dialog", name="Command palette")
    palette.get_by_role("textbox", name="Command").fill("Z")
    expect(palette.get_by_role("status")).to_contain_text(
        "Type a second character to search everything."
    )
    palette.get_by_role("textbox", name="Command").fill("PO-77")
    expect(palette.get_by_role("button", name="850 Purchase order PO-77")).to_be_visible()
    expect(palette.get_by_role("status")).to_have_text("1 found.")
    axe(page)
    assert set(asked) == {"PO-77"}
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site.address}/app/transactions/{record}")


def test_a_search_of_the_palette_that_fails_is_told_and_tried_again(
    own_page: Page, watch: Watch
) -> None:
    watch.expect("/api/partners", NO_ANSWER)
    page = own_page
    page.route("**/api/partners?q=*", lambda route: route.abort(), times=1)
    page.goto("/app/account")
    headline(page, "Account")
    page.keyboard.press("Control+K")
    palette = page.get_by_role("dialog", name="Command palette")
    palette.get_by_role("textbox", name="Command").fill("simulator")
    expect(palette.get_by_role("status")).to_contain_text("The search failed.")
    page.keyboard.press("Enter")
    palette.get_by_role("button", name="Simulator Partner, ZZ/SIMULATOR").click()
    headline(page, "Simulator")


def test_what_a_page_does_not_know_of_its_address_is_left_out_and_said(own_page: Page) -> None:
    page = own_page
    said = "These parts of the address are unknown and were ignored: "
    for path in (
        "/app?period=5",
        "/app/acks?result=foo&date_from=nonsense",
        "/app/audit?date_to=2026-02-30&what=1",
        "/app/partners?partner_status=foo",
        "/app/vault?fmt=foo&map_id=-1",
        "/app/interchanges?partner_id=0&status=foo",
    ):
        page.goto(path)
        named = path.partition("?")[2].replace("&", ", ")
        expect(page.get_by_text(f"{said}{named}.")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("combobox", name="Status").select_option("Quarantined")
    expect(page).to_have_url(re.compile(r"/app/interchanges\?status=quarantined$"))
    expect(page.get_by_text(said)).to_have_count(0)


def test_times_go_on_while_a_page_is_looked_at(page_of: PageOf, site: Site) -> None:
    page = page_of(site.new_account())
    page.clock.install()
    page.goto("/app/users")
    login = page.get_by_role("row", name="(you)").get_by_role("time").first
    expect(login).to_have_text(re.compile("second|now"))
    page.clock.fast_forward(5 * 60_000)
    expect(login).to_have_text(re.compile("^[56] minutes ago$"))


def test_the_focus_goes_through_the_page_in_its_order(page: Page) -> None:
    page.goto("/app/keys")
    expect(page.get_by_role("table")).to_be_visible()
    passed = []
    for _ in range(21):
        page.keyboard.press("Tab")
        passed.append(focused(page))
        ring = "getComputedStyle(document.activeElement).outlineStyle"
        assert page.evaluate(ring) != "none", passed
    assert passed == [
        "Skip to content",
        "Longshore demo",
        "Environment Sandbox",
        "Search or create, Ctrl K",
        "Documentation",
        "Account demo",
        "Overview",
        "Transactions",
        "Acknowledgements",
        "Partners",
        "Interchanges",
        "Inspect",
        "Maps",
        "Vault",
        "API keys",
        "Webhooks",
        "Users",
        "Audit log",
        "Account",
        "New key",
        "Status",
    ]


def test_the_skip_link_leads_into_the_content(page: Page) -> None:
    page.goto("/app/keys")
    expect(page.get_by_role("table")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    page.keyboard.press("Tab")
    assert focused(page) == "New key"


def test_a_new_page_has_the_focus_and_is_announced(page: Page) -> None:
    page.goto("/app/account")
    headline(page, "Account")
    page.get_by_role("link", name="API keys").click()
    expect(page.get_by_role("heading", level=1, name="API keys")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="API keys · Longshore")).to_be_attached()
    expect(page).to_have_title("API keys · Longshore")


def test_escape_closes_a_dialog_and_the_focus_returns(page: Page) -> None:
    page.goto("/app/keys")
    page.get_by_role("button", name="New key").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="New API key")
    expect(dialog.get_by_role("textbox", name="Name")).to_be_focused()
    for _ in range(20):  # all of it, and round
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[role=dialog]') !== null")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="New key")).to_be_focused()


def test_the_sheet_of_the_keys_can_switch_single_keys_off(page: Page) -> None:
    page.goto("/app/account")
    headline(page, "Account")
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard")
    expect(sheet).to_be_visible()
    axe(page)
    sheet.get_by_role("switch", name="Single keys").uncheck(force=True)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.keyboard.press("?")
    page.get_by_role("button", name="Account demo").click()
    expect(sheet).to_be_hidden()
    page.get_by_role("menuitem", name="Keyboard").click()
    sheet.get_by_role("switch", name="Single keys").check(force=True)


def test_a_question_mark_in_a_field_is_a_question_mark(page: Page) -> None:
    page.goto("/app/account")
    page.get_by_label("Current password").press("?")
    expect(page.get_by_label("Current password")).to_have_value("?")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_colours_are_chosen_and_kept(page: Page) -> None:
    page.goto("/app/account")
    html = page.locator("html")
    page.get_by_role("button", name="Account demo").click()
    axe(page)
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(html).to_have_attribute("data-mantine-color-scheme", "dark")
    axe(page)
    page.reload()
    expect(html).to_have_attribute("data-mantine-color-scheme", "dark")


def test_a_narrow_page_has_its_navigation_behind_a_button(page_of: PageOf, owner: User) -> None:
    page = page_of(owner, viewport={"width": 390, "height": 844})
    page.goto("/app/account")
    burger = page.get_by_role("button", name="Navigation")
    expect(burger).to_have_attribute("aria-expanded", "false")
    burger.click()
    expect(burger).to_have_attribute("aria-expanded", "true")
    axe(page)
    page.get_by_role("link", name="API keys").click()
    headline(page, "API keys")
    expect(burger).to_have_attribute("aria-expanded", "false")


def test_a_closed_navigation_takes_no_focus(page_of: PageOf, owner: User) -> None:
    page = page_of(owner, viewport={"width": 390, "height": 844})
    page.goto("/app/keys")
    page.get_by_role("button", name="Account demo").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="New key")).to_be_focused()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_address_that_leads_nowhere_says_so(page_of: PageOf, owner: User, scheme: str) -> None:
    page = page_of(owner, color_scheme=scheme)
    page.goto("/app/no/such/page")
    headline(page, "Page not found")
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
    expect(page).to_have_title("Page not found · Longshore")
    axe(page)
    page.get_by_role("main").get_by_role("link", name="Go to the overview").click()
    headline(page, "Overview")


MISSING = [
    ("transactions/4711", "transaction does not exist in this environment", "Transactions"),
    ("interchanges/4711", "interchange does not exist in this environment", "Interchanges"),
    ("vault/4711", "stored document does not exist in this environment", "Vault"),
    ("partners/4711", "partner does not exist in this account", "Partners"),
    ("maps/4711", "map does not exist in this account", "Maps"),
]


@pytest.mark.parametrize(("record", "what", "leads_to"), MISSING)
def test_a_record_that_is_not_there_is_explained_and_leads_back_to_its_list(
    page: Page, watch: Watch, record: str, what: str, leads_to: str
) -> None:
    watch.expect(f"/api/{record}", 404)
    page.goto(f"/app/{record}")
    told = page.get_by_text(f"This {what}.").locator("..")
    expect(told).to_contain_text(re.compile("retention period|It may have been deleted"))
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    axe(page)
    told.get_by_role("link", name=re.compile("^All ")).click()
    headline(page, leads_to)


def test_a_suspended_account_is_told_on_the_page_where_it_happens(
    page_of: PageOf, site: Site, watch: Watch
) -> None:
    user = site.new_account()
    page = page_of(user)
    page.goto("/app/account")
    headline(page, "Account")
    suspend(site, user.account)
    watch.expect("/api/keys", 403)
    page.get_by_role("link", name="API keys").click()
    headline(page, "This account is suspended")
    axe(page)
    watch.expect("/api/session", 403)
    page.reload()
    headline(page, "This account is suspended")
    page.get_by_role("link", name="Log in as another user").click()
    headline(page, "Log in")


def test_without_a_server_the_page_says_so_and_goes_on_by_itself(
    page_of: PageOf, owner: User, watch: Watch
) -> None:
    page = page_of(owner, color_scheme="dark")
    page.goto("/app/account")
    headline(page, "Account")
    watch.expect("/api/keys", NO_ANSWER)
    watch.expect("/api/session", NO_ANSWER)
    page.clock.install()
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_role("link", name="API keys").click()
    banner = page.get_by_text("No connection to the server. Reconnecting automatically.")
    expect(banner).to_be_visible()
    axe(page)
    with page.expect_event("requestfailed"):
        page.clock.run_for(4_000)
    page.unroute("**/api/**")
    page.clock.run_for(4_000)
    expect(page.get_by_role("table")).to_be_visible()
    expect(banner).to_have_count(0)


def test_a_session_that_cannot_be_read_is_told_with_its_request(
    new_context: Callable[..., BrowserContext], watch: Watch
) -> None:
    watch.expect("/api/session", 500)
    page = new_context().new_page()
    failed = {"ok": False, "error": "Broken.", "code": "internal_error", "request_id": "req_4"}
    page.route("**/api/session", lambda route: route.fulfill(status=500, json=failed))
    page.goto("/app")
    headline(page, "Longshore cannot be shown")
    expect(page.get_by_role("alert")).to_contain_text("req_4")
    expect(page.get_by_role("button", name="Try again")).to_be_enabled()
    axe(page)
