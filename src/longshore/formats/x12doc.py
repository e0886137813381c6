"""Parse X12 documents into their flat fields, summaries, findings and views.

Source: fields-and-mapping.md sections 1 to 3, contract.md section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from longshore.formats.document import ParsedDocument
from longshore.formats.flatmap import OUTPUT_ALLOWANCE_BYTES, OUTPUT_PER_INPUT
from longshore.formats.refusals import LimitExceededError, encoded, refuse_unknown_views
from longshore.formats.x12summaries import Summaries, interchange_json, set_json
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides
from longshore.x12.dictionary.library import Dictionary, shipped
from longshore.x12.fast_path import FastPathDocument, read_fast_path
from longshore.x12.fields import FieldWriter
from longshore.x12.loops.documents import DocumentPlacement
from longshore.x12.views import SegmentLister, TreeBuilder
from longshore.x12.walk import Numbering, Walk

VIEWS = ("segments", "tree")
LATIN_1 = "iso-8859-1"


def parse(  # noqa: PLR0913 - the request members, and whose definitions nest the views
    text: str,
    *,
    overrides: DelimiterOverrides = NO_OVERRIDES,
    charset: str = "utf-8",
    views: frozenset[str] = frozenset(),
    release: str = "",
    guide: str = "",
    dictionary: Dictionary | None = None,
) -> ParsedDocument:
    """Parse X12 text.

    Args:
        text: The decoded document; offsets of findings count its characters.
        overrides: Separators that replace those of the ISA.
        charset: The charset that the text was decoded from; binary lengths count its octets.
        views: Any of ``VIEWS``.
        release: Six digits; the release whose definitions nest the views, instead of that of GS08
            and ST03.
        guide: The implementation guide, likewise.
        dictionary: Whose definitions nest the views; None for that of Longshore.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    refuse_unknown_views(views, "x12", VIEWS)
    if not text.isascii():
        encoded(text, surrogate_code="lone_surrogate")
    if not views and overrides is NO_OVERRIDES and (document := read_fast_path(text)):
        return _fast_path_document(document, charset)
    placement = DocumentPlacement(dictionary or shipped(), release, guide) if views else None
    return _slow_path_document(text, overrides, charset, views, placement)


def _slow_path_document(
    text: str,
    overrides: DelimiterOverrides,
    charset: str,
    views: frozenset[str],
    placement: DocumentPlacement | None,
) -> ParsedDocument:
    is_single_octet = charset == LATIN_1
    walk = Walk(lambda: (text,), overrides, is_single_octet=is_single_octet)
    fields = FieldWriter(walk, is_single_octet=is_single_octet)
    summaries = Summaries(walk.envelope, len(text))
    made: dict[str, bytes] = {}
    if placement is not None:
        most_chars = OUTPUT_PER_INPUT * len(text) + OUTPUT_ALLOWANCE_BYTES
        makers = _view_makers(walk, views, placement, is_single_octet=is_single_octet)
        made = _with_views(walk, fields, summaries, most_chars, makers)
    else:
        for spans in walk.span_lists():
            fields.add(spans)
            summaries.take()
    return _document(walk, fields, summaries, charset, made)


def _fast_path_document(document: FastPathDocument, charset: str) -> ParsedDocument:
    delimiters, sets = document.delimiters, document.sets
    return ParsedDocument(
        format="x12",
        fields_json=document.fields_json,
        field_count=document.field_count,
        tx_set=sets[0].set_id,
        elem_sep=delimiters.element,
        seg_term=delimiters.segment,
        comp_sep=delimiters.component,
        rep_sep=delimiters.repetition,
        charset=charset,
        version=sets[0].version,
        segment_count=document.segment_count,
        interchanges_json=f"[{interchange_json(document.interchange)}]".encode(),
        transactions_json=f"[{','.join(map(set_json, sets))}]".encode(),
    )


class _ViewMakers(NamedTuple):
    """The writers of the requested views; None for a view that is not requested."""

    lister: SegmentLister | None
    tree: TreeBuilder | None


def _view_makers(
    walk: Walk, views: frozenset[str], placement: DocumentPlacement, *, is_single_octet: bool
) -> _ViewMakers:
    lister = SegmentLister(walk, Numbering(), placement, is_single_octet=is_single_octet)
    tree = TreeBuilder(walk, Numbering(), placement, is_single_octet=is_single_octet)
    return _ViewMakers(lister if "segments" in views else None, tree if "tree" in views else None)


def _with_views(
    walk: Walk, fields: FieldWriter, summaries: Summaries, most_chars: int, makers: _ViewMakers
) -> dict[str, bytes]:
    """Walk the document, write its fields, and return the requested views.

    Raises:
        LimitExceededError: ``output_bytes``: they would take more than ``most_chars``;
            ``transactions``: most of the document are set headers.
    """
    lister, tree = makers
    lines: list[str] = []
    chars = 0
    for spans in walk.span_lists():
        for span in spans:
            if lister is not None:
                added = list(lister.lines(span))
                lines += added
                chars += sum(map(len, added))
            if tree is not None:
                chars += tree.add(span)
        fields.add(spans)
        summaries.take()
        if chars + fields.chars > most_chars:
            fault = "the views and fields of this document would be too long"
            raise LimitExceededError("output_bytes", most_chars, fault)
    made: dict[str, bytes] = {}
    if lister is not None:
        made["segments"] = f"[{','.join(lines)}]".encode()
    if tree is not None:
        made["tree"] = tree.json().encode()
    return made


def stream_segments(walk: Walk, *, is_single_octet: bool = False) -> Iterator[str]:
    """Yield the segments view of ``walk``, one JSON object a segment, in flat memory."""
    placement = DocumentPlacement(shipped())
    lister = SegmentLister(walk, placement=placement, is_single_octet=is_single_octet)
    for spans in walk.span_lists():
        for span in spans:
            yield from lister.lines(span)


def _document(
    walk: Walk, fields: FieldWriter, summaries: Summaries, charset: str, views: dict[str, bytes]
) -> ParsedDocument:
    envelope, log = walk.envelope, walk.log
    fields_json = fields.json()
    interchanges_json, transactions_json = summaries.json()
    first = summaries.first_interchange
    delimiters = first.delimiters if first is not None else walk.layout.fragment
    assert delimiters is not None  # a document has an ISA or is a fragment
    version = first.header[12].strip() if first is not None else ""
    return ParsedDocument(
        format="x12",
        fields_json=fields_json,
        field_count=fields.field_count,
        tx_set=summaries.first_set.set_id if summaries.first_set is not None else "",
        elem_sep=delimiters.element,
        seg_term=delimiters.segment,
        comp_sep=delimiters.component,
        rep_sep=delimiters.repetition,
        charset=charset,
        version=envelope.first_group_version or version,
        segment_count=envelope.segment_count,
        interchanges_json=interchanges_json,
        transactions_json=transactions_json,
        warnings=log.warnings(),
        errors=log.errors(),
        views=views,
    )
