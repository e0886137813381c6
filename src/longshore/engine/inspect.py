"""Inspect a document of any format: its format, its findings, and its content as a tree.

Source: contract.md section 15 (POST /api/inspect).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from longshore.engine.acknowledgement import LATIN_1
from longshore.engine.decoding import DecodedDocument, read
from longshore.engine.parse import parse
from longshore.engine.tree import Tree, csv_tree, json_tree, xml_tree
from longshore.engine.validate import (
    growth_limit,
    read_options,
    validate_decoded,
    with_codes,
    with_definitions,
)
from longshore.engine.x12_tree import x12_tree
from longshore.formats.document import ParsedDocument, json_text
from longshore.kit.errors import LongshoreError
from longshore.x12.delimiters import NO_OVERRIDES
from longshore.x12.dictionary.own_codes import CodeLists
from longshore.x12.dictionary.own_definitions import OwnDefinitions
from longshore.x12.layout import FILLER, scout
from longshore.x12.other_formats import recognise
from longshore.x12.refusals import advising
from longshore.x12.segment_table import KNOWN_SEGMENTS
from longshore.x12.set_names import set_name
from longshore.x12.validate.validation import Options
from longshore.x12.walk import Walk

_JSON_OR_XML: Final[Mapping[str, str]] = {"{": "json", "[": "json", "<": "xml"}
_HEAD: Final = re.compile(r"(?i:ISA)|(?:GS|ST|[A-Z][A-Z0-9]{1,2})(?=[^A-Za-z0-9 ])")
_SET_HEAD: Final = re.compile(r"ST[^A-Za-z0-9 ][0-9]{3}")
_COLUMN_ENDS: Final = frozenset(",;\t|\r\n")

_TREES: Final[Mapping[str, Callable[[str, Tree], None]]] = {
    "json": json_tree,
    "xml": xml_tree,
    "csv": csv_tree,
}


def detect_format(text: str) -> str:
    """Return the format that a document looks like: ``x12``, ``json``, ``xml``, else ``csv``.

    JSON and XML are detected by their first character, X12 by a segment at its beginning or an ISA
    later. A format that Longshore does not read counts as ``x12``, which is then refused by its own
    name.
    """
    start = text.lstrip(FILLER)
    other = recognise(start)
    if other is not None and not other.is_readable:
        return "x12"
    if start[:1] in _JSON_OR_XML:
        return _JSON_OR_XML[start[:1]]
    head = _HEAD.match(start)
    if head is None:
        return "x12" if _has_interchange(start) else "csv"
    if head[0].upper() in {"ISA", "GS"} or _SET_HEAD.match(start):
        return "x12"
    is_column = start[head.end()] in _COLUMN_ENDS or head[0] not in KNOWN_SEGMENTS
    return "csv" if is_column else "x12"


def _has_interchange(text: str) -> bool:
    try:
        return "ISA" in text and scout((text,), NO_OVERRIDES).fragment is None
    except LongshoreError:
        return False


def inspect(  # noqa: PLR0913 - the request members of contract.md
    document: str | bytes,
    *,
    format: str = "",  # noqa: A002 - the name it has in the request
    elem_sep: str | None = None,
    seg_term: str | None = None,
    csv_header: bool = True,
    release: str = "",
    guide: str = "",
    codes: str = "standard",
    code_lists: CodeLists | None = None,
    definitions: OwnDefinitions | None = None,
) -> bytes:
    """Return everything there is to see in a document, as one JSON object.

    For an X12 document the members of validate come first; findings take at most half of the size
    limit. Then follow ``format``, ``tx_set_name``, the separators, ``field_count``, ``node_count``,
    ``tree_truncated`` and ``tree``. Other formats have no findings: a document with a fault is
    refused.

    Args:
        document: Text, or bytes, as in ``parse``.
        format: ``x12``, ``json``, ``xml`` or ``csv``; ``""`` uses ``detect_format``.
        elem_sep: Element separator, X12 only; detected when None or ``""``.
        seg_term: Segment terminator, likewise.
        csv_header: The first record of a CSV document names its columns.
        release: Six digits; the release to validate an X12 document against, instead of its own.
        guide: The implementation guide, likewise.
        codes: The codes that an X12 document is compared with, as in ``validate``.
        code_lists: Your own codes, likewise.
        definitions: Imported definitions, in place of those of Longshore.

    Raises:
        LongshoreError: As ``parse``.
    """
    reading = read(document, elem_sep, seg_term)
    chosen = format or detect_format(reading.text)
    if chosen == "x12":
        with advising("use format {}"):
            options = with_definitions(read_options(release, guide), definitions)
            options = with_codes(options, codes, code_lists)
            return _x12(reading, elem_sep, seg_term, options)
    views = ("tree",)
    parsed = parse(reading.text, format=chosen, include=views, csv_header=csv_header).document
    tree = Tree(growth_limit(reading.text))
    _TREES[chosen](parsed.views["tree"].decode(), tree)
    head = {"valid": True, "tx_set": "", "version": "", "findings": []}
    return _joined(json_text(head), parsed, tree)


def _x12(
    reading: DecodedDocument, elem_sep: str | None, seg_term: str | None, options: Options
) -> bytes:
    text, charset, overrides = reading
    room = growth_limit(text)
    validation = validate_decoded(reading, options).result_json(room // 2)
    parsed = parse(text, elem_sep=elem_sep, seg_term=seg_term).document
    is_single_octet = charset == LATIN_1
    walk = Walk(lambda: (text,), overrides, is_single_octet=is_single_octet)
    tree = Tree(room - len(validation))
    x12_tree(walk, tree, options, is_single_octet=is_single_octet)
    return _joined(validation, parsed, tree)


def _joined(head: bytes, parsed: ParsedDocument, tree: Tree) -> bytes:
    """Return the members of ``head`` and what all formats have."""
    members = json_text({
        "format": parsed.format,
        "tx_set_name": set_name(parsed.tx_set),
        "elem_sep": parsed.elem_sep,
        "seg_term": parsed.seg_term,
        "comp_sep": parsed.comp_sep,
        "rep_sep": parsed.rep_sep,
        "field_count": parsed.field_count,
        "node_count": tree.node_count,
        "tree_truncated": tree.is_truncated,
    })
    return b'%s,%s,"tree":%s}' % (head[:-1], members[1:-1], tree.json())
