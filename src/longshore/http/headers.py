"""Request headers as we read them: each name once, and the few small grammars we need.

Several headers of one name count as one, joined by commas (RFC 9110 section 5.3). So a second
``Authorization`` or ``Host`` makes the value malformed instead of being silently preferred.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

Header = tuple[bytes, bytes]
"""Name in lower case, value; as ASGI carries them."""

PROBLEM_JSON: Final = b"application/problem+json"

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_CHARSET: Final = re.compile(r"charset\s*=\s*\"?([^\";\s]*)\"?\s*", re.IGNORECASE)


def join_headers(raw: Collection[Header]) -> dict[bytes, bytes]:
    """Return the headers by name; the values of a repeated name joined by commas."""
    headers = dict(raw)
    if len(headers) == len(raw):
        return headers
    headers = {}
    for name, value in raw:
        headers[name] = headers[name] + b", " + value if name in headers else value
    return headers


def client_request_id(headers: Mapping[bytes, bytes]) -> str | None:
    """Return the request id the client chose, if it is one we accept."""
    chosen = headers.get(b"x-request-id")
    return chosen.decode("ascii") if chosen and _REQUEST_ID.fullmatch(chosen) else None


def has_body(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether the request announces a body."""
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"


def wants_problem(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether errors shall have the RFC 9457 shape."""
    return accepts(headers, PROBLEM_JSON)


def accepts(headers: Mapping[bytes, bytes], wanted: bytes) -> bool:
    """Return whether ``Accept`` names this very media type, and not to exclude it."""
    for item in headers.get(b"accept", b"").lower().split(b","):
        media_type, _, parameters = item.partition(b";")
        if media_type.strip() == wanted:
            quality = parameters.replace(b" ", b"").partition(b"q=")[2].partition(b";")[0]
            return quality.strip(b"0.") != b"" or quality == b""
    return False


def media_type(content_type: bytes) -> str:
    """Return a ``Content-Type`` without its parameters, in lower case."""
    return content_type.decode("latin-1").partition(";")[0].strip().lower()


def is_json(content_type: bytes) -> bool:
    """Return whether a ``Content-Type`` is application/json, in UTF-8 if it names a charset."""
    if content_type == b"application/json":
        return True
    media_type, *parameters = content_type.decode("latin-1").split(";")
    charsets = [match[1] for text in parameters if (match := _CHARSET.fullmatch(text.strip()))]
    return media_type.strip().lower() == "application/json" and all(
        charset.lower() in {"utf-8", "utf8"} for charset in charsets
    )
