"""Settings: the only reader of LONGSHORE_* variables and longshore.toml.

Sources, the first that names a setting wins: command line, ``LONGSHORE_<NAME>`` in the
environment, ``longshore.toml``, the default. The file is the one named with ``--config``, else
``longshore.toml`` in the working directory or in the data directory (two of them are refused,
since nobody could say which one holds). Unknown names are refused, never ignored: a misspelt
limit would otherwise not limit. ``longshore.example.toml`` is generated from this module.
"""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from enum import StrEnum, unique
from ipaddress import ip_network
from pathlib import Path
from re import fullmatch
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlsplit

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

ENVIRONMENT_PREFIX: Final = "LONGSHORE_"
FILE_NAME: Final = "longshore.toml"

_FAULT_VARIABLE: Final = "LONGSHORE_FAULT"  # no setting: an order of the fault tests alone


@unique
class LogLevel(StrEnum):
    """The least important log line that is still written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class SettingsError(LongshoreError):
    """Names every setting that is unknown or has an impossible value."""

    def __init__(self, faults: list[ErrorDetail]) -> None:
        super().__init__(
            ErrorCode(faults[0].code),
            "; ".join(fault.message for fault in faults),
            details=tuple(faults),
        )


_Reader = Callable[[object], object]


def _about(read: _Reader, comment: str) -> dict[str, object]:
    return {"read": read, "comment": comment}


def _whole_number(minimum: int, maximum: int) -> _Reader:
    def read(given: object) -> int:
        if isinstance(given, str) and fullmatch("[0-9]{1,18}", given):
            given = int(given)
        # True and False are integers to Python, and never a port.
        if not isinstance(given, int) or isinstance(given, bool) or not minimum <= given <= maximum:
            raise ValueError(f"must be a whole number from {minimum} to {maximum}")
        return given

    return read


def _number_or_auto(minimum: int, maximum: int) -> _Reader:
    def read(given: object) -> object:
        if given == "auto":
            return given
        try:
            return whole_number(given)
        except ValueError as error:
            raise ValueError(f"{error} or auto") from error

    whole_number = _whole_number(minimum, maximum)
    return read


def _folder(given: object) -> Path:
    if isinstance(given, Path):
        return given
    if not isinstance(given, str) or not given or "\0" in given:
        raise ValueError("must be the path of a folder")
    try:
        return Path(given).expanduser()
    except RuntimeError as error:
        raise ValueError("must be the path of a folder; its ~ names no user") from error


def _file(given: object) -> str:
    if not isinstance(given, str) or "\0" in given:
        raise ValueError("must be the path of a file")
    try:
        return given and str(Path(given).expanduser())
    except RuntimeError as error:
        raise ValueError("must be the path of a file; its ~ names no user") from error


def _host(given: object) -> str:
    if not isinstance(given, str) or not fullmatch(r"[A-Za-z0-9_.:-]+", given):
        raise ValueError("must be an address or a host name, such as 127.0.0.1, ::1 or 0.0.0.0")
    return given


def _base_url(given: object) -> str:
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


def _database_url(given: object) -> str:
    if not isinstance(given, str) or not fullmatch(r"(postgres(ql)?://[^\s\x00-\x1f]+)?", given):
        raise ValueError(
            "must be an address such as postgresql://login:password@host:5432/database"
        )
    return given


def _networks(given: object) -> tuple[str, ...]:
    parts = given if isinstance(given, list | tuple) else str(given).split(",")
    try:
        return tuple(str(ip_network(part.strip())) for part in map(str, parts) if part.strip())
    except ValueError as error:
        raise ValueError(
            "must be a list of addresses or networks, such as 10.0.0.7 or 10.0.0.0/8"
        ) from error


def _log_level(given: object) -> LogLevel:
    try:
        return LogLevel(str(given).lower())
    except ValueError as error:
        raise ValueError(f"must be one of: {', '.join(LogLevel)}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything an operator can choose; the comments are those of longshore.example.toml."""

    data_dir: Path = field(
        default=Path("longshore-data"),
        metadata=_about(
            _folder,
            "Folder of the database and the lock files; made at the first start. Relative to the "
            "working directory. No network file system.",
        ),
    )
    database_url: str = field(
        default="",
        repr=False,  # it may hold a password
        metadata=_about(
            _database_url,
            "PostgreSQL instead of a file in the data directory, such as "
            "postgresql://longshore@db.example.com/longshore. The login owns the tables and may "
            "create roles. Best given in the environment: it may hold a password.",
        ),
    )
    master_key_file: str = field(
        default="",
        metadata=_about(
            _file,
            "The key that stored documents and maps are encrypted with: 64 hexadecimal digits. "
            "Made at the first start. Empty: master.key in the data directory. Servers that share "
            "a PostgreSQL database share this file. No backup holds it: keep a copy apart.",
        ),
    )
    host: str = field(
        default="127.0.0.1",
        metadata=_about(_host, "Address to listen on. 0.0.0.0 is every IPv4 address."),
    )
    port: int = field(
        default=8080,
        metadata=_about(
            _whole_number(0, 65_535), "TCP port to listen on. 0 lets the system choose a free one."
        ),
    )
    base_url: str = field(
        default="",
        metadata=_about(
            _base_url,
            "What links and inbound addresses begin with, for example https://edi.example.com, and "
            "the one place whose pages may log in and change anything. Empty: the served address. "
            "Never taken from a request.",
        ),
    )
    trusted_proxies: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            _networks,
            "Addresses or networks whose X-Forwarded-For is believed. In the environment "
            "separated by commas.",
        ),
    )
    max_body_bytes: int = field(
        default=33_554_432,
        metadata=_about(
            _whole_number(1_024, 1_073_741_824),
            "Largest request body. Protects memory: parsing takes a few times the body's size.",
        ),
    )
    requests_per_minute: int = field(
        default=600,
        metadata=_about(
            _whole_number(1, 1_000_000),
            "Requests a production key may make in a minute, on average. Sandbox keys have no "
            "quota. Counted by each server process for itself.",
        ),
    )
    request_burst: int = field(
        default=60,
        metadata=_about(
            _whole_number(1, 1_000_000), "Requests a production key may make at once after a rest."
        ),
    )
    submits_per_minute: int = field(
        default=120,
        metadata=_about(
            _whole_number(1, 1_000_000),
            "Documents a production key may submit in a minute, on average.",
        ),
    )
    concurrent_documents: int = field(
        default=8,
        metadata=_about(
            _whole_number(1, 10_000),
            "Documents of one production key that are worked on at the same time.",
        ),
    )
    bytes_in_flight: int = field(
        default=268_435_456,
        metadata=_about(
            _whole_number(1_048_576, 1_099_511_627_776),
            "Bytes of request bodies taken in at the same time, half of them by one account. "
            "As many wait, others get 503. Protects memory: each takes a few times its size.",
        ),
    )
    queue_seconds: int = field(
        default=20,
        metadata=_about(
            _whole_number(1, 300), "How long a request waits for its turn before it gets 503."
        ),
    )
    document_workers: int | Literal["auto"] = field(
        default="auto",
        metadata=_about(
            _number_or_auto(0, 256),
            "Processes that work on documents above 32 KB. auto: one less than there are cores, "
            "at least one. 0: threads of the server, which then answers others later.",
        ),
    )
    document_cpu_seconds: int = field(
        default=60,
        metadata=_about(
            _whole_number(1, 3_600),
            "Computing time such a process may spend on one document.",
        ),
    )
    worker_memory_bytes: int = field(
        default=2_147_483_648,
        metadata=_about(
            _whole_number(268_435_456, 1_099_511_627_776),
            "Address space of such a process.",
        ),
    )
    header_deadline_seconds: int = field(
        default=15,
        metadata=_about(
            _whole_number(1, 300),
            "A connection whose request headers are not complete after this time is closed.",
        ),
    )
    body_deadline_seconds: int = field(
        default=30,
        metadata=_about(
            _whole_number(1, 300),
            "Time for a request body, to which each 64 KiB received add one second, up to 300.",
        ),
    )
    write_deadline_seconds: int = field(
        default=30,
        metadata=_about(
            _whole_number(1, 300),
            "A client that takes nothing of its answer for this time is cut off.",
        ),
    )
    idle_deadline_seconds: int = field(
        default=30,
        metadata=_about(
            _whole_number(1, 3_600),
            "A kept connection without a request is closed after this time.",
        ),
    )
    shutdown_deadline_seconds: int = field(
        default=10,
        metadata=_about(
            _whole_number(1, 300), "Time for running requests to finish after SIGTERM or Ctrl-C."
        ),
    )
    log_level: LogLevel = field(
        default=LogLevel.INFO,
        metadata=_about(
            _log_level,
            f"The least important log line that is written: {', '.join(LogLevel)}. "
            "No level writes document content or keys.",
        ),
    )


class _Given(NamedTuple):
    """A value somebody wrote, and the name under which they wrote it."""

    source: str
    value: object


def load_settings(
    arguments: Mapping[str, object],
    *,
    config: Path | None = None,
    environ: Mapping[str, str] | None = None,
    working_dir: Path | None = None,
) -> Settings:
    """Return the settings that hold for this process.

    ``arguments``: from the command line, by setting name; None stands for "not given".
    ``environ`` and ``working_dir`` default to those of the process.

    Raises:
        SettingsError: Unknown names or impossible values, all of them at once.
    """
    faults: list[ErrorDetail] = []
    given = _from_arguments(arguments)
    given = _from_environment(os.environ if environ is None else environ, faults) | given
    path = config or _find_file(given.get("data_dir"), working_dir or Path.cwd())
    if path:
        given = _from_file(path, faults) | given
    # Any: each reader returns the type of its own field.
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        if setting.name in given:
            source, value = given[setting.name]
            try:
                values[setting.name] = setting.metadata["read"](value)
            except ValueError as error:
                faults.append(_fault(ErrorCode.INVALID_PARAMETER, source, f"{source} {error}"))
    if faults:
        raise SettingsError(faults)
    return Settings(**values)


def ordered_fault() -> str:
    """Return where a test wants this process to die (``kit.faults``), ``""`` for nowhere."""
    return os.environ.get(_FAULT_VARIABLE, "")


def _from_arguments(arguments: Mapping[str, object]) -> dict[str, _Given]:
    return {
        name: _Given("--" + name.replace("_", "-"), value)
        for name, value in arguments.items()
        if value is not None
    }


def _from_environment(environ: Mapping[str, str], faults: list[ErrorDetail]) -> dict[str, _Given]:
    written = {
        name.removeprefix(ENVIRONMENT_PREFIX).lower(): _Given(name, value)
        for name, value in environ.items()
        if name.startswith(ENVIRONMENT_PREFIX) and name != _FAULT_VARIABLE
    }
    return _known(written, faults, spell=lambda name: ENVIRONMENT_PREFIX + name.upper())


def _from_file(path: Path, faults: list[ErrorDetail]) -> dict[str, _Given]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        problem = f"{path} cannot be read: {error.strerror}"
        raise SettingsError([_fault(ErrorCode.INVALID_PARAMETER, str(path), problem)]) from error
    except ValueError as error:
        problem = f"{path} is not valid TOML: {error}"
        raise SettingsError([_fault(ErrorCode.INVALID_PARAMETER, str(path), problem)]) from error
    written = {name: _Given(f"{name} in {path}", value) for name, value in content.items()}
    return _known(written, faults, spell=str)


def _known(
    written: dict[str, _Given], faults: list[ErrorDetail], *, spell: Callable[[str], str]
) -> dict[str, _Given]:
    """Return what has the name of a setting; the rest becomes faults naming the nearest."""
    names = [setting.name for setting in fields(Settings)]
    for name, (source, _) in written.items():
        if name not in names:
            nearest = get_close_matches(name, names, n=1, cutoff=0)[0]
            problem = f"{source} is not a setting; the nearest is {spell(nearest)}"
            faults.append(_fault(ErrorCode.UNKNOWN_PARAMETER, source, problem))
    return {name: value for name, value in written.items() if name in names}


def _find_file(data_dir: _Given | None, working_dir: Path) -> Path | None:
    try:
        folder = working_dir / (_folder(data_dir.value) if data_dir else Settings().data_dir)
    except ValueError:
        folder = working_dir  # load_settings reports the bad data_dir
    found = [
        place / FILE_NAME
        for place in dict.fromkeys((working_dir, folder))
        if (place / FILE_NAME).is_file()
    ]
    if len(found) > 1:
        problem = f"there are two settings files, {found[0]} and {found[1]}: keep one of them"
        raise SettingsError([_fault(ErrorCode.INVALID_PARAMETER, FILE_NAME, problem)])
    return found[0] if found else None


def _fault(code: ErrorCode, source: str, message: str) -> ErrorDetail:
    return ErrorDetail(code=code, param=source, message=message)
