"""A client that holds every answer against the OpenAPI document, whatever a test looks at."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, NoReturn

import httpx2
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from longshore.http.openapi import openapi_document

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
LEAKS = re.compile(r"Traceback|File \\?\"|site-packages|/src/|\.py\b|svc_(?:test|live)_[0-9A-Za-z]")


@cache
def validator(path: str, method: str, status: int, media_type: str) -> Draft202012Validator | None:
    """Return what judges an answer; None if it is no JSON and may be any text.

    What the document does not list (other paths and methods) must be an error.
    """
    document = openapi_document()
    methods = document["paths"].get(_template_of(path, document["paths"]), {})
    operation = methods.get("get" if method == "HEAD" else method.lower())
    if operation is None:
        assert status in {400, 404, 405, 408, 431, 500}, f"undocumented {status} at {path}"
        schema = {"$ref": "#/components/schemas/ErrorAnswer"}
    else:
        assert str(status) in operation["responses"], f"undocumented {status} of {method} {path}"
        answer = operation["responses"][str(status)]
        if "$ref" in answer:
            answer = document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
        content = answer["content"]
        assert media_type in content, f"undocumented {media_type} of {method} {path}"
        schema = content[media_type]["schema"]
    if not media_type.endswith("json"):
        return None
    return Draft202012Validator({**schema, "components": document["components"]})


def _template_of(path: str, templates: Iterable[str]) -> str:
    """Return the template that a path fills, the path itself if it needs none or has none."""
    if path in templates:
        return path
    patterns = ((each, re.sub(r"\\{\w+\\}", "[^/]+", re.escape(each))) for each in templates)
    return next((each for each, pattern in patterns if re.fullmatch(pattern, path)), path)


def check_answer(
    method: str, path: str, status: int, headers: Mapping[str, str], body: bytes
) -> None:
    """Judge one answer by what holds for all of them."""
    assert REQUEST_ID.fullmatch(headers["x-request-id"])
    assert headers["x-content-type-options"] == "nosniff"
    if method == "HEAD":
        assert body == b""
        return
    assert int(headers["content-length"]) == len(body)
    if path.startswith("/api"):
        assert headers["cache-control"] == "no-store"
    if status == 200 and "content-disposition" in headers:
        assert headers["content-security-policy"] == "default-src 'none'; sandbox"
        return
    if status == 200 and not headers["content-type"].endswith("json"):
        return
    if path == "/openapi.json" and status == 200:
        return
    answer = json.loads(body, parse_constant=_refuse_constant)
    assert answer["ok"] is (status == 200)
    if status != 200:
        assert not LEAKS.search(body.decode())
        assert answer["request_id"] == headers["x-request-id"]
        assert ("retry-after" in headers) is (status in {429, 503})
        assert ("allow" in headers) is (status == 405)
        wants_key = answer["code"] in {"missing_api_key", "invalid_api_key"}
        assert headers.get("www-authenticate") == ("Bearer" if wants_key else None)
    judge = validator(path, method, status, headers["content-type"])
    assert judge is None or [fault.message for fault in judge.iter_errors(answer)] == []


def _refuse_constant(name: str) -> NoReturn:
    raise AssertionError(f"{name} is not JSON")


class ApiClient:
    """Calls the application in process."""

    def __init__(self, client: TestClient) -> None:
        self._client = client

    # Any: the options of the test client, which are its own affair.
    def request(self, method: str, path: str, **options: Any) -> httpx2.Response:  # noqa: ANN401
        response = self._client.request(method, path, follow_redirects=False, **options)
        check_answer(
            method,
            path.partition("?")[0],
            response.status_code,
            response.headers,
            response.content,
        )
        return response

    def get(self, path: str, **options: Any) -> httpx2.Response:  # noqa: ANN401 - as above
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx2.Response:  # noqa: ANN401 - as above
        return self.request("POST", path, **options)


@contextmanager
def calling(app: ASGIApp) -> Iterator[ApiClient]:
    """Run ``app`` from start to shutdown and yield a client for it."""
    with TestClient(app, base_url="http://longshore.test") as client:
        client.headers.clear()
        yield ApiClient(client)
