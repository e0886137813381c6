"""An imported definition of a set or guide, as an account has it in one environment."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NewType

from longshore.x12.dictionary.lines import FileFault
from longshore.x12.dictionary.own_definitions import DefinitionKey

OwnDefinitionId = NewType("OwnDefinitionId", int)

MAX_DEFINITIONS: Final = 50
"""Of an account in an environment."""
MAX_ACCOUNT_CHARS: Final = 8 << 20
"""All of them together, in the form of the dictionary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionFacts:
    """The facts that a list shows of a definition."""

    key: DefinitionKey
    title: str
    """The name in the file; content, so a store has it encrypted, and ``""`` here."""
    form: str
    """The format of the file it was imported from."""
    file_name: str
    digest: str
    """Equal digests have equal texts."""
    size: int
    """Characters in the form of the dictionary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDefinition:
    """A definition as lists show it."""

    id: OwnDefinitionId
    facts: DefinitionFacts
    created_at: datetime
    sealed_title: bytes = field(repr=False)
    """The title under the key of the row."""
    wrapped_key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionImport:
    """The definitions that a file became, and what was not taken over."""

    definitions: tuple[StoredDefinition, ...]
    replaced: frozenset[OwnDefinitionId]
    """Those of them that took the place of an earlier one."""
    warnings: tuple[FileFault, ...]
    warning_count: int
    """All, listed or not."""
