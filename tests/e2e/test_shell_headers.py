"""What protects the pages whatever they show: headers, cookie, and who may call what from where."""

import re
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.e2e.support.api import Api
from tests.e2e.support.site import Site, log_in
from tests.support.live_server import a_request

ADDRESSES = ["/", "/login", "/setup", "/app", "/app/maps", "/app/nowhere"]
NONCE = re.compile(r"'nonce-([A-Za-z0-9_-]{24})'")


def answer_of(page: Page, path: str) -> Response:
    response = page.goto(path)
    assert response is not None
    return response


@pytest.mark.parametrize("path", ADDRESSES)
def test_each_page_has_the_headers_that_protect_it(page: Page, path: str) -> None:
    headers = answer_of(page, path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; ")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"


def test_the_nonce_is_new_for_each_answer_and_that_of_the_page(page: Page) -> None:
    nonces = set()
    for _ in range(5):
        response = answer_of(page, "/app")
        found = NONCE.findall(response.headers["content-security-policy"])
        assert found == re.findall(r'name="csp-nonce" content="([^"]+)"', response.text())
        nonces |= set(found)
    assert len(nonces) == 5


def test_the_application_gives_its_styles_the_nonce(page: Page) -> None:
    response = answer_of(page, "/app")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    (nonce,) = NONCE.findall(response.headers["content-security-policy"])
    used = page.eval_on_selector_all("style", "found => found.map(each => each.nonce)")
    assert set(used) == {nonce}


def test_the_cookie_of_a_session_cannot_be_read_by_a_page(page: Page) -> None:
    page.goto("/app")
    (cookie,) = page.context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (
        "svc_session",
        True,
        "Lax",
        "/",
    )
    assert (cookie["expires"], cookie["secure"]) == (-1, False)  # plain http on loopback
    assert page.evaluate("document.cookie") == ""


class Stranger(BaseHTTPRequestHandler):
    """Another site; its page does nothing by itself."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        # The icon, for which a browser would ask otherwise.
        self.wfile.write(b'<!doctype html><link rel="icon" href="data:,"><title>stranger</title>')

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the standard library
        pass


@pytest.fixture(scope="module")
def stranger_port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


SEND_FORM = """([address, body]) => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: address, enctype: 'text/plain' });
  const field = document.createElement('input');
  [field.name, field.value] = body.split('=');
  form.append(field);
  document.body.append(form);
  form.submit();
}"""


FETCH = """([address, type, mode]) => fetch(address, {
  method: 'POST', mode, credentials: 'include', body: '{"name":"ci","environment":"sandbox"}',
  headers: { 'Content-Type': type },
}).then((answer) => answer.type, () => 'refused')"""


class Attack(NamedTuple):
    """A page of another origin in the browser of somebody who is logged in."""

    page: Page
    api: Api
    address: str


# The first is another site; the second has our cookies sent along: only its port differs.
@pytest.fixture(params=["localhost", "127.0.0.1"])
def attack(
    request: pytest.FixtureRequest, browser: Browser, site: Site, stranger_port: int
) -> Iterator[Attack]:
    # Not watched: it is no page of ours, and its calls are meant to fail.
    context = browser.new_context(base_url=site.address)
    log_in(context, site.new_account())
    page = context.new_page()
    page.goto(f"http://{request.param}:{stranger_port}/")
    yield Attack(page, Api(page), f"{site.address}/api/keys")
    context.close()


def test_a_form_of_another_origin_is_refused_and_changes_nothing(attack: Attack) -> None:
    body = '{"name":"ci","environment":"sandbox","a":"=b"}'
    with attack.page.expect_response(attack.address) as sent:
        attack.page.evaluate(SEND_FORM, [attack.address, body])
    assert sent.value.request.method == "POST"
    assert sent.value.status in {401, 403}  # without the cookie, or because of the origin
    assert attack.api.get("/api/keys")["keys"] == []


@pytest.mark.parametrize(
    ("content_type", "mode", "seen"),
    [
        ("application/json", "cors", "refused"),  # the browser asks before, and is not allowed to
        ("text/plain", "no-cors", "opaque"),  # the browser sends it, and the page learns nothing
        ("text/plain", "cors", "refused"),  # the same, but the page wants to read the answer
    ],
)
def test_a_call_of_another_origin_is_refused_and_changes_nothing(
    attack: Attack, content_type: str, mode: str, seen: str
) -> None:
    assert attack.page.evaluate(FETCH, [attack.address, content_type, mode]) == seen
    assert attack.api.get("/api/keys")["keys"] == []


def test_a_page_of_another_origin_reads_nothing(attack: Attack) -> None:
    read = "(address) => fetch(address, { credentials: 'include' }).then(() => 1, () => 'refused')"
    assert attack.page.evaluate(read, attack.address) == "refused"


def test_no_other_page_shows_ours_in_a_frame(attack: Attack, site: Site) -> None:
    with attack.page.expect_console_message(lambda said: "frame-ancestors" in said.text):
        attack.page.evaluate(
            """(address) => document.body.append(Object.assign(
                 document.createElement('iframe'), { src: address }))""",
            f"{site.address}/login",
        )


def test_a_key_opens_no_page_endpoint_and_a_session_no_key_endpoint(
    own_page: Page, site: Site
) -> None:
    key = Api(own_page).post("/api/keys", {"name": "ci", "environment": "sandbox"})["key"]
    assert site.server.call("GET", "/api/v1/ping", key)[0] == 200
    status, answer = site.server.call("GET", "/api/keys", key)
    assert (status, answer["code"]) == (401, "not_logged_in")
    response = Api(own_page).call("GET", "/api/v1/ping")
    assert (response.status, response.json()["code"]) == (401, "missing_api_key")


def wire_answer(site: Site, request: bytes) -> bytes:
    """Return all that the server answers to the bytes of a request until it closes."""
    where = urlsplit(site.address)
    with socket.create_connection((where.hostname, where.port), timeout=15) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.mark.parametrize(
    "path", ["/static/../theme.js", "/static/./theme.js", "/static/assets/../theme.js"]
)
def test_a_path_with_dots_is_taken_as_it_is(site: Site, path: str) -> None:
    answer = wire_answer(site, a_request("GET", path, "Connection: close"))
    assert answer.startswith(b"HTTP/1.1 404 ")


def test_a_file_that_is_not_sent_again_leaves_the_connection_in_order(site: Site) -> None:
    known = a_request("GET", "/static/theme.js", "If-None-Match: *")
    unread = a_request("GET", "/static/theme.js", "If-None-Match: *", "Content-Length: 1")
    first, second, rest = wire_answer(site, known + unread).split(b"\r\n\r\n")
    assert [each.splitlines()[0] for each in (first, second)] == [b"HTTP/1.1 304 Not Modified"] * 2
    assert [b"connection: close" in each for each in (first, second)] == [False, True]
    assert rest == b""
