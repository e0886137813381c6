"""Parse a document of any format.

Source: service.md section 4 (POST /api/v1/parse), contract.md section 3.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cached_property
from json import loads
from typing import Final

from longshore.engine.decoding import DecodedDocument, read
from longshore.engine.validate import (
    growth_limit,
    read_options,
    validate_decoded,
    with_codes,
    with_definitions,
)
from longshore.formats import csvdoc, jsondoc, x12doc, xmldoc
from longshore.formats.document import ParsedDocument
from longshore.formats.refusals import refuse_unknown_views
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.control import SET_ID
from longshore.x12.dictionary.own_codes import CodeLists
from longshore.x12.dictionary.own_definitions import OwnDefinitions
from longshore.x12.findings import Finding, FindingCode, Severity
from longshore.x12.loops.documents import requested_definition
from longshore.x12.refusals import NotX12Error
from longshore.x12.validate.validation import Options

FORMATS: Final = ("x12", "json", "xml", "csv")
VALIDATION: Final = "validation"

_GUIDE_WORD = re.compile("[A-Za-z0-9]{1,12}")
_MAX_MISSING: Final = 50  # sets without the requested definition; each is reported once


class Parsed:
    """A parsed document: its fields, its frame and what is noteworthy about it.

    ``document`` holds every member by the name it has in the HTTP answer.
    """

    def __init__(self, document: ParsedDocument) -> None:
        self.document = document

    @cached_property
    def fields(self) -> dict[str, str]:
        """All fields in document order, for example ``{"BEG.03": "PO-1", "PO1[2].02": "4"}``."""
        fields: dict[str, str] = loads(self.document.fields_json)
        return fields

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings about unusual things that were accepted."""
        return self.document.warnings

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings about faults of the envelope."""
        return self.document.errors

    def result_json(self) -> bytes:
        """Return the HTTP answer's members but ``ok`` and ``environment``, as one JSON object."""
        return self.document.result_json()


def parse(  # noqa: PLR0913 - the request members of service.md and contract.md
    document: str | bytes,
    *,
    format: str = "x12",  # noqa: A002 - the name it has in service.md
    elem_sep: str | None = None,
    seg_term: str | None = None,
    include: Collection[str] = (),
    csv_header: bool = True,
    release: str = "",
    guide: str = "",
    codes: str = "standard",
    code_lists: CodeLists | None = None,
    definitions: OwnDefinitions | None = None,
) -> Parsed:
    r"""Parse ``document`` into flat fields.

    Args:
        document: Text; or bytes, which are decoded by their byte order mark, as UTF-8 or, if that
            fails, as ISO-8859-1.
        format: ``x12``, ``json``, ``xml`` or ``csv``.
        elem_sep: Element separator, X12 only; detected when None or ``""``.
        seg_term: Segment terminator, X12 only; ``\n``, ``\r\n``, ``\t``, ``\xHH`` may be spelled.
        include: Further views: ``segments``, ``validation`` (both X12), ``tree``.
        csv_header: The first record of a CSV document names its columns.
        release: Six digits; the release to validate an X12 document against, instead of its own.
        guide: The implementation guide to validate it against. If it has no definition for a set of
            the document, the warning ``no_definition`` is added.
        codes: The codes that the view ``validation`` compares with, as in ``validate``.
        code_lists: Your own codes for it, likewise.
        definitions: Imported definitions, in place of those of Longshore.

    Raises:
        LongshoreError: unsupported_format, invalid_parameter, document_empty, document_unparseable,
            document_not_x12, segment_too_long, limit_exceeded.
        TypeError: ``document`` is neither text nor bytes.
    """
    if format not in FORMATS:
        message = f"Unknown format. Use one of: {', '.join(FORMATS)}."
        code = ErrorCode.UNSUPPORTED_FORMAT
        detail = ErrorDetail(code=code, param="format", message=message, allowed=FORMATS)
        raise LongshoreError(code, message, details=(detail,))
    reading = read(document, elem_sep, seg_term)
    text, charset, _ = reading
    views = frozenset(include)
    if format == "x12":
        options = with_definitions(read_options(release, guide), definitions)
        options = with_codes(options, codes, code_lists)
        try:
            return Parsed(_x12(reading, views, options))
        except NotX12Error as refusal:
            raise refusal.advising("use format {}") from None
    if format == "csv":
        parsed = csvdoc.parse(text, header=csv_header, views=views)
    elif format == "xml":
        parsed = xmldoc.parse(text, views=views)
    else:
        parsed = jsondoc.parse(text, views=views)
    return Parsed(replace(parsed, charset=charset))


def _x12(reading: DecodedDocument, views: frozenset[str], options: Options) -> ParsedDocument:
    refuse_unknown_views(views, "x12", (*x12doc.VIEWS, VALIDATION))
    parsed = x12doc.parse(
        reading.text,
        overrides=reading.overrides,
        charset=reading.charset,
        views=views - {VALIDATION},
        release=options.release,
        guide=options.guide,
        dictionary=options.dictionary,
    )
    if VALIDATION in views:
        taken = len(parsed.fields_json) + sum(map(len, parsed.views.values()))
        room = growth_limit(reading.text) - taken
        validation = validate_decoded(reading, options).result_json(room)
        return replace(parsed, views={**parsed.views, VALIDATION: validation})
    if not options.release and not options.guide:
        return parsed  # as most requests have it, and nothing is copied for them
    missing = _missing_definitions(parsed, options)
    return replace(parsed, warnings=(*parsed.warnings, *missing))


def _missing_definitions(parsed: ParsedDocument, asked: Options) -> Iterator[Finding]:
    """Yield a warning for each kind of set without a definition of the release or guide chosen."""
    first_by_id: dict[str, int] = {}
    for transaction in loads(parsed.transactions_json):
        first_by_id.setdefault(transaction["tx_set"], transaction["index"])
    for set_id, tx_index in list(first_by_id.items())[:_MAX_MISSING]:
        if requested_definition(asked.dictionary, set_id, asked.release, asked.guide) is None:
            name = set_id if SET_ID.fullmatch(set_id) else "this set"
            at = _requested_name(asked)
            yield Finding(
                code=FindingCode.NO_DEFINITION,
                severity=Severity.WARNING,
                message=f"no definition for {name} at {at}: structure not checked",
                tx_index=tx_index,
            )


def _requested_name(asked: Options) -> str:
    """Return the requested guide or release; a guide that is not a word is not repeated."""
    if not asked.guide:
        return asked.release
    return asked.guide if _GUIDE_WORD.fullmatch(asked.guide) else "this guide"
