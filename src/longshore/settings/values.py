"""Values of settings as people write them, and what they mean.

Each reader takes what stands in a file, in the environment or on the command line.

Raises:
    ValueError: With how the setting must be written; no reader repeats what was.
"""

from collections.abc import Callable
from enum import StrEnum, unique
from ipaddress import ip_network
from pathlib import Path
from re import fullmatch
from urllib.parse import urlsplit

Reader = Callable[[object], object]


@unique
class LogLevel(StrEnum):
    """The least important log line that is still written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def whole_number(minimum: int, maximum: int) -> Reader:
    """Return the reader of a number within bounds, both inclusive."""

    def read(given: object) -> int:
        if isinstance(given, str) and fullmatch("[0-9]{1,18}", given):
            given = int(given)
        # True and False are integers to Python, and never a port.
        if not isinstance(given, int) or isinstance(given, bool) or not minimum <= given <= maximum:
            raise ValueError(f"must be a whole number from {minimum} to {maximum}")
        return given

    return read


def number_or_auto(minimum: int, maximum: int) -> Reader:
    """Return the reader of such a number or the word ``auto``."""

    def read(given: object) -> object:
        if given == "auto":
            return given
        try:
            return read_number(given)
        except ValueError as error:
            raise ValueError(f"{error} or auto") from error

    read_number = whole_number(minimum, maximum)
    return read


def folder_path(given: object) -> Path:
    """Return the path of a folder, its ``~`` resolved.

    Raises:
        ValueError: It is none.
    """
    if isinstance(given, Path):
        return given
    if not isinstance(given, str) or not given or "\0" in given:
        raise ValueError("must be the path of a folder")
    try:
        return Path(given).expanduser()
    except RuntimeError as error:
        raise ValueError("must be the path of a folder; its ~ does not name a user") from error


def file_path(given: object) -> str:
    """Return the path of a file, its ``~`` resolved; ``""`` for none.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(given, str) or "\0" in given:
        raise ValueError("must be the path of a file")
    try:
        return given and str(Path(given).expanduser())
    except RuntimeError as error:
        raise ValueError("must be the path of a file; its ~ does not name a user") from error


def host(given: object) -> str:
    """Return an address or a host name to listen on.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(given, str) or not fullmatch(r"[A-Za-z0-9_.:-]+", given):
        raise ValueError("must be an address or a host name, for example 127.0.0.1, ::1 or 0.0.0.0")
    return given


def base_url(given: object) -> str:
    """Return an address of http or https without a slash at its end; ``""`` for none.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(given, str) or not _is_address(given):
        raise ValueError(
            "must begin with http:// or https:// and name a host, such as https://edi.example.com"
        )
    return given.rstrip("/")


def _is_address(text: str) -> bool:
    try:
        port = urlsplit(text).port  # refuses a port or an IPv6 address that is none
    except ValueError:
        return False
    return port != 0 and fullmatch(r"(https?://[^\s/?#@]+(/[^\s?#]*)?)?", text) is not None


def database_url(given: object) -> str:
    """Return the address of a PostgreSQL database; ``""`` for none.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(given, str) or not fullmatch(r"(postgres(ql)?://[^\s\x00-\x1f]+)?", given):
        raise ValueError(
            "must be an address such as postgresql://login:password@host:5432/database"
        )
    return given


def networks(given: object) -> tuple[str, ...]:
    """Return addresses and networks, from a list or a text with commas.

    Raises:
        ValueError: It is none.
    """
    parts = given if isinstance(given, list | tuple) else str(given).split(",")
    try:
        return tuple(str(ip_network(part.strip())) for part in map(str, parts) if part.strip())
    except ValueError as error:
        raise ValueError(
            "must be a list of addresses or networks, such as 10.0.0.7 or 10.0.0.0/8"
        ) from error


def log_level(given: object) -> LogLevel:
    """Return a level, however its letters are written.

    Raises:
        ValueError: It is none.
    """
    try:
        return LogLevel(str(given).lower())
    except ValueError as error:
        raise ValueError(f"must be one of: {', '.join(LogLevel)}") from error
