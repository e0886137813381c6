"""Parse received bytes into interchanges and validate them, without any other data.

Pure, and long work for long documents, so it runs where ``Compute`` lets it. An interchange is read
by itself, so that it reads the same when a person has it processed again. Nothing is dropped: the
pieces joined are the bytes received (of a document that was wrapped, without its line breaks), and
what cannot be read is a piece too.

Source: x12.md sections 1.2, 1.3 and 2.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from longshore.domain.inbound.interchange_contents import (
    InterchangeContents,
    ParsedAck,
    check_most,
)
from longshore.domain.inbound.routing import AddressedInterchange, addressed
from longshore.domain.interchanges.digests import codec_of
from longshore.domain.partners.model import PartnerTerms
from longshore.domain.ports import CodeListSource, no_code_lists
from longshore.domain.transactions.model import Reference
from longshore.engine.validate import with_definitions
from longshore.formats.charset import decode
from longshore.formats.document import findings_json
from longshore.formats.x12doc import LATIN_1
from longshore.kit.errors import LongshoreError
from longshore.x12.acks.answer_plans import read_contents
from longshore.x12.acks.assessment import ReceivedInterchange, received_interchanges
from longshore.x12.acks.claims import CLAIMS, ClaimBatch
from longshore.x12.acks.contexts import add_contexts, have_contexts
from longshore.x12.acks.profile import AckType
from longshore.x12.batch import BatchKind, SegmentBatch
from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.dictionary.own_codes import CodeLists
from longshore.x12.dictionary.own_definitions import OwnDefinitions
from longshore.x12.elements.faults import Charset
from longshore.x12.envelope import Envelope
from longshore.x12.findings import NO_LENIENCY, Finding, FindingCode, Severity
from longshore.x12.layout import FILLER, scout
from longshore.x12.reader import SegmentReader
from longshore.x12.traces import SetTraces
from longshore.x12.validate.outcome import Validation
from longshore.x12.validate.validation import MAX_ANSWERED_FINDINGS, Options, validate
from longshore.x12.walk import Walk

NO_ENVELOPE: Final = FindingCode.NO_ENVELOPE.value
_HEAD_FAULTS: Final = frozenset({
    FindingCode.ELEMENT_SEPARATOR_INVALID,
    FindingCode.COMPONENT_SEPARATOR_INVALID,
    FindingCode.TERMINATOR_INVALID,
    FindingCode.CONTROL_STRUCTURE_INVALID,
})
_ISA: Final = "ISA"
MAX_INTERCHANGES: Final = 1_000
MAX_SETS: Final = 10_000
"""In one document: each has a record, and all of them are stored in one unit (about 3 s)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserOptions:
    """The settings of a partner that decide how documents are parsed and validated."""

    leniency: Mapping[str, Severity] = field(default_factory=lambda: NO_LENIENCY)
    charset: Charset | None = None
    has_strict_lists: bool = True
    """A code outside a strict list is an error."""
    code_lists: CodeLists | None = None
    """The operator's own codes, which change the lists."""
    definitions: OwnDefinitions | None = None
    """The definitions that the account imported."""
    has_contexts: bool = True
    """True if a 999 may be made, which names what surrounds an error."""
    has_claims: bool = False
    """True if 837s are answered claim by claim, so that their claims are read."""

    @classmethod
    def of(
        cls,
        terms: PartnerTerms,
        code_lists: CodeListSource = no_code_lists,
        definitions: OwnDefinitions | None = None,
    ) -> ParserOptions:
        """Return what the terms of a partner say, with the operator's codes and own definitions."""
        charset = terms.settings.charset
        return cls(
            leniency=terms.settings.leniency,
            charset=None if charset is None else charset.value,
            has_strict_lists=terms.settings.codes.refuses_codes,
            code_lists=terms.settings.codes.lists_of(code_lists),
            definitions=definitions,
            has_contexts=terms.ack_type is not AckType.NONE,
            has_claims=terms.settings.claim_acks,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadablePiece:
    """Bytes that are no interchange: why, as a code and a sentence without document content."""

    content: bytes
    charset: str
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedInterchange:
    """An interchange as it was read.

    ``digest`` and ``set_digests`` (by index of the set, from 1): of the body, not keyed.
    """

    content: bytes
    charset: str
    received: ReceivedInterchange
    addressed: AddressedInterchange
    digest: bytes
    set_digests: Mapping[int, bytes]
    references: Mapping[int, tuple[Reference, ...]]
    acks: tuple[ParsedAck, ...]
    findings: tuple[Finding, ...]
    """At most 1,000, their offsets in ``content`` as decoded, what is odd about the
    acknowledgements last.
    """
    finding_count: int
    """All."""
    traces: Mapping[int, SetTraces] = field(default_factory=dict)
    """The numbers of each request and response by index of the set."""
    claims: Mapping[int, ClaimBatch] = field(default_factory=dict)
    """The claims of each 837 by index of the set, if they are wanted."""

    @property
    def is_truncated(self) -> bool:
        """Return whether there are more findings than are listed."""
        return self.finding_count > len(self.findings)

    def findings_text(self) -> str:
        """Return the findings as JSON, in the shape of contract.md section 10."""
        return findings_json(self.findings).decode()


Piece = ParsedInterchange | UnreadablePiece


def read_received(content: bytes, terms: ParserOptions) -> tuple[Piece, ...]:
    """Return what received bytes hold, in their order; at least one piece.

    Bytes that hold more than is stored in one unit are one piece that cannot be read.
    """
    try:
        pieces = tuple(piece for each in _interchanges(content) for piece in _read(each, terms))
        check_most("transaction sets", sum(map(_set_count, pieces)), MAX_SETS)
    except LongshoreError as refusal:
        return (_unreadable(content, refusal),)
    return pieces


def _set_count(piece: Piece) -> int:
    return len(piece.received.sets) if isinstance(piece, ParsedInterchange) else 0


# ---- cut into interchanges -----------------------------------------------------------------------


def _interchanges(content: bytes) -> list[bytes]:
    """Return the bytes of each interchange: such that, by itself, none can be cut any further.

    A piece alone may be read in another encoding than the whole, and then hold more than one.

    Raises:
        LongshoreError: limit_exceeded.
    """
    found: list[bytes] = []
    waiting = [content]
    while waiting:
        check_most("interchanges", len(found) + len(waiting), MAX_INTERCHANGES)
        piece = waiting.pop()
        parts = _cut(piece)
        if len(parts) > 1:  # each is shorter than the piece, so this comes to an end
            waiting += parts
        else:
            found.append(piece)
    return found[::-1]


def _cut(content: bytes) -> list[bytes]:
    """Return the bytes of the interchanges that are seen when ``content`` is read in one go.

    What cannot be read is left whole.
    """
    text, charset = decode(content)
    parts = _parts(text, is_single_octet=charset == LATIN_1)
    if len(parts) > 1 or charset != LATIN_1:
        return _encoded(parts, content, charset)
    # One interchange in ISO-8859-1 makes all of it so. Another's separators may be UTF-8 all the
    # same: here a byte that is none stands for itself, as one character and one octet.
    parts = _parts(content.decode("utf-8", "surrogateescape"), is_single_octet=True)
    return [part.encode("utf-8", "surrogateescape") for part in parts]


def _encoded(parts: Sequence[str], content: bytes, charset: str) -> list[bytes]:
    """Return parts of the text in the encoding that all of it was read from."""
    if charset != "utf-16":
        mark = (
            codecs.BOM_UTF8 if charset == "utf-8" and content.startswith(codecs.BOM_UTF8) else b""
        )
        first, *others = (part.encode(charset) for part in parts)
        return [mark + first, *others]
    mark = content[: len(codecs.BOM_UTF16_LE)]
    codec = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    return [mark + part.encode(codec) for part in parts]


def _parts(text: str, *, is_single_octet: bool) -> list[str]:
    """Return the text of each interchange, what stands before and behind it included.

    An ISA that cannot be read begins a part as well; a text that cannot be is one part.
    """
    if text.count(_ISA) <= 1:
        return [text]
    try:
        return _split(text, is_single_octet=is_single_octet)
    except LongshoreError:
        return [text]


def _split(text: str, *, is_single_octet: bool) -> list[str]:
    """Return the parts of a text.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    layout, before = scout((text,), NO_OVERRIDES), ""
    if layout.line_width:
        before, wrapped = text[: layout.start], text[layout.start :]
        text = wrapped.replace("\r", "").replace("\n", "")
        layout = scout((text,), NO_OVERRIDES)
    reader = SegmentReader(layout, NO_OVERRIDES, is_single_octet=is_single_octet)
    begins = [
        reader.positions.of(batch.start, batch)[0]
        for batch in reader.read((text,))
        if batch.kind is BatchKind.HEAD or _is_unreadable_head(batch)
    ]
    first, *others = (text[begin:end] for begin, end in pairwise([0, *begins[1:], len(text)]))
    return [before + first, *others]


def _is_unreadable_head(batch: SegmentBatch) -> bool:
    return not batch.rows and any(
        diagnostic.code in _HEAD_FAULTS for diagnostic in batch.diagnostics
    )


# ---- read by itself ------------------------------------------------------------------------------


def _read(content: bytes, terms: ParserOptions) -> tuple[Piece, ...]:
    """Return an interchange, and what stands around it if that may be a document of its own."""
    try:
        text, charset = decode(content)
        validation = _validate(text, charset, terms)
        if validation.unread_documents and validation.envelope.interchanges:
            parts = _encoded(_cut_off(text, validation.unread_documents), content, charset)
            return tuple(piece for part in parts for piece in _read(part, terms))
        return (_read_interchange(content, text, charset, validation, terms),)
    except LongshoreError as refusal:
        return (_unreadable(content, refusal),)


def _cut_off(text: str, ranges: Sequence[tuple[int, int]]) -> list[str]:
    """Return the parts of a text before, in and behind some ranges; none is filler alone."""
    cuts = [start if text[:start].strip(FILLER) else end for start, end in ranges]
    return [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]


def _validate(text: str, charset: str, terms: ParserOptions) -> Validation:
    chosen = Options(
        leniency=terms.leniency,
        charset=terms.charset,
        has_strict_lists=terms.has_strict_lists,
        code_lists=terms.code_lists,
    )
    options = with_definitions(chosen, terms.definitions)
    return validate(lambda: (text,), NO_OVERRIDES, options, is_single_octet=charset == LATIN_1)


def _unreadable(content: bytes, refusal: LongshoreError) -> UnreadablePiece:
    code = refusal.details[0].code if refusal.details else refusal.code
    return UnreadablePiece(
        content=content, charset=decode(content)[1], code=str(code), message=refusal.message
    )


def _read_interchange(
    content: bytes, text: str, charset: str, validation: Validation, terms: ParserOptions
) -> Piece:
    def walk() -> Walk:
        return Walk(lambda: (text,), is_single_octet=charset == LATIN_1, leniency=terms.leniency)

    envelope, results = validation.envelope, validation.results
    if not envelope.interchanges:
        message = "The document has no ISA, so it is not known whose it is."
        return UnreadablePiece(content=content, charset=charset, code=NO_ENVELOPE, message=message)
    if terms.has_contexts and have_contexts(envelope.sets, results):
        add_contexts(walk(), results)
    received = next(received_interchanges(envelope, results))
    collected = InterchangeContents(received, terms.leniency, codec_of(charset))
    for spans in walk().span_lists():
        collected.add(spans)
    acks = collected.acks()
    odd = [warning for each in acks for warning in each.warnings]
    return ParsedInterchange(
        content=content,
        charset=charset,
        received=received,
        addressed=addressed(received),
        digest=collected.digests.interchanges()[0],
        set_digests=collected.digests.sets(),
        references=collected.references.found(),
        traces=collected.traces.found(),
        acks=acks,
        findings=(*validation.findings, *odd)[:MAX_ANSWERED_FINDINGS],
        finding_count=validation.finding_count + len(odd),
        claims=read_contents(walk()).claims if _is_of_claims(envelope, terms) else {},
    )


def _is_of_claims(envelope: Envelope, terms: ParserOptions) -> bool:
    return terms.has_claims and any(each.set_id == CLAIMS for each in envelope.sets)
