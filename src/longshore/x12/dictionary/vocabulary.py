"""Segments, composites, elements and code lists, looked up for one release.

A line with a tag takes precedence over one without, and a definition in an additional file
(``segments/…``) over the main one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Final, Protocol, TypeVar

from longshore.x12.dictionary.lines import DictionaryError, FileFault, FileFaults, FileLine
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
    read_code_lists,
    read_elements,
    read_segments,
)
from longshore.x12.segment_table import KNOWN_SEGMENTS


class _HasLine(Protocol):
    @property
    def line(self) -> FileLine: ...


_MAX_LINES: Final = 64  # of one id
_Found = TypeVar("_Found")
_Record = TypeVar("_Record", bound=_HasLine)
_ByKey = Mapping[str, tuple[_Record, ...]]


class Vocabulary:
    """Segments, composites, elements and code lists of one dictionary, by release.

    A look-up raises DictionaryError if the text it needs is invalid: the same error each time, so
    that a text which thousands of lines refer to is read and reported once.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._read_segments = _remembered(
            lambda: self._read("segments", read_segments, lambda it: it.id)
        )
        self._read_composites = _remembered(
            lambda: self._read("composites", read_segments, lambda it: it.id)
        )
        self._read_elements = _remembered(
            lambda: self._read("elements", read_elements, lambda it: it.type.number)
        )
        self._code_lists = _remembered(self._read_code_lists)
        self.segment: Callable[[str, str], SegmentType | None] = _remembered(self._segment)
        self.composite: Callable[[str, str], CompositeType | None] = _remembered(self._composite)
        self.element: Callable[[str, str], ElementType | None] = _remembered(self._element)

    @cached_property
    def known_ids(self) -> frozenset[str]:
        """The ids of all known segments, including those of sets without a definition."""
        return KNOWN_SEGMENTS.union(self.segments)

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
        for name in sorted(each for each in self._texts if each.startswith("codes/")):
            with faults.gathered():
                for found in read_code_lists(name, self._texts[name]):
                    if found.name in lists:
                        raise found.line.fault(f"the list {found.name} is defined twice")
                    lists[found.name] = found
        faults.check()
        return lists

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
        raw = _in_release(self.composites.get(composite_id, ()), release)
        if raw is None:
            return None
        return CompositeType(composite_id, self._uses(raw, release), raw.notes)

    def _element(self, number: str, release: str) -> ElementType | None:
        """Return an element in a release; None if that release has none of this number.

        Raises:
            DictionaryError: its code list does not exist.
        """
        raw = _in_release(self.elements.get(number, ()), release)
        if raw is None:
            return None
        of = raw.type
        codes = self._code_list(raw, release) if raw.codes else None
        return ElementType(of.number, of.kind, of.minimum, of.maximum, codes)

    def _segment(self, segment_id: str, release: str) -> SegmentType | None:
        """Return a segment in a release; None if that release has none of this id."""
        raw = _in_release(self.segments.get(segment_id, ()), release)
        if raw is None:
            return None
        return SegmentType(segment_id, self._uses(raw, release), raw.notes)

    def _uses(self, raw: RawSegment, release: str) -> tuple[ElementUse, ...]:
        faults = FileFaults()
        uses = []
        for use in raw.uses:
            with faults.gathered():
                uses.append(self._use(use, raw.line, release))
        faults.check()
        return tuple(uses)

    def _use(self, use: RawUse, line: FileLine, release: str) -> ElementUse:
        of_composite = use.reference.startswith("C")
        find = self.composite if of_composite else self.element
        found: ElementType | CompositeType | None = find(use.reference, release)
        if found is None:
            kind = "composite" if of_composite else "element"
            raise line.fault(f"{kind} {use.reference} is not defined in {release}")
        return ElementUse(found, use.is_mandatory, use.repeat, use.label)

    def _code_list(self, raw: RawElement, release: str) -> CodeList:
        found = self.code_lists.get(raw.codes)
        if found is None:
            raise raw.line.fault(f"there is no code list {raw.codes}")
        codes = {code: text for code, text, releases in found.codes if releases.holds(release)}
        return CodeList(found.name, codes, found.is_strict)

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
        main = f"{kind}.xd"
        if main not in self._texts:
            raise DictionaryError([FileFault(main, 0, "the file is missing")])
        names = [main, *sorted(each for each in self._texts if each.startswith(f"{kind}/"))]
        faults = FileFaults()
        found: dict[str, tuple[_Record, ...]] = {}
        for name in names:
            with faults.gathered():
                found |= _by_key(read(name, self._texts[name]), key)
        faults.check()
        return found


def _by_key(records: tuple[_Record, ...], key: Callable[[_Record], str]) -> _ByKey[_Record]:
    faults = FileFaults()
    found: dict[str, list[_Record]] = {}
    for record in records:
        others = found.setdefault(key(record), [])
        with faults.gathered():
            _check_apart(record, others, key(record))
            others.append(record)
    faults.check()
    return {each: tuple(lines) for each, lines in found.items()}


def _check_apart(record: _Record, others: Sequence[_Record], key: str) -> None:
    if len(others) >= _MAX_LINES:
        raise record.line.fault(f"{key} is defined more than {_MAX_LINES} times")
    releases = record.line.releases
    for other in others:
        is_alike = releases.is_bounded == other.line.releases.is_bounded
        if is_alike and releases.overlaps(other.line.releases):
            raise record.line.fault(f"{key} is defined twice, see line {other.line.number}")


def _in_release(records: tuple[_Record, ...], release: str) -> _Record | None:
    """Return the record valid in ``release``; one with a tag takes precedence."""
    valid = [each for each in records if each.line.releases.holds(release)]
    return max(valid, key=lambda each: each.line.releases.is_bounded, default=None)


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
