"""What was not checked is never shown as right: inspect, new maps, the list, its records."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER, SAMPLES, paste
from tests.e2e.support.mapped import answer
from tests.e2e.support.site import User
from tests.e2e.support.trade import receive, settle, simulator, submit
from tests.support.unchecked import unknown_sets

(UNKNOWN,) = unknown_sets(1)
CLAIMS = (SAMPLES / "837p_claim" / "input.edi").read_text()
SECOND = f"ST*{UNKNOWN}*0002~\nBGN*00*1*20260302~\nSE*3*0002~\nGE*2*"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_set_without_a_definition_is_not_checked(
    page_of: PageOf, owner: User, scheme: str
) -> None:
    page = page_of(owner, color_scheme=scheme)
    page.goto("/app/inspect")
    paste(page, ORDER.replace("ST*850*", f"ST*{UNKNOWN}*"))
    main = page.get_by_role("main")
    expect(main.get_by_text("Not checked", exact=True)).to_be_visible()
    expect(main.get_by_text("Valid", exact=True)).to_have_count(0)
    expect(main).to_contain_text(
        f"Set {UNKNOWN} 004010 has no definition in the dictionary: only the envelope was checked."
    )
    axe(page)
    page.get_by_role("button", name="Map it").click()
    expect(main).to_contain_text(
        f"Not checked. Set {UNKNOWN} 004010 has no definition in the dictionary"
    )


def test_an_unknown_guide_is_named(own_page: Page) -> None:
    page = own_page
    page.goto("/app/inspect")
    paste(page, CLAIMS.replace("005010X222A1", "005010X999A9"))
    main = page.get_by_role("main")
    expect(main).to_contain_text(
        "Guide 005010X999A9 was not used: checked against 837 005010 only."
    )
    expect(main.get_by_text("Valid", exact=True)).to_have_count(0)


def test_text_that_was_not_read_is_said(own_page: Page) -> None:
    page = own_page
    page.goto("/app/inspect")
    paste(page, ORDER + ORDER.replace("ISA*", "ISB*", 1))
    main = page.get_by_role("main")
    expect(main).to_contain_text(
        "Text outside the interchanges was not read. It may be a document, so not everything here"
        " was checked."
    )
    expect(main.get_by_text("Not checked", exact=True)).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Another document").click()
    paste(page, ORDER[: ORDER.index("SE*")])
    expect(main).to_contain_text("The document is not complete. What is missing was not checked.")


def test_each_set_of_a_file_has_its_outcome_and_its_code_lists(own_page: Page) -> None:
    page = own_page
    page.goto("/app/inspect")
    paste(page, ORDER.replace("GE*1*", SECOND))
    sets = page.get_by_role("list", name="Outcome of each set").get_by_role("listitem")
    expect(sets).to_have_count(2)
    expect(sets.nth(0)).to_contain_text("Valid1. 850 0001")
    expect(sets.nth(1)).to_contain_text(f"Not checked2. {UNKNOWN} 0002")
    shown = sets.nth(0).get_by_role("button", name="Show which")
    shown.click()
    expect(sets.nth(0)).to_contain_text("156")
    expect(sets.nth(0).get_by_role("button", name="Show fewer")).to_have_attribute(
        "aria-expanded", "true"
    )
    axe(page)


def test_a_record_that_was_not_checked_says_so_in_the_list_and_on_its_page(own_page: Page) -> None:
    page = own_page
    content = ORDER.replace("ST*850*", f"ST*{UNKNOWN}*")  # its group need not be known
    record = submit(Api(page), "PO-1", tx_set=UNKNOWN, content=content)
    page.goto("/app/transactions")
    rows = page.get_by_role("region", name="Transactions").get_by_role("row")
    expect(rows.filter(has_text=f"{UNKNOWN} ")).to_contain_text("Not checked")
    axe(page)
    page.goto(f"/app/transactions/{record}?tab=findings")
    about = page.get_by_role("region", name="About this transaction")
    expect(about).to_contain_text("ValidationNot checked")
    expect(page.get_by_role("main")).to_contain_text(
        f"Set {UNKNOWN} 004010 has no definition in the dictionary: only the envelope was checked."
    )
    expect(page.get_by_text("Validation finds no errors")).to_have_count(0)


def test_no_error_beside_a_rejected_code_names_the_list_that_was_not_checked(
    own_page: Page,
) -> None:
    page, api = own_page, Api(own_page)
    record = submit(api, "PO-1", "never")
    settle(api, record, "delivered")
    receive(api, simulator(api), answer(api, record, segment="N4", note="2*156*7*ME"))
    settle(api, record, "rejected")
    page.goto(f"/app/transactions/{record}/correct")
    editor = page.get_by_role("textbox", name="Document", exact=True)
    expect(editor).to_be_visible()
    editor.fill(editor.input_value().replace("Merrin*ME*", "Merrin*MA*"))
    found = page.get_by_role("region", name="Validation: 0 errors")
    expect(found).to_contain_text("Code list of element 156 not checked.")
    expect(page.get_by_role("status").filter(has_text="rejected")).to_contain_text(
        "Code list of element 156 not checked."
    )
    axe(page)
