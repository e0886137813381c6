"""Segments, composites, elements and code lists, looked up for one release.

A line of an additional file (``segments/…``) takes precedence over those of the main one in the
releases that it is valid in; of the lines in one file, one with a tag over one without.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Final, Protocol, TypeVar

from longshore.x12.dictionary.lines import (
    DictionaryError,
    FileFault,
    FileFaults,
    FileLine,
    gathered_from,
)
from longshore.x12.dictionary.model import (
    CodeList,
    CompositeType,
    ElementType,
    ElementUse,
    SegmentType,
)
from longshore.x12.dictionary.records import (
    RawCodeList,
    RawElement,
    RawSegment,
    RawUse,
    Source,
    element_from,
    read_code_lists,
    read_elements,
    read_segments,
    segment_from,
    sources_by_key,
)
from longshore.x12.segment_table import KNOWN_SEGMENTS


class _HasLine(Protocol):
    @property
    def line(self) -> FileLine: ...


_LIST_NAME: Final = re.compile(r"^list[ ]+([^ \n]+)", re.MULTILINE)
_MAX_LINES: Final = 64  # of one id
_Found = TypeVar("_Found")
_Record = TypeVar("_Record", bound=_HasLine)
_ByKey = Mapping[str, tuple[_Record, ...]]


class Vocabulary:
    """Segments, composites, elements and code lists of one dictionary, by release.

    A look-up reads only the lines it needs, and raises DictionaryError if one of them is invalid:
    the same error each time, so that a line which thousands of others refer to is read and reported
    once. ``segments``, ``composites``, ``elements`` and ``code_lists`` read everything.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._sources = _remembered(self._indexed)
        self._list_files = _remembered(self._indexed_lists)
        self._read_segments = _remembered(lambda: self._read("segments", read_segments, _id_of))
        self._read_composites = _remembered(lambda: self._read("composites", read_segments, _id_of))
        self._read_elements = _remembered(lambda: self._read("elements", read_elements, _number_of))
        self._code_lists = _remembered(self._read_code_lists)
        self._code_list_named = _remembered(self._read_code_list)
        self.segment: Callable[[str, str], SegmentType | None] = _remembered(self._segment)
        self.composite: Callable[[str, str], CompositeType | None] = _remembered(self._composite)
        self.element: Callable[[str, str], ElementType | None] = _remembered(self._element)
        self._segment_lines = _remembered(
            lambda key: self._lines("segments", key, segment_from, _id_of)
        )
        self._composite_lines = _remembered(
            lambda key: self._lines("composites", key, segment_from, _id_of)
        )
        self._element_lines = _remembered(
            lambda key: self._lines("elements", key, element_from, _number_of)
        )

    @cached_property
    def known_ids(self) -> frozenset[str]:
        """The ids of all known segments, including those of sets without a definition."""
        return KNOWN_SEGMENTS.union(self._sources("segments"))

    @property
    def segments(self) -> _ByKey[RawSegment]:
        """Segment lines by id."""
        return self._read_segments()

    @property
    def composites(self) -> _ByKey[RawSegment]:
        """Composite lines by id."""
        return self._read_composites()

    @property
    def elements(self) -> _ByKey[RawElement]:
        """Element lines by number."""
        return self._read_elements()

    @property
    def code_lists(self) -> Mapping[str, RawCodeList]:
        """Code lists by name."""
        return self._code_lists()

    def _read_code_lists(self) -> Mapping[str, RawCodeList]:
        faults = FileFaults()
        lists: dict[str, RawCodeList] = {}
        for name in self._names_of_lists():
            with faults.gathered():
                for found in read_code_lists(name, self._texts[name]):
                    if found.name in lists:
                        raise found.line.fault(f"the list {found.name} is defined twice")
                    lists[found.name] = found
        faults.check()
        return lists

    def _names_of_lists(self) -> list[str]:
        return sorted(each for each in self._texts if each.startswith("codes/"))

    def _indexed_lists(self) -> Mapping[str, tuple[str, ...]]:
        """Return the files of each code list by its name."""
        found: dict[str, tuple[str, ...]] = {}
        for file in self._names_of_lists():
            for name in _LIST_NAME.findall(self._texts[file]):
                found[name] = (*found.get(name, ()), file)
        return found

    def _read_code_list(self, name: str) -> RawCodeList | None:
        """Return one code list, without reading the files of others; None if there is none.

        Raises:
            DictionaryError: its file has lines that are no codes, or it is defined twice.
        """
        files = self._list_files().get(name, ())
        lists = [
            each
            for file in dict.fromkeys(files)
            for each in read_code_lists(file, self._texts[file])
            if each.name == name
        ]
        if len(lists) > 1:
            raise lists[1].line.fault(f"the list {name} is defined twice")
        return lists[0] if lists else None

    def _files(self, kind: str) -> list[str]:
        """Return the files of a kind, the main one first.

        Raises:
            DictionaryError: there is no main file.
        """
        main = f"{kind}.xd"
        if main not in self._texts:
            raise DictionaryError([FileFault(main, 0, "the file is missing")])
        return [main, *sorted(each for each in self._texts if each.startswith(f"{kind}/"))]

    def _indexed(self, kind: str) -> Mapping[str, list[Source]]:
        """Return the lines of a kind by what they begin with, those of the main file first."""
        found: dict[str, list[Source]] = {}
        for name in self._files(kind):
            for each, lines in sources_by_key(name, self._texts[name]).items():
                found.setdefault(each, []).extend(lines)
        return found

    def _lines(
        self,
        kind: str,
        key: str,
        read: Callable[[Source], _Record],
        key_of: Callable[[_Record], str],
    ) -> tuple[_Record, ...]:
        """Read the lines about one id or number alone."""
        records = gathered_from(self._sources(kind).get(key, ()), read)
        return _by_key(records, key_of).get(key, ())

    def segment_ids(self, release: str) -> tuple[str, ...]:
        """Return the ids of all segments that ``release`` has, sorted."""
        return tuple(
            sorted(
                segment_id
                for segment_id, lines in self.segments.items()
                if any(each.line.releases.holds(release) for each in lines)
            )
        )

    def _composite(self, composite_id: str, release: str) -> CompositeType | None:
        """Return a composite in a release; None if that release has none of this id.

        Raises:
            DictionaryError: a component of it is not defined in that release.
        """
        raw = _in_release(self._composite_lines(composite_id), release)
        if raw is None:
            return None
        return CompositeType(composite_id, self._uses(raw, release), raw.notes)

    def _element(self, number: str, release: str) -> ElementType | None:
        """Return an element in a release; None if that release has none of this number.

        Raises:
            DictionaryError: its code list does not exist.
        """
        raw = _in_release(self._element_lines(number), release)
        if raw is None:
            return None
        of = raw.type
        codes = self.code_list(raw.codes, release) if raw.codes else None
        if raw.codes and codes is None:
            raise raw.line.fault(f"there is no code list {raw.codes}")
        return ElementType(of.number, of.kind, of.minimum, of.maximum, codes)

    def _segment(self, segment_id: str, release: str) -> SegmentType | None:
        """Return a segment in a release; None if that release has none of this id."""
        raw = _in_release(self._segment_lines(segment_id), release)
        if raw is None:
            return None
        return SegmentType(segment_id, self._uses(raw, release), raw.notes, raw.label)

    def _uses(self, raw: RawSegment, release: str) -> tuple[ElementUse, ...]:
        faults = FileFaults()
        uses = []
        for use in raw.uses:
            with faults.gathered():
                uses.append(self._use(use, raw.line, release))
        faults.check()
        return _numbered(uses)

    def _use(self, use: RawUse, line: FileLine, release: str) -> ElementUse:
        of_composite = use.reference.startswith("C")
        find = self.composite if of_composite else self.element
        found: ElementType | CompositeType | None = find(use.reference, release)
        if found is None:
            kind = "composite" if of_composite else "element"
            raise line.fault(f"{kind} {use.reference} is not defined in {release}")
        label = use.label or self.label(use.reference, release)
        return ElementUse(found, use.is_mandatory, use.repeat, label)

    def label(self, reference: str, release: str) -> str:
        """Return what an element or composite is called wherever a segment does not say it.

        Returns ``""`` if the release has no such element or composite.
        """
        if reference.startswith("C"):
            composite = _in_release(self._composite_lines(reference), release)
            return "" if composite is None else composite.label
        element = _in_release(self._element_lines(reference), release)
        return "" if element is None else element.label

    def code_list(self, name: str, release: str) -> CodeList | None:
        """Return a code list with the codes of a release; None if there is none of this name.

        Raises:
            DictionaryError: its file has lines that are no codes.
        """
        found = self._code_list_named(name)
        if found is None:
            return None
        codes = {code: text for code, text, releases in found.codes if releases.holds(release)}
        blocks = tuple(block for block, releases in found.blocks if releases.holds(release))
        return CodeList(found.name, codes, found.is_strict, blocks)

    def _read(
        self,
        kind: str,
        read: Callable[[str, str], tuple[_Record, ...]],
        key: Callable[[_Record], str],
    ) -> _ByKey[_Record]:
        """Read the main file of a kind, then the additional ones.

        Raises:
            DictionaryError: Lines that are no records; two in one file that are valid in the same
                release without precedence.
        """
        faults = FileFaults()
        found: dict[str, tuple[_Record, ...]] = {}
        for name in self._files(kind):
            with faults.gathered():
                for each, lines in _by_key(read(name, self._texts[name]), key).items():
                    found[each] = (*found.get(each, ()), *lines)
        faults.check()
        return found


def _id_of(record: RawSegment) -> str:
    return record.id


def _number_of(record: RawElement) -> str:
    return record.type.number


def _numbered(uses: Sequence[ElementUse]) -> tuple[ElementUse, ...]:
    """Number labels that stand more than once: ``product_id``, ``product_id_2``."""
    taken = {use.label for use in uses}
    if len(taken) == len(uses):
        return tuple(uses)
    seen: Counter[str] = Counter()
    numbered = []
    for use in uses:
        seen[use.label] += 1
        label = f"{use.label}_{seen[use.label]}" if seen[use.label] > 1 else use.label
        is_free = bool(use.label) and label not in taken
        numbered.append(replace(use, label=label) if is_free else use)
    return tuple(numbered)


def _by_key(records: tuple[_Record, ...], key: Callable[[_Record], str]) -> _ByKey[_Record]:
    faults = FileFaults()
    if len(records) == 1:
        return {key(records[0]): records}
    found: dict[str, list[_Record]] = {}
    for record in records:
        others = found.setdefault(key(record), [])
        with faults.gathered():
            _check_apart(record, others, key(record))
            others.append(record)
    faults.check()
    return {each: tuple(lines) for each, lines in found.items()}


def _check_apart(record: _Record, others: Sequence[_Record], key: str) -> None:
    """Refuse a record that no precedence tells from another one of its file."""
    alike = [each for each in others if each.line.file == record.line.file]
    if len(alike) >= _MAX_LINES:
        raise record.line.fault(f"{key} is defined more than {_MAX_LINES} times")
    releases = record.line.releases
    for other in alike:
        is_alike = releases.is_bounded == other.line.releases.is_bounded
        if is_alike and releases.overlaps(other.line.releases):
            raise record.line.fault(f"{key} is defined twice, see line {other.line.number}")


def _in_release(records: tuple[_Record, ...], release: str) -> _Record | None:
    """Return the record valid in ``release`` that takes precedence."""
    valid = [each for each in records if each.line.releases.holds(release)]
    if len(valid) > 1:
        return max(valid, key=_precedence)
    return valid[0] if valid else None


def _precedence(record: _HasLine) -> tuple[str, bool]:
    """Sort a tag behind no tag; ``segments/…`` comes behind ``segments.xd`` by its name."""
    return record.line.file, record.line.releases.is_bounded


def _remembered(find: Callable[..., _Found]) -> Callable[..., _Found]:
    """Return ``find`` with a cache by ids and releases, which also holds the errors it raises."""

    @lru_cache(maxsize=4096)
    def outcome(*asked: str) -> _Found | DictionaryError:
        try:
            return find(*asked)
        except DictionaryError as error:
            return error

    def found(*asked: str) -> _Found:
        known = outcome(*asked)
        if isinstance(known, DictionaryError):
            raise known.with_traceback(None)
        return known

    return found
