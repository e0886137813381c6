"""Import definitions from a file of another form, for a server: with limits, each for itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from longshore.x12.dictionary.bodies import read_head
from longshore.x12.dictionary.importing.importer import detect_format, import_schema
from longshore.x12.dictionary.importing.schema import ImportSource
from longshore.x12.dictionary.library import shipped
from longshore.x12.dictionary.lines import DictionaryError, FileFault
from longshore.x12.dictionary.own_definitions import DefinitionKey, OwnDefinition, OwnDefinitions
from longshore.x12.dictionary.refusals import FileRefusedError

MAX_FILE_CHARS: Final = 8 << 20
MAX_TEXT_CHARS: Final = 1 << 20
"""Of one definition in the form of the dictionary."""
MAX_POSITIONS: Final = 5_000
"""Of one definition; the largest guide of Longshore has fewer than 1,000."""
MAX_FAULTS: Final = 100
MAX_WARNINGS: Final = 200
FILE: Final = "file"
"""The name of the file in faults: a refusal repeats nothing that the caller names."""
_HEADS: Final = ("set ", "guide ")


class DefinitionFile(NamedTuple):
    """The name of a file to import, and what it may not say itself."""

    file: str
    form: str = ""
    """``""``: as the file begins."""
    tx_set: str = ""
    release: str = ""
    guide: str = ""
    group: str = ""
    """GS01 of a set that Longshore does not know."""


class ImportedDefinition(NamedTuple):
    """One set or guide of a file."""

    definition: OwnDefinition
    title: str


class ImportedFile(NamedTuple):
    """Everything that is taken over from a file, and what is not."""

    form: str
    definitions: tuple[ImportedDefinition, ...]
    warnings: tuple[FileFault, ...]
    """At most ``MAX_WARNINGS``."""
    warning_count: int


def import_definitions(text: str, given: DefinitionFile) -> ImportedFile:
    """Return the definitions of a file.

    Raises:
        FileRefusedError: invalid_parameter: the file cannot be used; a detail for each fault with
            its line, at most ``MAX_FAULTS``.
    """
    try:
        return _imported(text, given)
    except DictionaryError as error:
        faults = error.faults[:MAX_FAULTS]
        if len(faults) < len(error.faults):
            more = len(error.faults) - len(faults)
            faults = (*faults, FileFault(FILE, 0, f"{more} more faults are not listed"))
        raise FileRefusedError(DictionaryError(faults)) from error


def _imported(text: str, given: DefinitionFile) -> ImportedFile:
    source = ImportSource(
        file=FILE,
        text=text,
        known=shipped(),
        tx_set=given.tx_set,
        release=given.release,
        functional_id=given.group,
        guide=given.guide,
    )
    if len(text) > MAX_FILE_CHARS:
        raise source.fault(0, f"the file has more than {MAX_FILE_CHARS} characters")
    form = given.form or detect_format(source)
    imported = import_schema(form, source)
    definitions = tuple(_each(source, imported.texts))
    warnings = imported.warnings
    return ImportedFile(form, definitions, warnings[:MAX_WARNINGS], len(warnings))


def _each(source: ImportSource, texts: Mapping[str, str]) -> Iterator[ImportedDefinition]:
    """Yield each set and guide, with what they share.

    Raises:
        DictionaryError: One is larger than a server takes.
    """
    bodies = [name for name, text in texts.items() if _is_body(text)]
    shared = {name: text for name, text in texts.items() if name not in bodies}
    for name in bodies:
        head = read_head(name, texts[name])
        if head.base is None:
            key = DefinitionKey(head.name, head.releases.first)
        else:
            key = DefinitionKey(*head.base, guide=head.name)
        own = {name: texts[name], **shared}
        if sum(map(len, own.values())) > MAX_TEXT_CHARS:
            raise source.fault(0, f"{head.name} takes more than {MAX_TEXT_CHARS} characters")
        definition = OwnDefinition.of(key, own)
        found = OwnDefinitions([definition]).dictionary()
        loaded = found.definition(key.tx_set, key.release, key.guide or None)
        assert loaded is not None  # the lint has loaded it
        count = sum(1 for _ in loaded.positions())
        if count > MAX_POSITIONS:
            raise source.fault(0, f"{head.name} has {count} positions, more than {MAX_POSITIONS}")
        yield ImportedDefinition(definition, head.title)


def _is_body(text: str) -> bool:
    # The first line says the source.
    return text.partition("\n")[2].startswith(_HEADS)
