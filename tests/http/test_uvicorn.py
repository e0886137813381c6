"""The parts of uvicorn that the server builds on: a release without one of them names it here."""

import inspect
import tomllib
from importlib.metadata import version

import pytest
from packaging.requirements import Requirement
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import Server, ServerState

from tests.architecture.repository import ROOT

INHERITED = {
    HttpToolsProtocol: {
        *("connection_made", "connection_lost", "data_received", "eof_received"),
        *("on_message_begin", "on_url", "on_header", "on_headers_complete", "on_body"),
        *("on_message_complete", "on_response_complete", "_start_asgi_task", "shutdown"),
    },
    RequestResponseCycle: {"send", "receive", "run_asgi"},
    FlowControl: {"drain", "pause_reading", "resume_reading"},
    Server: {"serve", "startup", "shutdown", "handle_exit", "capture_signals"},
}
"""The methods that our classes override or call, by their class."""

CYCLE = {
    *("scope", "transport", "flow", "logger", "access_logger", "access_log", "default_headers"),
    *("message_event", "expect_100_continue", "keep_alive", "on_response"),
}
"""The arguments of a cycle."""


def test_the_pin_holds_the_version_that_was_looked_at() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (pin,) = (
        found
        for found in map(Requirement, project["optional-dependencies"]["server"])
        if found.name == "uvicorn"
    )
    assert pin.specifier.contains(version("uvicorn"))
    major, minor, _ = version("uvicorn").split(".")
    assert not pin.specifier.contains(f"{major}.{int(minor) + 1}.0")


@pytest.mark.parametrize("of", INHERITED, ids=lambda of: str(of.__name__))
def test_the_methods_are_there(of: type) -> None:
    assert {name for name in INHERITED[of] if not hasattr(of, name)} == set()


def test_a_cycle_takes_these_arguments() -> None:
    assert set(inspect.signature(RequestResponseCycle.__init__).parameters) - {"self"} == CYCLE


def test_a_status_line_is_ready_for_every_status() -> None:
    assert STATUS_LINE[429] == b"HTTP/1.1 429 Too Many Requests\r\n"
    state = ServerState()
    assert (state.total_requests, state.connections, state.default_headers) == (0, set(), [])
