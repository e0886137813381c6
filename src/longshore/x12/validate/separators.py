"""Fold the findings that follow from wrong separators of an ISA into one finding.

Theory. Elements that were split by a wrong separator have many errors with one cause. If these
errors suggest another separator, the document is validated again with that one in its ISA. Errors
that vanish then are consequences of the cause; all others stay, and so do all errors of a segment
that then has another error. Acknowledgements are made of the original findings.

Source: contract.md section 10, x12.md section 1.8.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Final, NamedTuple

from longshore.x12.control import InterchangeSummary
from longshore.x12.findings import Finding, FindingCode, Severity
from longshore.x12.segment_table import element_count, is_composite

_COMPONENT_MARKS: Final = frozenset(":><|\\^+~&!;\x1c\x1d\x1e\x1f")
_REPETITION_MARKS: Final = frozenset("^!|\\`{}[]<>~\x1c\x1d\x1e\x1f")
_DATA_MARKS: Final = frozenset("\"&'()*+,-./:;?=#@_$%")
"""Characters that are usual in data; a repetition separator among them splits it."""
_REPETITION_SINCE: Final = "00402"
_NO_REPETITION: Final = "U"  # ISA11 of an interchange without a repetition separator
MAX_CHARS: Final = 10_000_000
"""The longest document that is examined: it is read up to three more times, within the computing
time of one document."""
_MAX_SEGMENT_CHARS: Final = 4_096  # of a segment at fault that is examined
_MAX_CODES_SHOWN: Final = 5
_ISA11: Final = 11
_ISA16: Final = 16

_Key = tuple[int | None, int | None, str, str | None, int | None, int | None, int | None]


class Head(NamedTuple):
    """An ISA: the summary of its interchange, its offset (from 0) and its position (from 1)."""

    summary: InterchangeSummary
    offset: int
    position: int
    occurrence: int


class SeparatorFindings(NamedTuple):
    """The findings of one reading: those that are listed, and how many there are."""

    findings: tuple[Finding, ...]
    error_count: int
    finding_count: int

    @property
    def is_cut(self) -> bool:
        """True if there are more findings than are listed."""
        return self.finding_count > len(self.findings)


class _Change(NamedTuple):
    """Another separator in an ISA, and the finding it leads to if errors vanish with it."""

    code: FindingCode
    element: int
    mark: str
    cause: str


class _Suspect:
    """An interchange with errors that may follow from its separators."""

    def __init__(self, text: str, head: Head, findings: list[Finding]) -> None:
        self.changes: list[tuple[_Change, Counter[_Key]]] = []
        """The accepted changes, and the findings that vanished with each."""
        self._head = head
        self._summary = head.summary
        self._text = text
        self._original = self._current = findings
        self._elements = _element_offsets(text, head.offset)

    @property
    def has_isa(self) -> bool:
        """The ISA is in the text as it was read, which is not so if it was wrapped."""
        component = self._summary.delimiters.component
        return self._text.startswith(component, self._elements[-1])

    def offset_of(self, change: _Change) -> int:
        """Return the offset of the changed element of the ISA."""
        return self._elements[change.element - 1]

    # ---- what the errors suggest -----------------------------------------------------------------

    def component_change(self) -> _Change | None:
        """Return the component separator that composites at fault seem to use."""
        declared = self._summary.delimiters.component
        marks = Counter[str]()
        for finding, row in self._rows():
            for position, value in enumerate(row[1:], 1):
                is_named = finding.element_position == position and finding.component_position
                if declared not in value and (is_named or _is_composite(row[0], position)):
                    marks.update(_COMPONENT_MARKS.intersection(value))
        mark = self._most_common(marks)
        if not mark:
            return None
        cause = f"ISA16 declares {_shown(declared)} as component separator, the data uses"
        code = FindingCode.COMPONENT_SEPARATOR_MISMATCH
        return _Change(code, _ISA16, mark, f"{cause} {_shown(mark)}")

    def repetition_change(self) -> _Change | None:
        """Return the repetition separator that elements at fault seem to use."""
        declared = self._summary.delimiters.repetition
        marks = Counter[str]()
        for value in self._values():
            if not declared or declared not in value:
                marks.update(_REPETITION_MARKS.intersection(value))
        mark = self._most_common(marks)
        if not mark:
            return None
        cause = f"{self._declaration()}, the data uses {_shown(mark)}"
        return _Change(FindingCode.REPETITION_SEPARATOR_MISMATCH, _ISA11, mark, cause)

    def data_change(self) -> _Change | None:
        """Propose no repetition separator if the declared one occurs in data at fault."""
        declared = self._summary.delimiters.repetition
        if declared not in _DATA_MARKS or not any(declared in value for value in self._values()):
            return None
        cause = f"{self._declaration()}, but it occurs in ordinary data"
        return _Change(FindingCode.REPETITION_SEPARATOR_IN_DATA, _ISA11, _NO_REPETITION, cause)

    def _declaration(self) -> str:
        declared = self._summary.delimiters.repetition
        if not declared:
            return "ISA11 declares no repetition separator"
        return f"ISA11 declares {_shown(declared)} as repetition separator"

    def _most_common(self, marks: Counter[str]) -> str:
        taken = {*self._summary.delimiters.marks, *(change.mark for change, _ in self.changes)}
        return next((mark for mark, _ in marks.most_common() if mark not in taken), "")

    def _values(self) -> Iterator[str]:
        """Yield the elements at fault, where ISA11 may declare a separator and is not settled."""
        is_settled = any(change.element == _ISA11 for change, _ in self.changes)
        if not is_settled and self._summary.header[12] >= _REPETITION_SINCE:
            for finding, row in self._rows():
                if finding.element_position:
                    yield from row[finding.element_position : finding.element_position + 1]

    def _rows(self) -> Iterator[tuple[Finding, list[str]]]:
        """Yield each error with its segment."""
        delimiters, text = self._summary.delimiters, self._text
        terminator = delimiters.segment[-1]
        for finding in self._current:
            if finding.severity is Severity.ERROR and finding.tx_index:
                offset = finding.offset or 0
                start = text.rfind(terminator, max(offset - _MAX_SEGMENT_CHARS, 0), offset) + 1
                end = text.find(terminator, offset, offset + _MAX_SEGMENT_CHARS)
                yield finding, text[start:end].strip().split(delimiters.element)

    # ---- what becomes of them --------------------------------------------------------------------

    def weigh(self, change: _Change, findings: list[Finding]) -> bool:
        """Accept a change if errors vanish with it and hardly any appear.

        Returns:
            True if it is accepted.
        """
        before, after = _count(self._current), _count(findings)
        vanished, appeared = before - after, after - before
        if _evidence(vanished) <= 2 * appeared.total():
            return False
        self.changes.append((change, vanished))
        self._current = findings
        return True

    def causes(self) -> Iterator[tuple[_Change, list[Finding]]]:
        """Yield each cause with its consequences."""
        before, after = _count(self._original), _count(self._current)
        at_fault = {key[:2] for key in after - before}
        vanished = before - after
        left = [each for each in self._original if _key(each)[:2] not in at_fault]
        left = [each for each in left if _is_taken(each, vanished)]
        for change, of_change in self.changes:
            consequences = [each for each in left if _is_taken(each, of_change)]
            yield change, consequences
            ids = set(map(id, consequences))
            left = [each for each in left if id(each) not in ids]

    def finding(self, change: _Change, consequences: Sequence[Finding], count: int) -> Finding:
        """Return the finding about the cause of other findings.

        Args:
            change: The cause: a wrong separator.
            consequences: The findings that follow from it and are listed.
            count: The number of all findings that follow from it.
        """
        offset, number = self.offset_of(change), self._head.occurrence
        key = "ISA" if number == 1 else f"ISA[{number}]"
        severities = {each.severity for each in consequences}
        return Finding(
            code=change.code,
            severity=Severity.ERROR if Severity.ERROR in severities else Severity.WARNING,
            message=f"{change.cause}; {_sum_of(consequences, count)}",
            segment_id="ISA",
            segment_position=self._head.position,
            element_position=change.element,
            path=f"{key}.{change.element}",
            offset=offset,
            line=1 + self._text.count("\n", 0, offset),
            folded=count,
        )


def fold(
    text: str,
    found: SeparatorFindings,
    heads: Sequence[Head],
    read_again: Callable[[str], SeparatorFindings],
) -> SeparatorFindings:
    """Return findings in which the consequences of wrong separators are counted in one each.

    Of a text of more than ``MAX_CHARS`` they are returned as they are.

    Args:
        text: The document.
        found: What was found in it.
        heads: Its ISA segments, in order.
        read_again: Validates a text.
    """
    if len(text) > MAX_CHARS:
        return found
    starts = [each.offset for each in heads]
    suspects: dict[int, _Suspect] = {}
    for index, findings in _by_interchange(found, starts, is_cut=found.is_cut).items():
        suspect = _Suspect(text, heads[index], findings)
        if suspect.has_isa:
            suspects[index] = suspect
    last = found
    for propose in (_Suspect.component_change, _Suspect.repetition_change, _Suspect.data_change):
        proposed = {at: change for at, each in suspects.items() if (change := propose(each))}
        if proposed:
            again = read_again(_changed(text, suspects, proposed))
            if _weighed(again, found, starts, suspects, proposed):
                last = again
    return _folded(found, last, suspects.values(), is_alone=len(starts) == 1)


def _weighed(
    again: SeparatorFindings,
    found: SeparatorFindings,
    starts: Sequence[int],
    suspects: Mapping[int, _Suspect],
    proposed: Mapping[int, _Change],
) -> bool:
    """Weigh the proposed changes by the resulting findings; return whether any is accepted.

    None is accepted if there are too many findings to compare them.
    """
    if _horizon(again) < _horizon(found) or (again.is_cut and not found.is_cut):
        return False
    listed = _by_interchange(again, starts, is_cut=found.is_cut, horizon=_horizon(found))
    kept = [suspects[at].weigh(change, listed.get(at, [])) for at, change in proposed.items()]
    return any(kept)


def _by_interchange(
    found: SeparatorFindings, starts: Sequence[int], *, is_cut: bool, horizon: float = inf
) -> dict[int, list[Finding]]:
    """Return the findings of sets by the index of their interchange, up to an offset.

    Args:
        found: All findings.
        starts: The offsets of the interchanges.
        is_cut: Take errors only, because other findings may be missing in the list.
        horizon: The offset.
    """
    listed: dict[int, list[Finding]] = {}
    for each in found.findings:
        is_compared = each.severity is Severity.ERROR or not is_cut
        if each.tx_index and each.offset is not None and each.offset <= horizon and is_compared:
            listed.setdefault(bisect_right(starts, each.offset) - 1, []).append(each)
    return listed


def _horizon(found: SeparatorFindings) -> float:
    """Return the offset up to which all errors are listed."""
    errors = [each for each in found.findings if each.severity is Severity.ERROR]
    return inf if len(errors) == found.error_count else errors[-1].offset or 0


def _changed(text: str, suspects: Mapping[int, _Suspect], proposed: Mapping[int, _Change]) -> str:
    """Return the document with the accepted or proposed separators in its ISAs."""
    marks: dict[int, str] = {}
    for at, suspect in suspects.items():
        changes = [change for change, _ in suspect.changes]
        changes += [proposed[at]] if at in proposed else []
        marks |= {suspect.offset_of(change): change.mark for change in changes}
    pieces, end = [], 0
    for offset in sorted(marks):
        pieces += [text[end:offset], marks[offset]]
        end = offset + 1
    return "".join((*pieces, text[end:]))


def _folded(
    found: SeparatorFindings,
    last: SeparatorFindings,
    suspects: Iterable[_Suspect],
    *,
    is_alone: bool,
) -> SeparatorFindings:
    """Return the findings with causes in place of their consequences."""
    causes = [
        (suspect, change, consequences)
        for suspect in suspects
        for change, consequences in suspect.causes()
        if consequences
    ]
    if not causes:
        return found
    folded = [each for *_, consequences in causes for each in consequences]
    errors = sum(each.severity is Severity.ERROR for each in folded)
    unlisted_errors = unlisted = 0
    left = [each for each in found.findings if id(each) not in set(map(id, folded))]
    if is_alone and found.is_cut:
        unlisted_errors = max(found.error_count - last.error_count - errors, 0)
        unlisted = max(found.finding_count - last.finding_count - len(folded), unlisted_errors)
        left += [each for each in last.findings if (each.offset or 0) > _horizon(found)]
    made = []
    for number, (suspect, change, consequences) in enumerate(causes):
        count = len(consequences) + (0 if number else unlisted)
        made.append(suspect.finding(change, consequences, count))
    findings = sorted([*made, *left], key=lambda each: each.offset or 0)
    return SeparatorFindings(
        findings=tuple(findings[: len(found.findings)]),
        error_count=found.error_count
        - errors
        - unlisted_errors
        + sum(each.severity is Severity.ERROR for each in made),
        finding_count=found.finding_count - len(folded) - unlisted + len(made),
    )


# ---- small things --------------------------------------------------------------------------------


def _element_offsets(text: str, start: int) -> list[int]:
    """Return where the 16 elements of an ISA begin."""
    element, at, offsets = text[start + 3], start, []
    for _ in range(_ISA16):
        at = text.find(element, at) + 1
        offsets.append(at)
    return offsets


def _is_composite(segment_id: str, position: int) -> bool:
    """Return whether an element of a known segment has components."""
    return position <= (element_count(segment_id) or 0) and is_composite(segment_id, position)


def _key(finding: Finding) -> _Key:
    return (
        finding.tx_index,
        finding.segment_position,
        finding.code,
        finding.segment_id,
        finding.element_position,
        finding.component_position,
        finding.repeat,
    )


def _count(findings: Iterable[Finding]) -> Counter[_Key]:
    return Counter(map(_key, findings))


def _evidence(vanished: Counter[_Key]) -> int:
    """Count what speaks for a separator: any character is usual once it is one."""
    return sum(count for key, count in vanished.items() if key[2] != FindingCode.EXTENDED_CHARSET)


def _is_taken(finding: Finding, counts: Counter[_Key]) -> bool:
    """Return whether a finding is among those counted, and subtract it from them."""
    key = _key(finding)
    counts[key] -= 1
    return counts[key] >= 0


def _shown(mark: str) -> str:
    return mark if mark.isprintable() and mark != " " else f"0x{ord(mark):02X}"


def _sum_of(consequences: Sequence[Finding], count: int) -> str:
    """Return the number of consequences and their codes, in words."""
    codes = Counter(each.code for each in consequences).most_common()
    shown = [f"{code} {times}" for code, times in codes[:_MAX_CODES_SHOWN]]
    more = ", …" if len(codes) > _MAX_CODES_SHOWN or count > len(consequences) else ""
    word = "consequence" if count == 1 else "consequences"
    return f"{count} {word}: {', '.join(shown)}{more}"
