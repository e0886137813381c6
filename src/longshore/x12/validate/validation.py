"""Validate a whole document in one walk, with one ``SetValidator`` for each set.

Source: contract.md sections 3 and 10; x12.md sections 1.5, 2.4, 2.7.
"""

from __future__ import annotations

from itertools import islice

from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.clean_document import CleanDocument, read_clean_document
from longshore.x12.control import SegmentSpan
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides
from longshore.x12.dictionary.model import STANDARD
from longshore.x12.findings import ACK_CODES, Finding, Severity
from longshore.x12.report import SegmentRef
from longshore.x12.results import SetResult
from longshore.x12.validate.clean_envelope import clean_envelope
from longshore.x12.validate.frame import report_surplus
from longshore.x12.validate.kinds import FrameFault, Options, SetKind, SetKinds, SetNotice
from longshore.x12.validate.outcome import (
    MAX_ANSWERED_FINDINGS,
    NO_CHECK,
    SetCheck,
    Validation,
)
from longshore.x12.validate.reports import ContentReport, ElementPart
from longshore.x12.validate.separators import Head, SeparatorFindings, fold
from longshore.x12.validate.set_validator import SetValidator
from longshore.x12.validate.whole_sets import WholeSets
from longshore.x12.walk import TextSource, Walk

__all__ = ["MAX_ANSWERED_FINDINGS", "Options", "Validation", "validate"]


def validate(
    source: TextSource,
    overrides: DelimiterOverrides = NO_OVERRIDES,
    options: Options | None = None,
    *,
    is_single_octet: bool = False,
) -> Validation:
    """Read and validate a document.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    options = options or Options()
    clean = _validate_clean(source, options) if overrides == NO_OVERRIDES else None
    if clean is not None:
        return clean

    def validator(source: TextSource) -> _Validator:
        leniency = options.leniency
        walk = Walk(source, overrides, is_single_octet=is_single_octet, leniency=leniency)
        return _Validator(walk, options)

    first = validator(source)
    validation = first.run()
    if not validation.error_count or not first.heads:
        return validation
    found = fold(
        "".join(source()),
        _found(validation),
        first.heads,
        lambda text: _found(validator(lambda: (text,)).run()),
    )
    return validation._replace(**found._asdict())


def _found(validation: Validation) -> SeparatorFindings:
    return SeparatorFindings(validation.findings, validation.error_count, validation.finding_count)


def _validate_clean(source: TextSource, options: Options) -> Validation | None:
    """Validate a small document without findings; return None for any other document."""
    pieces = [*islice(source(), 2)]
    document = read_clean_document(pieces[0], may_have_parts=True) if len(pieces) == 1 else None
    if document is None:
        return None
    envelope, at = clean_envelope(document), 1
    checks: dict[int, SetCheck] = {}
    kinds, separator = SetKinds(envelope, options), document.delimiters.segment
    for each in document.sets:
        behind = at + each.segment_count
        kind = kinds.of_set(each, document.delimiters)
        if kind.notice is not None:
            return None
        checks[each.index] = kind.check
        text = separator.join(("", *document.texts[at + 1 : behind], ""))
        if not kind.matches(each.header, text, separator) and not _is_accepted(
            kind, document, at, behind
        ):
            return None
        at = behind
    found = kinds.first
    assert found is not None  # there is a set
    return Validation(
        findings=(),
        finding_count=0,
        error_count=0,
        tx_set=document.sets[0].set_id,
        version=envelope.first_group_version,
        first=found,
        snip_level=kinds.level,
        has_unchecked_sets=False,
        unread_documents=(),
        results={each.index: SetResult(is_checked=True) for each in document.sets},
        checks=checks,
        envelope=envelope,
    )


def _is_accepted(kind: SetKind, document: CleanDocument, first: int, behind: int) -> bool:
    """Check a set, the rows ``first`` to ``behind`` (exclusive), segment by segment."""
    batch = SegmentBatch(
        BatchKind.SEGMENTS,
        document.delimiters,
        document.texts,
        document.rows,
        set(),
        frozenset(),
        "",
        0,
    )
    start, body, end = (
        SegmentSpan(batch, *part, 0, 0, 0, 0)
        for part in ((first, first + 1), (first + 1, behind - 1), (behind - 1, behind))
    )
    return kind.accepts(start, body, end)


class _Validator:
    def __init__(self, walk: Walk, options: Options) -> None:
        self._walk = walk
        self._options = options
        self._content = ContentReport(walk.reader.positions, options.leniency)
        self.heads: list[Head] = []
        self._results: dict[int, SetResult] = {}
        self._checks: dict[int, SetCheck] = {}
        self._set_validator: SetValidator | None = None
        self._last: SegmentSpan | None = None
        self._mentioned: set[tuple[str, SetNotice]] = set()
        self._kinds = SetKinds(walk.envelope, options)
        self._kind: SetKind | None = None  # of the last set on the slow path
        walk.reader.take_sets = WholeSets(
            walk.envelope, self._kinds, self._is_mentioned, self._accept
        )

    def run(self) -> Validation:
        """Validate the document in one pass."""
        for spans in self._walk.span_lists():
            index = 0
            while index < len(spans):
                if self._has_accepted(spans[index : index + 3]):
                    index += 3
                else:
                    self._take(spans[index])
                    index += 1
        self._end_set()
        return self._validation()

    # ---- the fast path ---------------------------------------------------------------------------

    def _has_accepted(self, spans: list[SegmentSpan]) -> bool:
        """Take ST, body and SE, if they are a whole set without findings."""
        if len(spans) < 3 or spans[1].occurrence:  # noqa: PLR2004 - ST, body, SE
            return False
        start, body, end = spans
        rows = start.batch.rows
        if rows[start.first][0] != "ST" or rows[end.first][0] != "SE":
            return False
        kind = self._kinds.of(start)
        if kind.rules is None or kind.rules.has_pattern(start.batch.separator):
            return False  # it was checked as a whole
        if not self._is_mentioned(kind) or not kind.accepts(start, body, end):
            return False
        self._accept(start.tx_index, kind)
        return True

    def _accept(self, tx_index: int, kind: SetKind) -> None:
        """Record a set without findings."""
        self._end_set()
        self._results[tx_index] = SetResult(is_checked=kind.check.is_complete)
        self._checks[tx_index] = kind.check

    # ---- spans -----------------------------------------------------------------------------------

    def _take(self, span: SegmentSpan) -> None:
        tag = span.batch.rows[span.first][0]
        if tag == "ST":
            self._end_set()
            self._begin_set(span)
        elif not span.tx_index:
            self._end_set()
            if span.batch.kind is BatchKind.HEAD:
                self._take_head(span)
        elif tag == "SE" and span.occurrence:
            self._last = span
            self._end_set()
            self._report_surplus(span)
        elif self._set_validator is not None:
            self._last = span
            if span.occurrence:  # a TA1: it is counted in the set, but does not belong in it
                self._set_validator.pass_over()
        if not span.occurrence:
            self._take_body(span)

    def _take_head(self, span: SegmentSpan) -> None:
        walk, batch = self._walk, span.batch
        offset, _ = walk.reader.positions.of(batch.starts[span.first], batch)
        summary = walk.envelope.interchanges[-1]
        self.heads.append(Head(summary, offset, span.ordinal, span.occurrence))

    def _take_body(self, span: SegmentSpan) -> None:
        tags = [row[0] for row in span.batch.rows[span.first : span.last]]
        if self._set_validator is not None:
            self._set_validator.take(span, tags, _Keys(self._walk, span, tags))
        self._walk.numbering.add_later(span.tx_index, tags)

    def _begin_set(self, span: SegmentSpan) -> None:
        self._last = span
        self._kind = kind = self._kinds.of(span)
        result = SetResult()
        if kind.rules is not None:
            scope = self._walk.scope(span.tx_index)
            self._set_validator = SetValidator(kind.rules, self._content, span.tx_index, scope)
            result = self._set_validator.result
        result.is_checked = kind.check.is_complete
        self._results[span.tx_index] = result
        self._checks[span.tx_index] = kind.check
        self._mention(kind, span, result)
        for fault in kind.frame_faults:
            self._frame_error(fault, span, result)
        self._report_surplus(span)

    def _end_set(self) -> None:
        if self._set_validator is not None:
            assert self._last is not None  # its ST at least
            self._set_validator.finish(_last_segment(self._last))
            self._set_validator = None

    # ---- the definition of a set -----------------------------------------------------------------

    def _is_mentioned(self, kind: SetKind) -> bool:
        """Return whether the notice about the definition of a set, if any, was reported."""
        return kind.notice is None or (kind.set_id, kind.notice) in self._mentioned

    def _mention(self, kind: SetKind, span: SegmentSpan, result: SetResult) -> None:
        """Report the notice about the definition of a set once for each kind of set."""
        notice = kind.notice
        if notice is None or self._is_mentioned(kind):
            return
        self._mentioned.add((kind.set_id, notice))
        self._content.report(*notice, _last_segment(span), result, STANDARD)

    def _frame_error(self, fault: FrameFault, span: SegmentSpan, result: SetResult) -> None:
        code, message, element, reference, layer = fault
        segment, part = _last_segment(span), ElementPart(element, reference=reference)
        self._content.report(code, message, segment, result, layer, None, part)
        of_set = ACK_CODES[code].get("set")
        if of_set and self._options.leniency.get(code, Severity.ERROR) is Severity.ERROR:
            result.codes += (of_set,)

    def _report_surplus(self, span: SegmentSpan) -> None:
        """Report an ST or SE that has more elements than are defined."""
        assert self._kind is not None  # its set has begun
        position = self._kind.surplus_position(span)
        if position:
            result = self._results[span.tx_index]
            report_surplus(self._content, _last_segment(span), result, position)

    # ---- the outcome -----------------------------------------------------------------------------

    def _validation(self) -> Validation:
        log, content, envelope = self._walk.log, self._content, self._walk.envelope
        errors = sorted([*log.errors(), *content.errors], key=_place)
        others = sorted([*log.warnings(), *content.others], key=_place)
        shown = errors[:MAX_ANSWERED_FINDINGS]
        shown += others[: MAX_ANSWERED_FINDINGS - len(shown)]
        return Validation(
            findings=tuple(sorted(shown, key=_place)),
            finding_count=log.total + content.error_count + content.other_count,
            error_count=log.error_total + content.error_count,
            tx_set=envelope.sets[0].set_id if envelope.sets else "",
            version=self._version(),
            first=self._kinds.first or NO_CHECK,
            snip_level=self._kinds.level,
            has_unchecked_sets=self._kinds.has_unchecked,
            unread_documents=self._walk.unread_documents(),
            results=self._results,
            checks=self._checks,
            envelope=envelope,
        )

    def _version(self) -> str:
        envelope = self._walk.envelope
        if envelope.first_group_version or not envelope.interchanges:
            return envelope.first_group_version
        return envelope.interchanges[0].header[12].strip()


class _Keys:
    """The prefixes of the keys of the segments of a span, computed on first use."""

    __slots__ = ("_keys", "_span", "_tags", "_walk")

    def __init__(self, walk: Walk, span: SegmentSpan, tags: list[str]) -> None:
        self._walk = walk
        self._span = span
        self._tags = tags
        self._keys: list[str] | None = None

    def __call__(self, index: int) -> str:
        if self._keys is None:
            self._keys = self._all()
        return self._keys[index - self._span.first]

    def _all(self) -> list[str]:
        tx_index = self._span.tx_index
        scope, numbers = self._walk.scope(tx_index), dict(self._walk.numbering.of(tx_index))
        keys = []
        for tag in self._tags:
            numbers[tag] = number = numbers.get(tag, 0) + 1
            keys.append(f"{scope}{tag}" if number == 1 else f"{scope}{tag}[{number}]")
        return keys


def _last_segment(span: SegmentSpan) -> SegmentRef:
    """Return the last segment of a stretch; its keys only if it is a control segment."""
    index = span.last - 1
    tag, number = span.batch.rows[index][0], span.occurrence
    key = "" if not number else tag if number == 1 else f"{tag}[{number}]"
    position = span.position + index - span.first
    return SegmentRef(span.batch, index, span.tx_index, position, key)


def _place(finding: Finding) -> int:
    return finding.offset or 0
