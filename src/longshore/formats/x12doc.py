"""X12 documents to their flat fields, summaries, findings and views.

Source: fields-and-mapping.md sections 1 to 3, contract.md section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring as quoted

from longshore.formats.document import ParsedDocument
from longshore.formats.flatmap import OUTPUT_ALLOWANCE_BYTES, OUTPUT_PER_INPUT
from longshore.formats.refusals import LimitExceededError, encoded, refuse_unknown_views
from longshore.x12.control import InterchangeSummary, SetSummary
from longshore.x12.delimiters import NO_OVERRIDES, DelimiterOverrides
from longshore.x12.fields import FieldWriter
from longshore.x12.set_names import set_name
from longshore.x12.usual import UsualDocument, read_usual
from longshore.x12.views import SegmentLister, TreeBuilder
from longshore.x12.walk import Numbering, Walk

VIEWS = ("segments", "tree")
LATIN_1 = "iso-8859-1"


def parse(
    document: str,
    *,
    overrides: DelimiterOverrides = NO_OVERRIDES,
    charset: str = "utf-8",
    views: frozenset[str] = frozenset(),
) -> ParsedDocument:
    """Parse X12 text.

    Args:
        document: The decoded text; offsets of findings count its characters.
        overrides: Separators that hold for everything after the ISA.
        charset: What the text was decoded from; binary lengths count its octets.
        views: Any of ``VIEWS``.

    Raises:
        LongshoreError: document_empty, document_unparseable, segment_too_long.
    """
    refuse_unknown_views(views, "x12", VIEWS)
    if not document.isascii():
        encoded(document, surrogate_code="lone_surrogate")
    if not views and overrides is NO_OVERRIDES and (usual := read_usual(document)):
        return _usual_document(usual, charset)
    return _general_document(document, overrides, charset, views)


def _general_document(
    document: str, overrides: DelimiterOverrides, charset: str, views: frozenset[str]
) -> ParsedDocument:
    is_single_octet = charset == LATIN_1
    walk = Walk(lambda: (document,), overrides, is_single_octet=is_single_octet)
    fields = FieldWriter(walk, is_single_octet=is_single_octet)
    made: dict[str, bytes] = {}
    if views:
        most_chars = OUTPUT_PER_INPUT * len(document) + OUTPUT_ALLOWANCE_BYTES
        made = _with_views(walk, fields, views, most_chars, is_single_octet=is_single_octet)
    else:
        for course in walk.courses():
            fields.add(course)
    return _document(walk, fields, charset, made)


def _usual_document(usual: UsualDocument, charset: str) -> ParsedDocument:
    delimiters, sets = usual.delimiters, usual.sets
    return ParsedDocument(
        format="x12",
        fields_json=usual.fields_json,
        field_count=usual.field_count,
        tx_set=sets[0].set_id,
        elem_sep=delimiters.element,
        seg_term=delimiters.segment,
        comp_sep=delimiters.component,
        rep_sep=delimiters.repetition,
        charset=charset,
        version=sets[0].version,
        segment_count=usual.segment_count,
        interchanges_json=_array((_interchange(usual.interchange),)),
        transactions_json=_array([_transaction(each) for each in sets]),
    )


def _with_views(
    walk: Walk,
    fields: FieldWriter,
    views: frozenset[str],
    most_chars: int,
    *,
    is_single_octet: bool,
) -> dict[str, bytes]:
    """Walk the document, write its fields, and return the views asked for.

    Raises:
        LimitExceededError: ``output_bytes``: they would take more than ``most_chars``.
    """
    lister = SegmentLister(walk, Numbering(), is_single_octet=is_single_octet)
    tree = TreeBuilder(walk, Numbering(), is_single_octet=is_single_octet)
    lines: list[str] = []
    line_chars = 0
    for course in walk.courses():
        for stretch in course:
            if "segments" in views:
                added = list(lister.lines(stretch))
                lines += added
                line_chars += sum(map(len, added))
            if "tree" in views:
                tree.add(stretch)
        fields.add(course)
        if line_chars + tree.chars + fields.chars > most_chars:
            fault = "the views and fields of this document would be too long"
            raise LimitExceededError("output_bytes", most_chars, fault)
    made = {"segments": f"[{','.join(lines)}]".encode(), "tree": tree.json().encode()}
    return {name: made[name] for name in VIEWS if name in views}


def stream_segments(walk: Walk, *, is_single_octet: bool = False) -> Iterator[str]:
    """Yield the segments view of ``walk``, one JSON object a segment, in flat memory."""
    lister = SegmentLister(walk, is_single_octet=is_single_octet)
    for course in walk.courses():
        for stretch in course:
            yield from lister.lines(stretch)


def _document(
    walk: Walk, fields: FieldWriter, charset: str, views: dict[str, bytes]
) -> ParsedDocument:
    envelope, log = walk.envelope, walk.log
    fields_json = fields.json()
    first = envelope.interchanges[0] if envelope.interchanges else None
    delimiters = first.delimiters if first is not None else walk.layout.fragment
    assert delimiters is not None  # a document has an ISA or is a fragment
    version = first.header[12].strip() if first is not None else ""
    return ParsedDocument(
        format="x12",
        fields_json=fields_json,
        field_count=fields.field_count,
        tx_set=envelope.sets[0].set_id if envelope.sets else "",
        elem_sep=delimiters.element,
        seg_term=delimiters.segment,
        comp_sep=delimiters.component,
        rep_sep=delimiters.repetition,
        charset=charset,
        version=envelope.first_group_version or version,
        segment_count=envelope.segment_count,
        interchanges_json=_array(_interchange(each) for each in envelope.interchanges),
        transactions_json=_array(_transaction(each) for each in envelope.sets),
        warnings=log.warnings(),
        errors=log.errors(),
        views=views,
    )


def _array(items: Iterable[str]) -> bytes:
    return f"[{','.join(items)}]".encode()


def _interchange(summary: InterchangeSummary) -> str:
    marks, header = summary.delimiters, summary.header
    return (
        f'{{"elem_sep":{quoted(marks.element)},"seg_term":{quoted(marks.segment)},'
        f'"comp_sep":{quoted(marks.component)},"rep_sep":{quoted(marks.repetition)},'
        f'"isa_control_number":{quoted(header[13].rstrip(" "))},'
        f'"sender_qualifier":{quoted(header[5].rstrip(" "))},'
        f'"sender_id":{quoted(header[6].rstrip(" "))},'
        f'"receiver_qualifier":{quoted(header[7].rstrip(" "))},'
        f'"receiver_id":{quoted(header[8].rstrip(" "))},'
        f'"usage_indicator":{quoted(header[15].rstrip(" "))},'
        f'"version":{quoted(header[12].rstrip(" "))}}}'
    )


def _transaction(summary: SetSummary) -> str:
    return (
        f'{{"index":{summary.index},"tx_set":{quoted(summary.set_id)},'
        f'"tx_set_name":{quoted(set_name(summary.set_id))},'
        f'"control_number":{quoted(summary.control_number)},'
        f'"segment_count":{summary.segment_count},"version":{quoted(summary.version)}}}'
    )
