"""The master key: a file of 64 hexadecimal digits, which the database knows by its id alone.

    the database names no key   the file is read, or made if it is not there; its id is noted
    it names this one           well
    it names another one        refused: what is sealed would be unreadable, and stay so
    it names one, no file       refused: a new key would open nothing of what is there

Who settles the key holds a lock on the database meanwhile, so that two first starts do not settle
on two keys; and the file appears whole or not at all, never over another one. Hexadecimal, so that
it can be kept where secrets are kept as text. Source: reliability.md section 7.
"""

import hmac
import os
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from longshore.kit.ids import IdSource
from longshore.storage.errors import DatabaseRefusedError
from longshore.storage.manifest import sync

FILE_NAME: Final = "master.key"
KEY_BYTES: Final = 32
ID_BYTES: Final = 4

# What the id is taken of says nothing of the key that wraps (sealing.py), though it stands in the
# database.
_IDENTITY: Final = b"longshore key id 1"

_MODE: Final = 0o600
_DIRECTORY_MODE: Final = 0o700
_CONTENT: Final = re.compile(rb"\s*([0-9A-Fa-f]{64})\s*")
_MAX_FILE_BYTES: Final = 1_024  # what is longer is another file
_PUT_BACK: Final = (
    " Put the right one back, from where it is kept apart from the backups: as master.key into the"
    " data directory, or where the setting master_key_file says."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterKey:
    """The master key of a database."""

    secret: bytes = field(repr=False)
    is_new: bool = False
    """True if this start created it."""

    @property
    def id(self) -> bytes:
        """The bytes by which it is known without being shown."""
        named = hmac.digest(self.secret, _IDENTITY, "sha256")
        return sha256(named).digest()[:ID_BYTES]


def load_or_create_master_key(path: Path, known_ids: Collection[bytes], ids: IdSource) -> MasterKey:
    """Return the key of a database that was sealed with ``known_ids``, made if it may be.

    Raises:
        DatabaseRefusedError: The file is not there, is no key, or is another key than the database
            was sealed with; or it cannot be read or made.
    """
    key = read_master_key(path)
    if key is None:
        if known_ids:
            raise DatabaseRefusedError(
                f"The master key of this database ({_names(known_ids)}) is not there.{_PUT_BACK}"
                " Without it stored documents and maps cannot be read."
            )
        return _make(path, ids)
    if known_ids and key.id not in known_ids:
        raise DatabaseRefusedError(
            f"The master key is another ({key.id.hex()}) than this database was sealed with"
            f" ({_names(known_ids)}).{_PUT_BACK}"
        )
    return key


def read_master_key(path: Path) -> MasterKey | None:
    """Return the key in a file, None if there is no file.

    Raises:
        DatabaseRefusedError: It cannot be read, or is no key.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_FILE_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DatabaseRefusedError(
            f"The master key cannot be read: {error.strerror}. The user that runs Longshore must be"
            " allowed to read the file."
        ) from error
    match = _CONTENT.fullmatch(content)
    if match is None:
        raise DatabaseRefusedError(
            "The file of the master key holds no key: 64 hexadecimal digits are expected,"
            f" as `openssl rand -hex 32` makes them.{_PUT_BACK}"
        )
    return MasterKey(secret=bytes.fromhex(match[1].decode()))


def _make(path: Path, ids: IdSource) -> MasterKey:
    """Write a new key, durably, and under its name only when it is whole.

    Raises:
        DatabaseRefusedError: The file system refuses.
    """
    secret = ids.token_bytes(KEY_BYTES)
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        path.parent.mkdir(mode=_DIRECTORY_MODE, parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
        with os.fdopen(os.open(unfinished, flags, _MODE), "wb") as file:
            file.write(secret.hex().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(unfinished, path)  # not a renaming: that would take the place of another key
        unfinished.unlink()
        sync(path.parent)
    except OSError as error:
        raise DatabaseRefusedError(
            f"The master key cannot be created: {error.strerror}. Make one with `openssl rand "
            "-hex 32`"
            " in a file that only this user can read, and name it with the setting master_key_file."
        ) from error
    return MasterKey(secret=secret, is_new=True)


def _names(key_ids: Collection[bytes]) -> str:
    return ", ".join(sorted(each.hex() for each in key_ids))
