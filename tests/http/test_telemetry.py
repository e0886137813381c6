"""Redaction, structured lines and the access log."""

import asyncio
import json
import logging
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
import structlog

from longshore.telemetry.access import FLUSH_SECONDS, MAX_WAITING_LINES, AccessLog
from longshore.telemetry.logging import configure_logging, describe, get_logger
from longshore.telemetry.redact import MAX_TEXT_CHARS, redact, redact_members
from tests.support.clock import StoppedClock

KEY = "svc_live_" + "aB3" * 12


@pytest.fixture
def stream() -> Iterator[BytesIO]:
    before = structlog.get_config(), logging.getLogger().handlers[:], logging.getLogger().level
    stream = BytesIO()
    configure_logging("info", stream)
    yield stream
    structlog.configure(**before[0])
    logging.getLogger().handlers = before[1]
    logging.getLogger().setLevel(before[2])


def lines(stream: BytesIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("_case", "text", "expected"),
    [
        ("a key", f"x {KEY} y", "x svc_live_*** y"),
        ("a cut key", "svc_test_ab", "svc_test_***"),
        ("a key in an address", f"/a?key={KEY}&b=1", "/a?key=svc_live_***&b=1"),
        ("a header", f"Authorization: Bearer {KEY}", "Authorization: Bearer ***"),
        ("another header", "authorization: basic dXNlcg==", "authorization: basic ***"),
        ("a receive token", "/edi/receive/abc-1_2?env=test", "/edi/receive/***?env=test"),
        ("two of them", f"{KEY},{KEY}", "svc_live_***,svc_live_***"),
        ("nothing", "svc_tests and bearers", "svc_tests and bearers"),
        ("a long text", "x" * 5_000, "x" * MAX_TEXT_CHARS),
    ],
)
def test_secrets_are_masked_in_text(_case: str, text: str, expected: str) -> None:
    assert redact(text) == expected


def test_secrets_are_masked_by_name_at_any_depth() -> None:
    members = {"a": [{"Password": "x", "b": (KEY, 5)}], "token": 5, "key_id": 7}
    assert redact_members(members) == {
        "a": [{"Password": "***", "b": ["svc_live_***", 5]}],
        "token": "***",
        "key_id": 7,
    }


def test_a_line_is_one_json_object(stream: BytesIO) -> None:
    get_logger("here").info("some\r\nthing", text=f"a\n{KEY}", value=object())
    (line,) = lines(stream)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "source": "here",
        "level": "info",
        "event": "some\r\nthing",
        "text": "a\nsvc_live_***",
        "value": "<object>",
    }


def test_a_stream_that_is_gone_stops_nothing(stream: BytesIO) -> None:
    get_logger("x").info("one")
    written = len(lines(stream))
    stream.close()
    get_logger("x").error("two")
    logging.getLogger("a.library").error("three")
    assert written == 1


def test_lines_below_the_level_are_left_out(stream: BytesIO) -> None:
    get_logger("here").debug("nothing")
    assert stream.getvalue() == b""


def test_an_error_is_described_without_its_text() -> None:
    error = RuntimeError("patient-4711")
    error.__cause__ = ValueError("patient-4711")
    described = describe(error)
    assert (described["error_type"], described["caused_by"]) == ("RuntimeError", ["ValueError"])
    assert "patient" not in json.dumps(described)


def test_records_of_libraries_become_lines_without_their_exceptions_text(stream: BytesIO) -> None:
    error = ValueError("patient-4711")
    logging.getLogger("asyncio").error("was lost\nfuture: patient-4711", exc_info=error)
    logging.getLogger("some").warning("plain %s", KEY)
    first, second = lines(stream)
    assert (first["source"], first["level"], first["text"], first["error_type"]) == (
        "asyncio",
        "error",
        "was lost",
        "ValueError",
    )
    assert second["text"] == "plain svc_live_***"
    assert b"patient" not in stream.getvalue()


async def test_access_lines_are_written_in_bundles() -> None:
    stream = BytesIO()
    log = AccessLog(stream, StoppedClock())
    log.add('"a":1')
    log.add('"a":2')
    assert stream.getvalue() == b""
    written = asyncio.Event()
    asyncio.get_running_loop().call_later(FLUSH_SECONDS * 2, written.set)
    await written.wait()
    beginning = {"timestamp": "2026-01-15T14:05:09.000+00:00", "level": "info"}
    assert lines(stream) == [{**beginning, "a": 1}, {**beginning, "a": 2}]


async def test_many_waiting_lines_are_written_at_once() -> None:
    stream = BytesIO()
    log = AccessLog(stream)
    for _ in range(MAX_WAITING_LINES + 1):
        log.add('"a":1')
    assert len(lines(stream)) == MAX_WAITING_LINES
    log.flush()
    assert len(lines(stream)) == MAX_WAITING_LINES + 1


async def test_a_log_nobody_reads_any_more_stops_nothing() -> None:
    stream = BytesIO()
    stream.close()
    log = AccessLog(stream)
    log.add('"lost":1')
    log.flush()
    log.flush()
