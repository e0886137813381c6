"""A wrong document is corrected in the browser and handed in as a new record."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from longshore.domain.accounts.model import AccountType
from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api, accepted
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER
from tests.e2e.support.mapped import answer, rejected_order
from tests.e2e.support.mapper import Hand
from tests.e2e.support.site import PASSWORD, Site, log_in
from tests.e2e.support.trade import order, receive, settle, simulator, submit, trade, until
from tests.e2e.support.watch import Watch


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Document", exact=True)


def corrected(page: Page, wrong: str, right: str) -> str:
    """Return the text of the editor with one thing corrected."""
    expect(editor(page)).to_have_value(re.compile(re.escape(wrong)))
    return editor(page).input_value().replace(wrong, right, 1)


def invalid(api: Api) -> int:
    broken = order("PO-1").replace("PO1*1*", "PO1*1*many", 1)
    return submit(api, "PO-1", content=broken, on_invalid="store")


def total(api: Api) -> int:
    found: int = api.get("/api/transactions?tx_set=850")["total"]
    return found


def record_and_content(api: Api, number: int) -> tuple[dict[str, Any], str]:
    record = api.get(f"/api/transactions/{number}")["transaction"]
    return record, api.call("GET", f"/api/transactions/{number}/content").text()


def test_a_rejected_order_is_corrected_and_accepted_in_six_actions(own_page: Page) -> None:
    page, api, hand = own_page, Api(own_page), Hand(own_page)
    wrong = rejected_order(api, "PO-12345")
    page.goto("/app")
    hand.click(page.get_by_role("link", name="Transactions", exact=True))
    hand.type(page.get_by_role("searchbox", name="Id, number or partner"), "PO-12345")
    hand.click(page.get_by_role("link", name="PO-12345", exact=True))
    hand.click(page.get_by_role("link", name="Correct and resend").first)
    says = page.get_by_role("region", name="Errors reported by the partner")
    expect(says).to_contain_text("PO1.06: Simulator says Invalid code value (AK4 7)")
    expect(says).to_contain_text("Unchanged since the rejection")
    axe(page)
    expect(editor(page)).to_be_focused()
    hand.type(editor(page), "UP")  # what was rejected is selected
    expect(says).to_contain_text("Changed to UP")
    hand.click(page.get_by_role("button", name="Send corrected document"))
    both = page.get_by_role("region", name="Both documents")
    for side, code in (("del", "XX"), ("ins", "UP")):
        line = both.locator(side).filter(has_text=f"{code}*AB-220")
        expect(line.locator("mark")).to_have_text(code)
    assert hand.actions <= 6
    expect(page.get_by_role("list", name="Timeline")).to_contain_text("Acknowledgement: accepted")
    axe(page)
    record, sent = record_and_content(api, int(page.url.split("/")[-1].partition("?")[0]))
    assert (record["parent_id"], "\n" in sent, "**UP*AB-220~" in sent) == (wrong, False, True)


def test_what_still_stands_as_rejected_is_said_and_can_be_sent(own_page: Page) -> None:
    page = own_page
    wrong = rejected_order(Api(page), "PO-12345")
    page.goto(f"/app/transactions/{wrong}/correct")
    state = page.get_by_role("region", name="Document").get_by_role("status")
    form = page.get_by_role("form", name="Send corrected document")
    expect(state).to_have_text("1 rejected place is unchanged. It is valid against the standard.")
    expect(form).to_contain_text("Simulator would get the rejected document again.")
    text = editor(page).input_value()
    editor(page).fill(text.replace("BEG", "REF*DP*7~\nBEG").replace("*40*EA", "*41*EA"))
    expect(form).to_contain_text("Unchanged since Simulator rejected it: PO1.06.")
    editor(page).fill(text.replace("XX", "UP"))
    expect(state).to_contain_text("All rejected places have been changed.")
    expect(form).not_to_contain_text("rejected")
    editor(page).fill(text)
    expect(state).to_contain_text("1 rejected place is unchanged.")
    page.get_by_role("button", name="Send corrected document").click()
    both = page.get_by_role("region", name="Both documents")
    expect(both.locator("ins").filter(has_text="IEA")).to_be_visible()
    expect(both.locator("ins").filter(has_text="PO1")).to_have_count(0)


def test_of_several_sets_its_own_is_opened_with_its_complaints(own_page: Page) -> None:
    page = own_page
    api = Api(page)
    sets = [
        order(number).replace("0001", st) for number, st in (("PO-1", "0001"), ("PO-2", "0002"))
    ]
    first = submit(api, "PO-1", "never", content="".join(sets))
    second = api.get("/api/transactions?business_key=PO-2")["transactions"][0]["id"]
    settle(api, second, "delivered")
    receive(api, simulator(api), answer(api, first, "0002"))
    settle(api, second, "rejected")
    page.goto(f"/app/transactions/{second}/correct")
    expect(editor(page)).to_have_value(re.compile(r"^(?!.*PO-1\b).*PO-2.*GE\*1\*", re.DOTALL))
    page.get_by_role("button", name="Go to PO1.06").click()
    selected = editor(page).evaluate("e => e.value.slice(e.selectionStart, e.selectionEnd)")
    record = api.get(f"/api/acks?transaction_id={second}")["acks"][0]["errors"][0]
    assert selected == record["our_value"] != ""


def test_of_two_groups_with_the_same_numbers_its_own_set_is_handed_in_alone(
    own_page: Page,
) -> None:
    page = own_page
    api = Api(page)
    right, end = ORDER.index("GS*"), ORDER.index("IEA*")
    wrong = ORDER[right:end].replace("PO1*1*", "PO1*1*many", 1)
    number = wrong.split("*")[6]
    wrong = wrong.replace(f"*{number}*X*", "*9*X*").replace(f"GE*1*{number}", "GE*1*9")
    both = ORDER[:end] + wrong + ORDER[end:].replace("IEA*1*", "IEA*2*")
    receive(api, simulator(api), f"\ufeff\r\n{both}")
    path = "/api/transactions?direction=inbound&status=invalid"
    found = until(api, path, lambda answer: answer["count"] == 1)["transactions"][0]["id"]
    page.goto(f"/app/transactions/{found}/correct")
    alone = ORDER[:right] + wrong + ORDER[end:]
    expect(editor(page)).to_have_value(alone)
    editor(page).fill(corrected(page, "many", ""))
    page.get_by_role("button", name="Submit corrected document").click()
    expect(page.get_by_role("tab", name=f"Compared with {found}")).to_be_visible()
    assert total(api) == 3


def test_among_twins_the_place_tells_its_set_and_neighbours_are_not_sent(own_page: Page) -> None:
    page = own_page
    api = Api(page)
    broken = order("PO-1").replace("PO1*1*", "PO1*1*many", 1)
    submit(api, "PO-1", content=broken + order("PO-2"), on_invalid="store")
    second = api.get("/api/transactions?business_key=PO-2")["transactions"][0]["id"]
    page.goto(f"/app/transactions/{second}/correct")
    expect(editor(page)).to_have_value(order("PO-2"))
    form = page.get_by_role("form", name="Send corrected document")
    send = form.get_by_role("button", name="Send corrected document")
    editor(page).fill(order("PO-1") + order("PO-2"))
    expect(send).to_be_disabled()
    expect(form).to_contain_text("The document contains 2 transaction sets")
    editor(page).fill(order("PO-2"))
    send.click()
    expect(page.get_by_role("region", name="Both documents")).to_be_visible()
    assert total(api) == 3


def test_where_nobody_can_tell_its_set_all_are_shown_and_not_sent(own_page: Page) -> None:
    page = own_page
    api = Api(page)
    broken = order("PO-1").replace("PO1*1*", "PO1*1*many", 1)
    found = submit(api, "PO-1", content=broken + order("PO-2"), on_invalid="store")
    record = api.get(f"/api/transactions/{found}")["transaction"]
    page.route(
        f"**/api/interchanges/{record['interchange_id']}",
        lambda route: route.fulfill(json={"ok": True, "interchange": {"transaction_ids": [found]}}),
    )
    page.goto(f"/app/transactions/{found}/correct")
    expect(page.get_by_role("note")).to_contain_text("it is unclear which of its 2")
    expect(page.get_by_role("button", name="Send corrected document")).to_be_disabled()
    axe(page)
    editor(page).fill(order("PO-1"))
    expect(page.get_by_role("button", name="Send corrected document")).to_be_enabled()


def test_validation_follows_the_text_and_errors_are_sent_only_knowingly(own_page: Page) -> None:
    page = own_page
    page.goto(f"/app/transactions/{invalid(Api(page))}/correct")
    send = page.get_by_role("button", name="Send corrected document")
    expect(page.get_by_role("region", name="Validation: 1 error")).to_contain_text("PO1.02")
    expect(send).to_be_disabled()
    page.get_by_role("checkbox", name="Send it despite 1 error").check()
    expect(send).to_be_enabled()
    editor(page).fill(corrected(page, "many", ""))
    expect(page.get_by_role("region", name="Validation: 0 errors")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("textbox", name="Reason (optional)").fill("A slip of the pen")
    send.click()
    expect(page.get_by_role("list", name="Timeline")).to_contain_text("Delivered")
    assert "A slip of the pen" in str(Api(page).get("/api/audit"))


def test_a_double_click_sends_once(own_page: Page) -> None:
    page = own_page
    page.goto(f"/app/transactions/{invalid(Api(page))}/correct")
    editor(page).fill(corrected(page, "many", ""))
    expect(page.get_by_role("region", name="Validation: 0 errors")).to_be_visible()
    page.get_by_role("button", name="Send corrected document").dblclick()
    expect(page.get_by_role("region", name="Both documents")).to_be_visible()
    assert total(Api(page)) == 2


def test_an_answer_that_was_lost_is_asked_for_again_and_nothing_is_sent_twice(
    own_page: Page, watch: Watch
) -> None:
    page = own_page
    page.goto(f"/app/transactions/{invalid(Api(page))}/correct")
    editor(page).fill(corrected(page, "many", ""))
    expect(page.get_by_role("region", name="Validation: 0 errors")).to_be_visible()
    watch.expect("/api/transactions/submit", 0)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/submit", lose, times=1)
    page.get_by_role("button", name="Send corrected document").click()
    expect(page.get_by_text("The server cannot be reached.").first).to_be_visible()
    page.get_by_role("button", name="Send corrected document").click()
    expect(page.get_by_role("region", name="Both documents")).to_be_visible()
    assert total(Api(page)) == 2


def corrected_twice(api: Api, number: int) -> int:
    """Correct an order, and what was made of it, which is rejected as well; return the last."""
    fallen = submit(api, "PO-12345", "reject:5", parent_id=number)
    settle(api, fallen, "rejected")
    return submit(api, "PO-12345", parent_id=fallen)


def test_another_one_beside_what_was_sent_meanwhile_is_sent_only_knowingly(
    own_page: Page, watch: Watch
) -> None:
    page = own_page
    api = Api(page)
    wrong = rejected_order(api, "PO-12345")
    page.goto(f"/app/transactions/{wrong}/correct")
    editor(page).fill(corrected(page, "XX", "UP"))
    first = corrected_twice(api, wrong)  # in another tab
    watch.expect("/api/transactions/submit", 409)
    form = page.get_by_role("form", name="Send corrected document")
    send = form.get_by_role("button", name="Send corrected document")
    send.click()
    expect(form.get_by_role("alert")).to_contain_text(f"Transaction {first} was made")
    expect(send).to_be_disabled()
    axe(page)
    form.get_by_role("checkbox", name=f"Send another one although {first} is active").check()
    second = submit(api, "PO-12345", parent_id=wrong, supersedes=first)
    send.click()
    another = form.get_by_role("checkbox", name=f"Send another one although {second} is active")
    expect(another).not_to_be_checked()
    expect(page.get_by_role("note")).to_contain_text(f"It was sent again already: {second}, ")
    expect(send).to_be_disabled()
    assert total(api) == 4
    another.check()
    send.click()
    expect(page.get_by_role("region", name="Both documents")).to_be_visible()
    assert total(api) == 5


def test_a_test_made_of_a_live_document_is_seen_to_stand_in_its_place(
    page_of: PageOf, site: Site
) -> None:
    page = page_of(site.new_account(AccountType.ENTERPRISE))
    api = Api(page, "production")
    terms = {"name": "Northwind", "isa_qualifier": "ZZ", "isa_id": "NORTHWIND"}
    partner = api.post("/api/partners", terms)["partner"]
    path, active = f"/api/partners/{partner['id']}", partner | {"partner_status": "active"}
    accepted(api.call("PUT", path, active, if_match='"1"'))
    body = {"partner_id": partner["id"], "tx_set": "850", "direction": "outbound"}
    broken = order("PO-1").replace("PO1*1*", "PO1*1*many", 1)
    live = body | {"content": broken, "on_invalid": "store"}
    wrong = api.post("/api/transactions/submit", live)["transaction_id"]
    test = body | {"content": ORDER, "restamp": True, "parent_id": wrong}
    stands = api.post("/api/transactions/submit", test)["transaction_id"]
    assert api.get(f"/api/transactions/{stands}")["transaction"]["environment"] == "sandbox"
    page.goto("/app")
    page.evaluate("sessionStorage.setItem('longshore.environment', 'production')")
    page.goto(f"/app/transactions/{wrong}/correct")
    said = f"It was sent again already: {stands} in the sandbox, Held."
    expect(page.get_by_role("note")).to_have_text(said)
    editor(page).fill(corrected(page, "many", ""))
    expect(page.get_by_role("region", name="Validation: 0 errors")).to_be_visible()
    page.get_by_role("checkbox", name=f"Send another one although {stands} is active").check()
    page.get_by_role("button", name="Send corrected document").click()
    expect(page.get_by_role("region", name="Both documents")).to_be_visible()


def test_what_stands_in_the_place_of_a_record_is_told_before_another_is_made(
    own_page: Page,
) -> None:
    page = own_page
    api = Api(page)
    wrong = rejected_order(api, "PO-12345")
    page.goto(f"/app/transactions/{wrong}")
    correct = page.get_by_role("link", name="Correct and resend")
    expect(correct).to_have_count(2)
    first = submit(api, "PO-12345", parent_id=wrong)
    settle(api, first, "acknowledged")
    page.reload()
    expect(page.get_by_role("main")).to_contain_text(f"Resent as {first} (Acknowledged)")
    expect(correct).to_have_count(1)  # not in the head any more
    page.get_by_role("button", name="Reissue…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"It was sent again already: {first}, Acknowledged.")
    axe(page)


def test_what_was_typed_can_be_copied_when_its_record_was_deleted_meanwhile(
    own_page: Page, watch: Watch
) -> None:
    page = own_page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/app/transactions/{invalid(Api(page))}/correct")
    text = corrected(page, "many", "")
    editor(page).fill(text)
    expect(page.get_by_role("region", name="Validation: 0 errors")).to_be_visible()
    gone = {"ok": False, "error": "There is no such transaction.", "code": "not_found"}
    watch.expect("/api/transactions/submit", 404)
    page.route("**/submit", lambda route: route.fulfill(status=404, json=gone))
    page.get_by_role("button", name="Send corrected document").click()
    form = page.get_by_role("form", name="Send corrected document")
    expect(form).to_contain_text("There is no such transaction.")
    form.get_by_role("button", name="Copy text").click()
    expect(form.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text
    axe(page)
    form.get_by_role("link", name="All transactions").click()
    expect(page.get_by_role("dialog", name="Not sent yet")).to_be_visible()


def test_what_was_typed_is_kept_while_somebody_logs_in_again(
    new_context: Callable[..., BrowserContext], site: Site, watch: Watch
) -> None:
    context = new_context()
    log_in(context, site.new_account())
    page = context.new_page()
    page.goto(f"/app/transactions/{invalid(Api(page))}/correct")
    text = corrected(page, "many", "")
    expect(page.get_by_role("region", name="Validation: 1 error")).to_be_visible()
    Api(page).delete("/api/session")
    watch.expect("/api/validate", 401)
    editor(page).fill(text)
    dialog = page.get_by_role("dialog", name="Your session has ended")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Validation: 0 errors")).to_be_visible()
    expect(editor(page)).to_have_value(text)


def test_whoever_leaves_with_changes_is_asked(own_page: Page) -> None:
    page = own_page
    record = invalid(Api(page))
    page.goto(f"/app/transactions/{record}/correct")
    text = corrected(page, "many", "")
    editor(page).fill(text)
    page.get_by_role("link", name="PO-1", exact=True).click()
    dialog = page.get_by_role("dialog", name="Not sent yet")
    axe(page)
    dialog.get_by_role("button", name="Stay").click()
    expect(editor(page)).to_have_value(text)
    page.get_by_role("link", name="PO-1", exact=True).click()
    dialog.get_by_role("button", name="Leave without sending").click()
    expect(page).to_have_url(re.compile(rf"/transactions/{record}$"))


def test_what_was_received_unreadable_is_handed_in_corrected(own_page: Page, watch: Watch) -> None:
    watch.expect("/api/validate", 400)
    page = own_page
    api = Api(page)
    trade(api)
    found = api.get("/api/transactions?status=quarantined")["transactions"][0]["id"]
    page.goto(f"/app/transactions/{found}/correct")
    expect(editor(page)).to_have_value("Dear Sir, this is an order.")
    sender = ORDER.replace("000000417", "000000418")
    editor(page).fill(sender)
    page.get_by_role("textbox", name="Transaction set").fill("850")
    page.get_by_role("button", name="Submit corrected document").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("850 Purchase order")
    expect(page.get_by_text("Processed", exact=True).first).to_be_visible()
    new = int(page.url.split("/")[-1].partition("?")[0])
    record = api.get(f"/api/transactions/{new}")["transaction"]
    assert (record["direction"], record["status"]) == ("inbound", "processed")
    assert record["parent_id"] == found


def test_an_invalid_order_that_was_received_is_corrected(own_page: Page) -> None:
    page = own_page
    api = Api(page)
    receive(api, simulator(api), ORDER.replace("PO1*1*", "PO1*1*many", 1))
    path = "/api/transactions?direction=inbound&status=invalid"
    found = until(api, path, lambda answer: answer["count"] == 1)["transactions"][0]["id"]
    page.goto(f"/app/transactions/{found}/correct")
    editor(page).fill(corrected(page, "many", ""))
    page.get_by_role("button", name="Submit corrected document").click()
    expect(page.get_by_role("tab", name=f"Compared with {found}")).to_be_visible()
    new = int(page.url.split("/")[-1].partition("?")[0])
    settle(api, new, "processed")
    assert api.get(f"/api/transactions/{new}")["transaction"]["parent_id"] == found


def test_what_is_in_order_has_nothing_to_correct(own_page: Page) -> None:
    page = own_page
    record = submit(Api(page), "PO-1")
    settle(Api(page), record, "acknowledged")
    page.goto(f"/app/transactions/{record}/correct")
    expect(page.get_by_text("Only invalid, failed and rejected")).to_be_visible()
    expect(editor(page)).to_have_count(0)


@pytest.mark.parametrize(
    ("answered", "said"),
    [
        (
            {"status": 404, "json": {"ok": False, "error": "", "code": "not_found"}},
            "no longer stored",
        ),
        ({"body": "ISA*" + "x" * 2_000_001}, "too large to be corrected here"),
    ],
)
def test_a_document_that_is_gone_or_too_long_is_explained(
    own_page: Page, watch: Watch, answered: dict[str, Any], said: str
) -> None:
    page = own_page
    record = invalid(Api(page))
    if "status" in answered:
        watch.expect(f"/api/transactions/{record}/content", 404)
    page.route("**/content", lambda route: route.fulfill(**answered))
    page.goto(f"/app/transactions/{record}/correct")
    expect(page.get_by_text(said)).to_be_visible()
    page.get_by_role("link", name="Back to the transaction").click()
    expect(page.get_by_role("region", name="About this transaction")).to_be_visible()


def test_a_record_that_is_gone_is_explained(page: Page, watch: Watch) -> None:
    watch.expect("/api/transactions/987654321", 404)
    page.goto("/app/transactions/987654321/correct")
    expect(page.get_by_text("This transaction does not exist in this environment.")).to_be_visible()
