"""Where a document comes from: a file, text, bytes or an open file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from longshore.engine.segments import ByteSource
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

_CHUNK_BYTES: Final = 262_144
_MAX_PATH_CHARS: Final = 4096  # no system opens a longer one
_ISA_SEPARATORS: Final = 16
_ISA = re.compile("\ufeff?[ \t]*ISA([^A-Za-z0-9 ])")
_NEVER_IN_PATHS = re.compile("[\r\n\0]")


class OpenFile(Protocol):
    """Protocol of an open file, of bytes or text."""

    def read(self) -> bytes | str:
        """Return the rest of the file."""
        ...


class SeekableFile(Protocol):
    """Protocol of an open file of bytes that can be read again."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, at most ``size``."""
        ...

    def seek(self, offset: int, /) -> int:
        """Continue at a position."""
        ...

    def tell(self) -> int:
        """Return the position."""
        ...


Source = str | bytes | os.PathLike[str] | OpenFile
StreamSource = str | bytes | os.PathLike[str] | SeekableFile | ByteSource


def is_document(source: str) -> bool:
    """Return whether a text is a document; any other text is the path of a file.

    It is one if it begins with an ISA, whose separator occurs 16 times in it, if it has a line
    break or a NUL, or if it is longer than a path can be. The disk is not asked, so the answer is
    always the same.
    """
    if len(source) > _MAX_PATH_CHARS or _NEVER_IN_PATHS.search(source):
        return True
    found = _ISA.match(source)
    return found is not None and source.count(found[1]) >= _ISA_SEPARATORS


def content_of(source: Source) -> tuple[bytes | str, str]:
    """Return the content of a source, and the name of the file as given, ``""`` if there is none.

    Raises:
        OSError: The file cannot be read.
        TypeError: The source is none.
    """
    if isinstance(source, bytes):
        return source, ""
    if isinstance(source, str) and is_document(source):
        return source, ""
    if isinstance(source, str | os.PathLike):
        return Path(source).read_bytes(), os.fspath(source)
    if not hasattr(source, "read"):
        raise TypeError(_no_source(source))
    content = source.read()
    if not isinstance(content, str | bytes):
        raise TypeError(_no_source(content))
    return content, _name_of(source)


def chunks_of(source: StreamSource) -> ByteSource:
    """Return a function that yields the bytes of a source from its beginning at each call.

    Raises:
        TypeError: The source is none.
    """
    if isinstance(source, str) and is_document(source):
        source = encoded_text(source)
    if isinstance(source, bytes):
        whole = source
        return lambda: (whole,)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        return lambda: _file_chunks(path)
    if callable(source):
        return source
    if not hasattr(source, "seek"):
        raise TypeError(_no_source(source))
    file, start = source, source.tell()
    return lambda: _open_file_chunks(file, start)


def encoded_text(text: str) -> bytes:
    """Return a text as UTF-8.

    Raises:
        LongshoreError: document_unparseable: it has a lone surrogate.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as fault:
        code, offset = ErrorCode.DOCUMENT_UNPARSEABLE, fault.start
        message = f"A lone surrogate is not a character (character offset {offset})."
        detail = ErrorDetail(
            code="lone_surrogate", message=message, param="document", offset=offset
        )
        raise LongshoreError(code, message, details=(detail,)) from fault


def _file_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk


def _open_file_chunks(file: SeekableFile, start: int) -> Iterator[bytes]:
    file.seek(start)
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk


def _name_of(file: object) -> str:
    name = getattr(file, "name", "")
    return name if isinstance(name, str) else ""


def _no_source(given: object) -> str:
    name = type(given).__name__
    return f"A document is a path, text, bytes or an open file, not {name}."
