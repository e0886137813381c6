"""Validation of a whole document: one walk, one judge a set, everything said in one list.

Source: contract.md sections 3 and 10; x12.md sections 1.5, 2.4, 2.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final, NamedTuple

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.control import Stretch
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides
from longshore.x12.dictionary.library import Exactness
from longshore.x12.dictionary.model import STANDARD
from longshore.x12.envelope import Envelope
from longshore.x12.findings import ACK_CODES, Finding, FindingCode, Severity
from longshore.x12.frame import Frame, read_frame
from longshore.x12.results import SetResult
from longshore.x12.validate.frame import report_surplus
from longshore.x12.validate.framed import framed_envelope
from longshore.x12.validate.judge import SetJudge
from longshore.x12.validate.kinds import FrameFault, Kind, Kinds, Options
from longshore.x12.validate.reports import Content, Part, Spot
from longshore.x12.validate.whole_sets import WholeSets
from longshore.x12.walk import TextSource, Walk

__all__ = ["MOST_FINDINGS", "Options", "Validation", "validate"]

MOST_FINDINGS: Final = 1_000  # in an answer


class Validation(NamedTuple):
    """What is said about a document.

    ``findings``: by place, at most ``MOST_FINDINGS``, errors before others where there are more;
    ``finding_count``: all. ``results``: by transaction set, from 1; those without a definition
    have an empty one. ``version``: GS08, else ISA12. ``guide``, ``definition``: of the first set.
    ``snip_level``: the highest level checked. ``envelope``: the summaries of what was read.
    """

    findings: tuple[Finding, ...]
    finding_count: int
    error_count: int
    tx_set: str
    version: str
    guide: str | None
    definition: Exactness
    snip_level: int
    results: Mapping[int, SetResult]
    envelope: Envelope

    @property
    def is_valid(self) -> bool:
        """Whether there is no finding of severity error."""
        return not self.error_count

    @property
    def is_truncated(self) -> bool:
        """Whether there are more findings than are listed."""
        return self.finding_count > len(self.findings)


def validate(
    source: TextSource,
    overrides: DelimiterOverrides = NO_OVERRIDES,
    options: Options | None = None,
    *,
    is_single_octet: bool = False,
) -> Validation:
    """Read and judge a document.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    options = options or Options()
    usual = _usual(source, options) if overrides == NO_OVERRIDES else None
    if usual is not None:
        return usual
    walk = Walk(source, overrides, is_single_octet=is_single_octet, leniency=options.leniency)
    return _Validator(walk, options).run()


def _usual(source: TextSource, options: Options) -> Validation | None:
    """Judge a small document of which there is nothing to say; None if it is anything else."""
    pieces = [*islice(source(), 2)]
    frame = read_frame(pieces[0], may_have_parts=True) if len(pieces) == 1 else None
    if frame is None:
        return None
    envelope, at = framed_envelope(frame), 1
    kinds, joint = Kinds(envelope, options), frame.delimiters.segment
    for each in frame.sets:
        behind = at + each.segment_count
        kind = kinds.of_set(each, frame.delimiters)
        if kind.found.exactness != "exact":
            return None
        text = joint.join(("", *frame.texts[at + 1 : behind], ""))
        if not kind.matches(each.header, text, joint) and not _is_accepted(kind, frame, at, behind):
            return None
        at = behind
    found = kinds.first
    assert found is not None  # there is a set
    assert found.definition is not None  # which it has accepted
    return Validation(
        findings=(),
        finding_count=0,
        error_count=0,
        tx_set=frame.sets[0].set_id,
        version=envelope.first_group_version,
        guide=found.definition.guide,
        definition=found.exactness,
        snip_level=kinds.level,
        results={each.index: SetResult() for each in frame.sets},
        envelope=envelope,
    )


def _is_accepted(kind: Kind, frame: Frame, first: int, behind: int) -> bool:
    """Look at a set segment by segment; it has the rows from ``first`` to ``behind``, exclusive."""
    batch = SegmentBatch(
        BatchKind.SEGMENTS, frame.delimiters, frame.texts, frame.rows, set(), frozenset(), "", 0
    )
    start, body, end = (
        Stretch(batch, *part, 0, 0, 0, 0)
        for part in ((first, first + 1), (first + 1, behind - 1), (behind - 1, behind))
    )
    return kind.accepts(start, body, end)


class _Validator:
    def __init__(self, walk: Walk, options: Options) -> None:
        self._walk = walk
        self._options = options
        self._content = Content(walk.reader.places, options.leniency)
        self._results: dict[int, SetResult] = {}
        self._judge: SetJudge | None = None
        self._last: Stretch | None = None
        self._mentioned: set[tuple[str, str]] = set()
        self._kinds = Kinds(walk.envelope, options)
        self._kind: Kind | None = None  # of the last set that needed care
        walk.reader.take_sets = WholeSets(
            walk.envelope, self._kinds, self._is_mentioned, self._accept
        )

    def run(self) -> Validation:
        """Go through the document once."""
        for course in self._walk.courses():
            index = 0
            while index < len(course):
                if self._has_accepted(course[index : index + 3]):
                    index += 3
                else:
                    self._take(course[index])
                    index += 1
        self._end_set()
        return self._validation()

    # ---- the fast way ----------------------------------------------------------------------------

    def _has_accepted(self, stretches: list[Stretch]) -> bool:
        """Take ST, what follows and SE, if they are a whole set and nothing is to be said of it."""
        if len(stretches) < 3 or stretches[1].occurrence:  # noqa: PLR2004 - ST, body, SE
            return False
        start, body, end = stretches
        rows = start.batch.rows
        if rows[start.first][0] != "ST" or rows[end.first][0] != "SE":
            return False
        kind = self._kinds.of(start)
        if kind.rules is None or kind.rules.has_pattern(start.batch.joint):
            return False  # it has been looked at as a whole
        if not self._is_mentioned(kind) or not kind.accepts(start, body, end):
            return False
        self._accept(start.tx_index)
        return True

    def _accept(self, tx_index: int) -> None:
        """Note a set of which nothing is to be said."""
        self._end_set()
        self._results[tx_index] = SetResult()

    # ---- stretches -------------------------------------------------------------------------------

    def _take(self, stretch: Stretch) -> None:
        tag = stretch.batch.rows[stretch.first][0]
        if tag == "ST":
            self._end_set()
            self._begin_set(stretch)
        elif not stretch.tx_index:
            self._end_set()
        elif tag == "SE" and stretch.occurrence:
            self._last = stretch
            self._end_set()
            self._report_surplus(stretch)
        elif self._judge is not None:
            self._last = stretch
            if stretch.occurrence:  # a TA1: it has its number in the set, but no place in it
                self._judge.pass_over()
        if not stretch.occurrence:
            self._take_body(stretch)

    def _take_body(self, stretch: Stretch) -> None:
        tags = [row[0] for row in stretch.batch.rows[stretch.first : stretch.last]]
        if self._judge is not None:
            self._judge.take(stretch, tags, _Keys(self._walk, stretch, tags))
        self._walk.numbering.add_later(stretch.tx_index, tags)

    def _begin_set(self, stretch: Stretch) -> None:
        self._last = stretch
        self._kind = kind = self._kinds.of(stretch)
        result = SetResult()
        if kind.rules is not None:
            scope = self._walk.scope(stretch.tx_index)
            self._judge = SetJudge(kind.rules, self._content, stretch.tx_index, scope)
            result = self._judge.result
        self._results[stretch.tx_index] = result
        self._mention(kind, stretch, result)
        for fault in kind.frame_faults:
            self._frame_error(fault, stretch, result)
        self._report_surplus(stretch)

    def _end_set(self) -> None:
        if self._judge is not None:
            assert self._last is not None  # its ST at least
            self._judge.finish(_last_spot(self._last))
            self._judge = None

    # ---- what judges a set -----------------------------------------------------------------------

    def _is_mentioned(self, kind: Kind) -> bool:
        """Tell whether it needs no saying, or was said, by what a set is judged."""
        is_exact = kind.found.exactness == "exact"
        return is_exact or (kind.set_id, kind.found.release) in self._mentioned

    def _mention(self, kind: Kind, stretch: Stretch, result: SetResult) -> None:
        """Say once of each kind of set that it is judged by another release, or by none."""
        if self._is_mentioned(kind):
            return
        found = kind.found
        self._mentioned.add((kind.set_id, found.release))
        asked = _known(self._options.guide or found.release)
        if found.definition is None:
            at = f" at {asked}" if asked else ""
            set_id = _known(kind.set_id) or "this set"
            message = f"no definition for {set_id}{at}: structure not checked"
            code, severity = FindingCode.NO_DEFINITION, Severity.WARNING
        else:
            message = f"judged by release {found.definition.release}, the nearest there is"
            code, severity = FindingCode.NEAREST_DEFINITION, Severity.INFO
        self._content.report(code, severity, message, _last_spot(stretch), result, STANDARD)

    def _frame_error(self, fault: FrameFault, stretch: Stretch, result: SetResult) -> None:
        code, message, element, reference, layer = fault
        spot, part = _last_spot(stretch), Part(element, reference=reference)
        self._content.report(code, Severity.ERROR, message, spot, result, layer, None, part)
        of_set = ACK_CODES[code].get("set")
        if of_set and self._options.leniency.get(code, Severity.ERROR) is Severity.ERROR:
            result.codes += (of_set,)

    def _report_surplus(self, stretch: Stretch) -> None:
        """Report an ST or SE that has more elements than are defined."""
        assert self._kind is not None  # its set has begun
        position = self._kind.surplus(stretch)
        if position:
            result = self._results[stretch.tx_index]
            report_surplus(self._content, _last_spot(stretch), result, position)

    # ---- the outcome -----------------------------------------------------------------------------

    def _validation(self) -> Validation:
        log, content, envelope = self._walk.log, self._content, self._walk.envelope
        errors = sorted([*log.errors(), *content.errors], key=_place)
        others = sorted([*log.warnings(), *content.others], key=_place)
        shown = errors[:MOST_FINDINGS]
        shown += others[: MOST_FINDINGS - len(shown)]
        sets = envelope.sets
        first = self._kinds.first
        return Validation(
            findings=tuple(sorted(shown, key=_place)),
            finding_count=log.total + content.error_count + content.other_count,
            error_count=log.error_total + content.error_count,
            tx_set=sets[0].set_id if sets else "",
            version=self._version(),
            guide=first.definition.guide if first and first.definition else None,
            definition=first.exactness if first else "none",
            snip_level=self._kinds.level,
            results=self._results,
            envelope=envelope,
        )

    def _version(self) -> str:
        envelope = self._walk.envelope
        if envelope.first_group_version or not envelope.interchanges:
            return envelope.first_group_version
        return envelope.interchanges[0].header[12].strip()


class _Keys:
    """The prefixes of the keys of a stretch's segments; worked out when one is asked for."""

    __slots__ = ("_keys", "_stretch", "_tags", "_walk")

    def __init__(self, walk: Walk, stretch: Stretch, tags: list[str]) -> None:
        self._walk = walk
        self._stretch = stretch
        self._tags = tags
        self._keys: list[str] | None = None

    def __call__(self, index: int) -> str:
        if self._keys is None:
            self._keys = self._all()
        return self._keys[index - self._stretch.first]

    def _all(self) -> list[str]:
        tx_index = self._stretch.tx_index
        scope, numbers = self._walk.scope(tx_index), dict(self._walk.numbering.of(tx_index))
        keys = []
        for tag in self._tags:
            numbers[tag] = number = numbers.get(tag, 0) + 1
            keys.append(f"{scope}{tag}" if number == 1 else f"{scope}{tag}[{number}]")
        return keys


def _last_spot(stretch: Stretch) -> Spot:
    """Return the last segment of a stretch; its keys only if it is a control segment."""
    index = stretch.last - 1
    tag, number = stretch.batch.rows[index][0], stretch.occurrence
    key = "" if not number else tag if number == 1 else f"{tag}[{number}]"
    position = stretch.position + index - stretch.first
    return Spot(stretch.batch, index, stretch.tx_index, position, key)


def _place(finding: Finding) -> int:
    return finding.offset or 0


def _known(text: str) -> str:
    """Return a set id or release of the usual form; anything else is content and is not quoted."""
    return text if text.isascii() and text.isalnum() and len(text) <= 12 else ""  # noqa: PLR2004 - 005010X222A1
