"""Find everything that is wrong with dictionary files.

Reading refuses text that breaks the grammar or names what does not exist. ``lint`` gathers these
faults over all files and releases, and adds those that only a document would show: neighbours that
cannot be distinguished, repeated labels, files that do not name their sources.

Source: docs/reference/dictionary.md section 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple, Protocol

from longshore.x12.dictionary.bodies import RawNode, RawSet, read_head, read_set
from longshore.x12.dictionary.candidates import clash
from longshore.x12.dictionary.library import Dictionary, known_releases
from longshore.x12.dictionary.lines import DictionaryError, FileFault, FileFaults, FileLine
from longshore.x12.dictionary.overlay import apply, read_overlay_head
from longshore.x12.dictionary.records import RawSegment
from longshore.x12.dictionary.release import FIRST_CLASS
from longshore.x12.dictionary.vocabulary import Vocabulary

# No set names the segments of the envelope.
_ENVELOPE: Final = frozenset({"ISA", "ISB", "ISE", "IEA", "TA1", "GS", "GE", "ST", "SE"})
_SOURCES: Final = re.compile(r"^# sources: *\S", re.MULTILINE)
_FIRST_WORD: Final = re.compile(r"^[^\s#]\S*", re.MULTILINE)
_BODIES: Final = ("sets/", "guides/")
_OVERLAYS: Final = "overlays/"


class LintReport(NamedTuple):
    """Errors, which must not be, and warnings, which may; by file and line, each once."""

    errors: tuple[FileFault, ...]
    warnings: tuple[FileFault, ...]


class _HasLine(Protocol):
    @property
    def line(self) -> FileLine:
        """The line it was read from."""
        ...


def lint(texts: Mapping[str, str]) -> LintReport:
    """Check the files of a dictionary, by their names below ``data/``.

    Overlays are below ``overlays/``; they need no sources, because they belong to a partner.
    Warnings are reported only if there are no errors.
    """
    faults = FileFaults()
    for name, text in texts.items():
        if not name.startswith(_OVERLAYS) and not _SOURCES.search(text):
            faults.add(FileFault(name, 0, "the file does not say its sources: # sources: …"))
    dictionary = Dictionary(texts)
    _look_up_everything(dictionary.vocabulary, faults)
    bodies: list[RawSet] = []
    for name in sorted(texts):
        if name.startswith(_BODIES):
            with faults.gathered():
                bodies.append(read_set(name, texts[name]))
    for raw in bodies:
        for release in known_releases(raw):
            _look_at_neighbours(raw.body, release, faults)
    with faults.gathered():
        _load_everything(dictionary, bodies, faults)
    unused = () if faults.found else _unused(dictionary.vocabulary, bodies)
    return LintReport(_in_order(faults.found), _in_order(unused))


def name_below_data(file: str, text: str, others: Mapping[str, str]) -> str:
    """Return the name of a user's file among the files of a dictionary, by its content.

    A guide, or a set in the same releases, replaces the existing one. A set in some of its
    releases, and segments, composites and elements, take precedence where they are valid.
    """
    first = _FIRST_WORD.search(text)
    word = first[0] if first else ""
    own = re.sub("[^A-Za-z0-9_.-]", "_", file)
    if word in {"set", "guide"}:
        mine = _identity(file, text)
        same = [each for each in others if each.startswith(_BODIES)]
        free = f"{word}s/own_{own}" if f"{word}s/{own}" in others else f"{word}s/{own}"
        return next((it for it in same if _identity(it, others[it]) == mine), free)
    folders = {"overlay": "overlays", "list": "codes"}
    if re.fullmatch("I?[0-9]{2,5}", word):
        return f"elements/{own}"
    if re.fullmatch("C[0-9]{3}", word):
        return f"composites/{own}"
    return f"{folders.get(word, 'segments')}/{own}"


def _identity(file: str, text: str) -> tuple[object, ...]:
    try:
        head = read_head(file, text)
    except DictionaryError:
        return (file,)
    return (head.kind, head.name, head.releases if head.base is None else head.base[0])


def _look_up_everything(vocabulary: Vocabulary, faults: FileFaults) -> None:
    for kind in ("segments", "composites", "elements", "code_lists"):
        with faults.gathered():
            getattr(vocabulary, kind)
    if faults.found:
        return
    for release in FIRST_CLASS:
        for segment_id in vocabulary.segments:
            with faults.gathered():
                vocabulary.segment(segment_id, release)
        for composite_id in vocabulary.composites:
            with faults.gathered():
                vocabulary.composite(composite_id, release)
        for number in vocabulary.elements:
            with faults.gathered():
                vocabulary.element(number, release)


def _look_at_neighbours(body: tuple[RawNode, ...], release: str, faults: FileFaults) -> None:
    valid = [raw for raw in body if raw.line.releases.holds(release)]
    for tag, run in groupby(valid, key=lambda raw: raw.tag):
        before = _Neighbours()
        for raw in run:
            earlier = before.clashing(raw)
            if earlier is not None:
                line, reason = raw.line, clash(earlier.when, raw.when)
                where = f"see line {earlier.line.number}"
                faults.add(
                    FileFault(line.file, line.number, f"{tag} is ambiguous: {reason}, {where}")
                )
            before.add(raw)
    labels: dict[str, int] = {}
    for raw in valid:
        if raw.label in labels:
            reason = f"the label {raw.label} stands twice, see line {labels[raw.label]}"
            faults.add(FileFault(raw.line.file, raw.line.number, reason))
        elif raw.label:
            labels[raw.label] = raw.line.number
        _look_at_neighbours(raw.body or (), release, faults)


class _Neighbours:
    """Consecutive positions with one segment id, by the element that their conditions test."""

    def __init__(self) -> None:
        self._always: RawNode | None = None
        self._by_place: dict[tuple[int, int | None], RawNode] = {}
        self._by_value: dict[tuple[int, int | None, str], RawNode] = {}

    def clashing(self, raw: RawNode) -> RawNode | None:
        """Return a position that could match the same segments as ``raw``."""
        when = raw.when
        if self._always is not None or when is None:
            return self._always
        place = (when.position, when.component)
        elsewhere = next((each for at, each in self._by_place.items() if at != place), None)
        if elsewhere is not None:
            return elsewhere
        alike = (self._by_value.get((*place, value)) for value in when.values)
        return next((each for each in alike if each is not None), None)

    def add(self, raw: RawNode) -> None:
        """Append a position."""
        when = raw.when
        if when is None:
            self._always = self._always or raw
            return
        self._by_place.setdefault((when.position, when.component), raw)
        for value in when.values:
            self._by_value.setdefault((when.position, when.component, value), raw)


def _load_everything(dictionary: Dictionary, bodies: Iterable[RawSet], faults: FileFaults) -> None:
    """Load each definition, and apply each overlay to the standard it names.

    Raises:
        DictionaryError: The table of contents cannot be made.
    """
    for raw in bodies:
        guide = raw.name if raw.base else None
        for release in known_releases(raw):
            with faults.gathered():
                tx_set = raw.base[0] if raw.base else raw.name
                if dictionary.definition(tx_set, release, guide) is None:
                    raise raw.line.fault(f"there is no set {tx_set} in {release}")
    for name, text in dictionary.texts.items():
        if name.startswith(_OVERLAYS):
            with faults.gathered():
                _load_overlay(dictionary, name, text)


def _load_overlay(dictionary: Dictionary, name: str, text: str) -> None:
    head = read_overlay_head(name, text)
    definition = dictionary.definition(head.tx_set, head.release)
    if definition is None:
        raise DictionaryError([
            FileFault(name, 0, f"there is no set {head.tx_set} in {head.release}")
        ])
    apply(definition, text, name, dictionary.vocabulary.segment)


def _unused(vocabulary: Vocabulary, bodies: Iterable[RawSet]) -> Iterator[FileFault]:
    """Yield the definitions that nothing refers to."""
    named = {each.id for raw in bodies for each in _nodes(raw.body)} | _ENVELOPE
    composites = _references(vocabulary.segments)
    parts = _references(vocabulary.composites)
    lists = {each.codes for lines in vocabulary.elements.values() for each in lines}
    yield from _not_in(named, "segment", vocabulary.segments)
    yield from _not_in(composites, "composite", vocabulary.composites)
    yield from _not_in(composites | parts, "element", vocabulary.elements)
    by_name = {name: (each,) for name, each in vocabulary.code_lists.items()}
    yield from _not_in(lists, "code list", by_name)


def _references(records: Mapping[str, tuple[RawSegment, ...]]) -> set[str]:
    return {use.reference for lines in records.values() for each in lines for use in each.uses}


def _not_in(
    named: set[str] | frozenset[str], kind: str, records: Mapping[str, tuple[_HasLine, ...]]
) -> Iterator[FileFault]:
    for key, lines in records.items():
        if key not in named:
            line = lines[0].line
            yield FileFault(line.file, line.number, f"the {kind} {key} is not used")


def _nodes(body: tuple[RawNode, ...]) -> Iterator[RawNode]:
    for raw in body:
        yield raw
        yield from _nodes(raw.body or ())


def _in_order(faults: Iterable[FileFault]) -> tuple[FileFault, ...]:
    return tuple(sorted(set(faults), key=lambda fault: (fault.file, fault.line, fault.reason)))
