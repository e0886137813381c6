"""Saved maps over HTTP: /api/maps for pages, map_id of convert for programs."""

import asyncio
from collections.abc import Iterator
from json import loads
from typing import Any

import pytest

from longshore.http.app import create_app
from longshore.kit.environment import Environment
from tests.support.client import ApiClient, calling
from tests.support.clock import StoppedClock
from tests.support.http_service import RecordedEngine, World, bearer, open_world
from tests.support.maps import ORDER, ORDER_JSON
from tests.support.users import session_headers
from tests.support.vault import a_document, a_vault, scope

RULES = [
    {"src": "BEG.03", "tgt": "number"},
    {"src": "PO1[*].02", "tgt": "lines[*].quantity"},
]
MAP = {"name": "Orders", "tx_set": "850", "field_map": RULES}
Json = dict[str, Any]


@pytest.fixture
def own_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("maps")) as world:
        yield world


class Page:
    """A page of ours in the browser of one user."""

    def __init__(self, client: ApiClient, secret: str, environment: str = "sandbox") -> None:
        self._client = client
        self._headers = session_headers(secret, environment)

    def call(self, method: str, path: str, body: object = None, version: str = "") -> Json:
        """Return the members of an answer, and its status as ``status``."""
        headers = self._headers | ({"If-Match": version} if version else {})
        options: Json = {} if body is None else {"json": body}
        answer = self._client.request(method, path, headers=headers, **options)
        return {"status": answer.status_code, "etag": answer.headers.get("etag"), **answer.json()}


@pytest.fixture
def app(own_world: World) -> Iterator[ApiClient]:
    with calling(create_app(own_world.services(RecordedEngine()))) as client:
        yield client


@pytest.fixture
def page(app: ApiClient, own_world: World) -> Page:
    return Page(app, own_world.sessions.editor)


@pytest.fixture
def stranger(app: ApiClient, own_world: World) -> Page:
    return Page(app, own_world.sessions.neighbour_owner)


def test_without_a_session_nothing_is_shown(app: ApiClient, own_world: World) -> None:
    for headers in ({}, bearer(own_world.keys.sandbox)):
        answer = app.get("/api/maps", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_logged_in")


def test_a_neighbours_map_is_the_404_of_one_that_does_not_exist(page: Page, stranger: Page) -> None:
    page.call("POST", "/api/maps", MAP)
    assert stranger.call("GET", "/api/maps")["maps"] == []
    answers = [
        stranger.call(*call)
        for map_id in ("1", "2", "0", "x", "9223372036854775808")
        for call in (
            ("GET", f"/api/maps/{map_id}"),
            ("PUT", f"/api/maps/{map_id}", MAP, "1"),
            ("DELETE", f"/api/maps/{map_id}", None, "*"),
            ("POST", f"/api/maps/{map_id}/restore", {"version": 1}),
            ("POST", f"/api/maps/{map_id}/replay", {}),
        )
    ]
    for answer in answers:
        del answer["request_id"]
    assert all(answer == answers[0] for answer in answers)
    assert (answers[0]["status"], answers[0]["code"]) == (404, "not_found")
    assert page.call("GET", "/api/maps/1")["map"]["version"] == 1


def test_a_saved_map_is_listed_as_the_specification_says(page: Page) -> None:
    assert page.call("GET", "/api/maps") == {
        "status": 200, "etag": None, "ok": True, "count": 0, "total": 0, "limit": None,
        "offset": 0, "has_more": False, "maps": [], "warnings": [],
    }  # fmt: skip
    created = page.call("POST", "/api/maps", MAP)
    assert (created["status"], created["etag"]) == (200, '"1"')
    (summary,) = page.call("GET", "/api/maps")["maps"]
    assert summary == {
        "id": 1,
        "name": "Orders",
        "source_fmt": "x12",
        "target_fmt": "json",
        "tx_set": "850",
        "updated_at": "Jan 15, 2026",
        "updated_at_iso": "2026-01-15T14:05:09",
        "created_at": "2026-01-15T14:05:09",
        "direction": "inbound",
        "version": 1,
        "rule_count": 2,
        "locked": False,
        "last_run_at": None,
        "issue_count": 0,
    }
    del summary["last_run_at"], summary["issue_count"]
    detail = page.call("GET", "/api/maps/1")["map"]
    assert detail == summary | {
        "description": "",
        "field_map": RULES,
        "lookups": [],
        "sample": None,
        "target_sample": "",
        "tests": [],
    }


@pytest.mark.parametrize("call", ["preview", "save"])
def test_every_fault_of_every_rule_is_told_with_its_place(page: Page, call: str) -> None:
    rules = [{"src": "!", "tgt": "a"}, {"src": "BEG.03", "tgt": "b[", "transform": "title"}]
    if call == "preview":
        body = {"document": ORDER, "field_map": rules}
        refused, also = page.call("POST", "/api/maps/preview", body), []
    else:
        body = MAP | {"tx_set": "85", "field_map": rules}
        refused, also = page.call("POST", "/api/maps", body), ["tx_set"]
    params = ["field_map[0].src", "field_map[1].tgt", "field_map[1].transform"]
    assert [detail["param"] for detail in refused["details"]] == also + params
    assert page.call("GET", "/api/maps")["count"] == 0


def test_a_list_of_maps_is_searched_and_paged(page: Page) -> None:
    for name in ("Orders", "More orders", "Invoices"):
        page.call("POST", "/api/maps", MAP | {"name": name})
    answer = page.call("GET", "/api/maps?q=orders&limit=1")
    shown = ("count", "total", "limit", "offset", "has_more")
    assert [answer[name] for name in shown] == [1, 2, 1, 0, True]
    assert answer["maps"][0]["name"] == "More orders"
    answer = page.call("GET", "/api/maps?limit=999&offset=2")
    assert [answer[name] for name in shown] == [1, 3, 200, 2, False]
    assert page.call("GET", "/api/maps?limit=0")["details"][0]["param"] == "limit"


def test_a_list_of_maps_tells_when_each_was_used_last(
    page: Page, app: ApiClient, own_world: World
) -> None:
    page.call("POST", "/api/maps", MAP)
    for stored in (False, True):
        (shown,) = page.call("GET", "/api/maps")["maps"]
        assert shown["last_run_at"] is None
        asked = {"document": ORDER, "map_id": 1, "save_to_vault": stored}
        app.post("/api/v1/convert", json=asked, headers=bearer(own_world.keys.sandbox))
    (shown,) = page.call("GET", "/api/maps")["maps"]
    assert shown["last_run_at"] == "2026-01-15T14:05:09"


def test_the_rules_of_a_detail_convert_as_the_map_does(
    page: Page, app: ApiClient, own_world: World
) -> None:
    page.call("POST", "/api/maps", MAP)
    rules = page.call("GET", "/api/maps/1")["map"]["field_map"]
    outputs = [
        app.post(
            "/api/v1/convert",
            json={"document": ORDER, **by},
            headers=bearer(own_world.keys.sandbox),
        ).json()
        for by in ({"map_id": 1}, {"field_map": rules})
    ]
    assert [each["output"] for each in outputs] == [ORDER_JSON, ORDER_JSON]
    assert outputs[0]["map_version"] == 1
    preview = page.call("POST", "/api/maps/preview", {"document": ORDER, "field_map": rules})
    assert preview["output"] == ORDER_JSON
    assert preview["explain"]["unused"] == [
        "BEG.01", "BEG.02", "BEG.05", "PO1.01", "PO1.03", "PO1[2].01", "PO1[2].03", "CTT.01",
    ]  # fmt: skip


def test_numbers_of_rules_come_back_as_they_were_written(page: Page, app: ApiClient) -> None:
    del app
    rule = '{"const":1.10,"tgt":"a","type":"number"}'
    created = page.call("POST", "/api/maps", {"name": "n", "field_map": [loads(rule)]})
    assert created["map"]["field_map"] == [{"const": 1.1, "tgt": "a", "type": "number"}]


def test_a_save_needs_the_version_it_was_edited_from(page: Page) -> None:
    page.call("POST", "/api/maps", MAP)
    changed = MAP | {"field_map": RULES[:1], "note": "numbers alone"}
    missing = page.call("PUT", "/api/maps/1", changed)
    assert (missing["status"], missing["code"]) == (400, "missing_parameter")
    assert missing["details"][0]["param"] == "If-Match"
    assert page.call("PUT", "/api/maps/1", changed, "x")["code"] == "invalid_parameter"
    assert page.call("PUT", "/api/maps/1", changed, '"1"')["etag"] == '"2"'
    late = page.call("PUT", "/api/maps/1", MAP, "1")
    assert (late["status"], late["code"]) == (409, "edit_conflict")
    assert late["details"][0]["current_version"] == 2
    assert page.call("PUT", "/api/maps/1", MAP, "*")["map"]["version"] == 3
    history = page.call("GET", "/api/maps/1/versions")["versions"]
    shown = [(v["version"], v["note"], v["added"], v["removed"], v["changed"]) for v in history]
    assert shown == [(3, "", 1, 0, 0), (2, "numbers alone", 0, 1, 0), (1, "", 2, 0, 0)]
    assert {v["author"] for v in history} == {"editor@demo.example"}


def test_an_old_version_is_shown_restored_and_run_by_number(
    page: Page, app: ApiClient, own_world: World
) -> None:
    page.call("POST", "/api/maps", MAP)
    page.call("PUT", "/api/maps/1", MAP | {"field_map": RULES[:1], "name": "N"}, "1")
    old = page.call("GET", "/api/maps/1?version=1")["map"]
    assert (old["version"], old["name"], old["rule_count"]) == (1, "Orders", 2)
    key = bearer(own_world.keys.sandbox)
    body = {"document": ORDER, "map_id": 1, "map_version": 1}
    assert app.post("/api/v1/convert", json=body, headers=key).json()["output"] == ORDER_JSON
    unknown = app.post("/api/v1/convert", json=body | {"map_version": 9}, headers=key)
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    restored = page.call("POST", "/api/maps/1/restore", {"version": 1})
    assert (restored["map"]["version"], restored["map"]["field_map"]) == (3, RULES)
    assert page.call("GET", "/api/maps/1/versions")["versions"][0]["note"] == "Version 1 again"
    assert page.call("POST", "/api/maps/1/restore", {"version": 0})["status"] == 404


def test_each_change_and_each_replay_is_in_the_log_of_whoever_asked(
    page: Page, app: ApiClient, own_world: World
) -> None:
    page.call("POST", "/api/maps", MAP)
    page.call("PUT", "/api/maps/1", MAP, "1")
    page.call("POST", "/api/maps/1/restore", {"version": 1})
    page.call("POST", "/api/maps/1/lock")
    page.call("PUT", "/api/maps/1", MAP, "3")  # refused
    page.call("POST", "/api/maps/1/unlock")
    vault = a_vault(own_world.database, StoppedClock())
    made = (a_document(ORDER), [a_document("{}", map_id=1)])
    asyncio.run(vault.store(scope(1, Environment.SANDBOX), *made))
    Page(app, own_world.sessions.viewer).call("POST", "/api/maps/1/replay", {})
    page.call("DELETE", "/api/maps/1", None, "3")
    log = Page(app, own_world.sessions.owner).call("GET", "/api/audit?action=map")["entries"]
    assert {(each["object"], each["ip"]) for each in log} == {("map 1", "testclient")}
    assert [(each["actor"], each["action"], each["detail"]) for each in reversed(log)] == [
        *(("user 2", f"map.{verb}", "") for verb in ("create", "save", "restore")),
        *(("user 2", f"map.{verb}", "") for verb in ("lock", "unlock")),
        ("user 3", "map.replay", "documents 1"),
        ("user 2", "map.delete", ""),
    ]


def test_a_locked_map_is_not_changed(page: Page) -> None:
    page.call("POST", "/api/maps", MAP)
    assert page.call("POST", "/api/maps/1/lock")["map"]["locked"] is True
    for call in (("PUT", "/api/maps/1", MAP, "1"), ("DELETE", "/api/maps/1", None, "1")):
        refused = page.call(*call)
        assert (refused["status"], refused["code"]) == (409, "invalid_state")
    assert page.call("POST", "/api/maps/1/unlock")["map"]["locked"] is False
    assert page.call("DELETE", "/api/maps/1", None, "1") == {
        "status": 200, "etag": None, "ok": True,
    }  # fmt: skip
    assert page.call("GET", "/api/maps/1")["status"] == 404


def test_a_viewer_reads_and_tries_but_saves_nothing(
    app: ApiClient, own_world: World, page: Page
) -> None:
    page.call("POST", "/api/maps", MAP)
    viewer = Page(app, own_world.sessions.viewer)
    assert viewer.call("GET", "/api/maps/1")["status"] == 200
    assert viewer.call("POST", "/api/maps/1/tests/run", {})["status"] == 200
    for call in (("POST", "/api/maps", MAP), ("POST", "/api/maps/1/lock")):
        refused = viewer.call(*call)
        assert (refused["status"], refused["code"]) == (403, "forbidden_resource")
    assert page.call("GET", "/api/maps")["count"] == 1


@pytest.mark.parametrize(
    ("change", "code", "param"),
    [
        ({"name": None}, "missing_parameter", "name"),
        ({"field_map": None}, "missing_parameter", "field_map"),
        ({"field_map": {}}, "invalid_parameter", "field_map"),
        ({"field_map": [1]}, "invalid_mapping_rule", "field_map[0]"),
        ({"field_map": [{"src": "BEG.03"}]}, "invalid_mapping_rule", "field_map[0].tgt"),
        ({"source_fmt": "pdf"}, "unsupported_format", "source_fmt"),
        ({"tx_set": "85"}, "invalid_parameter", "tx_set"),
        ({"lookups": [{"name": "u"}]}, "missing_parameter", "lookups[0].rows"),
        ({"label": "x"}, "unknown_parameter", "label"),
        ({"note": "x" * 501}, "invalid_parameter", "note"),
        ({"starter": "851-to-json"}, "not_found", None),
    ],
)
def test_a_bad_map_is_refused_with_its_place_and_not_stored(
    page: Page, change: Json, code: str, param: str | None
) -> None:
    refused = page.call("POST", "/api/maps", MAP | change)
    details = refused.get("details", [{}])
    assert (refused["code"], details[0].get("param")) == (code, param)
    assert page.call("GET", "/api/maps")["count"] == 0


def test_saved_tests_run_at_each_save_and_when_asked(page: Page) -> None:
    tests = [
        {"name": "good", "document": ORDER, "expected": ORDER_JSON},
        {"name": "other", "document": ORDER, "expected": '{"number":"PO-2","lines":[]}'},
        {"name": "empty", "document": "", "expected": ""},
    ]
    report = page.call("POST", "/api/maps", MAP | {"tests": tests})["tests"]
    assert (report["passed"], report["failed"]) == (1, 2)
    assert report["results"][1] == {
        "name": "other",
        "passed": False,
        "diff": [
            {"path": "number", "expected": "PO-2", "actual": "PO-1"},
            {"path": "lines", "expected": []},
            {"path": "lines[0].quantity", "actual": "10"},
            {"path": "lines[1].quantity", "actual": "4"},
        ],
    }
    assert report["results"][2]["error"] == "The document is empty or only white space."
    again = page.call("POST", "/api/maps/1/tests/run", {})
    assert {name: again[name] for name in report} == report
    candidate = {"field_map": RULES[:1]}
    assert page.call("POST", "/api/maps/1/tests/run", candidate)["passed"] == 0
    assert page.call("GET", "/api/maps/1")["map"]["version"] == 1


def test_a_replay_compares_a_candidate_over_stored_documents(
    page: Page, app: ApiClient, own_world: World
) -> None:
    page.call("POST", "/api/maps", MAP)
    for document in (ORDER, ORDER.replace("PO-1", "PO-2")):
        body = {"document": document, "map_id": 1, "save_to_vault": True}
        app.post("/api/v1/convert", json=body, headers=bearer(own_world.keys.sandbox))
    rules = [RULES[0] | {"lookup": {"table": {"PO-2": "two"}}}, RULES[1]]
    answer = page.call("POST", "/api/maps/1/replay", {"field_map": rules})
    counts = [answer[name] for name in ("compared", "identical", "changed", "failed")]
    assert counts == [2, 1, 1, 0]
    assert answer["results"][0] == {
        "source_doc_id": 3,
        "transaction_id": None,
        "outcome": "changed",
        "diff": [{"path": "number", "before": "PO-2", "after": "two"}],
        "error": None,
    }
    assert page.call("POST", "/api/maps/1/replay", {"last": 1})["compared"] == 1
    assert page.call("POST", "/api/maps/1/replay", {"last": 501})["code"] == "invalid_parameter"
    assert page.call("POST", "/api/maps/1/replay", {"version": 0})["code"] == "invalid_parameter"
    assert page.call("GET", "/api/maps/1")["map"]["version"] == 1


def test_a_starter_map_is_copied_under_a_name_of_ones_own(page: Page) -> None:
    starters = page.call("GET", "/api/maps/starters")["starters"]
    assert starters[0] == {
        "key": "850-to-json",
        "name": starters[0]["name"],
        "source_fmt": "x12",
        "target_fmt": "json",
        "tx_set": "850",
    }
    copy = page.call("POST", "/api/maps", {"starter": "850-to-json", "name": "Mine"})["map"]
    assert (copy["name"], copy["tx_set"], copy["version"]) == ("Mine", "850", 1)
    assert copy["rule_count"] > 100
    named = page.call("POST", "/api/maps", {"starter": "850-to-json"})["map"]
    assert named["name"] == starters[0]["name"]


def test_a_starter_map_shows_its_rules_and_nothing_is_saved(page: Page) -> None:
    shown = page.call("GET", "/api/maps/starters/850-to-json")["starter"]
    assert (shown["key"], shown["tx_set"], shown["direction"]) == ("850-to-json", "850", "inbound")
    assert page.call("GET", "/api/maps/starters/none")["code"] == "not_found"
    assert page.call("GET", "/api/maps")["total"] == 0
    copy = page.call("POST", "/api/maps", {"starter": "850-to-json"})["map"]
    assert (shown["field_map"], shown["lookups"]) == (copy["field_map"], copy["lookups"])


@pytest.mark.parametrize("version", [2**63, 2**70])
def test_a_version_that_no_database_can_hold_is_not_found(page: Page, version: int) -> None:
    page.call("POST", "/api/maps", MAP)
    for action in ("restore", "tests/run", "replay"):
        answer = page.call("POST", f"/api/maps/1/{action}", {"version": version})
        assert (answer["status"], answer["code"]) == (404, "not_found")


def test_an_old_version_is_tried_by_the_tests_of_the_newest(page: Page) -> None:
    test = {"name": "first", "document": ORDER, "expected": ORDER_JSON}
    page.call("POST", "/api/maps", MAP | {"tests": [test]})
    page.call("PUT", "/api/maps/1", MAP | {"tests": [test | {"name": "second"}]}, "1")
    tried = page.call("POST", "/api/maps/1/tests/run", {"version": 1})
    assert [(each["name"], each["passed"]) for each in tried["results"]] == [("second", True)]


def test_every_fault_in_the_items_of_a_list_is_named(page: Page) -> None:
    rows = [{"from": "EA", "to": 1}, {"from": "EA", "to": "each"}, {"from": "CA", "too": "case"}]
    refused = page.call("POST", "/api/maps", MAP | {"lookups": [{"name": "units", "rows": rows}]})
    assert [(each["param"], each["code"]) for each in refused["details"]] == [
        ("lookups[0].rows[0].to", "invalid_parameter"),
        ("lookups[0].rows[2].too", "unknown_parameter"),
        ("lookups[0].rows[2].to", "missing_parameter"),
    ]
    message = 'Parameter "lookups[0].rows[0].to" must be a string, not a number.'
    assert refused["details"][0]["message"] == message
    assert refused["error"] == f"{message} There are 2 more: see details."


def test_rules_are_suggested_with_a_reason_until_they_are_rejected(page: Page) -> None:
    body = {"document": ORDER, "target_sample": '{"poNumber":"4711","orderDate":"2026-01-02"}'}
    answer = page.call("POST", "/api/maps/suggest", body)
    found = {each["tgt"]: (each["src"], each["transform"]) for each in answer["suggestions"]}
    assert found == {"poNumber": ("BEG.03", "none"), "orderDate": ("BEG.05", "date_iso")}
    assert all(each["reason"] and each["group"] == "heading" for each in answer["suggestions"])
    assert answer["is_cut"] is False
    assert [each["rules"] for each in answer["suggestions"]] == [
        [{"src": "BEG.03", "tgt": "poNumber"}],
        [{"src": "BEG.05", "tgt": "orderDate", "transform": "date_iso"}],
    ]
    rejected = [{"src": "BEG.05", "tgt": "orderDate"}]
    again = page.call("POST", "/api/maps/suggest", body | {"rejected": rejected})
    assert [each["tgt"] for each in again["suggestions"]] == ["poNumber"]
    taken = body | {"field_map": [{"src": "BEG.03", "tgt": "poNumber"}]}
    assert [
        each["tgt"] for each in page.call("POST", "/api/maps/suggest", taken)["suggestions"]
    ] == ["orderDate"]
    broken = page.call("POST", "/api/maps/suggest", body | {"target_sample": "{"})
    assert (broken["code"], broken["details"][0]["param"]) == (
        "document_unparseable",
        "target_sample",
    )
