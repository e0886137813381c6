"""From a new server to a running command, by nothing but what the pages say (ui.md 4.10)."""

import json
import subprocess
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.support.documents import ORDER, copied
from tests.e2e.support.mapper import Hand, exact_output, output, saved, settled
from tests.e2e.support.mapper import source as source_row
from tests.e2e.support.mapper import target as target_row
from tests.e2e.support.site import PASSWORD, Site

MAX_ACTIONS = 14


def set_up(hand: Hand, site: Site) -> None:
    page = hand.page
    page.goto(site.set_up_path)
    hand.type(page.get_by_label("E-mail"), "ada@example.com")
    hand.type(page.get_by_label("Password", exact=True), PASSWORD)
    hand.click(page.get_by_role("button", name="Set up"))


def map_the_order(hand: Hand) -> None:
    page = hand.page
    hand.paste(page.get_by_role("textbox", name="Document"), ORDER)
    expect(page.get_by_text("Valid", exact=True)).to_be_visible()
    hand.click(page.get_by_role("button", name="Map it"))
    expect(page.get_by_role("radio", name="Standard output")).to_be_checked()
    hand.click(page.get_by_role("button", name="Begin"))
    hand.click(page.get_by_role("button", name="Suggest"))
    hand.click(page.get_by_role("menuitem", name="Accept all"))
    settled(page)
    expect(page.get_by_role("tab", name="Issues")).to_have_text("Issues 0")


def drag_one_field(hand: Hand) -> None:
    """Make the order number the buyer's telephone number: the preview follows."""
    page = hand.page
    expect(output(page)).to_contain_text('"number": "PO-20260302-17"')
    hand.drag(source_row(page, "PER[01=BD].04"), target_row(page, "order.number"))
    expect(output(page)).to_contain_text('"number": "2075550142"\n')
    settled(page)


def save_and_use(hand: Hand) -> None:
    page = hand.page
    hand.click(page.get_by_role("button", name="Save", exact=True))
    saved(page)
    hand.click(page.get_by_role("button", name="Use it"))
    hand.click(page.get_by_role("button", name="Create sandbox key"))
    command = page.get_by_role("region", name="curl command")
    expect(command).to_contain_text("svc_test_")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand.click(page.get_by_role("dialog").get_by_role("button", name="Copy", exact=True))
    expect(page.get_by_role("button", name="Copied")).to_be_visible()


def test_a_new_user_gets_from_a_pasted_order_to_a_running_command_in_14_actions(
    new_site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page: Page = new_context(base_url=new_site.address).new_page()
    hand = Hand(page)
    set_up(hand, new_site)
    map_the_order(hand)
    drag_one_field(hand)
    save_and_use(hand)
    hand.actions += 1  # the command is pasted into a terminal
    ran = subprocess.run(["bash", "-c", copied(page)], capture_output=True, check=True)
    answer = json.loads(ran.stdout)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert answer["ok"], answer
    assert answer["output"] == exact_output(page)
    print(f"actions: {hand.actions}")  # noqa: T201 - a figure to be read
    assert hand.actions <= MAX_ACTIONS
