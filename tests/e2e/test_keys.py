"""E10: API keys: seen once, rotated with an overlap, revoked; and who may do what."""

import json
import re
import shlex
import subprocess
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from longshore.domain.accounts.model import AccountType
from longshore.domain.users.model import UserRole
from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.site import PASSWORD, Site
from tests.e2e.support.watch import Watch

WHERE_THINGS_ARE_KEPT = """async () => JSON.stringify([
  location.href, history.state, {...localStorage}, {...sessionStorage}, document.cookie,
  await caches.keys(), await indexedDB.databases(), document.documentElement.outerHTML,
])"""


@pytest.fixture
def live_page(page_of: PageOf, site: Site) -> Page:
    """The owner of a new account whose plan has production."""
    return page_of(site.new_account(AccountType.ENTERPRISE))


def make_key(page: Page, name: str, environment: str = "sandbox") -> int:
    body = {"name": name, "environment": environment}
    made: int = Api(page).post("/api/keys", body)["id"]
    return made


def ask(page: Page, name: str, action: str) -> Locator:
    """Choose from the menu of a key, and return the dialog."""
    page.get_by_role("button", name=f"Actions for {name}").click()
    page.get_by_role("menuitem", name=action).click()
    return page.get_by_role("dialog", name=action)


def shown_secret(page: Page) -> str:
    dialog = page.get_by_role("dialog", name="Your new key")
    return dialog.get_by_role("textbox", name="Key").input_value()


def stored(page: Page) -> None:
    page.get_by_role("button", name="I have stored it").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def ping(site: Site, key: str) -> int:
    status, _ = site.server.call("GET", "/api/v1/ping", key)
    return status


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has_text=name)


def test_a_new_key_is_seen_once_and_works(own_page: Page, site: Site) -> None:
    page = own_page
    page.goto("/app/keys")
    page.get_by_role("button", name="New key").click()
    page.get_by_role("textbox", name="Name").fill("ci")
    axe(page)
    page.get_by_role("button", name="Create key").click()
    secret = shown_secret(page)
    axe(page)
    assert re.fullmatch(r"svc_test_[0-9A-Za-z]+", secret)
    assert ping(site, secret) == 200
    stored(page)
    expect(row(page, "ci")).to_contain_text(f"svc_test_…{secret[-4:]}")
    assert secret not in page.evaluate(WHERE_THINGS_ARE_KEPT)
    assert secret not in json.dumps(Api(page).get("/api/keys"))
    page.reload()
    expect(row(page, "ci")).to_contain_text("active")
    assert secret not in page.evaluate(WHERE_THINGS_ARE_KEPT)


def test_only_having_stored_it_closes_the_dialog_of_a_key(own_page: Page) -> None:
    page = own_page
    page.goto("/app/account")
    page.get_by_role("link", name="API keys").click()
    page.get_by_role("button", name="New key").click()
    page.get_by_role("textbox", name="Name").fill("ci")
    page.keyboard.press("Enter")
    secret = shown_secret(page)
    page.keyboard.press("Escape")
    page.mouse.click(5, 5)
    page.evaluate("history.back()")
    expect(page.get_by_role("button", name="Close")).to_have_count(0)
    assert shown_secret(page) == secret
    stored(page)
    expect(page.get_by_role("button", name="New key")).to_be_focused()


def test_the_command_beside_the_key_runs_as_it_stands(own_page: Page) -> None:
    page = own_page
    page.goto("/app/keys?new=true")
    page.get_by_role("textbox", name="Name").fill("ci")
    page.get_by_role("button", name="Create key").click()
    command = page.get_by_role("region", name="Try it with curl").inner_text()
    done = subprocess.run(shlex.split(command), capture_output=True, check=True, timeout=30)
    answer = json.loads(done.stdout)
    assert (answer["ok"], answer["environment"]) == (True, "sandbox")


def test_a_rotated_key_works_beside_the_new_one_until_it_is_revoked(
    own_page: Page, site: Site
) -> None:
    page = own_page
    old = Api(page).post("/api/keys", {"name": "erp", "environment": "sandbox"})["key"]
    page.goto("/app/keys")
    dialog = ask(page, "erp", "Rotate")
    expect(dialog.get_by_role("radio", name="24 hours")).to_be_checked()
    axe(page)
    dialog.get_by_role("button", name="Rotate").click()
    new = shown_secret(page)
    expect(page.get_by_text("The old key works for 24 hours more.")).to_be_visible()
    stored(page)
    assert (ping(site, old), ping(site, new)) == (200, 200)
    expect(row(page, old[-4:])).to_contain_text("grace 23 h")

    dialog = ask(page, f"erp svc_test_…{old[-4:]}", "Revoke")
    axe(page)
    dialog.get_by_role("button", name="Revoke").click()
    expect(row(page, old[-4:])).to_contain_text("revoked")
    assert (ping(site, old), ping(site, new)) == (401, 200)


def test_a_key_can_be_replaced_at_once(own_page: Page, site: Site) -> None:
    page = own_page
    old = Api(page).post("/api/keys", {"name": "erp", "environment": "sandbox"})["key"]
    page.goto("/app/keys")
    dialog = ask(page, "erp", "Rotate")
    dialog.get_by_role("radio", name="No overlap").check()
    dialog.get_by_role("button", name="Rotate").click()
    new = shown_secret(page)
    assert (ping(site, old), ping(site, new)) == (401, 200)


def test_a_live_key_is_revoked_only_by_its_last_characters(live_page: Page) -> None:
    page = live_page
    make_key(page, "erp", "production")
    last4 = Api(page).get("/api/keys")["keys"][0]["last4"]
    page.goto("/app/keys")
    expect(row(page, "erp")).to_contain_text("PRODUCTION")
    dialog = ask(page, "erp", "Revoke")
    expect(dialog).to_contain_text("It has never been used.")
    dialog.get_by_role("button", name="Revoke").click()
    expect(dialog).to_contain_text("These are not its last 4 characters.")
    axe(page)
    assert Api(page).get("/api/keys")["keys"][0]["status"] == "active"
    dialog.get_by_role("textbox").fill(last4)
    dialog.get_by_role("button", name="Revoke").click()
    expect(row(page, "erp")).to_contain_text("revoked")


def test_the_password_is_asked_when_the_server_asks_and_all_else_is_kept(
    own_page: Page, watch: Watch
) -> None:
    page = own_page
    watch.expect("/api/keys", 403)
    refusal = {"ok": False, "error": "Old.", "code": "password_required", "request_id": "req_1"}
    bodies: list[Any] = []  # Any: of Playwright

    def once_more(route: Route) -> None:
        if route.request.method == "POST":
            bodies.append(route.request.post_data_json)
        if len(bodies) == 1:
            route.fulfill(status=403, json=refusal)
        else:
            route.fallback()

    page.goto("/app/keys?new=true")
    page.route("**/api/keys", once_more)
    page.get_by_role("textbox", name="Name").fill("nightly")
    page.get_by_role("button", name="Create key").click()
    field = page.get_by_label("Your password", exact=True)
    expect(field).to_be_focused()
    axe(page)
    field.fill(PASSWORD)
    page.keyboard.press("Enter")
    assert shown_secret(page).startswith("svc_test_")
    assert [(body["name"], body["password"]) for body in bodies] == [
        ("nightly", None),
        ("nightly", PASSWORD),
    ]


def test_a_key_ends_on_the_chosen_day(own_page: Page) -> None:
    page = own_page
    day = (datetime.now(UTC) + timedelta(days=100)).date().isoformat()
    page.goto("/app/keys?new=true")
    page.get_by_role("textbox", name="Name").fill("audit")
    page.get_by_role("checkbox", name="Submit").uncheck()
    page.get_by_label("Expires").select_option(label="On a day")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_text("Choose the expiry day.")).to_be_visible()
    expect(page.get_by_label("Day", exact=True)).to_be_focused()
    page.get_by_label("Day", exact=True).fill(day)
    page.get_by_role("button", name="Create key").click()
    stored(page)
    (key,) = Api(page).get("/api/keys")["keys"]
    assert (key["expires_at"], key["scopes"]) == (f"{day}T00:00:00", ["read", "convert"])


def test_what_the_server_refuses_stands_at_its_field(own_page: Page, watch: Watch) -> None:
    page = own_page
    watch.expect("/api/keys", 400)
    page.goto("/app/keys?new=true")
    page.get_by_role("textbox", name="Name").fill("bad\u202ename")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("textbox", name="Name")).to_have_accessible_description(
        re.compile("no control characters")
    )
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    assert Api(page).get("/api/keys")["count"] == 0


def test_without_the_plan_a_live_key_is_explained(own_page: Page) -> None:
    own_page.goto("/app/keys?new=true")
    expect(own_page.get_by_role("radio", name="Production")).to_be_disabled()
    expect(own_page.get_by_role("dialog")).to_contain_text(
        "The plan “developer” does not include production"
    )


def test_an_editor_manages_sandbox_keys_only(page_of: PageOf, live_page: Page, site: Site) -> None:
    make_key(live_page, "erp", "production")
    make_key(live_page, "ci")
    account = Api(live_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.EDITOR))
    page.goto("/app/keys?new=true")
    expect(page.get_by_role("dialog")).to_contain_text("Only owners can create production keys")
    page.get_by_role("button", name="Cancel").click()
    expect(row(page, "erp")).to_contain_text("owners only")
    expect(page.get_by_role("button", name="Actions for ci")).to_be_visible()
    expect(page.get_by_role("button", name="Actions for erp")).to_have_count(0)


def test_a_viewer_sees_keys_and_why_there_is_no_more(
    page_of: PageOf, own_page: Page, site: Site
) -> None:
    make_key(own_page, "ci")
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app/keys?new=true")
    expect(row(page, "ci")).to_contain_text("active")
    expect(page.get_by_text("Your role is viewer")).to_be_visible()
    expect(page.get_by_role("button", name="New key")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("columnheader", name="Actions")).to_have_count(0)
    axe(page)


def test_the_status_is_in_the_address(own_page: Page, site: Site) -> None:
    page = own_page
    Api(page).delete(f"/api/keys/{make_key(page, 'gone')}")
    make_key(page, "here")
    page.goto("/app/keys")
    page.get_by_label("Status").select_option("revoked")
    expect(page).to_have_url(f"{site.address}/app/keys?status=revoked")
    expect(row(page, "here")).to_have_count(0)
    page.reload()
    expect(row(page, "gone")).to_be_visible()
    page.get_by_label("Status").select_option("grace")
    page.get_by_role("button", name="Show all keys").click()
    expect(row(page, "here")).to_be_visible()
    page.goto("/app/keys?status=nonsense")
    expect(page.get_by_role("row")).to_have_count(3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_stays_within_320_pixels(page_of: PageOf, site: Site, scheme: str) -> None:
    page = page_of(site.new_account(), color_scheme=scheme, viewport={"width": 320, "height": 640})
    make_key(page, "a name of a key that is as long as a name may be, which is 64 ch")
    page.goto("/app/keys")
    expect(page.get_by_role("button", name="Actions for a name")).to_be_attached()
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wider) == 0
    axe(page)


def test_a_failure_names_its_request_and_can_be_tried_again(own_page: Page, watch: Watch) -> None:
    page = own_page
    watch.expect("/api/keys", 500)
    failed = {"ok": False, "error": "Broken.", "code": "internal_error", "request_id": "req_9"}
    page.route("**/api/keys", lambda route: route.fulfill(status=500, json=failed), times=1)
    page.goto("/app/keys")
    expect(page.get_by_role("alert")).to_contain_text("req_9")
    axe(page)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("There are no keys yet.")).to_be_visible()


@pytest.mark.parametrize(
    ("status", "code"), [(429, "rate_limited"), (503, "overloaded"), (503, "storage_unavailable")]
)
def test_a_busy_server_is_asked_again_when_it_says(
    own_page: Page, watch: Watch, status: int, code: str
) -> None:
    page = own_page
    watch.expect("/api/keys", status)
    page.clock.install()
    body = {"ok": False, "error": "Not now.", "code": code, "request_id": "req_2"}
    answer = {"status": status, "json": body, "headers": {"Retry-After": "30"}}
    page.route("**/api/keys", lambda route: route.fulfill(**answer), times=1)
    page.goto("/app/keys")
    expect(page.get_by_role("alert")).to_contain_text("Not now.")
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_disabled()
    page.clock.run_for(10_000)
    expect(page.get_by_text("Available again in 20 s")).to_be_visible()
    page.clock.run_for(21_000)
    again.click()
    expect(page.get_by_text("There are no keys yet.")).to_be_visible()
