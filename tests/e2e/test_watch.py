"""The watch over the pages notices what it is for; without it every other test here says less."""

import asyncio
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, Route

from tests.e2e.conftest import PageOf
from tests.e2e.support.api import Api
from tests.e2e.support.axe import axe
from tests.e2e.support.site import Site, User
from tests.e2e.support.watch import NO_ANSWER, Failure, Watch, close


@pytest.fixture
def faulty(visitor_page: Page) -> Page:
    """A page that a test lets do something wrong."""
    visitor_page.goto("/login")
    return visitor_page


@pytest.mark.parametrize(
    ("_case", "script", "noticed"),
    [
        ("console", "console.error('broken')", "broken"),
        ("exception", "setTimeout(() => { throw new Error('broken') })", "uncaught: broken"),
        ("rejection", "void Promise.reject(new Error('broken'))", "uncaught: broken"),
        (
            "style attribute",
            "document.body.setAttribute('style', 'color: red')",
            "policy violated: style-src-attr inline",
        ),
        (
            "markup",
            "try { document.body.innerHTML = '<b>' } catch {}",
            "policy violated: require-trusted-types-for trusted-types-sink",
        ),
        (
            "another site",
            "void fetch('http://127.0.0.2:9/').catch(() => 0)",
            "policy violated: connect-src http://127.0.0.2:9/",
        ),
    ],
)
def test_a_fault_is_noticed(
    faulty: Page, watch: Watch, _case: str, script: str, noticed: str
) -> None:
    faulty.evaluate(script)
    close(faulty.context)
    assert noticed in "\n".join(watch.faults)
    with pytest.raises(AssertionError):
        watch.judge()
    watch.faults.clear()


def test_a_failing_call_has_to_be_declared_and_to_happen(faulty: Page, watch: Watch) -> None:
    faulty.evaluate("fetch('/api/session?a=b')")
    close(faulty.context)
    assert (watch.faults, watch.failures) == ([], {Failure("/api/session", 401)})
    with pytest.raises(AssertionError, match="declared"):
        watch.judge()
    watch.expect("/api/session", 500)
    with pytest.raises(AssertionError, match="declared"):
        watch.judge()
    watch.expected = {Failure("/api/session", 401)}


def test_a_call_without_answer_is_a_failing_call(faulty: Page, watch: Watch) -> None:
    def drop(route: Route, _request: Request) -> None:
        route.abort()

    faulty.route("**/api/session", drop)
    faulty.evaluate("fetch('/api/session').catch(() => 0)")
    watch.expect("/api/session", NO_ANSWER)


def test_a_missing_file_is_always_a_fault(faulty: Page, watch: Watch) -> None:
    faulty.evaluate("fetch('/static/none.js')")
    close(faulty.context)
    assert "status of 404" in watch.faults[0]
    watch.faults.clear()


def test_axe_names_rule_element_and_reason(faulty: Page) -> None:
    faulty.evaluate("document.querySelector('#root').append(document.createElement('button'))")
    with pytest.raises(AssertionError) as found:
        axe(faulty)
    assert "button-name (critical): Buttons must have discernible text" in str(found.value)
    assert "<button></button>" in str(found.value)


def test_a_page_is_logged_in_and_an_account_of_its_own_is_empty(
    page: Page, own_page: Page, owner: User
) -> None:
    assert Api(page).get("/api/session")["user"]["email"] == owner.email
    session = Api(own_page).get("/api/session")
    assert (session["user"]["role"], Api(own_page).get("/api/keys")["keys"]) == ("owner", [])
    made = Api(own_page).post("/api/keys", {"name": "ci", "environment": "sandbox"})
    assert len(Api(own_page).get("/api/keys")["keys"]) == 1
    Api(own_page).delete(f"/api/keys/{made['id']}")


def test_no_session_is_shared_by_users(page_of: PageOf, site: Site, owner: User) -> None:
    one, other = page_of(owner), page_of(site.new_account())
    assert Api(one).get("/api/session")["account"] != Api(other).get("/api/session")["account"]


async def test_async_tests_run_beside_the_browser() -> None:
    await asyncio.sleep(0)


def test_a_server_of_its_own_has_nobody_yet(new_site: Site, tmp_path: Path) -> None:
    assert new_site.set_up_path.startswith("/setup#token=")
    assert (tmp_path / "data").is_dir()
