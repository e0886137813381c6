"""Where settings are written, which of these places wins, and what is refused."""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.kit.faults import FAULT_VARIABLE
from longshore.settings.table import Settings
from longshore.settings.values import folder_path

ENVIRONMENT_PREFIX: Final = "LONGSHORE_"
FILE_NAME: Final = "longshore.toml"

_OTHER_VARIABLES: Final = frozenset({
    FAULT_VARIABLE,
    "LONGSHORE_KEY",
    "LONGSHORE_CSRF_TOKEN",
})
"""Variables with the prefix that are no settings; the last two are those of the examples."""


class SettingsError(LongshoreError):
    """Names every setting that is unknown or has an impossible value."""

    def __init__(self, faults: list[ErrorDetail]) -> None:
        super().__init__(
            ErrorCode(faults[0].code),
            "; ".join(fault.message for fault in faults),
            details=tuple(faults),
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
    """Return the settings of this process.

    Args:
        arguments: Values of the command line, by setting name; None means "not given".
        config: Settings file to read instead of longshore.toml.
        environ: Environment variables; by default those of the process.
        working_dir: Working directory; by default that of the process.

    Raises:
        SettingsError: Unknown names or impossible values, all of them at once.
    """
    faults: list[ErrorDetail] = []
    given = _from_arguments(arguments)
    if environ is None:
        environ = os.environ
    given = _from_environment(environ, faults) | given
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
        if name.startswith(ENVIRONMENT_PREFIX) and name not in _OTHER_VARIABLES
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
        folder = working_dir / (folder_path(data_dir.value) if data_dir else Settings().data_dir)
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
