"""The files that the sources of a job hold: on this machine, in archives, in object stores."""

from __future__ import annotations

import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from glob import glob
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple, cast
from urllib.parse import quote, unquote, urlsplit

from pyarrow import fs

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

UNREADABLE: Final = (
    OSError,  # of gzip too
    ValueError,
    LookupError,  # of an archive that has changed
    RuntimeError,  # of a zip that is encrypted
    EOFError,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)
"""The errors that reading a file or an archive can raise."""
_URL: Final = re.compile("[a-z][a-z0-9+.-]+://")
_MAGIC: Final = re.compile(r"[*?\[]")
_ZIP: Final = (".zip",)
_TAR: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_GZIP: Final = (".gz",)


class SourceFile(NamedTuple):
    """A file that a job reads."""

    path: str
    """The path or URL of the file, or of the archive it is in."""
    name: str
    """The value of the key column ``file``: as given, in an archive with ``!`` and its name."""
    size: int
    """Bytes; of a file ``.gz`` the compressed ones."""
    stamp: str
    """Another text if the file has changed: its time, its checksum in the archive."""
    position: int = -1
    """Its position in the archive, from 0; -1 outside one."""
    fault: str = ""
    """Why an archive cannot be read."""

    @property
    def is_in_sequence(self) -> bool:
        """It can only be read after the files before it in its archive."""
        return self.position >= 0 and _ends(self.path, _TAR)


class FileTooLargeError(Exception):
    """A file has more bytes than a job reads of one."""


Read = Callable[[], bytes]
"""Reads a file. Raises FileTooLargeError or one of ``UNREADABLE``."""


def find_files(sources: Iterable[str], left_out: Path | None = None) -> list[SourceFile]:
    """Return the files of sources, each once, in the order of the sources and of their names.

    A source is a file, a folder with all below it, a pattern such as ``in/**/*.edi``, an archive,
    or the URL of one of these. Names that begin with a dot are left out of folders and patterns. An
    archive that cannot be read is one file with a ``fault``.

    Args:
        sources: The sources.
        left_out: A folder whose files are no documents: that of the tables.

    Raises:
        _refusal: A LongshoreError invalid_parameter: a source does not exist, holds no file, or is
            a URL with a password or of an unknown kind.
    """
    found: dict[tuple[str, int], SourceFile] = {}
    for source in sources:
        try:
            outer = list(_of_url(source) if _URL.match(source) else _of_path(source))
        except (OSError, ValueError) as fault:
            raise _refusal(source, str(fault)) from fault
        if not outer:
            raise _refusal(source, "there is no file")
        for each in outer:
            if left_out is None or not _is_below(each.path, left_out):
                for inner in _members(each):
                    found.setdefault((inner.path, inner.position), inner)
    return list(found.values())


def _is_below(path: str, folder: Path) -> bool:
    return not _URL.match(path) and Path(path).resolve().is_relative_to(folder.resolve())


def contents(files: Iterable[SourceFile], max_bytes: int) -> Iterator[tuple[SourceFile, Read]]:
    """Yield each file with a function that reads it, to be called before the next is asked for.

    Args:
        files: Files, those of one archive in their order.
        max_bytes: The size of the largest file that is read.
    """
    for path, group in groupby(files, lambda each: each.path):
        several = list(group)
        if several[0].position < 0:
            yield from ((each, partial(_whole, each, max_bytes)) for each in several)
        else:
            yield from _of_archive(path, several, max_bytes)


# ---- finding ---------------------------------------------------------------------------------


def _of_path(source: str) -> Iterator[SourceFile]:
    """Yield the files of a path or a pattern."""
    base = Path(source)
    if base.is_dir():
        names = [*map(str, base.rglob("*"))]
    elif _MAGIC.search(source) and not base.exists():
        base = Path(_MAGIC.split(source, maxsplit=1)[0]).parent
        names = glob(source, recursive=True)  # noqa: PTH207 - Path.glob refuses an absolute one
    else:
        names, base = [source], base.parent
    for name in sorted(names):
        path = Path(name)
        is_named = name == source
        if is_named or (path.is_file() and not _is_hidden(path.relative_to(base).parts)):
            status = path.stat()
            yield SourceFile(name, name, status.st_size, str(status.st_mtime_ns))


def _of_url(source: str) -> Iterator[SourceFile]:
    """Yield the files of the URL of a file, a folder or a pattern.

    Raises:
        ValueError: The URL has a password, or is of an unknown kind.
        FileNotFoundError: There is no such file or folder.
        OSError: It cannot be asked for.
    """
    parts = urlsplit(source)
    if "@" in parts.netloc:
        raise ValueError("credentials belong into the environment, not into the URL")
    query = f"?{parts.query}" if parts.query else ""
    fixed, magic, _ = parts.path.partition("*")
    base = fixed.rpartition("/")[0] if magic else fixed
    system, inner = fs.FileSystem.from_uri(f"{parts.scheme}://{parts.netloc}{base}{query}")
    info = system.get_file_info(inner)
    if info.type is fs.FileType.Directory:
        wanted = _pattern(unquote(f"{parts.netloc}{parts.path}")) if magic else None
        for each in sorted(
            system.get_file_info(fs.FileSelector(inner, recursive=True)), key=lambda one: one.path
        ):
            below = PurePosixPath(each.path).relative_to(inner).parts
            is_wanted = wanted is None or wanted.fullmatch(each.path)
            if each.type is fs.FileType.File and is_wanted and not _is_hidden(below):
                yield _of_info(parts.scheme, each, query)
    elif info.type is fs.FileType.File:
        yield _of_info(parts.scheme, info, query)
    else:
        raise FileNotFoundError("there is no such file or folder")


def _of_info(scheme: str, info: fs.FileInfo, query: str) -> SourceFile:
    url = f"{scheme}://{quote(info.path)}{query}"
    return SourceFile(url, f"{scheme}://{info.path}", info.size or 0, str(info.mtime_ns))


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern in which ``*`` is in one folder and ``**/`` any number of them."""
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", text)
    return re.compile("".join(words.get(each) or re.escape(each) for each in pieces))


def _is_hidden(parts: Sequence[str]) -> bool:
    return any(part.startswith(".") for part in parts)


def _members(file: SourceFile) -> list[SourceFile]:
    """Return the files of an archive, any other file as it is."""
    if not _ends(file.path, _ZIP + _TAR):
        return [file]
    try:
        with _opened(file.path) as stream:
            if _ends(file.path, _ZIP):
                with zipfile.ZipFile(stream) as archive:
                    return [
                        _member(file, index, info.filename, info.file_size, str(info.CRC))
                        for index, info in enumerate(archive.infolist())
                        if not info.is_dir()
                    ]
            with tarfile.open(fileobj=stream, mode="r|*") as tar:
                return [
                    _member(file, index, info.name, info.size, file.stamp)
                    for index, info in enumerate(tar)
                    if info.isfile()
                ]
    except UNREADABLE as fault:
        return [file._replace(fault=f"The archive cannot be read: {reason(fault)}.")]


def _member(archive: SourceFile, index: int, name: str, size: int, stamp: str) -> SourceFile:
    return SourceFile(archive.path, f"{archive.name}!{name}", size, stamp, index)


# ---- reading ---------------------------------------------------------------------------------


def _of_archive(
    path: str, files: Sequence[SourceFile], max_bytes: int
) -> Iterator[tuple[SourceFile, Read]]:
    """Yield the files of one archive."""
    waiting = list(reversed(files))
    try:
        with _opened(path) as stream:
            if _ends(path, _ZIP):
                with zipfile.ZipFile(stream) as archive:
                    infos = archive.infolist()
                    while waiting:
                        entry = infos[waiting[-1].position]
                        each = waiting.pop()
                        yield each, partial(_zipped, archive, entry, each, max_bytes)
                return
            with tarfile.open(fileobj=stream, mode="r|*") as tar:
                for index, info in enumerate(tar):
                    if waiting and waiting[-1].position == index:
                        each = waiting.pop()
                        yield each, partial(_packed, tar, info, each, max_bytes)
    except UNREADABLE as fault:
        broken = fault
    else:
        broken = EOFError("it has ended before this file")
    while waiting:
        yield waiting.pop(), partial(_raise, broken)


def _raise(fault: Exception) -> bytes:
    raise fault


def _whole(file: SourceFile, max_bytes: int) -> bytes:
    if file.fault:
        raise ValueError(file.fault)
    with _opened(file.path) as stream:
        if not _ends(file.path, _GZIP):
            return _limited(stream, max_bytes)
        with gzip.GzipFile(fileobj=stream) as unzipped:
            return _limited(cast("IO[bytes]", unzipped), max_bytes)


def _zipped(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: SourceFile, max_bytes: int
) -> bytes:
    _insist_on_name(file, info.filename)
    with archive.open(info) as stream:
        return _limited(stream, max_bytes)


def _packed(tar: tarfile.TarFile, info: tarfile.TarInfo, file: SourceFile, max_bytes: int) -> bytes:
    _insist_on_name(file, info.name)
    stream = tar.extractfile(info)
    if stream is None:
        raise ValueError("it is no file any more")
    with stream:
        return _limited(stream, max_bytes)


def _insist_on_name(file: SourceFile, name: str) -> None:
    """Refuse another file at the place of one in an archive.

    Raises:
        ValueError: The archive has changed since it was listed.
    """
    if not file.name.endswith(f"!{name}"):
        raise ValueError("the archive has changed")


def _limited(stream: IO[bytes], max_bytes: int) -> bytes:
    """Return the rest of a stream.

    Raises:
        FileTooLargeError: It has more bytes.
    """
    content = stream.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise FileTooLargeError
    return content


def _opened(path: str) -> IO[bytes]:
    if _URL.match(path) is None:
        return Path(path).open("rb")
    system, inner = fs.FileSystem.from_uri(path)
    return cast("IO[bytes]", system.open_input_file(inner))


def _ends(path: str, suffixes: tuple[str, ...]) -> bool:
    """Return whether a path or a URL, without its query, ends with one of these."""
    name = path.partition("?")[0] if _URL.match(path) else path
    return name.lower().endswith(suffixes)


def reason(fault: Exception) -> str:
    """Return what an error says, in a sentence without its full stop."""
    text = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
    return text.rstrip(".").replace("\n", " ")


def _refusal(source: str, text: str) -> LongshoreError:
    shown = source if "@" not in source else _URL.sub("", source).rpartition("@")[2]
    message = f"The source {shown!r} cannot be used: {text}."
    code = ErrorCode.INVALID_PARAMETER
    return LongshoreError(
        code, message, details=(ErrorDetail(code=code, message=message, param="sources"),)
    )
