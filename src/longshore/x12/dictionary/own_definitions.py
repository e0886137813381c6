"""Definitions that users imported, each in place of the one of Longshore, for validation.

Theory. Each definition is complete with the segments, composites, elements and codes that it
imports, so it changes no other one. All else is found in the dictionary of Longshore, whose objects
are shared. A pickled collection carries its name alone: a process that does not know it asks for
its texts once (``DefinitionsUnknownError``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from longshore.kit.digests import sha256
from longshore.x12.dictionary.library import Dictionary, SetEntry, shipped
from longshore.x12.dictionary.lines import DictionaryError
from longshore.x12.dictionary.lint import name_below_data
from longshore.x12.dictionary.model import Definition
from longshore.x12.dictionary.vocabulary import Vocabulary

MAX_COLLECTIONS: Final = 32  # of accounts, in one process
MAX_DICTIONARIES: Final = 32  # of single definitions
_T = TypeVar("_T")


class DefinitionKey(NamedTuple):
    """The set, release and guide that a definition describes."""

    tx_set: str
    release: str
    guide: str = ""
    """``""`` for the set itself."""


@dataclass(frozen=True, slots=True)
class OwnDefinition:
    """An imported definition. Those of the same name have the same texts."""

    key: DefinitionKey
    name: str
    texts: Mapping[str, str] = field(compare=False, repr=False)
    """Files in the form of the dictionary: the set or guide, and what else it brings."""

    @classmethod
    def of(cls, key: DefinitionKey, texts: Mapping[str, str]) -> OwnDefinition:
        """Return a definition with the name that its texts have."""
        content = repr((key, sorted(texts.items())))
        return cls(key, sha256(content.encode()).hex(), texts)


class OwnDefinitions:
    """The definitions that an account imported; of equal keys the last one."""

    def __init__(self, definitions: Iterable[OwnDefinition]) -> None:
        self.by_key: Mapping[DefinitionKey, OwnDefinition] | None = {
            each.key: each for each in definitions
        }
        """None in a process that knows the name alone."""
        names = sorted(each.name for each in self.by_key.values())
        self.name = sha256(" ".join(names).encode()).hex()
        """Names what is imported: collections of one name have the same definitions."""
        _SENDABLE[self.name] = self

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same definitions."""
        return isinstance(other, OwnDefinitions) and other.name == self.name

    def __hash__(self) -> int:
        """Hash what names the definitions."""
        return hash(self.name)

    def __reduce__(self) -> tuple[Callable[[str], OwnDefinitions], tuple[str]]:
        """Pickle the name alone."""
        return _named, (self.name,)

    def dictionary(self) -> OwnDictionary:
        """Return the dictionary of Longshore with these definitions, from a cache.

        Raises:
            DefinitionsUnknownError: This process knows their name alone.
        """
        known = _RECEIVED.get(self.name) if self.by_key is None else self
        if known is None:
            raise DefinitionsUnknownError(self.name)
        return _dictionary_with(known)


_SENDABLE: Final[WeakValueDictionary[str, OwnDefinitions]] = WeakValueDictionary()
_RECEIVED: Final[OrderedDict[str, OwnDefinitions]] = OrderedDict()


class DefinitionsUnknownError(Exception):
    """A process was given the name of definitions that it does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def supplied(self, work: Callable[[], _T]) -> Callable[[], _T]:
        """Return the same work, to be pickled with the definitions that were missing."""
        wanted = _SENDABLE[self.name]  # the work refers to it
        assert wanted.by_key is not None  # only they are registered
        return partial(_with_definitions, tuple(wanted.by_key.values()), work)


def _named(name: str) -> OwnDefinitions:
    found = OwnDefinitions.__new__(OwnDefinitions)
    found.name, found.by_key = name, None
    return found


def _with_definitions(definitions: tuple[OwnDefinition, ...], work: Callable[[], _T]) -> _T:
    """Run work that has the name of definitions, with the definitions themselves."""
    received = OwnDefinitions(definitions)
    _RECEIVED[received.name] = received
    while len(_RECEIVED) > MAX_COLLECTIONS:
        _RECEIVED.popitem(last=False)
    return work()


class OwnDictionary(Dictionary):
    """The dictionary of Longshore, with some definitions in place of its own."""

    def __init__(self, own: Mapping[DefinitionKey, OwnDefinition], base: Dictionary) -> None:
        super().__init__(base.texts)
        self.vocabulary = base.vocabulary
        self._base = base
        self._own = own

    @cached_property
    def contents(self) -> tuple[SetEntry, ...]:
        """All sets, by id, with those that only own definitions describe."""
        found = {entry.tx_set: entry for entry in self._base.contents}
        for key, own in self._own.items():
            entry = found.get(key.tx_set)
            if entry is None:
                definition = _definition_of(own)
                if definition is None:
                    continue
                entry = SetEntry(key.tx_set, definition.title, definition.functional_id, (), ())
            guides = {*entry.guides, key.guide} - {""}
            found[key.tx_set] = entry._replace(
                releases=tuple(sorted({*entry.releases, key.release})), guides=tuple(sorted(guides))
            )
        return tuple(each for _, each in sorted(found.items()))

    @cached_property
    def _guides(self) -> Mapping[tuple[str, str], tuple[str, str]]:
        own = {(it.guide, it.tx_set): ("", it.release) for it in self._own if it.guide}
        return {**super()._guides, **own}

    def load(
        self, tx_set: str, release: str, guide: str | None, words_of: str = ""
    ) -> Definition | None:
        """Return the own definition of a set, else that of Longshore.

        None if an own one does not fit this version of Longshore: no other one takes its place.
        """
        own = self._own.get(DefinitionKey(tx_set, release, guide or ""))
        if own is None:
            return self._base.load(tx_set, release, guide, words_of)
        return _definition_of(own)

    def vocabulary_of(self, definition: Definition) -> Vocabulary:
        """Return the segments and elements that a definition is written in."""
        if not definition.own:
            return self.vocabulary
        key = DefinitionKey(definition.tx_set, definition.release, definition.guide or "")
        return _dictionary_of(self._own[key]).vocabulary


@lru_cache(maxsize=MAX_COLLECTIONS)
def _dictionary_with(own: OwnDefinitions) -> OwnDictionary:
    assert own.by_key is not None  # the caller has looked
    return OwnDictionary(own.by_key, shipped())


@lru_cache(maxsize=MAX_DICTIONARIES)
def _dictionary_of(own: OwnDefinition) -> Dictionary:
    """Return the dictionary of Longshore with the texts of one definition."""
    texts = dict(shipped().texts)
    for name, text in own.texts.items():
        texts[name_below_data(name, text, texts)] = text
    return Dictionary(texts)


def _definition_of(own: OwnDefinition) -> Definition | None:
    """Return a definition; None if it does not fit this version of Longshore.

    It has the segments and elements of its release, for documents of any.
    """
    tx_set, release, guide = own.key
    try:
        found = _dictionary_of(own).definition(tx_set, release, guide or None)
    except DictionaryError:
        return None
    return None if found is None else _marked(found, own.name)


@lru_cache(maxsize=MAX_DICTIONARIES)
def _marked(definition: Definition, name: str) -> Definition:
    return replace(definition, own=name)
