"""From the body of a push to the documents in it.

    Content-Type                          document
    application/x-www-form-urlencoded     the field document, edi or data; a body that begins with
                                          ISA is itself the document (curl -d sends it so)
    multipart/form-data                   each file; without files the field document, content, edi
                                          or file
    application/json                      the one member document or content; any other JSON is
                                          itself the document, and so is what is no JSON
    anything else, or none                the body

What a document is is not asked here: it is stored first and validated later.
Source: transports.md section 1.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote_to_bytes

import msgspec

from longshore.domain.inbound.intake import IncomingDocument
from longshore.http.body import UnsupportedContentError
from longshore.http.edi.faults import EmptyDocumentError, MalformedBodyError, NoDocumentError
from longshore.http.edi.gzip import expanded
from longshore.http.edi.multipart import read_parts

FORM: Final = "application/x-www-form-urlencoded"
MULTIPART: Final = "multipart/form-data"
JSON: Final = "application/json"

FORM_FIELDS: Final = ("document", "edi", "data")
PART_FIELDS: Final = ("document", "content", "edi", "file")
MAX_FIELDS: Final = 100

_PLAIN_CODINGS: Final = frozenset({"", "identity"})
_GZIP_CODINGS: Final = frozenset({"gzip", "x-gzip"})
_PIECE_BYTES: Final = 65_536


class _Wrapped(msgspec.Struct, forbid_unknown_fields=True):
    """A document in a member of an object that has no others."""

    document: str | msgspec.UnsetType = msgspec.UNSET
    content: str | msgspec.UnsetType = msgspec.UNSET


def is_plain(content_type: str, content_encoding: str) -> bool:
    """Tell whether a body is its document, so that there is no work in finding that."""
    return _media_type(content_type) not in _READERS and _coding(content_encoding) in _PLAIN_CODINGS


def documents_in(
    body: bytes, content_type: str, content_encoding: str, max_bytes: int
) -> tuple[IncomingDocument, ...]:
    """Return the documents of a body, at least one, none of them empty.

    Raises:
        BodyTooLargeError: It expands to more than ``max_bytes``, or more than 100 times.
        UnsupportedContentError: It is compressed in a way we do not know.
        MalformedBodyError: It is not what its headers say.
        NoDocumentError: A form without one.
        EmptyDocumentError: A document without a byte.
    """
    coding = _coding(content_encoding)
    if coding in _GZIP_CODINGS:
        body = expanded(body, max_bytes)
    elif coding not in _PLAIN_CODINGS:
        raise UnsupportedContentError("Content-Encoding", "Send the body as it is, or as gzip.")
    reader = _READERS.get(_media_type(content_type), _one_document)
    documents = reader(body, content_type)
    for place, document in enumerate(documents, 1):
        if not document.content:
            raise EmptyDocumentError(place if len(documents) > 1 else None)
    return documents


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _coding(content_encoding: str) -> str:
    return content_encoding.strip().lower()


def _one_document(body: bytes, content_type: str) -> tuple[IncomingDocument, ...]:
    return (IncomingDocument(content=body, content_type=content_type),)


def _in_json(body: bytes, content_type: str) -> tuple[IncomingDocument, ...]:
    try:
        wrapped = msgspec.json.decode(body, type=_Wrapped)
        text = wrapped.content if wrapped.document is msgspec.UNSET else wrapped.document
        # A text may hold half a surrogate pair, which no bytes stand for.
        content = body if text is msgspec.UNSET else text.encode()
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        content = body
    return (IncomingDocument(content=content, content_type=content_type),)


def _in_form(body: bytes, content_type: str) -> tuple[IncomingDocument, ...]:
    if body[:3].upper() == b"ISA":
        return _one_document(body, content_type)
    if body.count(b"&") >= MAX_FIELDS:
        raise MalformedBodyError(f"The form has more than {MAX_FIELDS} fields.")
    values: dict[str, bytes] = {}
    for each in body.split(b"&"):
        name, _, value = each.partition(b"=")
        values.setdefault(name.decode("latin-1"), value)
    chosen = next((values[name] for name in FORM_FIELDS if name in values), None)
    if chosen is None:
        raise NoDocumentError(FORM_FIELDS)
    return (IncomingDocument(content=_unquoted(chosen), content_type=content_type),)


def _in_parts(body: bytes, content_type: str) -> tuple[IncomingDocument, ...]:
    parts = read_parts(body, content_type)
    # A page sends a file that nobody has chosen as one without name and content.
    files = [
        part for part in parts if part.filename or (part.filename is not None and part.content)
    ]
    fields = [part for name in PART_FIELDS for part in parts if part.name == name]
    chosen = files or fields[:1]
    if not chosen:
        raise NoDocumentError(PART_FIELDS)
    return tuple(
        IncomingDocument(
            content=part.content, filename=part.filename or "", content_type=part.content_type
        )
        for part in chosen
    )


def _unquoted(value: bytes) -> bytes:
    """Return a value of a form; piece by piece, since each escape becomes an object for a while."""
    value = value.replace(b"+", b" ")
    pieces: list[bytes] = []
    at = 0
    while at < len(value):
        end = at + _PIECE_BYTES
        cut = value.rfind(b"%", end - 2, end)  # an escape stays whole
        end = end if cut < 0 else cut
        pieces.append(unquote_to_bytes(value[at:end]))
        at = end
    return b"".join(pieces)


_READERS: Final[Mapping[str, Callable[[bytes, str], tuple[IncomingDocument, ...]]]] = (
    MappingProxyType({
        FORM: _in_form,
        MULTIPART: _in_parts,
        JSON: _in_json,
    })
)
