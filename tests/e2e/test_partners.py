"""Partners: added, set up, tried out with the simulator, changed; and who may do what."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Route, expect

from longshore.domain.accounts.model import AccountType
from longshore.domain.partners.settings import SETTINGS
from longshore.domain.users.model import UserRole
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.documents import ORDER, copied
from tests.e2e.support.mapper import stored_map
from tests.e2e.support.site import Site
from tests.e2e.support.trade import order, receive, simulator, until
from tests.e2e.support.watch import Watch
from tests.support.as2 import CERTIFICATE

PageOf = Callable[..., Page]

NORTHWIND = {"name": "Northwind Retail", "isa_qualifier": "01", "isa_id": "123456789"}
HTTP = {
    "type": "http",
    "url": "https://edi.example.com/in",
    "headers": {"X-Api-Key": "their key"},
    "basic": {"user": "ada", "password": "a password of theirs"},
}


def add_partner(page: Page, **members: object) -> int:
    partner: int = Api(page).post("/api/partners", {**NORTHWIND, **members})["partner"]["id"]
    return partner


def members(page: Page, partner: int) -> dict[str, object]:
    found: dict[str, object] = Api(page).get(f"/api/partners/{partner}")["partner"]
    return found


def open_tab(page: Page, partner: int, tab: str = "setup") -> None:
    page.goto(f"/app/partners/{partner}?tab={tab}")
    expect(page.get_by_role("tab", selected=True)).to_be_visible()


def form(page: Page, name: str) -> Locator:
    return page.get_by_role("form", name=name)


def names(page: Page) -> Locator:
    return page.get_by_role("region", name="Trading partners").get_by_role("link")


def test_a_partner_is_added_and_answers_a_test_order_in_six_actions(own_page: Page) -> None:
    page = own_page
    page.goto("/app")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Partners").click()  # 1
    page.get_by_role("button", name="New partner").click()  # 2
    page.get_by_role("textbox", name="Name", exact=True).fill("Northwind Retail")  # 3
    page.get_by_role("textbox", name="ISA id").fill("123456789")  # 4
    axe(page)
    page.get_by_role("button", name="Create partner").click()  # 5
    expect(page.get_by_text("There is no test connection yet.")).to_be_visible()
    page.get_by_role("button", name="Use the simulator and send").click()  # 6
    exchange = page.get_by_role("region", name="Test exchange")
    expect(exchange).to_contain_text("The partner acknowledged it. The exchange works.")
    happened = exchange.get_by_role("list", name="What happened").get_by_role("listitem")
    expect(happened.first).to_contain_text("Created")
    expect(happened.last).to_contain_text("Acknowledgement: accepted")
    steps = page.get_by_role("region", name="Set-up").get_by_role("listitem")
    expect(steps).to_have_text([
        re.compile("^Done: EDI identity"),
        re.compile("^Done: Test connection"),
        re.compile("^Optional: Maps"),
        re.compile("^Done: Test order sent"),
        re.compile("^Done: Test order acknowledged"),
        re.compile("^To do: Active"),
    ])
    expect(page.get_by_text("Connected")).to_have_count(1)
    axe(page)


def test_a_new_partner_is_refused_at_the_field_and_nothing_is_stored(
    own_page: Page, watch: Watch
) -> None:
    page = own_page
    watch.expect("/api/partners", 400)
    page.goto("/app/partners?new=true")
    page.get_by_role("button", name="Create partner").click()
    expect(page.get_by_text("For example the company name.")).to_be_visible()
    page.get_by_role("textbox", name="Name", exact=True).fill("Simulator")
    page.get_by_role("button", name="Create partner").click()
    expect(page.get_by_text('Another partner has this "name" already.')).to_be_visible()
    expect(page.get_by_role("textbox", name="Name", exact=True)).to_be_focused()
    page.get_by_role("textbox", name="Name", exact=True).fill("Northwind")
    page.get_by_role("textbox", name="Agreed sets").fill("850, invoices")
    page.get_by_role("button", name="Create partner").click()
    expect(page.get_by_role("textbox", name="Agreed sets")).to_be_focused()
    axe(page)
    assert Api(page).get("/api/partners")["total"] == 1


def test_the_list_is_narrowed_by_its_address(own_page: Page) -> None:
    page = own_page
    add_partner(page)
    fjord = {"name": "Fjord Foods", "isa_id": "FJORD", "tx_sets": ["850", "997"]}
    add_partner(page, **fjord, partner_status="pending")
    page.goto("/app/partners")
    expect(names(page)).to_have_text(["Simulator", "Northwind Retail", "Fjord Foods"])
    page.get_by_role("combobox", name="Status").select_option("Pending")
    expect(names(page)).to_have_text(["Fjord Foods"])
    expect(page.get_by_role("row").last).to_contain_text("850, 997")
    page.get_by_role("searchbox", name="Name begins with").fill("nobody")
    expect(page.get_by_text("No partner matches.")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Show all partners").click()
    expect(names(page)).to_have_count(3)


def test_what_lacks_is_said_where_a_test_order_would_be_sent(own_page: Page) -> None:
    page = own_page
    partner = add_partner(page, isa_id="", partner_status="pending")
    open_tab(page, partner)
    exchange = page.get_by_role("region", name="Test exchange")
    expect(exchange).to_contain_text("The partner is pending. Start testing first.")
    page.get_by_role("button", name="Start testing").click()
    page.get_by_role("dialog").get_by_role("button", name="Start testing").click()
    expect(exchange).to_contain_text("The partner has no ISA id")
    exchange.get_by_role("link", name="Enter ISA id").click()
    page.get_by_role("textbox", name="ISA id").fill("FJORD")
    page.get_by_role("textbox", name="Hours until it is overdue").fill("24")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("01/FJORD", exact=True)).to_be_visible()
    found = members(page, partner)
    assert (found["isa_id"], found["ack_hours"]) == ("FJORD", 24)


def test_a_rejected_test_order_leads_to_its_record(own_page: Page) -> None:
    page = own_page
    script = {"type": "simulator", "script": "reject:5"}
    partner = add_partner(page, connections={"test": script})
    open_tab(page, partner)
    page.get_by_role("button", name="Send test document").click()
    exchange = page.get_by_role("region", name="Test exchange")
    expect(exchange).to_contain_text("The partner rejected it.")
    expect(page.get_by_role("link", name="Open")).to_be_visible()
    expect(exchange.get_by_role("link", name=re.compile("^850 "))).to_have_attribute(
        "href", re.compile("^/app/transactions/[0-9]+$")
    )


def test_why_a_connection_fails_is_said_where_it_is_mended(own_page: Page) -> None:
    page = own_page
    nowhere = {"type": "http", "url": "https://partner.invalid/in"}
    partner = add_partner(page, connections={"test": nowhere})
    open_tab(page, partner)
    page.get_by_role("button", name="Send test document").click()
    exchange = page.get_by_role("region", name="Test exchange")
    expect(exchange).to_contain_text("The last attempt failed; it will be retried.")
    page.reload()
    page.get_by_role("tab", name="Connection").click()
    expect(page.get_by_text("Failing")).to_have_count(2)
    test = page.get_by_role("region", name="Test connection")
    expect(test).to_contain_text("The last delivery failed. It will be retried.")
    expect(test.get_by_role("link", name="Open the document")).to_be_visible()


def test_a_connection_that_was_switched_off_is_used_again(own_page: Page) -> None:
    page = own_page
    partner = add_partner(page, connections={"test": HTTP})
    path = f"**/api/partners/{partner}"

    def switched_off(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["partner"]["connection_status"] = "disabled"
        route.fulfill(response=answer, json=body)

    page.route(path, switched_off, times=1)
    open_tab(page, partner, "connection")
    expect(page.get_by_text("Nothing is sent until somebody checks the connection")).to_be_visible()
    page.get_by_role("button", name="Enable connection").click()
    expect(page.get_by_text("Unverified")).to_have_count(2)
    found = Api(page).get(f"/api/partners/{partner}")["partner"]
    assert (found["revision"], found["connections"]["test"]["headers"]) == (2, {"X-Api-Key": ""})


def test_secrets_of_a_connection_are_kept_and_never_shown(own_page: Page, watch: Watch) -> None:
    page = own_page
    partner = add_partner(page, connections={"test": HTTP})
    watch.expect(f"/api/partners/{partner}", 400)
    open_tab(page, partner, "connection")
    test = form(page, "Test connection")
    expect(test.get_by_label("Value of header 1")).to_have_value("")
    expect(test.get_by_label("Password", exact=True)).to_have_attribute(
        "placeholder", "set; leave empty to keep"
    )
    axe(page)
    test.get_by_role("textbox", name="Address").fill("ftp://edi.example.com")
    test.get_by_role("button", name="Save").click()
    expect(test.get_by_text("must be an http or https URL")).to_be_visible()
    test.get_by_role("textbox", name="Address").fill("https://10.0.0.7/in")
    test.get_by_role("button", name="Save").click()
    expect(
        test.get_by_text("The address is not one that documents may be sent to.")
    ).to_be_visible()
    offered = test.get_by_role("combobox", name="Type").get_by_role("option")
    names = ["HTTP push", "AS2", "SFTP", "FTPS", "Mailbox", "Simulator", "None"]
    expect(offered).to_have_text(names)
    test.get_by_role("textbox", name="Address").fill("https://edi.example.com/orders")
    test.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The test connection was saved.").first).to_be_visible()
    found = Api(page).get(f"/api/partners/{partner}")["partner"]["connections"]["test"]
    assert found["url"] == "https://edi.example.com/orders"
    assert (found["headers"], found["basic"]["password_set"]) == ({"X-Api-Key": ""}, True)
    assert "their key" not in page.content()


def an_as2_form(page: Page, partner: int) -> Locator:
    open_tab(page, partner, "connection")
    test = form(page, "Test connection")
    test.get_by_role("combobox", name="Type").select_option("AS2")
    return test


def test_an_as2_connection_is_agreed_and_its_profile_made_for_the_partner(
    own_page: Page, watch: Watch
) -> None:
    page = own_page
    partner = add_partner(page, connections={"test": {"type": "none"}})
    watch.expect(f"/api/partners/{partner}", 400)
    test = an_as2_form(page, partner)
    test.get_by_role("button", name="Save").click()
    expect(test.get_by_text("Enter the AS2 name of the partner.")).to_be_visible()
    for label, text in {
        "Your AS2 name": "OUR TEST",
        "AS2 name of the partner": "THEM",
        "AS2 URL of the partner": "https://as2.example.com/",
        "Certificates of the partner": "no certificate",
    }.items():
        test.get_by_label(label).fill(text)
    test.get_by_role("button", name="Save").click()
    expect(test.get_by_text("must be a certificate in PEM")).to_be_visible()
    test.get_by_label("Certificates of the partner").fill(CERTIFICATE * 2)
    test.get_by_role("combobox", name="Encryption").select_option("AES-256-GCM")
    test.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The test connection was saved.").first).to_be_visible()
    found = Api(page).get(f"/api/partners/{partner}")["partner"]["connections"]["test"]
    members = ("as2_from", "as2_to", "certificates", "encrypt_algorithm")
    assert [found[name] for name in members] == [
        *("OUR TEST", "THEM", [CERTIFICATE] * 2, "aes256_gcm"),
    ]
    test.get_by_role("button", name="Create this identity").click()
    expect(test.get_by_label("Send this to the partner")).to_have_value(
        re.compile("AS2 name: +OUR TEST\\nAS2 URL: +http")
    )
    expect(test.get_by_role("button", name="Copy profile")).to_be_visible()
    the_profile_is_downloaded(page, test)
    test.get_by_role("button", name="Check connection").click()
    expect(test.get_by_text("The name of the destination is not known.")).to_be_visible()
    axe(page)


def the_profile_is_downloaded(page: Page, test: Locator) -> None:
    with page.expect_download() as downloading:
        test.get_by_role("button", name="Download profile").click()
    profile = json.loads(downloading.value.path().read_text("utf-8"))
    assert (downloading.value.suggested_filename, profile["as2_name"]) == (
        *("as2-OUR-TEST.json", "OUR TEST"),
    )


def test_the_profile_of_a_partner_fills_the_form(own_page: Page) -> None:
    page = own_page
    partner = add_partner(page, connections={"test": {"type": "none"}})
    open_tab(page, partner, "connection")
    test = form(page, "Test connection")
    test.get_by_role("combobox", name="Type").select_option("AS2")
    expect(test.get_by_role("button", name="Copy what to ask the partner")).to_be_visible()
    profile = {"format": "longshore-as2-profile-1"}
    for environment, text in (("production", "is production"), ("sandbox", "form has the profile")):
        members = {"as2_name": "THEM", "url": "https://them.example.com/", "mdn": "async"}
        given = profile | members | {"environment": environment, "certificates": [CERTIFICATE]}
        with page.expect_file_chooser() as choosing:
            test.get_by_role("button", name="Import profile").click()
        choosing.value.set_files({
            "name": "them.json",
            "mimeType": "application/json",
            "buffer": json.dumps(given).encode(),
        })
        expect(page.get_by_text(re.compile(text)).first).to_be_visible()
    test.get_by_label("Your AS2 name").fill("OUR TEST")
    test.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The test connection was saved.").first).to_be_visible()
    found = Api(page).get(f"/api/partners/{partner}")["partner"]["connections"]["test"]
    assert (found["as2_to"], found["url"], found["mdn"], found["certificates"]) == (
        *("THEM", "https://them.example.com/", "async", [CERTIFICATE]),
    )


def test_an_sftp_connection_is_checked_when_it_is_saved(own_page: Page, watch: Watch) -> None:
    page = own_page
    partner = add_partner(page, connections={"test": {"type": "none"}})
    watch.expect(f"/api/partners/{partner}", 400)
    open_tab(page, partner, "connection")
    test = form(page, "Test connection")
    test.get_by_role("combobox", name="Type").select_option("SFTP")
    test.get_by_role("button", name="Save").click()
    expect(test.get_by_text("Enter the password.")).to_be_visible()
    expect(test.get_by_role("button", name="Check connection")).to_be_disabled()
    for label, text in {"Server": "127.1", "User": "us", "Password": "open sesame"}.items():
        test.get_by_role("textbox", name=label, exact=True).fill(text)
    test.get_by_role("button", name="Save").click()
    expect(test.get_by_text("must be the name or address of a host")).to_be_visible()
    test.get_by_role("textbox", name="Server", exact=True).fill("files.invalid")
    test.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The test connection was saved.").first).to_be_visible()
    test.get_by_role("button", name="Check connection").click()
    expect(test.get_by_text("The name of the destination is not known.")).to_be_visible()


def test_the_host_key_of_an_sftp_server_is_shown_compared_and_saved(own_page: Page) -> None:
    page = own_page
    sftp = {"type": "sftp", "host": "files.invalid", "user": "us", "password": "open sesame"}
    partner = add_partner(page, connections={"test": sftp})
    open_tab(page, partner, "connection")
    test = form(page, "Test connection")
    shown = {"code": "host_key_unconfirmed", "message": "Compare it.", "fingerprint": "SHA256:x"}
    answer = {"ok": True, "check": shown | {"host_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5"}}
    page.route("**/check-connection", lambda route: route.fulfill(json=answer))
    test.get_by_role("button", name="Check connection").click()
    expect(test.get_by_text("SHA256:x")).to_be_visible()
    axe(page)
    test.get_by_role("button", name="use this host key").click()
    test.get_by_role("button", name="Save").click()
    expect(test.get_by_text("must be a host key")).to_be_hidden()
    expect(test.get_by_role("button", name="Check connection")).to_be_enabled()
    found = Api(page).get(f"/api/partners/{partner}")["partner"]["connections"]["test"]
    assert (found["host_key"], found["password_set"]) == ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5", True)


def test_the_certificate_of_an_ftps_server_is_shown_compared_and_saved(own_page: Page) -> None:
    page = own_page
    partner = add_partner(page, connections={"test": {"type": "none"}})
    open_tab(page, partner, "connection")
    test = form(page, "Test connection")
    test.get_by_role("combobox", name="Type").select_option("FTPS")
    for label, text in {"Server": "files.invalid", "User": "us", "Password": "open sesame"}.items():
        test.get_by_role("textbox", name=label, exact=True).fill(text)
    test.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The test connection was saved.").first).to_be_visible()
    fingerprint = "AB:" * 31 + "CD"
    shown = {"code": "certificate_invalid", "message": "Compare it.", "fingerprint": fingerprint}
    answer = {"ok": True, "check": shown | {"host_key": None}}
    page.route("**/check-connection", lambda route: route.fulfill(json=answer))
    test.get_by_role("button", name="Check connection").click()
    expect(test.get_by_text(fingerprint)).to_be_visible()
    axe(page)
    test.get_by_role("button", name="use this certificate").click()
    test.get_by_role("button", name="Save").click()
    expect(test.get_by_role("button", name="Check connection")).to_be_enabled()
    found = Api(page).get(f"/api/partners/{partner}")["partner"]["connections"]["test"]
    assert (found["type"], found["certificate"]) == ("ftps", fingerprint)
    assert (found["port"], found["password_set"]) == (21, True)


def test_every_setting_is_there_and_one_that_was_changed_can_be_reset(own_page: Page) -> None:
    page = own_page
    partner = add_partner(
        page, settings={"dup_window_days": 7, "leniency": {"line_count_wrong": "warning"}}
    )
    open_tab(page, partner, "settings")
    settings = form(page, "Settings")
    for setting in SETTINGS:
        if setting.is_planned:
            expect(settings.locator(f"#about-{setting.name}")).to_have_count(0)
            continue
        row = settings.locator("div").filter(has=page.locator(f"#about-{setting.name}"))
        expect(row.last).to_contain_text(setting.meaning)
    expect(settings.get_by_text("changed", exact=True)).to_have_count(2)
    axe(page)
    settings.get_by_role("button", name="Reset Days a control number").click()
    settings.get_by_role("combobox", name="TA1 is sent").select_option(
        "also for a rejected interchange"
    )
    settings.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The settings of the partner were saved.").first).to_be_visible()
    found = Api(page).get(f"/api/partners/{partner}")["partner"]["settings"]
    assert (found["dup_window_days"], found["ta1"]) == (30, "on_error")
    assert found["leniency"] == {"line_count_wrong": "warning"}


def test_what_somebody_else_saved_meanwhile_is_told_and_nothing_typed_is_lost(
    own_page: Page, watch: Watch
) -> None:
    page = own_page
    partner = add_partner(page)
    watch.expect(f"/api/partners/{partner}", 409)
    open_tab(page, partner, "identity")
    page.get_by_role("textbox", name="Industry").fill("retail")
    changed = {**NORTHWIND, "industry": "wholesale", "ack_hours": 12}
    answer = Api(page).call("PUT", f"/api/partners/{partner}", changed, if_match='"1"')
    assert answer.status == 200, answer.text()
    page.get_by_role("button", name="Save").click()
    notice = page.get_by_role("alert").filter(has_text="This partner was changed in the meantime")
    expect(notice).to_contain_text(Api(page).get("/api/session")["user"]["email"])
    expect(page.get_by_role("textbox", name="Industry")).to_have_value("retail")
    axe(page)
    assert members(page, partner)["industry"] == "wholesale"
    notice.get_by_role("button", name="Overwrite with mine").click()
    expect(notice).to_have_count(0)
    assert members(page, partner)["industry"] == "retail"


def test_a_map_is_chosen_by_name_and_runs_on_what_comes_in(own_page: Page) -> None:
    page = own_page
    map_id = stored_map(page, ORDER, {"number": "x"}, [{"src": "BEG.03", "tgt": "number"}])
    name = Api(page).get(f"/api/maps/{map_id}")["map"]["name"]
    partner = simulator(Api(page))
    open_tab(page, partner, "maps")
    page.get_by_role("button", name="Add a map").click()
    page.get_by_role("textbox", name="Set").fill("850")
    page.get_by_role("combobox", name="Map").select_option(name)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Open map")).to_have_attribute(
        "href", f"/app/maps/{map_id}"
    )
    axe(page)
    receive(Api(page), partner, interchange(page, partner))
    until(Api(page), "/api/vault?direction=inbound", lambda answer: answer["total"] > 0)


def interchange(page: Page, partner: int) -> str:
    """Return the sample order as the partner would send it to this account."""
    identity = Api(page).get("/api/account")["account"]["identities"][0]
    found = Api(page).get(f"/api/partners/{partner}")["partner"]
    text = ORDER.replace("QUILLMARK      ", str(found["isa_id"]).ljust(15))
    return text.replace("BRINDLEWOOD    ", str(identity["isa_id"]).ljust(15))


def test_an_inbound_address_is_copied_and_replaced_with_an_overlap(own_page: Page) -> None:
    page = own_page
    partner = add_partner(page)
    old = str(members(page, partner)["inbound_url_test"])
    open_tab(page, partner, "connection")
    inbound = page.get_by_role("region", name="Where the partner sends test documents")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    inbound.get_by_role("button", name="Copy address").click()
    assert copied(page) == old
    inbound.get_by_role("button", name="New address").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio", name="24 hours")).to_be_checked()
    dialog.get_by_role("button", name="Create new address").click()
    expect(dialog).to_have_count(0)
    expect(inbound).not_to_contain_text(old)
    path = re.sub("^https?://[^/]+", "", old)
    assert page.context.request.post(path, data=order("PO-1")).status == 200


def test_a_status_is_changed_with_its_meaning_and_brought_back(own_page: Page) -> None:
    page = own_page
    partner = add_partner(page)
    open_tab(page, partner)
    page.get_by_role("button", name="Activate").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("It has no live connection")
    expect(dialog).to_contain_text("Your plan does not include production")
    axe(page)
    dialog.get_by_role("button", name="Activate").click()
    expect(page.get_by_text("Sandbox and live documents are exchanged.")).to_be_visible()
    for move in ("Make inactive", "Reactivate"):
        page.get_by_role("button", name=move).click()
        dialog.get_by_role("button", name=move).click()
        expect(dialog).to_have_count(0)
    assert members(page, partner)["partner_status"] == "active"


def test_a_partner_is_exported_deleted_and_imported_again(own_page: Page) -> None:
    page = own_page
    partner = add_partner(page, ack_hours=24, connections={"test": HTTP})
    open_tab(page, partner)
    page.get_by_role("button", name="More actions").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Export").click()
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(names(page)).to_have_text(["Simulator"])
    page.locator("input[type=file]").set_input_files(download.value.path())
    expect(page.get_by_role("heading", level=1)).to_have_text("Northwind Retail")
    found = Api(page).get("/api/partners?q=Northwind")["partners"]
    assert [(each["ack_hours"], each["connection_type"]) for each in found] == [(24, "http")]


def test_a_partner_that_was_traded_with_stays(own_page: Page, watch: Watch) -> None:
    page = own_page
    partner = simulator(Api(page))
    open_tab(page, partner)
    page.get_by_role("button", name="Send test document").click()
    exchange = page.get_by_role("region", name="Test exchange")
    expect(exchange).to_contain_text("The partner acknowledged it")
    watch.expect(f"/api/partners/{partner}", 409)
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name="Delete").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(dialog).to_contain_text("Documents were exchanged with this partner")
    open_tab(page, partner, "numbers")
    expect(page.get_by_role("row", name=re.compile("ISA13"))).to_contain_text("Sandbox")


def test_what_is_typed_outlives_the_tabs_and_is_asked_about_on_leaving(own_page: Page) -> None:
    page = own_page
    open_tab(page, add_partner(page), "identity")
    page.get_by_role("textbox", name="Industry").fill("retail")
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("tab", name="Identity").click()
    expect(page.get_by_role("textbox", name="Industry")).to_have_value("retail")
    page.get_by_role("link", name="All partners").click()
    dialog = page.get_by_role("dialog", name="Unsaved changes")
    dialog.get_by_role("button", name="Stay").click()
    expect(page.get_by_role("textbox", name="Industry")).to_have_value("retail")
    page.get_by_role("link", name="All partners").click()
    dialog.get_by_role("button", name="Leave without saving").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Partners")


def test_a_viewer_reads_and_changes_nothing(own_page: Page, page_of: PageOf, site: Site) -> None:
    partner = add_partner(own_page, connections={"test": HTTP})
    account = Api(own_page).get("/api/session")["account"]["name"]
    page = page_of(site.new_user(account, UserRole.VIEWER))
    page.goto("/app/partners")
    expect(names(page)).to_have_count(2)
    for tab in ("setup", "identity", "connection", "maps", "settings"):
        open_tab(page, partner, tab)
        expect(page.get_by_role("main").get_by_role("button", name=CHANGES)).to_have_count(0)
    expect(page.get_by_role("combobox", name="TA1 is sent")).to_be_disabled()


CHANGES = re.compile("^(Save|Send|Promote|Make|More|New|Use the|Choose)")


def test_production_shows_the_live_side_and_sends_no_tests(page_of: PageOf, site: Site) -> None:
    page = page_of(site.new_account(AccountType.ENTERPRISE))
    partner = add_partner(page)
    page.goto("/app/partners")
    page.get_by_role("button", name="Environment Sandbox").click()
    page.get_by_role("menuitemradio", name="Production").click()
    page.get_by_role("link", name="Northwind Retail").click()
    expect(page.get_by_text("Test documents belong to the sandbox.")).to_be_visible()
    page.get_by_role("button", name="Activate").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Activate").click()
    page.get_by_role("tab", name="Connection").click()
    live = page.get_by_role("region", name="Where the partner sends live documents")
    expect(live).to_contain_text("/edi/receive/")
    expect(page.get_by_text("Not configured")).to_have_count(2)
    assert members(page, partner)["partner_status"] == "active"


def test_a_partner_that_is_gone_is_said_so(own_page: Page, watch: Watch) -> None:
    watch.expect("/api/partners/999", 404)
    own_page.goto("/app/partners/999")
    expect(own_page.get_by_text("This partner does not exist in this account.")).to_be_visible()
    expect(own_page.get_by_role("link", name="All partners").first).to_be_visible()
    axe(own_page)


def test_a_failing_call_leaves_a_way_to_try_again(own_page: Page, watch: Watch) -> None:
    page = own_page
    partner = add_partner(page)
    watch.expect(f"/api/partners/{partner}", 503)
    refusal = {"ok": False, "error": "Busy.", "code": "overloaded", "request_id": "req_1"}
    page.route(
        f"**/api/partners/{partner}",
        lambda route: route.fulfill(status=503, json=refusal, headers={"Retry-After": "1"}),
        times=1,
    )
    page.goto(f"/app/partners/{partner}")
    expect(page.get_by_role("alert")).to_contain_text("req_1")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Northwind Retail")
