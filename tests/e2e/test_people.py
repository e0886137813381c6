"""Who may log in, and who did what: the pages of owners."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page, expect

from longshore.domain.users.model import UserRole
from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.site import PASSWORD, Site
from tests.e2e.support.trade import WRONG_END, receive, simulator, until
from tests.e2e.support.watch import Watch

ContextOf = Callable[..., BrowserContext]


def user_row(page: Page, email: str) -> Locator:
    return page.get_by_role("region", name="Users").get_by_role("row").filter(has_text=email)


def ask(page: Page, email: str, action: str) -> None:
    """Choose an action from the menu of a user."""
    page.get_by_role("button", name=f"Actions for {email}").click()
    page.get_by_role("menuitem", name=action).click()


def test_a_new_user_comes_in_by_a_link_that_is_shown_once(
    own_page: Page, new_context: ContextOf, site: Site
) -> None:
    page = own_page
    account = Api(page).get("/api/session")["account"]["name"]
    email = f"grace@{account}.example"
    page.goto("/app/users")
    page.get_by_role("button", name="Add user").click()
    page.get_by_role("textbox", name="E-mail").fill(email)
    page.get_by_role("radio", name="Viewer").check()
    page.get_by_role("dialog").get_by_role("button", name="Add user").click()
    link = page.get_by_role("textbox", name="Link").input_value()
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Link")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="I have stored it").click()
    expect(user_row(page, email)).to_contain_text("Has no password yet")
    assert link not in page.content()
    guest = new_context().new_page()
    guest.goto(re.sub("^https?://[^/]+", site.address, link))
    guest.get_by_role("textbox", name="Password").fill(PASSWORD)
    guest.get_by_role("button", name="Set up").click()
    expect(guest.get_by_role("link", name="Transactions", exact=True)).to_be_visible()
    expect(guest.get_by_role("link", name="Users", exact=True)).to_have_count(0)
    page.reload()
    expect(user_row(page, email)).to_contain_text("Can log in")


def test_a_user_is_changed_and_removed(own_page: Page, site: Site) -> None:
    page = own_page
    account = Api(page).get("/api/session")["account"]["name"]
    email = site.new_user(account, UserRole.VIEWER).email
    page.goto("/app/users")
    ask(page, email, "Change…")
    page.get_by_role("radio", name="Editor").check()
    page.get_by_role("button", name="Save").click()
    expect(user_row(page, email)).to_contain_text("Editor")
    ask(page, email, "Remove…")
    expect(page.get_by_text("They are logged out at once")).to_be_visible()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(user_row(page, email)).to_have_count(0)
    assert Api(page).get("/api/users")["count"] == 1


def test_the_last_owner_stays(own_page: Page, watch: Watch) -> None:
    page = own_page
    [me] = Api(page).get("/api/users")["users"]
    watch.expect(f"/api/users/{me['id']}", 409)
    page.goto("/app/users")
    ask(page, me["email"], "Remove…")
    page.get_by_role("button", name="Remove", exact=True).click()
    refused = page.get_by_role("alert").get_by_text("This is the last owner of the account.")
    expect(refused).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name=f"Actions for {me['email']}")).to_be_focused()
    ask(page, me["email"], "Change…")
    page.get_by_role("radio", name="Viewer").check()
    page.get_by_role("button", name="Save").click()
    expect(refused).to_be_visible()
    assert Api(page).get("/api/users")["users"] == [me]


def test_an_address_that_is_taken_is_told_at_its_field(
    own_page: Page, watch: Watch, site: Site
) -> None:
    page = own_page
    account = Api(page).get("/api/session")["account"]["name"]
    email = site.new_user(account, UserRole.VIEWER).email
    watch.expect("/api/users", 400)
    page.goto("/app/users")
    page.get_by_role("button", name="Add user").click()
    page.get_by_role("textbox", name="E-mail").fill(email.upper())
    page.get_by_role("dialog").get_by_role("button", name="Add user").click()
    expect(page.get_by_text("This e-mail address is used already.")).to_be_visible()
    expect(page.get_by_role("textbox", name="E-mail")).to_be_focused()


def test_only_owners_see_who_did_what(own_page: Page, page_of: PageOf, site: Site) -> None:
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.EDITOR))
    for path, asks in (("/app/audit", "Export CSV"), ("/app/users", "Add user")):
        page.goto(path)  # a call that is refused would fail the test
        expect(page.get_by_role("alert")).to_contain_text("Your role is editor. Ask an owner")
        expect(page.get_by_role("button", name=asks)).to_have_count(0)
        expect(page.get_by_role("search")).to_have_count(0)
        axe(page)


def test_the_log_says_who_did_what_and_leads_there(own_page: Page) -> None:
    page, api = own_page, Api(own_page)
    receive(api, simulator(api), WRONG_END)
    kept = until(api, "/api/interchanges?status=quarantined", lambda answer: answer["count"] == 1)
    number = kept["interchanges"][0]["id"]
    me = api.get("/api/session")["user"]["email"]
    page.goto(f"/app/interchanges/{number}")
    expect(page.get_by_role("region", name="Content, text")).to_be_visible()
    page.goto("/app/audit")
    page.get_by_role("combobox", name="Action").select_option("Interchanges: all")
    entries = page.get_by_role("region", name="Audit log").get_by_role("rowgroup").nth(1)
    expect(entries.get_by_role("row")).to_contain_text([
        re.compile(f"{me}.*Interchange read"),
        re.compile("Longshore.*Interchange quarantined.*Control numbers of ISA and IEA differ"),
    ])
    page.get_by_role("combobox", name="By whom").select_option(me)
    expect(entries.get_by_role("row")).to_have_count(1)
    expect(page).to_have_url(re.compile("action=interchange&actor="))
    entries.get_by_role("link", name=f"interchange {number}").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Interchange {number}")


def test_the_log_is_turned_to_older_entries_and_back(own_page: Page) -> None:
    page, api = own_page, Api(own_page)
    receive(api, simulator(api), "Dear Sir, this is an order.")
    kept = until(api, "/api/interchanges?status=quarantined", lambda answer: answer["count"] == 1)
    content = f"/api/interchanges/{kept['interchanges'][0]['id']}/content"
    for _ in range(60):
        assert api.call("GET", content).status == 200
    page.goto("/app/audit?action=interchange.read")
    entries = page.get_by_role("region", name="Audit log").get_by_role("rowgroup").nth(1)
    expect(entries.get_by_role("row")).to_have_count(50)
    page.get_by_role("button", name="Older").click()
    expect(entries.get_by_role("row")).to_have_count(10)
    expect(page).to_have_url(re.compile(r"before=[0-9]+$"))
    expect(page.get_by_role("button", name="Older")).to_be_disabled()
    page.go_back()
    expect(entries.get_by_role("row")).to_have_count(50)
    page.get_by_role("textbox", name="Object").fill("interchange 0")
    expect(page.get_by_text("No entry matches.")).to_be_visible()
    page.get_by_role("textbox", name="Object").fill(f"interchange {kept['interchanges'][0]['id']}")
    expect(entries.get_by_role("row")).to_have_count(50)
