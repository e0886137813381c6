"""The entry points that are fuzzed: what each begins with, how it is changed, what has to hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from tests.fuzz import as2, content, definitions, formulas, mutations, oracles
from tests.fuzz.answers import answers
from tests.fuzz.seeds import acknowledgements, seeds, valid_documents
from tests.fuzz.validating import validating


class Check(Protocol):
    """Raises whatever is wrong with an input, mostly ``AssertionError``.

    ``is_thorough``: with all oracles; most of them cost many times as much as the reading itself.
    """

    def __call__(self, text: str, draw: Random, *, is_thorough: bool) -> None:
        """Look at one input."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry point."""

    seeds: Callable[[], Sequence[str]]
    mutate: Callable[[Sequence[str], Random], str]
    check: Check


def _format(name: str, check: Check) -> Entry:
    return Entry(lambda: seeds()[name], mutations.mutate, check)


ENTRIES: Mapping[str, Entry] = {
    "x12": _format("x12", oracles.x12),
    "json": _format("json", oracles.json_document),
    "xml": _format("xml", oracles.xml_document),
    "csv": _format("csv", oracles.csv_document),
    "validate": Entry(valid_documents, content.mutate, validating),
    "ack": Entry(acknowledgements, content.mutate, answers),
    "as2": Entry(as2.seeds, mutations.mutate, as2.messages),
    "formulas": Entry(formulas.seeds, formulas.mutate, formulas.formulas),
    "dictionary": Entry(definitions.seeds, definitions.mutate, definitions.definitions),
}
# X12 is what this service is about; a dictionary costs as much as ten documents.
_ROUND = ("x12", "validate", "ack", "json", "validate", "x12", "xml", "ack", "validate", "csv")
SHARES = (*_ROUND * 4, "as2", "as2", "formulas", "formulas", "formulas", "formulas", "dictionary")
