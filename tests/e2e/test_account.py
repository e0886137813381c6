"""The account page: password, sessions, plan, and how long documents are kept."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from longshore.domain.accounts.model import AccountType
from longshore.domain.users.model import UserRole
from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.site import PASSWORD, Site, User, log_in
from tests.e2e.support.watch import Watch

NEW_PASSWORD = "cranes at dawn, and rain"


@pytest.fixture
def logged_in(new_context: Callable[..., BrowserContext]) -> Callable[[User], Page]:
    """Open the account page in a browser with a session of its own."""

    def open_page(user: User) -> Page:
        context = new_context()
        log_in(context, user)
        page = context.new_page()
        page.goto("/app/account")
        expect(page.get_by_role("region", name="Your sessions")).to_be_visible()
        return page

    return open_page


def sessions(page: Page) -> Locator:
    """Return the rows of the table of sessions, its head first."""
    return page.get_by_role("region", name="Your sessions").get_by_role("row")


def change_password(page: Page, old: str, new: str) -> None:
    page.get_by_label("Current password").fill(old)
    page.get_by_label("New password").fill(new)
    page.get_by_role("button", name="Change password").click()


def test_a_new_password_ends_the_other_sessions(
    logged_in: Callable[[User], Page], site: Site, watch: Watch
) -> None:
    user = site.new_account()
    page, other = logged_in(user), logged_in(user)
    change_password(page, PASSWORD, NEW_PASSWORD)
    expect(page.get_by_role("alert").filter(has_text="was changed")).to_be_visible()
    expect(sessions(page)).to_have_count(2)
    watch.expect("/api/keys", 401)
    other.get_by_role("link", name="API keys").click()
    expect(other.get_by_role("dialog", name="Your session has ended")).to_be_visible()
    page.get_by_role("link", name="API keys").click()
    expect(page.get_by_text("There are no keys yet.")).to_be_visible()
    log_in(page.context, User(user.email, user.account, NEW_PASSWORD))


def test_the_page_can_change_things_after_its_password_was_changed(
    logged_in: Callable[[User], Page], site: Site
) -> None:
    page = logged_in(site.new_account())
    change_password(page, PASSWORD, NEW_PASSWORD)
    expect(page.get_by_label("Current password")).to_have_value("")
    page.goto("/app/keys?new=true")
    page.get_by_role("textbox", name="Name").fill("ci")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("button", name="I have stored it")).to_be_visible()


def test_a_wrong_old_password_is_told_at_its_field(
    logged_in: Callable[[User], Page], site: Site, watch: Watch
) -> None:
    user = site.new_account()
    page = logged_in(user)
    watch.expect("/api/account/password", 401)
    change_password(page, "not the password", NEW_PASSWORD)
    expect(page.get_by_text("This is not your password.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    axe(page)
    log_in(page.context, user)  # the old one still is the password


def test_a_session_is_ended_from_another(
    logged_in: Callable[[User], Page], site: Site, watch: Watch
) -> None:
    user = site.new_account()
    other, page = logged_in(user), logged_in(user)
    mine = sessions(page).filter(has_text="this browser")
    expect(mine.get_by_role("button", name="Log out")).to_be_visible()
    page.get_by_role("button", name="End session").click()
    expect(sessions(page)).to_have_count(2)
    watch.expect("/api/keys", 401)
    other.get_by_role("link", name="API keys").click()
    expect(other.get_by_role("dialog", name="Your session has ended")).to_be_visible()
    mine.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", level=1, name="Log in")).to_be_visible()


def test_documents_are_kept_shorter_only_after_a_question(own_page: Page) -> None:
    page = own_page
    page.goto("/app/account")
    for_ever = page.get_by_role("checkbox", name="Forever")
    expect(for_ever).to_be_checked()
    for_ever.uncheck()
    page.get_by_label("Days").fill("0")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("A whole number from 1 to 36,500.")).to_be_visible()
    page.get_by_label("Days").fill("30")
    page.get_by_role("button", name="Save").click()
    asked = page.get_by_role("dialog", name="Keep documents 30 days only?")
    axe(page)
    asked.get_by_role("button", name="Cancel").click()
    assert Api(page).get("/api/account")["account"]["retention_days"] is None
    page.get_by_role("button", name="Save").click()
    asked.get_by_role("button", name="Delete older documents").click()
    expect(page.get_by_role("alert").filter(has_text="stored 30 days")).to_be_visible()
    assert Api(page).get("/api/account")["account"]["retention_days"] == 30


def test_documents_are_kept_longer_without_a_question(own_page: Page) -> None:
    page = own_page
    Api(page).call("PUT", "/api/account", {"retention_days": 30})
    page.goto("/app/account")
    expect(page.get_by_label("Days")).to_have_value("30")
    page.get_by_role("checkbox", name="Forever").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert").filter(has_text="stored forever")).to_be_visible()
    assert Api(page).get("/api/account")["account"]["retention_days"] is None


def test_a_viewer_sees_what_owners_decide(page_of: PageOf, own_page: Page, site: Site) -> None:
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app/account")
    expect(page.get_by_text("Documents are stored forever")).to_be_visible()
    expect(page.get_by_text("viewer: reads")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)


@pytest.mark.parametrize(
    ("plan", "environments"),
    [
        (
            AccountType.DEVELOPER,
            "Sandbox. The plans developer-pro and enterprise include production",
        ),
        (AccountType.ENTERPRISE, "Sandbox and Production"),
    ],
)
def test_the_plan_says_which_environments_it_has(
    page_of: PageOf, site: Site, plan: AccountType, environments: str
) -> None:
    user = site.new_account(plan)
    page = page_of(user)
    page.goto("/app/account")
    expect(page.get_by_role("region", name="Plan")).to_contain_text(environments)
    own = page.get_by_role("region", name="Identities", exact=True)
    expect(own).to_contain_text(user.account.upper())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_stays_within_320_pixels(page_of: PageOf, owner: User, scheme: str) -> None:
    page = page_of(owner, color_scheme=scheme, viewport={"width": 320, "height": 640})
    page.goto("/app/account")
    expect(page.get_by_role("region", name="Your sessions")).to_be_visible()
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wider) == 0
    axe(page)


@pytest.mark.parametrize("path", ["/api/account", "/api/account/sessions"])
def test_a_part_that_fails_leaves_the_others(page: Page, watch: Watch, path: str) -> None:
    watch.expect(path, 500)
    failed = {"ok": False, "error": "Broken.", "code": "internal_error", "request_id": "req_9"}
    page.route(f"**{path}", lambda route: route.fulfill(status=500, json=failed), times=1)
    page.goto("/app/account")
    expect(page.get_by_role("alert")).to_contain_text("req_9")
    expect(page.get_by_role("button", name="Change password")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("region", name="Your sessions")).to_be_visible()
    expect(page.get_by_role("region", name="Plan")).to_be_visible()
