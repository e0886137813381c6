"""The dictionary: definitions by set, release and guide, loaded on first use.

A dictionary is a set of named texts: ``segments.xd``, ``sets/850.xd``, ``guides/…``, ``codes/…``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from longshore.x12.dictionary.bodies import RawSet, read_head, read_set
from longshore.x12.dictionary.guides import narrowed_body
from longshore.x12.dictionary.model import Definition, SegmentType
from longshore.x12.dictionary.release import FIRST_CLASS, nearest, release_of
from longshore.x12.dictionary.sets import standard_body
from longshore.x12.dictionary.vocabulary import Vocabulary

MAX_DEFINITIONS: Final = 64  # entries of the cache
_MAX_RESOLUTIONS: Final = 256  # likewise
_MAX_NAMES: Final = 64  # characters of what is resolved that the cache may hold
# Errata that were published for a guide, and the edition of it that is nearest to them.
_NEAREST_EDITION: Final[Mapping[str, str]] = MappingProxyType({
    "005010X222A2": "005010X222A1",
    **dict.fromkeys(("005010X223A1", "005010X223A3"), "005010X223A2"),
    **dict.fromkeys(("005010X224A1", "005010X224A3"), "005010X224A2"),
})
Exactness = Literal["exact", "nearest", "standard", "none"]


class SetEntry(NamedTuple):
    """An entry of the table of contents: one set."""

    tx_set: str
    title: str
    functional_id: str
    releases: tuple[str, ...]
    guides: tuple[str, ...]


class Resolution(NamedTuple):
    """The definition found for a set, or None; how exactly it fits; the release requested."""

    definition: Definition | None
    exactness: Exactness
    release: str


class Dictionary:
    """All definitions of a set of ``.xd`` texts, by their names below ``data/``.

    Methods that need an invalid text raise DictionaryError.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.vocabulary = Vocabulary(texts)
        self._loaded = lru_cache(maxsize=MAX_DEFINITIONS)(self._definition)
        self._known = lru_cache(maxsize=_MAX_RESOLUTIONS)(self._resolved)

    @cached_property
    def contents(self) -> tuple[SetEntry, ...]:
        """All sets, by id."""
        return tuple(
            SetEntry(
                tx_set,
                heads[-1].title,
                heads[-1].functional_id,
                tuple(sorted({each for head in heads for each in known_releases(head)})),
                tuple(guide for guide, of_set in self._guides if of_set == tx_set),
            )
            for tx_set, heads in self._sets.items()
        )

    @cached_property
    def functional_ids(self) -> Mapping[str, str]:
        """GS01 of each set."""
        return {entry.tx_set: entry.functional_id for entry in self.contents}

    def definition(self, tx_set: str, release: str, guide: str | None = None) -> Definition | None:
        """Return the definition of a set in exactly this release, under this guide; else None.

        Raises:
            DictionaryError: its text is wrong.
        """
        if release not in self.releases(tx_set):
            return None
        if guide is not None and self.guide_release(tx_set, guide) != release:
            return None
        return self.load(tx_set, release, guide)

    def load(
        self, tx_set: str, release: str, guide: str | None, words_of: str = ""
    ) -> Definition | None:
        """Return a definition that the table of contents has, from a cache; None if it is unusable.

        Its segments and elements are those of the release ``words_of``, if given.

        Raises:
            DictionaryError: its text is wrong.
        """
        return self._loaded(tx_set, release, guide, words_of)

    def vocabulary_of(self, _definition: Definition) -> Vocabulary:
        """Return the segments and elements that a definition is written in."""
        return self.vocabulary

    def releases(self, tx_set: str) -> tuple[str, ...]:
        """Return the releases a set is defined in, oldest first."""
        return self._releases.get(tx_set, ())

    def guides(self) -> tuple[str, ...]:
        """Return the ids of all guides, sorted."""
        return tuple(sorted({guide for guide, _ in self._guides}))

    def guide_release(self, tx_set: str, guide: str) -> str:
        """Return the release a guide over a set is on; ``""`` if there is no such guide."""
        return self._guides.get((guide, tx_set), ("", ""))[1]

    def held_guide(self, tx_set: str, guide: str) -> str:
        """Return a guide over a set, or its nearest edition if only that is held; else ``""``."""
        if (guide, tx_set) in self._guides:
            return guide
        nearest_edition = _NEAREST_EDITION.get(guide, "")
        return nearest_edition if (nearest_edition, tx_set) in self._guides else ""

    def resolve(
        self,
        tx_set: str,
        group_version: str,
        interchange_version: str = "",
        set_reference: str = "",
    ) -> Resolution:
        """Find the definition of a set by ST03, GS08 and ISA12, in that order."""
        names = (tx_set, group_version, interchange_version, set_reference)
        is_short = sum(map(len, names)) <= _MAX_NAMES
        return self._known(*names) if is_short else self._resolved(*names)

    def _resolved(
        self, tx_set: str, group_version: str, interchange_version: str, set_reference: str
    ) -> Resolution:
        for named in (set_reference, group_version):
            guide = self.held_guide(tx_set, named)
            if release := self.guide_release(tx_set, guide):
                fit: Exactness = "exact" if guide == named else "nearest"
                return Resolution(self.definition(tx_set, release, guide), fit, release)
        release = release_of(group_version, interchange_version)
        near = nearest(release, self.releases(tx_set))
        if not near:
            return Resolution(None, "none", release)
        if release < near:  # its elements have the lengths of their own release
            return Resolution(self.load(tx_set, near, None, release), "nearest", release)
        exactness: Exactness = "exact" if near == release else "nearest"
        return Resolution(self.definition(tx_set, near), exactness, release)

    @cached_property
    def _releases(self) -> Mapping[str, tuple[str, ...]]:
        return {entry.tx_set: entry.releases for entry in self.contents}

    @cached_property
    def _sets(self) -> Mapping[str, tuple[RawSet, ...]]:
        """The heads of the files about each set, by id; where releases are the same, the last one.

        A further file may have some of the releases of another one, which it replaces there.
        """
        found: dict[str, tuple[RawSet, ...]] = {}
        for name in self.texts:
            if not name.startswith("sets/"):
                continue
            head = read_head(name, self.texts[name])
            if head.kind != "set":
                raise head.line.fault("this is no set")
            others = found.get(head.name, ())
            if any(each.releases == head.releases for each in others):
                raise head.line.fault(f"the set {head.name} exists twice")
            found[head.name] = (*others, head)
        return dict(sorted(found.items()))

    @cached_property
    def _guides(self) -> Mapping[tuple[str, str], tuple[str, str]]:
        """By guide and set: the file of the guide, and the release it is on.

        One guide may describe two sets (an inquiry and its response), each in a file of its own.
        """
        found = {}
        for name in self._names("guides/"):
            head = read_head(name, self.texts[name])
            if head.base is None:
                raise head.line.fault("this is no guide")
            if (head.name, head.base[0]) in found:
                raise head.line.fault(f"the guide {head.name} on {head.base[0]} exists twice")
            found[head.name, head.base[0]] = (name, head.base[1])
        return found

    def _names(self, folder: str) -> list[str]:
        return sorted(name for name in self.texts if name.startswith(folder))

    def _definition(
        self, tx_set: str, release: str, guide: str | None, words_of: str
    ) -> Definition:
        """Return a definition; its segments and elements are those of ``words_of``, if given."""
        heads = (each for each in self._sets[tx_set] if each.releases.holds(release))
        *_, head = heads  # the last file takes precedence
        name = head.line.file
        raw = read_set(name, self.texts[name])

        def lookup(segment_id: str, at: str) -> SegmentType | None:
            return self.vocabulary.segment(segment_id, words_of or at)

        base = Definition(
            tx_set=tx_set,
            release=release,
            functional_id=raw.functional_id,
            title=raw.title,
            body=standard_body(raw.body, release, lookup),
        )
        if guide is None:
            return base
        file, _ = self._guides[guide, tx_set]
        narrowing = read_set(file, self.texts[file])
        return Definition(
            tx_set=tx_set,
            release=release,
            functional_id=raw.functional_id,
            title=narrowing.title,
            body=narrowed_body(narrowing, base, self.vocabulary.segment),
            guide=guide,
            layer=guide,
            base=base,
        )


def known_releases(head: RawSet) -> tuple[str, ...]:
    """Return the releases a set answers for: the ends of its span, and ours in between."""
    span = head.releases
    between = {each for each in FIRST_CLASS if span.holds(each)}
    return tuple(sorted(between | {span.first, span.last}))


class _ShippedTexts(Mapping[str, str]):
    """The files that come with Longshore, read on first use."""

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        # Here, because it brings zip files and threads with it, which plain reading can do without.
        from importlib import resources  # noqa: PLC0415 - see above

        root = resources.files("longshore.x12.dictionary") / "data"
        texts = {}
        for entry in root.iterdir():
            for file in entry.iterdir() if entry.is_dir() else (entry,):
                name = file.name if file is entry else f"{entry.name}/{file.name}"
                texts[name] = file.read_text(encoding="utf-8")
        return texts


@cache
def shipped() -> Dictionary:
    """Return the dictionary that comes with Longshore."""
    return Dictionary(_ShippedTexts())
