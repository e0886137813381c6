"""Settings: the only reader of LONGSHORE_* variables and longshore.toml.

Sources, the first that names a setting wins: command line, ``LONGSHORE_<NAME>`` in the
environment, ``longshore.toml``, the default. The file is the one named with ``--config``, else
``longshore.toml`` in the working directory or in the data directory (two of them are refused,
since nobody could say which one holds). Unknown names are refused, never ignored: a misspelt
limit would otherwise not limit. ``longshore.example.toml`` is generated from this module.
"""

from longshore.settings.loading import (
    ENVIRONMENT_PREFIX,
    FILE_NAME,
    SettingsError,
    load_settings,
)
from longshore.settings.table import Settings
from longshore.settings.values import LogLevel

__all__ = [
    "ENVIRONMENT_PREFIX",
    "FILE_NAME",
    "LogLevel",
    "Settings",
    "SettingsError",
    "load_settings",
]
