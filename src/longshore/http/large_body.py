"""The first look at a large JSON body, in another process: what it holds besides its document.

A body of 30 MB can be one document, or millions of members that nobody asked for. The second kind
takes a hundred times as long to decode, so a large body is not decoded where everybody waits. Here
its declared members are found without being decoded, and measured. Long texts, such as the
document, are decoded and taken out. What remains is bounded in bytes and in values, and the
server decodes only that. The first fault ends it.
"""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from longshore.http.body_faults import malformed, repeated_name, unknown_member
from longshore.kit.errors import ErrorCode, ErrorDetail

LARGE_BODY_BYTES: Final = 65_536
"""Larger bodies are examined in another process, unless they are little but one text."""

MAX_PLAIN_BYTES: Final = 2_097_152
"""Bodies up to this size that are little but one text are decoded at once, in milliseconds."""

_MAX_PLAIN_QUOTES: Final = 512

MAX_OTHER_BYTES: Final = 16_777_216
"""Of all members but texts such as the document, as they are sent. A saved map fits twice."""

MAX_OTHER_VALUES: Final = 250_000
"""Values in all members but such texts, by the commas between them."""

LONG_TEXT_BYTES: Final = 4_096
"""Texts from this size are taken out of the body; shorter ones are decoded with it."""

_MAX_SHAPES: Final = 64
_EMPTY: Final = b'""'
_TEXT: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_UNKNOWN: Final = "Object contains unknown field `"


class BodyLayout(NamedTuple):
    """A body without its long texts, and these; or its first fault."""

    rest: bytes = b""
    """The body with ``""`` for each long text."""
    texts: Mapping[str, str] = {}
    """The long texts by the names of their members."""
    fault: ErrorDetail | None = None


def is_small_or_plain(body: bytes) -> bool:
    """Return whether a body can be decoded at once: it holds little besides its longest text."""
    if len(body) <= LARGE_BODY_BYTES:
        return True
    if len(body) > MAX_PLAIN_BYTES or body.count(b'"') > _MAX_PLAIN_QUOTES:
        return False
    longest = max(map(len, body.split(b'"')[1::2]), default=0)
    return len(body) - longest <= LARGE_BODY_BYTES


def examine_body(body: bytes, names: tuple[str, ...], texts: frozenset[str]) -> BodyLayout:
    """Return the layout of a JSON object.

    Args:
        body: The body as it was sent.
        names: The members that the object may have.
        texts: Those of them that are texts of any length.
    """
    try:
        members = _members(body, names)
        long_texts = {
            name: raw
            for name in texts
            if len(raw := members.get(name, b"")) >= LONG_TEXT_BYTES and raw.startswith(b'"')
        }
        others = {name: raw for name, raw in members.items() if name not in long_texts}
        if excess := _excess(others):
            return BodyLayout(fault=excess)
        rest = body
        for raw in long_texts.values():
            rest = rest.replace(raw, _EMPTY, 1)
        # A long text that was sent twice under one name is in the rest once.
        if repeated := repeated_name(rest.decode()):
            return BodyLayout(fault=repeated)
        texts_of = {name: msgspec.json.decode(raw, type=str) for name, raw in long_texts.items()}
    except (ValueError, RecursionError) as error:
        return BodyLayout(fault=_fault_of(body, error, names))
    return BodyLayout(rest, texts_of)


def _members(body: bytes, names: tuple[str, ...]) -> dict[str, bytes]:
    """Return the members of the object as they were sent, of a repeated one the last.

    Raises:
        msgspec.ValidationError: It is no object, or has another member.
        msgspec.DecodeError: It is no JSON.
    """
    found = msgspec.structs.astuple(msgspec.json.decode(body, type=_shape_of(names)))
    return {name: bytes(raw) for name, raw in zip(names, found, strict=True) if len(raw)}


@lru_cache(maxsize=_MAX_SHAPES)
def _shape_of(names: tuple[str, ...]) -> type[msgspec.Struct]:
    by_field = {f"member_{at}": name for at, name in enumerate(names)}
    fields = [(field, msgspec.Raw, msgspec.Raw()) for field in by_field]
    return msgspec.defstruct("Members", fields, rename=by_field, forbid_unknown_fields=True)


def _excess(members: Mapping[str, bytes]) -> ErrorDetail | None:
    """Return the fault of members that hold too much together; it names the largest."""
    if not members:
        return None
    code = ErrorCode.DOCUMENT_TOO_LARGE
    largest = max(members, key=lambda name: len(members[name]))
    if sum(map(len, members.values())) > MAX_OTHER_BYTES:
        text = (
            f'Parameter "{largest}" is too large: a request may have at most {MAX_OTHER_BYTES:,} '
            "bytes besides its document."
        )
        return ErrorDetail(code=code, message=text, param=largest, limit_bytes=MAX_OTHER_BYTES)
    if _has_too_many_values(members.values()):
        text = (
            f'Parameter "{largest}" has too many values: a request may have at most '
            f"{MAX_OTHER_VALUES:,} besides its document."
        )
        return ErrorDetail(
            code=code, message=text, param=largest, limit="values", max=MAX_OTHER_VALUES
        )
    return None


def _has_too_many_values(members: Collection[bytes]) -> bool:
    if len(members) + sum(raw.count(b",") for raw in members) <= MAX_OTHER_VALUES:
        return False
    # Some of these commas may be those of texts.
    commas = sum(_TEXT.sub(b"", raw).count(b",") for raw in members)
    return len(members) + commas > MAX_OTHER_VALUES


def _fault_of(body: bytes, error: Exception, names: tuple[str, ...]) -> ErrorDetail:
    """Return the fault of a body that could not be read."""
    if isinstance(error, msgspec.ValidationError) and str(error).startswith(_UNKNOWN):
        return unknown_member("", str(error).removeprefix(_UNKNOWN)[:-1], names)
    try:
        body.decode()
    except UnicodeDecodeError as not_utf8:
        return malformed(body, not_utf8)
    return malformed(body, error)
