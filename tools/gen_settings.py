"""Writes longshore.example.toml: every setting with its comment and default.

``python -m tools.gen_settings`` writes the file; a test compares it with what this returns.
"""

from dataclasses import Field, fields
from json import dumps
from pathlib import Path
from textwrap import fill
from typing import Final

from longshore.settings import ENVIRONMENT_PREFIX, FILE_NAME, Settings

EXAMPLE_FILE: Final = Path(__file__).parent.parent / "longshore.example.toml"

_HEAD: Final = f"""\
# Every setting of Longshore with its default. Copy to {FILE_NAME} in the working directory or in
# the data directory, and remove the # before what you change. Each can also be given as
# {ENVIRONMENT_PREFIX}<NAME> in the environment, which wins over this file; the command line wins
# over both. Unknown names are refused. Generated from src/longshore/settings by `make docs`.
"""


def example_toml() -> str:
    """Return the text of longshore.example.toml."""
    return "\n".join([_HEAD, *map(_entry, fields(Settings))])


def _entry(setting: Field[object]) -> str:
    comment = fill(
        setting.metadata["comment"], width=100, initial_indent="# ", subsequent_indent="# "
    )
    return f"{comment}\n# {setting.name} = {_toml(setting.default)}\n"


def _toml(value: object) -> str:
    # JSON text, number and list are TOML too.
    return dumps(str(value) if isinstance(value, Path) else value)


if __name__ == "__main__":
    EXAMPLE_FILE.write_text(example_toml(), encoding="utf-8")
