"""Reading a request body: never more of it than the limit, and only what we can decode."""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final

from starlette.types import Receive

from longshore.http.headers import is_json, media_type
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.kit.requester import ClientGoneError

_DIGITS: Final = re.compile(rb"[0-9]+")
_MAX_DIGITS: Final = 18  # below 2**63, whatever the digits


class BodyTooLargeError(LongshoreError):
    """The body is over the limit."""

    def __init__(self, max_bytes: int) -> None:
        text = f"The request body is too large: at most {max_bytes:,} bytes are accepted."
        super().__init__(
            ErrorCode.DOCUMENT_TOO_LARGE,
            text,
            details=(
                ErrorDetail(code=ErrorCode.DOCUMENT_TOO_LARGE, message=text, limit_bytes=max_bytes),
            ),
        )


class UnsupportedContentError(LongshoreError):
    """The body is declared to be what we cannot read."""

    def __init__(self, header: str, advice: str) -> None:
        code = ErrorCode.UNSUPPORTED_CONTENT_TYPE
        text = f"This {header} is not supported. {advice}"
        super().__init__(code, text, details=(ErrorDetail(code=code, message=text, param=header),))


def announced_size(
    headers: Mapping[bytes, bytes], max_bytes: int, raw_media_types: Collection[str] = ()
) -> int:
    """Return the size of a JSON or raw body by its headers; refuse one that need not be read.

    Raises:
        BodyTooLargeError: It announces more than ``max_bytes``.
        UnsupportedContentError: It is compressed, or declared as neither JSON nor one of
            ``raw_media_types``.
        LongshoreError: ``bad_request`` for a length that is no number.
    """
    size = announced_size_of_any(headers, max_bytes)
    encoding = headers.get(b"content-encoding")
    if encoding is not None and encoding.strip().lower() not in {b"", b"identity"}:
        raise UnsupportedContentError("Content-Encoding", "Send the body uncompressed, as it is.")
    # Absent, the type can only be what this service takes; form types of curl -d are refused.
    content_type = headers.get(b"content-type", b"application/json")
    if not is_json(content_type) and media_type(content_type) not in raw_media_types:
        raise UnsupportedContentError("Content-Type", _advice(raw_media_types))
    return size


def _advice(raw_media_types: Collection[str]) -> str:
    advice = "Send the header 'Content-Type: application/json' and JSON in UTF-8"
    if not raw_media_types:
        return f"{advice}."
    return f"{advice}, or 'Content-Type: {next(iter(raw_media_types))}' and the document itself."


def announced_size_of_any(headers: Mapping[bytes, bytes], max_bytes: int) -> int:
    """Return the size of a body of any type by its headers.

    A body in chunks announces no size: it counts as the largest.

    Raises:
        BodyTooLargeError: It announces more than ``max_bytes``.
        LongshoreError: ``bad_request`` for a length that is no number.
    """
    chunked_bytes = max_bytes if b"transfer-encoding" in headers else 0
    length = headers.get(b"content-length", b"0")
    if not _DIGITS.fullmatch(length):
        raise LongshoreError(ErrorCode.BAD_REQUEST, "The Content-Length is not a number.")
    if len(length) > _MAX_DIGITS or int(length) > max_bytes:
        raise BodyTooLargeError(max_bytes)
    return chunked_bytes or int(length)


async def read_body(
    receive: Receive, max_bytes: int, grow: Callable[[int], Awaitable[None]]
) -> bytes:
    """Return the whole body.

    Args:
        receive: The body, piece by piece.
        max_bytes: How long it may be.
        grow: Is called with the bytes that have arrived, and returns when there is room for them.

    Raises:
        LongshoreError: What ``grow`` raises.
        BodyTooLargeError: As soon as one byte too many has arrived.
        ClientGoneError: The connection ended first.
    """
    chunks: list[bytes] = []
    size = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > max_bytes:
            raise BodyTooLargeError(max_bytes)
        if chunk:
            await grow(size)
        chunks.append(chunk)
        more = message.get("more_body", False)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


async def wait_until_gone(receive: Receive) -> None:
    """Return when the client has left; for use once the body has been read."""
    while (await receive())["type"] != "http.disconnect":
        pass
