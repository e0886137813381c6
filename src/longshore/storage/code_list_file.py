"""The operator's own codes: one CSV file, which commands change while servers and workers run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from longshore.kit.errors import ErrorCode, LongshoreError
from longshore.telemetry.logging import get_logger
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.own_codes import CodeLists, CodeRow, read_code_rows
from longshore.x12.dictionary.refusals import FileRefusedError

FILE_NAME: Final = "code-lists.csv"
"""The name of the file in the data directory."""

_Version = tuple[int, int, int]


class CodeListFile:
    """Reads the file when it was changed.

    Args:
        path: The file. It need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._version: _Version | None = None
        self._lists: CodeLists | None = None

    @contextmanager
    def being_changed(self) -> Iterator[None]:
        """Let one process at a time read the file and write it anew; others wait.

        The lock is on a file next to it, because each change replaces the file itself.

        Raises:
            LongshoreError: invalid_parameter: nothing can be written in its directory.
        """
        lock = self.path.with_name(f"{self.path.name}.lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            message = f"{lock} cannot be written: {error.strerror}."
            raise LongshoreError(ErrorCode.INVALID_PARAMETER, message) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def rows(self) -> tuple[CodeRow, ...]:
        """Return all codes; none if there is no file.

        Raises:
            FileRefusedError: A line of it is wrong.
            LongshoreError: invalid_parameter: it is no readable text.
        """
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            message = f"{self.path} cannot be read as UTF-8 text."
            raise LongshoreError(ErrorCode.INVALID_PARAMETER, message) from error
        try:
            return read_code_rows(str(self.path), text, shipped().vocabulary)
        except DictionaryError as error:
            raise FileRefusedError(error) from error

    def open(self) -> None:
        """Read the file when a server or worker starts.

        Raises:
            LongshoreError: invalid_parameter: a line of it is wrong.
        """
        self._version = self._found()
        self._lists = self._read()

    def current(self) -> CodeLists | None:
        """Return the codes as they are now; None if there are none.

        If a change made the file wrong, the codes before it stay, and the log has an error.
        """
        version = self._found()
        if version != self._version:
            self._version = version
            try:
                self._lists = self._read()
            except LongshoreError as error:
                get_logger(__name__).error("code_lists_unreadable", reason=error.message)
        return self._lists

    def _read(self) -> CodeLists | None:
        rows = self.rows()
        return CodeLists(rows) if rows else None

    def _found(self) -> _Version | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
