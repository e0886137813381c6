"""A document in memory: its interchanges, groups, sets, findings and acknowledgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from longshore.engine.acknowledgement import LATIN_1, Acknowledgement
from longshore.engine.decoding import DecodedDocument
from longshore.engine.decoding import read as decoded
from longshore.engine.validate import Validated, read_options, validate_decoded
from longshore.formats.refusals import encoded
from longshore.library.containers import SetSource, TransactionSet
from longshore.library.segments import DocumentSegment
from longshore.library.sources import Source, content_of
from longshore.library.walks import SetCollector, outer_segments, walked_segments
from longshore.x12.batch import BatchKind
from longshore.x12.control import GroupSummary, InterchangeSummary, element_at
from longshore.x12.delimiters import NO_OVERRIDES, Delimiters
from longshore.x12.dictionary.library import Exactness
from longshore.x12.findings import Finding
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.validate.kinds import Options
from longshore.x12.validate.outcome import CheckedSet, ValidationOutcome
from longshore.x12.walk import Walk

_SETS_SHOWN: Final = 3
"""The transaction sets that the representation of a document names."""


class Document:
    """An X12 document. Its structure is read at once, its content is checked on first use."""

    def __init__(self, reading: DecodedDocument, options: Options, file: str) -> None:
        self._reading = reading
        self._options = options
        self.file = file
        """The file it was read from, as given, else ``""``."""
        walk, collector = self._walk(), SetCollector()
        sources: list[SetSource] = []
        self._complete: list[bool] = []
        self.interchange_ordinals: list[int] = []
        """The position of the ISA of each interchange, from 1."""
        for spans in walk.span_lists():
            for span in spans:
                ended = collector.take(span)
                if ended is not None:
                    sources.append(ended)
                if span.batch.kind is BatchKind.HEAD:
                    self._complete.append(False)
                    self.interchange_ordinals.append(span.ordinal)
                elif span.batch.rows[span.first][0] == "IEA" and self._complete:
                    self._complete[-1] = True
        ended = collector.finish()
        if ended is not None:
            sources.append(ended)
        self._envelope = walk.envelope
        self.transaction_sets = tuple(
            CheckedTransactionSet(source, options, self) for source in sources
        )
        """The transaction sets of all interchanges, in order."""

    # ---- the text -------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The decoded document, whose characters the offsets of findings count."""
        return self._reading.text

    @property
    def charset(self) -> str:
        """The charset it was decoded from; ``utf-8`` for text."""
        return self._reading.charset

    def content(self) -> bytes:
        """Return the octets of the document, without a byte order mark of UTF-8."""
        if self.charset == "utf-8":
            return encoded(self.text, surrogate_code="lone_surrogate")
        return self.text.encode(self.charset)

    # ---- its structure --------------------------------------------------------------------------

    @cached_property
    def interchanges(self) -> tuple[DocumentInterchange, ...]:
        """The interchanges; none in a document without ISA."""
        groups = self.groups
        return tuple(
            DocumentInterchange(
                summary,
                tuple(each for each in groups if each.interchange_index == index),
                is_complete=self._complete[index],
            )
            for index, summary in enumerate(self._envelope.interchanges)
        )

    @cached_property
    def groups(self) -> tuple[DocumentGroup, ...]:
        """The functional groups of all interchanges."""
        sets = self.transaction_sets
        return tuple(
            DocumentGroup(summary, tuple(sets[index - 1] for index in summary.sets))
            for summary in self._envelope.groups
        )

    @property
    def has_own_separators(self) -> bool:
        """It was read with separators that the caller chose."""
        return self._reading.overrides != NO_OVERRIDES

    @property
    def segment_count(self) -> int:
        """The number of segments, those of the envelope included."""
        return self._envelope.segment_count

    def segments(self, segment_id: str = "") -> Iterator[DocumentSegment]:
        """Yield all segments, the envelope's too, those of one id if it is given."""
        options = self._options
        placement = DocumentPlacement(options.dictionary, options.release, options.guide)
        for segment in walked_segments(self._walk(), placement):
            if not segment_id or segment.id == segment_id:
                yield segment

    def pieces(self) -> Iterator[DocumentSegment | CheckedTransactionSet]:
        """Yield the transaction sets and the segments outside them, in document order."""
        for each in outer_segments(self._walk()):
            yield self.transaction_sets[each - 1] if isinstance(each, int) else each

    def __iter__(self) -> Iterator[CheckedTransactionSet]:
        """Yield the transaction sets."""
        return iter(self.transaction_sets)

    def __len__(self) -> int:
        """Return the number of transaction sets."""
        return len(self.transaction_sets)

    def __bool__(self) -> bool:
        """Return True: a document without sets is one."""
        return True

    # ---- what is wrong with it ------------------------------------------------------------------

    @cached_property
    def validated(self) -> Validated:
        """The result of ``validate``."""
        return validate_decoded(self._reading, self._options)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings by position, at most 1,000."""
        return self.validated.findings

    @property
    def outcome(self) -> ValidationOutcome:
        """``valid``, ``invalid`` or ``not_checked``."""
        return self.validated.outcome

    @property
    def is_valid(self) -> bool:
        """True if all of it was checked and no finding has severity error."""
        return self.validated.is_valid

    @cached_property
    def checked_sets(self) -> tuple[CheckedSet, ...]:
        """The transaction sets, each with its check and its outcome."""
        return self.validated.sets

    def ack(self, ack_type: str = "auto", unknown_sets: str = "hold") -> Acknowledgement:
        """Return the acknowledgement; the arguments are those of ``validate``.

        Raises:
            LongshoreError: invalid_parameter.
        """
        if (ack_type, unknown_sets) == ("auto", "hold"):
            return self.validated.acknowledgement
        return validate_decoded(
            self._reading, self._options, ack_type=ack_type, unknown_sets=unknown_sets
        ).acknowledgement

    def __repr__(self) -> str:
        """Return its file and what is in it."""
        shown = self.transaction_sets[:_SETS_SHOWN]
        ids = ", ".join(f"{each.id} {each.control_number}" for each in shown)
        more = "…" if len(self) > _SETS_SHOWN else ""
        return f"<document {self.file or 'without a file'}: {ids or 'no transaction set'}{more}>"

    def _walk(self) -> Walk:
        text, charset, overrides = self._reading
        return Walk(lambda: (text,), overrides, is_single_octet=charset == LATIN_1)


class CheckedTransactionSet(TransactionSet):
    """A transaction set of a document in memory, with what was found in it."""

    def __init__(self, source: SetSource, options: Options, document: Document) -> None:
        super().__init__(source, options)
        self._document = document

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about it, among those of the document."""
        return tuple(each for each in self._document.findings if each.tx_index == self.index)

    @property
    def outcome(self) -> ValidationOutcome:
        """``valid``, ``invalid`` or ``not_checked``."""
        return self._checked.outcome

    @property
    def definition(self) -> Exactness:
        """The exactness of the definition: ``exact``, ``nearest``, ``standard`` or ``none``."""
        return self._checked.check.definition

    @property
    def guide(self) -> str:
        """The implementation guide it was checked against, ``""`` if none."""
        return self._checked.check.guide or ""

    @property
    def _checked(self) -> CheckedSet:
        return self._document.checked_sets[self.index - 1]


class DocumentGroup:
    """A functional group: GS, GE, and the transaction sets between them."""

    def __init__(
        self, summary: GroupSummary, transaction_sets: tuple[CheckedTransactionSet, ...]
    ) -> None:
        self._header = summary.header
        self.transaction_sets = transaction_sets
        """Its transaction sets."""
        self.interchange_index = summary.interchange
        """The index of its interchange, from 0; None in a document without ISA."""
        self.is_complete = summary.trailer_count is not None
        """It has a GE."""

    @property
    def functional_id(self) -> str:
        """GS01."""
        return element_at(self._header, 1)

    @property
    def sender(self) -> str:
        """GS02."""
        return element_at(self._header, 2)

    @property
    def receiver(self) -> str:
        """GS03."""
        return element_at(self._header, 3)

    @property
    def date(self) -> str:
        """GS04 as received."""
        return element_at(self._header, 4)

    @property
    def time(self) -> str:
        """GS05 as received."""
        return element_at(self._header, 5)

    @property
    def control_number(self) -> str:
        """GS06."""
        return element_at(self._header, 6)

    @property
    def version(self) -> str:
        """GS08."""
        return element_at(self._header, 8)

    def __iter__(self) -> Iterator[CheckedTransactionSet]:
        """Yield the transaction sets."""
        return iter(self.transaction_sets)

    def __repr__(self) -> str:
        """Return its id, its control number and its size."""
        count = len(self.transaction_sets)
        return f"<group {self.functional_id} {self.control_number}: {count} transaction sets>"


class DocumentInterchange:
    """An interchange: ISA, IEA, and the groups between them."""

    def __init__(
        self,
        summary: InterchangeSummary,
        groups: tuple[DocumentGroup, ...],
        *,
        is_complete: bool,
    ) -> None:
        self._header = summary.header
        self.delimiters: Delimiters = summary.delimiters
        """Its separators."""
        self.groups = groups
        """Its functional groups."""
        self.is_complete = is_complete
        """It has an IEA."""

    @property
    def sender(self) -> tuple[str, str]:
        """ISA05 and ISA06, without padding."""
        return self._value(5), self._value(6)

    @property
    def receiver(self) -> tuple[str, str]:
        """ISA07 and ISA08, without padding."""
        return self._value(7), self._value(8)

    @property
    def date(self) -> str:
        """ISA09 as received, YYMMDD."""
        return self._value(9)

    @property
    def time(self) -> str:
        """ISA10 as received, HHMM."""
        return self._value(10)

    @property
    def version(self) -> str:
        """ISA12."""
        return self._value(12)

    @property
    def control_number(self) -> str:
        """ISA13."""
        return self._value(13)

    @property
    def is_ack_requested(self) -> bool:
        """ISA14 is 1."""
        return self._value(14) == "1"

    @property
    def usage_indicator(self) -> str:
        """ISA15: ``P`` production, ``T`` test, ``I`` information."""
        return self._value(15)

    def __iter__(self) -> Iterator[DocumentGroup]:
        """Yield the groups."""
        return iter(self.groups)

    def __repr__(self) -> str:
        """Return its control number and its addresses."""
        addresses = f"{':'.join(self.sender)} to {':'.join(self.receiver)}"
        return f"<interchange {self.control_number} from {addresses}>"

    def _value(self, position: int) -> str:
        return element_at(self._header, position).strip(" ")


def read(
    source: Source,
    *,
    elem_sep: str | None = None,
    seg_term: str | None = None,
    release: str = "",
    guide: str = "",
    leniency: Mapping[str, str] | None = None,
) -> Document:
    """Read an X12 document.

    Args:
        source: A path; the bytes of a document; an open file, whose rest is read; or the text of a
            document. A ``str`` is a document if it begins with an ISA, has a line break or is
            longer than a path can be, else a path: ``Path`` and ``bytes`` leave nothing to tell.
        elem_sep: Element separator; detected when None or ``""``.
        seg_term: Segment terminator, likewise.
        release: Six digits; the release to use instead of the document's own.
        guide: The implementation guide to use instead of the one ST03 or GS08 names.
        leniency: Severities of findings, as for ``validate``.

    Raises:
        LongshoreError: invalid_parameter, document_empty, document_unparseable, document_not_x12,
            segment_too_long.
        OSError: The file cannot be read.
        TypeError: ``source`` is none of these.
    """
    options = read_options(release, guide, leniency)
    content, file = content_of(source)
    return Document(decoded(content, elem_sep, seg_term), options, file)
