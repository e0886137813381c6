"""Log lines: one JSON object each, on one stream, without content or secrets.

Exceptions are described by their types and the places they passed through. Their texts are left
out: ``int("…")`` quotes its argument, and arguments are document content.
"""

import logging
import sys
import traceback
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from typing import BinaryIO, Final

import msgspec
import structlog

from longshore.telemetry.redact import redact_members

MAX_FRAMES: Final = 30  # enough for the deepest call of ours; a recursion repeats itself

LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def configure_logging(level: str = "info", stream: BinaryIO | None = None) -> None:
    """Send our lines and those of libraries to ``stream`` (standard error), from ``level`` on."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="timestamp"),
            _redact,
            _render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=_loggers_to(stream or sys.stderr.buffer),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [_LibraryHandler()]
    root.setLevel(logging.WARNING)


class _ForgivingLogger:
    """Writes lines to a stream that may go away: a log must not stop what it tells about."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def msg(self, line: bytes) -> None:
        # A full disk, a closed pipe, a closed file: there is nowhere left to say it.
        with suppress(OSError, ValueError):
            self._stream.write(line + b"\n")
            self._stream.flush()

    debug = info = warning = error = critical = exception = log = msg


def _loggers_to(stream: BinaryIO) -> Callable[..., _ForgivingLogger]:
    return lambda *_: _ForgivingLogger(stream)


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """Return the logger of one part of Longshore."""
    # The factory is untyped; configure_logging decides what it makes.
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(source=name)
    return logger


def describe(error: BaseException) -> dict[str, object]:
    """Return the type of ``error``, those of its causes and its frames, innermost last."""
    frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    return {
        "error_type": type(error).__name__,
        "caused_by": [type(cause).__name__ for cause in _causes(error)],
        "frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }


def _causes(error: BaseException) -> list[BaseException]:
    causes: list[BaseException] = []
    cause = error.__cause__ or error.__context__
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return causes


def _redact(_: object, __: str, event: MutableMapping[str, object]) -> dict[str, object]:
    return redact_members(event)


def _render(_: object, __: str, event: MutableMapping[str, object]) -> bytes:
    # A value msgspec does not know is named, not shown: its text could be content.
    return msgspec.json.encode(event, enc_hook=lambda value: f"<{type(value).__name__}>")


class _LibraryHandler(logging.Handler):
    """Turns records of libraries into our lines: the first line of their text, no more."""

    def emit(self, record: logging.LogRecord) -> None:
        members: dict[str, object] = {}
        if record.exc_info and record.exc_info[1]:
            members |= describe(record.exc_info[1])
        text = record.getMessage().partition("\n")[0]
        get_logger(record.name).log(record.levelno, "library", text=text, **members)
