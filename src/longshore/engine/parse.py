"""Parse a document of any format.

Source: service.md section 4 (POST /api/v1/parse), contract.md section 3.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from json import loads
from typing import Final

from longshore.formats import csvdoc, jsondoc, x12doc, xmldoc
from longshore.formats.charset import decode
from longshore.formats.document import ParsedDocument
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.delimiters import NO_OVERRIDES, parse_overrides
from longshore.x12.findings import Finding, FindingCode, Severity

FORMATS: Final = ("x12", "json", "xml", "csv")


_NO_DEFINITION: Final = Finding(
    code=FindingCode.NO_DEFINITION,
    severity=Severity.WARNING,
    message="there is no definition for this release or guide; they have no effect",
)


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
        """What was accepted though it is unusual."""
        return self.document.warnings

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What is wrong with the envelope."""
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
) -> Parsed:
    r"""Parse ``document`` into flat fields.

    Args:
        document: Text; or bytes, which are decoded by their byte order mark, as UTF-8 or, where
            that fails, as ISO-8859-1.
        format: ``x12``, ``json``, ``xml`` or ``csv``.
        elem_sep: Element separator, X12 only; detected when None or ``""``.
        seg_term: Segment terminator, X12 only; ``\n``, ``\r\n``, ``\t``, ``\xHH`` may be spelled.
        include: Further views: ``segments`` (X12), ``tree``.
        csv_header: Whether the first record of a CSV document names its columns.
        release: Six digits; the release to judge an X12 document by, instead of its own.
        guide: The implementation guide to judge it by. There are no definitions yet: asking for
            one adds the warning ``no_definition``.

    Raises:
        LongshoreError: unsupported_format, invalid_parameter, document_empty,
            document_unparseable, segment_too_long, limit_exceeded.
    """
    if format not in FORMATS:
        message = f"Unknown format. Use one of: {', '.join(FORMATS)}."
        code = ErrorCode.UNSUPPORTED_FORMAT
        detail = ErrorDetail(code=code, param="format", message=message, allowed=FORMATS)
        raise LongshoreError(code, message, details=(detail,))
    overrides = parse_overrides(elem_sep, seg_term) if elem_sep or seg_term else NO_OVERRIDES
    text, charset = decode(document) if isinstance(document, bytes) else (document, "utf-8")
    views = frozenset(include)
    if format == "x12":
        parsed = x12doc.parse(text, overrides=overrides, charset=charset, views=views)
        if release or guide:
            parsed = replace(parsed, warnings=(*parsed.warnings, _NO_DEFINITION))
        return Parsed(parsed)
    if format == "csv":
        parsed = csvdoc.parse(text, header=csv_header, views=views)
    elif format == "xml":
        parsed = xmldoc.parse(text, views=views)
    else:
        parsed = jsondoc.parse(text, views=views)
    return Parsed(replace(parsed, charset=charset))
