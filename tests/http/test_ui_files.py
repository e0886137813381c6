"""The files of the browser application: found by whole path, sent small, kept or asked for."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from longshore.http.app import create_app
from longshore.http.services import HttpServices
from longshore.http.ui.files import CONTENT_TYPES, accepts_gzip, names_tag
from longshore.http.ui.shell import PLACEHOLDER

SCRIPT = "/static/assets/main-D4f1.js"
THEME = "/static/theme.js"
CODE = b"export const answer = 42;\n" * 100
SIGNATURE = bytes(range(256))
FILES = {
    "index.html": PLACEHOLDER,
    "theme.js": CODE,
    "icon.svg": b"<svg/>",
    "assets/main-D4f1.js": CODE,
    "assets/main-B0.css": b"a{}" * 100,
    "assets/logo-1.png": SIGNATURE,
    "assets/other-1.bin": b"?",
    ".vite/manifest.json": b"{}",
    "assets/.hidden": b"",
}


def build(folder: Path) -> None:
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


@pytest.fixture
def browser(services: HttpServices, tmp_path: Path) -> Iterator[TestClient]:
    build(tmp_path)
    (tmp_path.parent / f"{tmp_path.name}-outside.js").write_bytes(CODE)
    app = create_app(services, static_folder=tmp_path)
    with TestClient(app, base_url="http://longshore.test") as client:
        client.headers.clear()
        yield client


def raw(browser: TestClient, path: str, accept: str = "gzip") -> tuple[httpx2.Headers, bytes]:
    """Return headers and the body as it was sent, before a client decompresses it."""
    headers = {"Accept-Encoding": accept}
    with browser.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200
        return response.headers, b"".join(response.iter_raw())


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        (SCRIPT, "text/javascript; charset=utf-8"),
        ("/static/assets/main-B0.css", "text/css; charset=utf-8"),
        ("/static/icon.svg", "image/svg+xml"),
        ("/static/assets/logo-1.png", "image/png"),
        ("/static/assets/other-1.bin", "application/octet-stream"),
    ],
)
def test_a_file_has_the_type_of_its_name(browser: TestClient, path: str, content_type: str) -> None:
    response = browser.get(path)
    assert response.content == FILES[path.removeprefix("/static/")]
    assert response.headers["content-type"] == content_type
    assert response.headers["x-content-type-options"] == "nosniff"


def test_every_type_says_its_charset_where_there_is_one() -> None:
    texts = {kind for kind in CONTENT_TYPES.values() if kind.startswith(b"text/")}
    assert all(kind.endswith(b"; charset=utf-8") for kind in texts)


def test_a_name_with_a_hash_is_kept_for_a_year_and_others_are_asked_for_again(
    browser: TestClient,
) -> None:
    kept, asked = browser.get(SCRIPT), browser.get(THEME)
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asked.headers["cache-control"] == "no-cache"


def test_text_is_sent_compressed_to_those_who_take_it(browser: TestClient) -> None:
    headers, body = raw(browser, SCRIPT)
    assert (headers["content-encoding"], headers["vary"]) == ("gzip", "accept-encoding")
    assert (gzip.decompress(body), len(body) < len(CODE) / 10) == (CODE, True)
    headers, body = raw(browser, SCRIPT, "identity")
    assert ("content-encoding" in headers, headers["vary"]) == (False, "accept-encoding")
    assert body == CODE


def test_what_does_not_get_smaller_is_sent_as_it_is(browser: TestClient) -> None:
    headers, body = raw(browser, "/static/assets/logo-1.png")
    assert ("content-encoding" in headers, body) == (False, SIGNATURE)


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        (b"", False),
        (b"gzip", True),
        (b"deflate, GZIP;q=0.5, br", True),
        (b"gzip; q=0", False),
        (b"gzip;q=0.000, *", False),
        (b"*", True),
        (b"*;q=0", False),
        (b"identity, br", False),
        (b"xgzip", False),
        (b";;,,=", False),
    ],
)
def test_gzip_is_taken_from_what_the_request_says(value: bytes, *, accepted: bool) -> None:
    assert accepts_gzip(value) is accepted


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (b"", False),
        (b'"abc"', True),
        (b'W/"abc"', True),
        (b'"x", W/"abc" , "y"', True),
        (b"*", True),
        (b"abc", False),
        (b'"abcd"', False),
        (b'"ab""c"', False),
    ],
)
def test_a_tag_is_found_among_those_named(value: bytes, *, named: bool) -> None:
    assert names_tag(value, b'"abc"') is named


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_file_the_client_has_is_not_sent_again(browser: TestClient, encoding: str) -> None:
    first, _ = raw(browser, THEME, encoding)
    known = {"If-None-Match": first["etag"], "Accept-Encoding": encoding}
    again = browser.get(THEME, headers={**known, "X-Request-Id": "r-1"})
    assert (again.status_code, again.content) == (304, b"")
    assert (again.headers["etag"], again.headers["x-request-id"]) == (first["etag"], "r-1")
    assert (again.headers["cache-control"], again.headers["vary"]) == (
        "no-cache",
        "accept-encoding",
    )
    assert "content-length" not in again.headers


def test_each_form_of_a_file_has_a_tag_of_its_own(browser: TestClient) -> None:
    tags = [
        raw(browser, path, form)[0]["etag"] for path in (THEME, SCRIPT) for form in ("gzip", "")
    ]
    assert (len(set(tags)), tags[0] == tags[2]) == (2, True)
    other = browser.get(THEME, headers={"If-None-Match": tags[0], "Accept-Encoding": "identity"})
    assert (other.status_code, other.content) == (200, CODE)


def test_a_body_that_nobody_reads_ends_the_connection(browser: TestClient) -> None:
    known = {"If-None-Match": "*"}
    unread = browser.request("GET", THEME, headers=known, content=b"x")
    assert (unread.status_code, unread.headers["connection"]) == (304, "close")
    assert "connection" not in browser.get(THEME, headers=known).headers


HOSTILE = [
    "/static/",
    "/static",
    "/static/index.html",
    "/static/.vite/manifest.json",
    "/static/assets/.hidden",
    "/static/assets",
    "/static/assets/",
    "/static/../theme.js",
    "/static/%2e%2e/{outside}",
    "/static/..%2f{outside}",
    "/static/..%5c{outside}",
    "/static/assets/%2e%2e/theme.js",
    "/static//theme.js",
    "/static/%2e/theme.js",
    "/static/theme.js%00",
    "/static/%00",
    "/static/theme.js%0a",
    "/static/%ff%fe",
    "/static/theme.js/",
    "/static/Theme.js",
    "/static/" + "a" * 50_000,
    "/theme.js",
    "/assets/main-D4f1.js",
    "/favicon.ico",
]


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path[:40])
def test_any_other_path_is_not_found(browser: TestClient, tmp_path: Path, path: str) -> None:
    outside = f"{tmp_path.name}-outside.js"
    response = browser.get("http://longshore.test" + path.format(outside=outside))
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_file_made_after_the_start_is_not_found(browser: TestClient, tmp_path: Path) -> None:
    (tmp_path / "later.js").write_bytes(CODE)
    assert browser.get("/static/later.js").status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_a_file_is_only_read(browser: TestClient, method: str) -> None:
    response = browser.request(method, SCRIPT)
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


def test_head_has_the_headers_alone(browser: TestClient) -> None:
    response = browser.head(SCRIPT, headers={"Accept-Encoding": "identity"})
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == str(len(CODE))


def test_all_files_are_one_route_in_the_metrics(browser: TestClient) -> None:
    for path in (SCRIPT, THEME, "/static/unknown.js"):
        browser.get(path)
    text = browser.get("/metrics").text
    assert 'requests_total{method="GET",route="static",status="200"} 2.0' in text
    assert 'requests_total{method="GET",route="unmatched",status="404"} 1.0' in text
    assert "theme" not in text
