"""Import a file: read it, write the text of the dictionary, and check that by the lint."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from longshore.x12.dictionary.importing.biztalk import read_biztalk
from longshore.x12.dictionary.importing.json_form import read_json_form
from longshore.x12.dictionary.importing.known_parts import fitted
from longshore.x12.dictionary.importing.mulesoft import read_mulesoft
from longshore.x12.dictionary.importing.pyx12 import read_pyx12
from longshore.x12.dictionary.importing.schema import ImportedSchema, ImportSource, texts_of
from longshore.x12.dictionary.importing.sef import read_sef
from longshore.x12.dictionary.importing.staedi import read_staedi
from longshore.x12.dictionary.lines import DictionaryError, FileFault
from longshore.x12.dictionary.lint import lint, name_below_data

FORMATS: Final[Mapping[str, Callable[[ImportSource], ImportedSchema]]] = MappingProxyType({
    "biztalk": read_biztalk,
    "json": read_json_form,
    "mulesoft": read_mulesoft,
    "pyx12": read_pyx12,
    "sef": read_sef,
    "staedi": read_staedi,
})


_BEGINNINGS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("json", re.compile(r"\{")),
    ("staedi", re.compile(r"<.*?http://xlate\.io/EDISchema/", re.DOTALL)),
    ("biztalk", re.compile(r"<.*?http://www\.w3\.org/2001/XMLSchema", re.DOTALL)),
    ("pyx12", re.compile(r"<.*?<transaction\b|<transaction\b", re.DOTALL)),
    ("sef", re.compile(r"\.[A-Z]{3,}")),
    (
        "mulesoft",
        re.compile(r"(?:#[^\n]*\n\s*|%[^\n]*\n\s*|---\s*)*(?:form|version|structures)\s*:"),
    ),
)
_BEGINNING_CHARS: Final = 65_536


def detect_format(source: ImportSource) -> str:
    """Return the one of ``FORMATS`` that a file looks like, by its beginning.

    Raises:
        DictionaryError: It looks like none of them.
    """
    start = source.text[:_BEGINNING_CHARS].lstrip("\ufeff \t\r\n")
    for name, beginning in _BEGINNINGS:
        if beginning.match(start):
            return name
    raise source.fault(0, "the format is not recognised: name it")


class ImportedTexts(NamedTuple):
    """The text of the dictionary by file name, and the warnings about it."""

    texts: Mapping[str, str]
    warnings: tuple[FileFault, ...]
    """Parts that are not taken over; then what no longer fits in other files of the dictionary."""


def import_schema(form: str, source: ImportSource) -> ImportedTexts:
    """Return a file as text of the dictionary that passes the lint.

    Args:
        form: One of ``FORMATS``.
        source: The file, with the dictionary that it is added to.

    Raises:
        DictionaryError: The file cannot be read, or what it describes cannot be used.
    """
    known = source.known
    schema = fitted(FORMATS[form](source), known.vocabulary)
    texts = texts_of(schema, source.file)
    added = dict(known.texts)
    own = {}
    for name, text in texts.items():
        place = name_below_data(name, text, added)
        added[place], own[place] = text, name
    found = lint(added).errors
    errors = [replace(each, file=own[each.file]) for each in found if each.file in own]
    if errors:
        raise DictionaryError(errors)
    return ImportedTexts(texts, (*schema.warnings, *found))
