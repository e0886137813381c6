"""A large document in the mapper: its beginning shows the shape, and what is refused is said."""

from time import monotonic
from typing import Any

from playwright.sync_api import Page, Request, expect

from tests.e2e.support.documents import SAMPLES
from tests.e2e.support.mapper import output, ready, settled, target
from tests.e2e.support.watch import Watch

CLAIMS = (SAMPLES / "837p_claim" / "input.edi").read_text()
MAX_BYTES = 60_000  # of what the shape takes, where the document has a million
MAX_SECONDS = 20  # it took 40 on a machine with nothing else to do


def large_claims(size: int = 1_000_000) -> str:
    """Return the sample with its last claim repeated, its counts as they should be."""
    head, mark, rest = CLAIMS.rpartition("CLM*")
    claim, trailer, end = rest.partition("SE*")
    claims = (mark + claim) * (size // len(mark + claim))
    count = (head + claims).partition("ST*")[2].count("~") + 1
    return head + claims + trailer + str(count) + end[end.index("*") :]


def begun(page: Page) -> str:
    """Begin a map over a large document, with its standard output; return the document."""
    document = large_claims()
    page.goto("/app/maps/new")
    page.get_by_role("textbox", name="Document").evaluate(SET_TEXT, document)
    page.get_by_role("button", name="Use this document").click()
    expect(page.get_by_role("radio", name="Standard output")).to_be_checked()
    expect(page.get_by_role("main")).to_contain_text(
        f"{document.count('~'):,} segments. The fields are taken from the first 500 of "
        f"{document.count('~'):,} segments; the document was not validated."
    )
    page.get_by_role("button", name="Begin").click()
    ready(page)
    settled(page)
    return document


def accept_all(page: Page) -> None:
    page.get_by_role("button", name="Suggest").click()
    page.get_by_role("menuitem", name="Accept all").click()
    settled(page)


def test_a_megabyte_of_claims_opens_with_its_standard_output(own_page: Page) -> None:
    page = own_page
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    start = monotonic()
    begun(page)
    assert monotonic() - start < MAX_SECONDS
    assert all(len(request.post_data or "") < MAX_BYTES for request in sent)
    assert {request.url.rpartition("/")[2] for request in sent} == {"inspect", "preview"}
    accept_all(page)
    assert "WL-30084" in str(output(page).text_content())
    expect(target(page, "submitter.last_name")).to_contain_text("WINTERS LANE CLINIC")


def test_what_the_server_refuses_of_the_whole_document_is_shown(
    own_page: Page, watch: Watch
) -> None:
    page = own_page
    document = begun(page)
    expect(page.get_by_text("The output is shown once the map has a rule.")).to_be_visible()
    accept_all(page)
    shown = page.get_by_role("status").filter(
        has_text=f"Output of the first 500 of {document.count('~'):,} segments."
    )
    expect(shown).to_be_visible()
    watch.expect("/api/maps/preview", 400)
    page.route("**/api/maps/preview", lambda route: route.fulfill(status=400, json=REFUSED))
    page.get_by_role("button", name="Convert the whole document").click()
    refusal = page.get_by_role("alert").filter(has_text=REFUSED["error"])
    expect(refusal).to_be_visible()
    page.unroute("**/api/maps/preview")
    page.get_by_role("button", name="Only the first 500 of").click()
    expect(shown).to_be_visible()
    expect(refusal).to_have_count(0)


REFUSED: Any = {
    "ok": False,
    "error": "The conversion takes more than 2 seconds.",
    "code": "limit_exceeded",
    "details": [{"code": "limit_exceeded", "message": "The conversion takes more than 2 seconds."}],
    "request_id": "req_1",
}
SET_TEXT = """(field, text) => {
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
  set.call(field, text);
  field.dispatchEvent(new Event('input', {bubbles: true}));
}"""
