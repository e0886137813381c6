"""Reads the parts of multipart/form-data (RFC 7578) with python-multipart."""

from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from typing import Final

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from longshore.http.body import UnsupportedContentError
from longshore.http.edi.faults import MalformedBodyError

MAX_PARTS: Final = 100
MAX_HEADER_BYTES: Final = 8_192
"""The length of the longest header line of a part."""
MAX_HEADERS: Final = 20
_MAX_BOUNDARY_CHARS: Final = 70  # RFC 2046
_NO_END: Final = "The form has no end: its last boundary is missing."
_PLAIN_ENCODINGS: Final = frozenset({"", "7bit", "8bit", "binary"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPart:
    """One part of a form."""

    name: str
    filename: str | None
    """None: the part is a field, no file."""
    content_type: str
    content: bytes = field(repr=False)


def read_parts(body: bytes, content_type: str) -> list[FormPart]:
    """Return the parts of a form in order; the boundary is in the request's ``content_type``.

    Raises:
        MalformedBodyError: There is no boundary, a part has no name or too long a header, there are
            more than 100 parts, or the last boundary is missing.
        UnsupportedContentError: A part is encoded.
    """
    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    if not 1 <= len(boundary) <= _MAX_BOUNDARY_CHARS:
        raise MalformedBodyError("The Content-Type multipart/form-data names no boundary.")
    reader = _Reader()
    parser = MultipartParser(
        boundary,
        reader.callbacks(),  # type: ignore[arg-type]  # a TypedDict of the same names
        max_header_count=MAX_HEADERS,
        max_header_size=MAX_HEADER_BYTES,
    )
    mark = b"--" + boundary
    # What stands before the first boundary is no part (RFC 2046 section 5.1.1).
    start = 0 if body.startswith(mark) else body.find(b"\r\n" + mark)
    if start < 0:
        raise MalformedBodyError(_NO_END)
    try:
        parser.write(body[start:])
    except MultipartParseError as error:
        at = len(reader.parts) + 1
        raise MalformedBodyError(f"Part {at} of the form is malformed: {error}.") from error
    if not reader.is_complete:
        raise MalformedBodyError(_NO_END)
    return reader.parts


class _Reader:
    """Collects the parts that the parser reports."""

    def __init__(self) -> None:
        self.parts: list[FormPart] = []
        self.is_complete = False
        self._headers: dict[str, str] = {}
        self._name, self._value, self._content = bytearray(), bytearray(), bytearray()

    def callbacks(self) -> dict[str, Callable[..., None]]:
        """Return the functions that the parser calls."""
        return {
            "on_part_begin": self._begin_part,
            "on_header_field": lambda data, start, end: self._name.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_part_data": lambda data, start, end: self._content.extend(data[start:end]),
            "on_part_end": self._end_part,
            "on_end": self._end,
        }

    def _begin_part(self) -> None:
        if len(self.parts) == MAX_PARTS:
            raise MalformedBodyError(f"The form has more than {MAX_PARTS} parts.")
        self._headers = {}

    def _end_header(self) -> None:
        name = self._name.decode("latin-1").lower()
        self._headers[name] = self._value.decode("utf-8", "replace").strip()
        self._name.clear()
        self._value.clear()

    def _end_part(self) -> None:
        encoding = self._headers.get("content-transfer-encoding", "").lower()
        if encoding not in _PLAIN_ENCODINGS:
            raise UnsupportedContentError(
                "Content-Transfer-Encoding", "Send the parts of a form as they are."
            )
        # The function takes Latin-1; what it returns is decoded as UTF-8.
        disposition = self._headers.get("content-disposition", "").encode().decode("latin-1")
        options = parse_options_header(disposition)[1]
        if b"name" not in options:
            raise MalformedBodyError(f"Part {len(self.parts) + 1} of the form has no name.")
        part = FormPart(
            name=options[b"name"].decode("utf-8", "replace"),
            filename=_filename(options, disposition),
            content_type=self._headers.get("content-type", ""),
            content=bytes(self._content),
        )
        self.parts.append(part)
        self._content.clear()

    def _end(self) -> None:
        self.is_complete = True


def _filename(options: dict[bytes, bytes], disposition: str) -> str | None:
    """Return the name of a file. Some clients send ``filename*`` alone, against RFC 7578."""
    if b"filename" in options:
        return options[b"filename"].decode("utf-8", "replace")
    message = Message()
    message["Content-Disposition"] = disposition
    return message.get_filename()
