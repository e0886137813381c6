"""MIME entities as bytes: they are read and written without a change to any body.

``email`` of the standard library is not used: it rewrites line ends, and a signature covers them.
Header lines are written with CRLF; CRLF and bare LF are read.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from longshore.as2.buffers import Content, pieces_of
from longshore.as2.errors import MimeError

MAX_HEADER_BYTES: Final = 32_768
MAX_HEADERS: Final = 100
MAX_PARTS: Final = 10
MAX_BOUNDARY_CHARS: Final = 200
_MAX_VALUE_CHARS: Final = 2_000

_EMPTY_LINE: Final = re.compile(rb"\r?\n")
_HEADER_END: Final = re.compile(rb"\r?\n\r?\n")
_LINE_END: Final = re.compile("\r?\n")
_NAME: Final = re.compile("[!-9;-~]{1,100}")
_MEDIA_TYPE: Final = re.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+")
_PARAMETER: Final = re.compile(
    r';[ \t]*([A-Za-z0-9!#$&^_.+*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))[ \t]*'
)
_ESCAPED: Final = re.compile(r"\\(.)")
_AFTER_BOUNDARY: Final = re.compile(rb"(--)?[ \t]*(?:\r?\n|\Z)")
_SPACES: Final = re.compile(rb"\s+")
_BARE_LF: Final = re.compile(rb"\r\n|\r|\n")
_AS_IT_IS: Final = frozenset(("", "binary", "7bit", "8bit"))
_LINE_BYTES: Final = 57  # of 76 characters in base64
_RETURN: Final = 0x0D
_QUANTUM: Final = 4  # characters that stand for three bytes


@dataclass(frozen=True, slots=True)
class MediaType:
    """The value of a Content-Type header."""

    name: str
    """In lower case, such as ``multipart/signed``."""
    parameters: Mapping[str, str]
    """By name in lower case."""

    def parameter(self, name: str) -> str:
        """Return the value of a parameter, ``""`` without it."""
        return self.parameters.get(name, "")


@dataclass(frozen=True, slots=True)
class Entity:
    """A MIME entity: its headers by name in lower case, of several the first, and its body."""

    headers: Mapping[str, str]
    body: Content = field(repr=False)

    def header(self, name: str) -> str:
        """Return the value of a header, ``""`` without it."""
        return self.headers.get(name, "")

    @property
    def media_type(self) -> MediaType:
        """The type of the body, ``text/plain`` if no header says so.

        Raises:
            MimeError: The header is no media type.
        """
        return read_media_type(self.header("content-type") or "text/plain")

    def content(self) -> Content:
        """Return the body without its transfer encoding.

        Raises:
            MimeError: The encoding is unknown, or the body is not encoded so.
        """
        encoding = self.header("content-transfer-encoding").lower()
        if encoding in _AS_IT_IS:
            return self.body
        if encoding == "base64":
            return read_base64(self.body)
        if encoding == "quoted-printable":
            return binascii.a2b_qp(self.body)
        raise MimeError("The Content-Transfer-Encoding is unknown.")


def write_headers(headers: Iterable[tuple[str, str]]) -> bytes:
    """Return header lines and an empty line as bytes."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{lines}\r\n".encode("ascii")


def write_entity(headers: Iterable[tuple[str, str]], body: bytes) -> bytes:
    """Return an entity as bytes: header lines, an empty line, and the body as it is."""
    return write_headers(headers) + body


def read_entity(raw: Content) -> Entity:
    """Return what an entity consists of; a long body is a view of the bytes.

    Raises:
        MimeError: There is no empty line behind the headers, or they are malformed or too many.
    """
    empty = _EMPTY_LINE.match(raw)
    if empty is not None:
        return Entity({}, memoryview(raw)[empty.end() :])
    found = _HEADER_END.search(raw, 0, MAX_HEADER_BYTES)
    if found is None:
        raise MimeError(f"The headers do not end within {MAX_HEADER_BYTES:,} bytes.")
    block = bytes(raw[: found.start()])
    return Entity(_read_headers(block), memoryview(raw)[found.end() :])


def _read_headers(block: bytes) -> Mapping[str, str]:
    lines: list[str] = []
    for line in _LINE_END.split(block.decode("latin-1")):
        if line[:1] in {" ", "\t"} and lines:
            lines[-1] += f" {line.strip()}"  # a header that goes on in the next line
        else:
            lines.append(line)
    if len(lines) > MAX_HEADERS:
        raise MimeError(f"The entity has more than {MAX_HEADERS} headers.")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or _NAME.fullmatch(name.rstrip()) is None:
            raise MimeError("A header has no name.")
        headers.setdefault(name.rstrip().lower(), value.strip())
    return headers


def read_media_type(value: str) -> MediaType:
    """Return the parts of a Content-Type.

    Raises:
        MimeError: It is none.
    """
    name, _, _ = value.partition(";")
    rest = value[len(name) :].strip()
    name = name.strip().lower()
    if len(value) > _MAX_VALUE_CHARS or _MEDIA_TYPE.fullmatch(name) is None:
        raise MimeError("The Content-Type is no media type.")
    parameters: dict[str, str] = {}
    at = 0
    while at < len(rest):
        found = _PARAMETER.match(rest, at)
        if found is None:
            if rest[at:].strip("; \t"):
                raise MimeError("A parameter of the Content-Type is malformed.")
            break
        key, quoted, plain = found.groups()
        text = plain if quoted is None else _ESCAPED.sub(r"\1", quoted)
        parameters.setdefault(key.lower(), text)
        at = found.end()
    return MediaType(name, parameters)


def split_parts(body: Content, boundary: str) -> tuple[memoryview, ...]:
    """Return the parts of a multipart body, exactly the bytes between its boundaries.

    Raises:
        MimeError: There is no boundary, no last one, or more than ``MAX_PARTS`` parts.
    """
    if not 1 <= len(boundary) <= MAX_BOUNDARY_CHARS or not boundary.isascii():
        raise MimeError("The multipart entity names no usable boundary.")
    mark = b"--" + boundary.encode()
    body = memoryview(body)
    next_mark = re.compile(b"\n" + re.escape(mark))
    parts: list[memoryview] = []
    start: int | None = None
    at = 0 if body[: len(mark)] == mark else _mark_after(next_mark, body, 0)
    while at >= 0:
        after = _AFTER_BOUNDARY.match(body, at + len(mark))
        if after is not None:
            if start is not None:
                parts.append(_without_line_end(body, start, at))
            if after[1]:
                return tuple(parts)
            if len(parts) == MAX_PARTS:
                raise MimeError(f"The multipart entity has more than {MAX_PARTS} parts.")
            start = after.end()
        # A part may be empty: its boundary then begins where its content would.
        if after is not None and body[after.end() : after.end() + len(mark)] == mark:
            at = after.end()
        else:
            at = _mark_after(next_mark, body, at + len(mark))
    raise MimeError("The last boundary of the multipart entity is missing.")


def _mark_after(next_mark: re.Pattern[bytes], body: memoryview, start: int) -> int:
    found = next_mark.search(body, start)
    return -1 if found is None else found.start() + 1


def _without_line_end(body: memoryview, start: int, mark_at: int) -> memoryview:
    """Return a part: the line end before a boundary belongs to the boundary."""
    end = max(mark_at - 1, start)
    if end > start and body[end - 1] == _RETURN:
        end -= 1
    return body[start:end]


def with_crlf(content: Content) -> bytes:
    """Return text with every line end as CRLF, the canonical form of RFC 5751 section 3.1.1."""
    return _BARE_LF.sub(b"\r\n", content)


def write_base64(content: Content) -> bytes:
    """Return base64 in lines of 76 characters that end with CRLF."""
    written, view = BytesIO(), memoryview(content)
    for at in range(0, len(view), _LINE_BYTES):
        written.write(binascii.b2a_base64(view[at : at + _LINE_BYTES], newline=False))
        written.write(b"\r\n")
    return written.getvalue()


def read_base64(text: Content) -> bytes:
    """Return what base64 text stands for; white space in it has no meaning.

    Raises:
        MimeError: It is no base64.
    """
    try:
        return _read_base64(text)
    except binascii.Error:
        raise MimeError("The body is no base64.") from None


def _read_base64(text: Content) -> bytes:
    read, left = BytesIO(), b""
    for piece in pieces_of(text):
        plain = left + _SPACES.sub(b"", piece)
        whole = len(plain) - len(plain) % _QUANTUM
        # The last characters may be filled up, and nothing follows those.
        whole = max(0, whole - _QUANTUM)
        if b"=" in plain[:whole]:
            raise binascii.Error("something follows the padding")
        read.write(binascii.a2b_base64(plain[:whole], strict_mode=True))
        left = plain[whole:]
    read.write(binascii.a2b_base64(left, strict_mode=True))
    return read.getvalue()
