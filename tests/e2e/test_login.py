"""E1 and E14: ways in, ways out, and a session that ends under the work."""

import re
from collections.abc import Callable
from secrets import token_hex

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from longshore.domain.users.model import UserRole
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.site import PASSWORD, Site, User, log_in
from tests.e2e.support.watch import NO_ANSWER, Watch

NewContext = Callable[..., BrowserContext]
Invite = Callable[[UserRole], str]

LIMITED = {
    "ok": False,
    "error": "Too many failed logins.",
    "code": "rate_limited",
    "request_id": "req_1",
}


@pytest.fixture
def invite(own_page: Page) -> Invite:
    """Make a user of a new account, and return the link by which they choose a password."""

    def link(role: UserRole) -> str:
        body = {"email": f"{role}-{token_hex(4)}@example.com", "role": role}
        made: str = Api(own_page).post("/api/users", body)["setup_link"]
        return "/setup" + made.partition("/setup")[2]

    return link


def password_field(page: Page) -> Locator:
    return page.get_by_label("Password", exact=True)


def set_up(page: Page, email: str, password: str = PASSWORD) -> None:
    page.get_by_label("E-mail").fill(email)
    password_field(page).fill(password)
    page.get_by_role("button", name="Set up").click()


def try_to_log_in(page: Page, user: User, password: str = PASSWORD) -> None:
    page.get_by_label("E-mail").fill(user.email)
    password_field(page).fill(password)
    page.get_by_role("button", name="Log in").click()


def headline(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()


def test_the_set_up_link_makes_the_first_user_and_works_once(
    new_site: Site, new_context: NewContext, watch: Watch
) -> None:
    page = new_context(base_url=new_site.address).new_page()
    page.goto(new_site.set_up_path)
    set_up(page, "ada@example.com")
    expect(page).to_have_url(f"{new_site.address}/app")
    assert Api(page).get("/api/session")["user"]["role"] == "owner"
    assert Api(page).get("/api/vault")["total"] == 12

    watch.expect("/api/setup", 404)
    second = new_context(base_url=new_site.address).new_page()
    second.goto(new_site.set_up_path)
    set_up(second, "eve@example.com")
    headline(second, "This link does not work")
    axe(second)
    second.get_by_role("link", name="Log in").click()
    headline(second, "Log in")


def test_the_token_leaves_the_address_at_once_and_is_kept_nowhere(
    visitor_page: Page, invite: Invite, site: Site
) -> None:
    page, link = visitor_page, invite(UserRole.EDITOR)
    page.goto(link)
    headline(page, "Choose your password")
    assert page.url == f"{site.address}/setup"
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, history.state])")
    assert link.partition("=")[2] not in kept + page.content()
    axe(page)


def test_another_link_pasted_into_the_same_tab_is_used(
    visitor_page: Page, invite: Invite, site: Site
) -> None:
    page = visitor_page
    page.goto("/setup")
    headline(page, "A link is needed")
    axe(page)
    page.goto(invite(UserRole.EDITOR))
    headline(page, "Choose your password")
    assert page.url == f"{site.address}/setup"


@pytest.mark.parametrize(
    ("role", "wanted", "stored"),
    [
        (UserRole.EDITOR, True, 12),
        (UserRole.EDITOR, False, 0),
        (UserRole.VIEWER, True, 0),  # may not add anything
    ],
)
def test_an_invited_user_needs_no_address_and_gets_the_samples_that_are_wanted(
    visitor_page: Page, invite: Invite, site: Site, *, role: UserRole, wanted: bool, stored: int
) -> None:
    page = visitor_page
    page.goto(invite(role))
    page.get_by_label("Add sample documents").set_checked(wanted)
    set_up(page, "")
    expect(page).to_have_url(f"{site.address}/app")
    assert Api(page).get("/api/session")["user"]["role"] == role
    assert Api(page).get("/api/vault")["total"] == stored


def test_samples_that_fail_are_told_and_stop_nobody(
    visitor_page: Page, invite: Invite, site: Site, watch: Watch
) -> None:
    page = visitor_page
    watch.expect("/api/samples", 500)
    failed = {"ok": False, "error": "Broken.", "code": "internal_error", "request_id": "req_7"}
    page.route("**/api/samples", lambda route: route.fulfill(status=500, json=failed))
    page.goto(invite(UserRole.OWNER))
    set_up(page, "")
    expect(page).to_have_url(f"{site.address}/app")
    expect(page.get_by_role("alert").filter(has_text="could not be added")).to_contain_text("req_7")


def test_a_short_password_is_not_sent(visitor_page: Page, invite: Invite) -> None:
    page = visitor_page
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(invite(UserRole.EDITOR))
    password_field(page).fill("eleven char")
    expect(page.get_by_text("11 of 12 characters: 1 more needed.")).to_be_visible()
    set_up(page, "", "eleven char")
    expect(page.get_by_text("A password has at least 12 characters.")).to_be_visible()
    assert "POST" not in sent


def test_the_first_user_needs_an_address_and_is_told_at_its_field(
    new_site: Site, new_context: NewContext, watch: Watch
) -> None:
    watch.expect("/api/setup", 400)
    page = new_context(base_url=new_site.address).new_page()
    page.goto(new_site.set_up_path)
    set_up(page, "")
    field = page.get_by_label("E-mail")
    expect(field).to_have_accessible_description(
        re.compile("The first user needs an e-mail address.")
    )
    expect(field).to_be_focused()
    expect(password_field(page)).to_have_value(PASSWORD)
    set_up(page, "ada@example.com")
    expect(page).to_have_url(f"{new_site.address}/app")


def test_a_wrong_password_is_told_and_can_be_mended(
    visitor_page: Page, site: Site, watch: Watch
) -> None:
    page, user = visitor_page, site.new_account()
    watch.expect("/api/session", 401)
    page.goto("/login")
    expect(page.get_by_label("E-mail")).to_be_focused()
    try_to_log_in(page, user, "not the password")
    told = page.get_by_role("alert")
    expect(told).to_have_text("The e-mail address or the password is wrong.")
    expect(password_field(page)).to_be_focused()
    expect(password_field(page)).to_have_value("")
    axe(page)
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site.address}/app")


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("/app/keys?status=active", "/app/keys?status=active"),
        ("https://example.com/app", "/app"),
        ("//example.com", "/app"),
        ("/setup", "/app"),
    ],
)
def test_a_login_leads_to_pages_of_ours_only(
    visitor_page: Page, site: Site, owner: User, asked: str, shown: str
) -> None:
    visitor_page.goto(f"/login?next={asked.replace('?', '%3F')}")
    try_to_log_in(visitor_page, owner)
    expect(visitor_page).to_have_url(site.address + shown)


def test_whoever_comes_without_a_session_is_led_back_after_the_login(
    visitor_page: Page, site: Site, owner: User, watch: Watch
) -> None:
    watch.expect("/api/session", 401)
    visitor_page.goto("/app/keys?status=grace")
    headline(visitor_page, "Log in")
    try_to_log_in(visitor_page, owner)
    expect(visitor_page).to_have_url(f"{site.address}/app/keys?status=grace")


def test_whoever_is_logged_in_sees_no_login_page(page: Page, site: Site) -> None:
    page.goto("/app/keys")
    headline(page, "API keys")
    page.goto("/login?next=/app/account")
    expect(page).to_have_url(f"{site.address}/app/account")


def test_five_wrong_passwords_have_to_be_waited_for(
    new_site: Site, new_context: NewContext, watch: Watch
) -> None:
    user = new_site.set_up()
    watch.expect("/api/session", 401)
    watch.expect("/api/session", 429)
    page = new_context(base_url=new_site.address).new_page()
    page.goto("/login")
    for _ in range(5):
        with page.expect_response("**/api/session") as answered:
            try_to_log_in(page, user, "not the password")
        assert answered.value.status == 401
    try_to_log_in(page, user)
    expect(page.get_by_text("Available again in")).to_be_visible()
    expect(page.get_by_role("button", name="Log in")).to_be_disabled()


def test_the_wait_is_counted_down(visitor_page: Page, owner: User, watch: Watch) -> None:
    watch.expect("/api/session", 429)
    page = visitor_page
    page.clock.install()
    limited = {"status": 429, "json": LIMITED, "headers": {"Retry-After": "90"}}
    page.route("**/api/session", lambda route: route.fulfill(**limited))
    page.goto("/login")
    try_to_log_in(page, owner)
    page.clock.run_for(1_000)
    expect(page.get_by_text("Available again in 89 s.")).to_be_visible()
    axe(page)
    page.clock.run_for(90_000)
    expect(page.get_by_text("Available again")).to_be_hidden()
    expect(page.get_by_role("button", name="Log in")).to_be_enabled()


def test_caps_lock_is_told_and_the_password_can_be_shown(visitor_page: Page) -> None:
    page = visitor_page
    page.goto("/login")
    field = password_field(page)
    field.fill("ABC")
    field.dispatch_event("keyup", {"key": "C", "modifierCapsLock": True})
    expect(field).to_have_accessible_description("Caps lock is on.")
    page.get_by_role("button", name="Show password").click()
    expect(field).to_have_attribute("type", "text")
    axe(page)


def test_after_the_logout_back_shows_nothing(
    new_context: NewContext, site: Site, watch: Watch
) -> None:
    user = site.new_account()
    context = new_context()
    log_in(context, user)
    page = context.new_page()
    page.goto("/app/account")
    expect(page.get_by_text(user.email)).to_be_visible()
    page.goto("/app/keys")
    page.get_by_role("button", name=f"Account {user.account}").click()
    page.get_by_role("menuitem", name="Log out").click()
    headline(page, "Log in")
    watch.expect("/api/session", 401)
    page.go_back()
    headline(page, "Log in")
    assert user.email not in page.content()


def test_a_session_that_ends_while_a_key_is_made_is_renewed_and_nothing_is_lost(
    new_context: NewContext, site: Site, watch: Watch
) -> None:
    user = site.new_account()
    context = new_context()
    log_in(context, user)
    page = context.new_page()
    page.goto("/app/keys?new=true")
    page.get_by_role("textbox", name="Name").fill("nightly run")
    Api(page).delete("/api/session")
    watch.expect("/api/keys", 401)
    page.get_by_role("button", name="Create key").click()
    over = page.get_by_role("dialog", name="Your session has ended")
    expect(over.get_by_label("E-mail")).to_have_value(user.email)
    axe(page)
    page.keyboard.press("Escape")
    expect(over).to_be_visible()
    over.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(over).to_be_hidden()
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Key")).to_have_value(
        re.compile("svc_test_")
    )
    assert [key["name"] for key in Api(page).get("/api/keys")["keys"]] == ["nightly run"]


def in_own_session(new_context: NewContext, site: Site, path: str) -> tuple[Page, User]:
    """Return a page of an account of its own, in a session of its own."""
    user = site.new_account()
    context = new_context()
    log_in(context, user)
    page = context.new_page()
    page.goto(path)
    return page, user


@pytest.fixture
def making_a_key(new_context: NewContext, site: Site) -> tuple[Page, User]:
    """A page whose user has named a new key and not yet sent it, and whose session has ended."""
    page, user = in_own_session(new_context, site, "/app/keys?new=true")
    page.get_by_role("textbox", name="Name").fill("nightly run")
    Api(page).delete("/api/session")
    return page, user


def keys_of(page: Page) -> list[str]:
    return [key["name"] for key in Api(page).get("/api/keys")["keys"]]


def test_what_is_sent_after_a_login_in_another_tab_waits_for_a_second_word(
    making_a_key: tuple[Page, User], watch: Watch
) -> None:
    page, user = making_a_key
    log_in(page.context, user)
    watch.expect("/api/keys", 403)
    page.get_by_role("button", name="Create key").click()
    told = page.get_by_role("alert").filter(has_text="logged in again in another tab")
    expect(told).to_contain_text("this request was not sent")
    expect(page.get_by_role("textbox", name="Name")).to_have_value("nightly run")
    assert keys_of(page) == []
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Key")).to_be_visible()
    assert keys_of(page) == ["nightly run"]


def test_a_login_in_another_tab_ends_the_dialog_and_sends_nothing_that_waited(
    making_a_key: tuple[Page, User], watch: Watch
) -> None:
    page, user = making_a_key
    watch.expect("/api/keys", 401)
    watch.expect("/api/session", 401)
    page.get_by_role("button", name="Create key").click()
    over = page.get_by_role("dialog", name="Your session has ended")
    expect(over).to_be_visible()
    with page.expect_response("**/api/session"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    expect(over).to_be_visible()
    log_in(page.context, user)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(over).to_be_hidden()
    expect(page.get_by_role("alert").filter(has_text="was not sent")).to_be_visible()
    assert keys_of(page) == []


def test_another_user_who_logs_in_in_the_dialog_sends_nothing_of_the_first(
    making_a_key: tuple[Page, User], site: Site, watch: Watch
) -> None:
    page, user = making_a_key
    other = site.new_user(user.account)
    watch.expect("/api/keys", 401)
    page.get_by_role("button", name="Create key").click()
    body = {"email": other.email, "password": PASSWORD}
    page.route("**/api/session", lambda route: route.continue_(post_data=body), times=1)
    over = page.get_by_role("dialog", name="Your session has ended")
    over.get_by_label("Password", exact=True).fill(PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Name")).to_have_value("")
    assert Api(page).get("/api/session")["user"]["email"] == other.email
    assert keys_of(page) == []


def test_who_logged_in_meanwhile_is_not_shown_the_page_of_another(
    new_context: NewContext, site: Site, watch: Watch
) -> None:
    page, user = in_own_session(new_context, site, "/app/account")
    headline(page, "Account")
    watch.expect("/api/keys", NO_ANSWER)
    page.route("**/api/keys**", lambda route: route.abort())
    page.get_by_role("link", name="API keys").click()
    expect(
        page.get_by_text("No connection to the server. Reconnecting automatically.")
    ).to_be_visible()
    other = site.new_user(user.account)
    log_in(page.context, other)
    with page.expect_navigation():  # when it asks again by itself
        page.unroute("**/api/keys**")
    expect(page.get_by_text("There are no keys yet.")).to_be_visible()
    assert Api(page).get("/api/session")["user"]["email"] == other.email


def test_a_wrong_password_in_the_dialog_keeps_it_open(
    new_context: NewContext, site: Site, watch: Watch
) -> None:
    page, _ = in_own_session(new_context, site, "/app/account")
    headline(page, "Account")
    Api(page).delete("/api/session")
    watch.expect("/api/keys", 401)
    watch.expect("/api/session", 401)
    page.get_by_role("link", name="API keys").click()
    over = page.get_by_role("dialog", name="Your session has ended")
    over.get_by_label("Password", exact=True).fill("not the password")
    page.keyboard.press("Enter")
    expect(over.get_by_role("alert")).to_have_text("The e-mail address or the password is wrong.")
    axe(page)
    over.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text("There are no keys yet.")).to_be_visible()
