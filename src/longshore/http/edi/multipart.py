"""Takes multipart/form-data apart (RFC 7578, RFC 2046 section 5.1), strictly and in one pass.

Lines end with CR LF. A boundary line consists of the boundary and blanks alone, so what only begins
like one is content.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from longshore.http.body import UnsupportedContentError
from longshore.http.edi.faults import MalformedBodyError

MOST_PARTS: Final = 100
MOST_HEAD_BYTES: Final = 8_192

_BOUNDARY: Final = re.compile(
    r';\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s";,]{1,70}))', re.IGNORECASE
)
_PARAMETER: Final = re.compile(
    r';\s*(name|filename\*?)\s*=\s*(?:"([^"]*)"|([^\s";]*))', re.IGNORECASE
)
_PLAIN_ENCODINGS: Final = frozenset({"", "7bit", "8bit", "binary"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPart:
    """One part of a form. ``filename`` None: it is a field, no file."""

    name: str
    filename: str | None
    content_type: str
    content: bytes = field(repr=False)


def read_parts(body: bytes, content_type: str) -> list[FormPart]:
    """Return the parts of a form in order; the boundary stands in the request's ``content_type``.

    Raises:
        MalformedBodyError: There is no boundary, a part has no name or too long a head, there are
            more than 100 parts, or the last boundary is missing.
        UnsupportedContentError: A part is encoded.
    """
    given = _BOUNDARY.search(content_type)
    if given is None:
        raise MalformedBodyError("The Content-Type multipart/form-data names no boundary.")
    mark = re.escape(b"--" + (given[1] or given[2]).encode("latin-1"))
    ending = rb"(--|[ \t]{0,64}\r\n)"
    boundary = re.compile(rb"\r\n" + mark + ending)
    found = re.compile(mark + ending).match(body) or boundary.search(body)
    parts: list[FormPart] = []
    while found is not None and found[1] != b"--":
        if len(parts) == MOST_PARTS:
            raise MalformedBodyError(f"The form has more than {MOST_PARTS} parts.")
        start = found.end()
        head_end = body.find(b"\r\n\r\n", start, start + MOST_HEAD_BYTES)
        if head_end < 0:
            raise MalformedBodyError(
                f"Part {len(parts) + 1} of the form has no head, or too long a one."
            )
        # Of an empty part one line end may close the head and begin the boundary.
        found = boundary.search(body, head_end + 2)
        if found is not None:
            content = body[head_end + 4 : found.start()]
            parts.append(_part(body[start:head_end], content, len(parts) + 1))
    if found is None:
        raise MalformedBodyError("The form has no end: its last boundary is missing.")
    return parts


def _part(head: bytes, content: bytes, place: int) -> FormPart:
    headers = _headers(head)
    encoding = headers.get("content-transfer-encoding", "").strip().lower()
    if encoding not in _PLAIN_ENCODINGS:
        raise UnsupportedContentError(
            "Content-Transfer-Encoding", "Send the parts of a form as they are."
        )
    disposition = headers.get("content-disposition", "")
    parameters = {
        match[1].lower(): match[2] if match[2] is not None else match[3]
        for match in _PARAMETER.finditer(disposition)
    }
    if "name" not in parameters:
        raise MalformedBodyError(f"Part {place} of the form has no name.")
    filename = parameters.get("filename", parameters.get("filename*"))
    return FormPart(
        name=parameters["name"],
        filename=filename,
        content_type=headers.get("content-type", ""),
        content=content,
    )


def _headers(head: bytes) -> dict[str, str]:
    lines = head.decode("utf-8", "replace").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}
