"""Calls of the API as the user of a page, for what a test needs beside what it does by hand."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import APIResponse, Page


@dataclass(frozen=True)
class Api:
    """The session endpoints, called with the cookie of a page."""

    page: Page
    environment: str = "sandbox"

    def get(self, path: str) -> dict[str, Any]:
        return accepted(self.call("GET", path))

    def post(self, path: str, body: object = None) -> dict[str, Any]:
        return accepted(self.call("POST", path, body))

    def delete(self, path: str) -> dict[str, Any]:
        return accepted(self.call("DELETE", path))

    def call(self, method: str, path: str, body: object = None, **headers: str) -> APIResponse:
        """Return the answer, whatever it is; ``if_match`` is the header ``If-Match``."""
        request = self.page.context.request
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent["X-Environment"] = self.environment
        if method != "GET":
            sent["X-CSRF-Token"] = request.get("/api/session").json()["csrf_token"]
        return request.fetch(path, method=method, data=body, headers=sent)


def accepted(response: APIResponse) -> dict[str, Any]:
    """Return the answer to a call that must succeed."""
    assert response.status == 200, response.text()
    answer: dict[str, Any] = response.json()
    return answer
