"""Files that appear whole or not at all, and replace nothing unless that is wanted."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from longshore.cli.terminal import write_bytes
from longshore.kit.errors import ErrorCode, LongshoreError

STDIO: Final = "-"
"""In the place of a file: standard input or output."""


class FileExistsAlreadyError(LongshoreError):
    """A file of this name is there and is not to be overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE, f"{path} already exists; --force overwrites existing files."
        )


def write_output(file: str, content: bytes, *, is_forced: bool) -> None:
    """Write to a file, or to standard output if ``file`` is ``-``.

    Raises:
        FileExistsAlreadyError, OSError: As ``write_new_file``.
    """
    if file == STDIO:
        write_bytes(content)
    else:
        write_new_file(Path(file), content, is_forced=is_forced)


def refuse_existing(path: Path, *, is_forced: bool) -> None:
    """Refuse to write a file that is there, before anything is done for it.

    Raises:
        FileExistsAlreadyError: It is there, and ``is_forced`` is false.
    """
    if path.exists() and not is_forced:
        raise FileExistsAlreadyError(path)


def write_new_file(
    path: Path, content: bytes, *, is_forced: bool = False, is_private: bool = False
) -> None:
    """Write a file. Whoever looks sees all of it or, before the end, what was there before.

    Args:
        path: The file.
        content: All of it.
        is_forced: True if it may replace a file that is there.
        is_private: True if only its owner may read it; otherwise the system decides.

    Raises:
        FileExistsAlreadyError: It is there already, and ``is_forced`` is false.
        OSError: It cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            if is_private:
                part.chmod(0o600)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if is_forced:
            part.replace(path)
        else:
            # Unlike a look beforehand, this cannot overwrite what another process just wrote.
            os.link(part, path)
    except FileExistsError as error:
        raise FileExistsAlreadyError(path) from error
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
