"""The shell: one page at every address of the application, with a nonce of its own each time."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from longshore.http.app import create_app
from longshore.http.services import HttpServices
from longshore.http.ui.shell import PLACEHOLDER
from tests.http.test_front import access_lines
from tests.support.client import ApiClient, calling

PAGE = f'<meta name="csp-nonce" content="{PLACEHOLDER.decode()}"><p>application</p>'
ADDRESSES = ["/", "/setup", "/login", "/app", "/app/", "/app/maps/7", "/app/a.b?c=d", "/app/%00"]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; style-src-attr 'none'; "
    "img-src 'self' data:; connect-src 'self'; font-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types default"
)

HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


@pytest.fixture
def page(services: HttpServices, tmp_path: Path) -> Iterator[ApiClient]:
    """A service whose application was built."""
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    with calling(create_app(services, static_folder=tmp_path)) as client:
        yield client


@pytest.fixture
def without_pages(services: HttpServices, tmp_path: Path) -> Iterator[ApiClient]:
    """A service whose application was not built."""
    with calling(create_app(services, static_folder=tmp_path / "static")) as client:
        yield client


def nonce_of(text: str) -> str:
    found = re.findall(r'content="([A-Za-z0-9_-]{24})"', text)
    assert len(found) == 1
    return str(found[0])


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_of_the_application_answers_with_the_shell(
    page: ApiClient, address: str
) -> None:
    response = page.get(address)
    assert (response.status_code, response.headers["content-type"]) == (
        200,
        "text/html; charset=utf-8",
    )
    assert response.text == PAGE.replace(PLACEHOLDER.decode(), nonce_of(response.text))


def test_the_policy_is_exactly_this_and_has_the_nonce_of_the_page(page: ApiClient) -> None:
    response = page.get("/login")
    policy = response.headers["content-security-policy"]
    assert policy == POLICY.format(nonce_of(response.text))


def test_no_nonce_is_given_twice(page: ApiClient) -> None:
    assert len({nonce_of(page.get("/app").text) for _ in range(20)}) == 20


@pytest.mark.parametrize("address", ["/", "/app/maps/7"])
def test_the_shell_is_kept_nowhere_and_framed_by_nobody(page: ApiClient, address: str) -> None:
    headers = page.get(address).headers
    assert {name: headers[name] for name in HEADERS} == HEADERS
    assert "etag" not in headers


@pytest.mark.parametrize("address", ["/", "/app/maps/7"])
def test_head_has_the_headers_alone(page: ApiClient, address: str) -> None:
    got, asked = page.get(address), page.request("HEAD", address)
    assert (asked.status_code, asked.content) == (200, b"")
    assert asked.headers["content-length"] == got.headers["content-length"]
    assert "nonce-" in asked.headers["content-security-policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"])
@pytest.mark.parametrize("address", ["/", "/login", "/app", "/app/maps/7"])
def test_the_shell_is_only_read(page: ApiClient, method: str, address: str) -> None:
    response = page.request(method, address)
    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")
    assert response.json()["code"] == "method_not_allowed"


@pytest.mark.parametrize("address", ["/setup/", "/login/x", "/apps", "/app%0A", "/App", "//app"])
def test_an_address_beside_it_is_not_found(page: ApiClient, address: str) -> None:
    response = page.get("http://longshore.test" + address)
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_cookie_or_a_key_makes_no_difference(page: ApiClient) -> None:
    headers = {"Cookie": "svc_session=x", "Authorization": "Bearer x"}
    assert page.get("/app", headers=headers).status_code == 200


def test_an_application_that_takes_no_nonce_is_refused_at_start(
    services: HttpServices, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("<p>application</p>", encoding="utf-8")
    with pytest.raises(ValueError, match="lacks __CSP_NONCE__"):
        create_app(services, static_folder=tmp_path)


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_installation_without_pages_says_how_to_build_them(
    without_pages: ApiClient, address: str
) -> None:
    response = without_pages.get(address)
    assert response.status_code == 200
    assert "<code>make web</code>" in response.text
    assert 'href="/docs"' in response.text
    policy = re.sub(
        r"(?<=nonce-)[A-Za-z0-9_-]{24}", "{}", response.headers["content-security-policy"]
    )
    assert policy == POLICY
    assert {name: response.headers[name] for name in HEADERS} == HEADERS


def test_all_addresses_are_one_route_in_metrics_and_log(
    services: HttpServices, tmp_path: Path, log: BytesIO
) -> None:
    with calling(create_app(services, static_folder=tmp_path)) as client:
        for number in range(3):
            client.get(f"/app/maps/{number}")
        text = client.get("/metrics").text
    assert 'requests_total{method="GET",route="shell",status="200"} 3.0' in text
    assert "maps" not in text
    assert access_lines(log)[0]["path"] == "/app/maps/0"
