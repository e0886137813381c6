"""Webhook endpoints: made, tested against a receiver, replayed, changed; and who may do what."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from longshore.domain.users.model import UserRole
from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.destination import destination
from tests.e2e.support.site import Site
from tests.e2e.support.states.webhooks import called_webhook
from tests.e2e.support.watch import Watch

SECRET = re.compile(r"whsec_[0-9A-Za-z+/=]+")


def rows(page: Page) -> Locator:
    """Return the deliveries; what one is opened with is a row as well."""
    body = page.get_by_role("region", name="Calls").get_by_role("rowgroup").nth(1)
    return body.get_by_role("row")


def ask(page: Page, action: str) -> Locator:
    """Choose from the menu of an endpoint, and return the dialog."""
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name=action).click()
    return page.get_by_role("dialog")


def make(page: Page, url: str) -> None:
    """Make an endpoint by hand in an account that has none, and go on to its page."""
    page.goto("/app/webhooks")
    page.get_by_role("button", name="New endpoint").click()
    page.get_by_role("textbox", name="URL").fill(url)
    page.get_by_role("textbox", name="Description").fill("ERP")
    page.get_by_role("button", name="Create endpoint").click()
    dialog = page.get_by_role("dialog", name="Your new secret")
    expect(dialog.get_by_role("textbox", name="Secret")).to_have_value(SECRET)
    axe(page)
    dialog.get_by_role("button", name="I have stored it").click()
    expect(page.get_by_role("heading", name="ERP")).to_be_visible()


def send_test(page: Page) -> None:
    page.get_by_role("button", name="Send test event").click()


def test_a_new_endpoint_is_tested_and_its_delivery_is_seen_and_replayed(
    reaching_site: Site, browser: Browser, new_context: Callable[..., BrowserContext]
) -> None:
    state = reaching_site.state_of(reaching_site.set_up(), browser)
    page = new_context(base_url=reaching_site.address, storage_state=state).new_page()
    with destination(status=204) as (url, bodies):
        make(page, url)
        expect(page.get_by_text("There are no deliveries.")).to_be_visible()
        send_test(page)
        expect(rows(page)).to_contain_text([re.compile("webhook.test.*Delivered.*1204")])
        page.get_by_role("button", name="Show attempts of evt_").click()
        expect(rows(page)).to_contain_text(["Hide", re.compile("Attempt 1.*HTTP status 204")])
        page.get_by_role("button", name="Replay").click()
        expect(rows(page).first).to_contain_text(re.compile(r"Delivered.*evt_[0-9]+_1"))
    sent = [json.loads(body) for body in bodies]
    assert [(each["type"], each["data"]["replay"]) for each in sent] == [
        ("webhook.test", False),
        ("webhook.test", True),
    ]


def test_a_failed_delivery_shows_what_the_endpoint_answered(
    reaching_site: Site, browser: Browser, new_context: Callable[..., BrowserContext]
) -> None:
    state = reaching_site.state_of(reaching_site.set_up(), browser)
    page = new_context(base_url=reaching_site.address, storage_state=state).new_page()
    with destination(status=410, answer=b"We have moved.") as (url, _bodies):
        make(page, url)
        send_test(page)
        expect(rows(page)).to_contain_text([re.compile("webhook.test.*Failed.*1410")])
    page.get_by_role("button", name="Show attempts of evt_").click()
    answer = page.get_by_role("region", name="Answer to attempt 1")
    expect(answer).to_have_text("We have moved.")
    page.reload()
    expect(answer).to_have_text("We have moved.")
    axe(page)
    about = page.get_by_role("region", name="Endpoint")
    expect(about).to_contain_text("It answered with status 410, which means that it is gone.")
    expect(page.get_by_role("button", name="Replay")).to_have_count(0)
    page.get_by_role("button", name="Enable").click()
    expect(about).to_contain_text("Active")


def test_a_refused_member_is_named_at_its_field(own_page: Page, watch: Watch) -> None:
    page = own_page
    watch.expect("/api/webhooks", 400)
    page.goto("/app/webhooks?new=true")
    url = page.get_by_role("textbox", name="URL")
    page.get_by_role("button", name="Create endpoint").click()
    expect(page.get_by_text("Enter the URL that is to be called.")).to_be_visible()
    url.fill("https://127.0.0.1/hooks")
    page.get_by_role("radio", name="Chosen events").check()
    page.get_by_role("button", name="Create endpoint").click()
    expect(page.get_by_text("Choose at least one event.")).to_be_visible()
    page.get_by_role("checkbox", name="ack.overdue").check()
    page.get_by_role("button", name="Create endpoint").click()
    expect(page.get_by_text('Parameter "url" is refused.')).to_be_visible()
    expect(url).to_be_focused()
    url.fill("https://erp.example.com/hooks")
    page.get_by_role("button", name="Create endpoint").click()
    expect(page.get_by_role("dialog", name="Your new secret")).to_be_visible()
    [made] = Api(page).get("/api/webhooks")["webhooks"]
    assert (made["url"], made["events"]) == ("https://erp.example.com/hooks", ["ack.overdue"])
    page.get_by_role("button", name="I have stored it").click()


def test_an_endpoint_is_changed_gets_another_secret_is_disabled_and_deleted(
    own_page: Page,
) -> None:
    page = own_page
    page.goto(f"/app/webhooks/{called_webhook(Api(page))}")
    dialog = ask(page, "Change…")
    expect(dialog.get_by_role("checkbox", name="ack.overdue")).to_be_checked()
    dialog.get_by_role("radio", name="All events").check()
    dialog.get_by_role("button", name="Save endpoint").click()
    about = page.get_by_role("region", name="Endpoint")
    expect(about).to_contain_text("Eventsall")
    dialog = ask(page, "Replace secret…")
    dialog.get_by_role("button", name="Replace secret").click()
    expect(dialog).to_contain_text("signed with the old secret as well for 24 hours more")
    expect(dialog.get_by_role("textbox", name="Secret")).to_have_value(SECRET)
    dialog.get_by_role("button", name="I have stored it").click()
    dialog = ask(page, "Replay a period…")
    dialog.get_by_label("From").fill("2026-01-01")
    dialog.get_by_label("To").fill("2026-01-02")
    dialog.get_by_role("button", name="Replay").click()
    expect(page.get_by_text("0 calls queued.").first).to_be_visible()
    ask(page, "Disable…").get_by_role("button", name="Disable").click()
    expect(about).to_contain_text("A user disabled it.")
    expect(page.get_by_role("button", name="Send test event")).to_have_count(0)
    ask(page, "Delete…").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("There are no webhook endpoints yet.")).to_be_visible()


def test_a_viewer_sees_deliveries_and_no_actions(
    own_page: Page, page_of: PageOf, site: Site
) -> None:
    made = called_webhook(Api(own_page))
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app/webhooks?new=true")
    page.get_by_role("link", name="https://erp.invalid/hooks").click()
    expect(page).to_have_url(f"{site.address}/app/webhooks/{made}")
    page.get_by_role("button", name="Show attempts of evt_").click()
    expect(rows(page)).to_have_count(2)
    buttons = page.get_by_role("main").get_by_role("button")
    expect(buttons).to_have_text(["Hide"])
    axe(page)
