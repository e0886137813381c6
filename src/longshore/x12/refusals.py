"""Errors about X12 text that cannot be read. Their messages hold no document content.

Source: x12.md sections 1.2 and 1.3, fields-and-mapping.md section 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.delimiters import HeadFault
from longshore.x12.findings import FindingCode
from longshore.x12.other_formats import OtherFormat

MAX_SEGMENT_CHARS: Final = 1_048_576  # 1 MiB; BIN and BDS excepted


def empty_document() -> LongshoreError:
    """Return the refusal of a document with nothing but filler."""
    message = "the document is empty or only white space"
    detail = ErrorDetail(code=ErrorCode.DOCUMENT_EMPTY, message=message, param="document")
    return LongshoreError(ErrorCode.DOCUMENT_EMPTY, f"T{message[1:]}.", details=(detail,))


def not_x12(offset: int, line: int) -> LongshoreError:
    """Return the refusal of text that begins here and has neither an ISA nor a segment."""
    message = "Document is not X12: no ISA or segment found"
    detail = ErrorDetail(
        code="not_x12", message=message, param="document", offset=offset, line=line
    )
    return LongshoreError(ErrorCode.DOCUMENT_UNPARSEABLE, message, details=(detail,))


class NotX12Error(LongshoreError):
    """The document is of another format where X12 is expected.

    Args:
        next_step: What a caller can do with a format that Longshore reads; ``{}`` in it stands for
            the format.
    """

    def __init__(self, found: OtherFormat, offset: int, line: int, next_step: str = "") -> None:
        message = f"This is {found.upper()}; {_advice(found, next_step)}."
        code = ErrorCode.DOCUMENT_NOT_X12
        detail = ErrorDetail(
            code=code, message=message, param="document", offset=offset, line=line, found=found
        )
        super().__init__(code, message, details=(detail,))
        self.found = found
        self._place = (offset, line)

    def advising(self, next_step: str) -> NotX12Error:
        """Return the same refusal with another next step."""
        return NotX12Error(self.found, *self._place, next_step)


def _advice(found: OtherFormat, next_step: str) -> str:
    if not next_step:
        return "only X12 is possible here"
    return (
        next_step.format(found) if found.is_readable else "Longshore reads X12, JSON, XML and CSV"
    )


@contextmanager
def advising(next_step: str) -> Iterator[None]:
    """Give a refusal of another format than X12 the next step that its caller has."""
    try:
        yield
    except NotX12Error as refusal:
        raise refusal.advising(next_step) from None


def unreadable_head(fault: HeadFault, place: tuple[int, int], text: str) -> LongshoreError:
    """Return the refusal of a document whose first ISA cannot be read.

    ``text`` begins with the ISA; ``place`` is its offset and line in the document.
    """
    is_short = fault.code == FindingCode.CONTROL_STRUCTURE_INVALID
    detail = ErrorDetail(
        code="isa_too_short" if is_short else "delimiter_invalid",
        param="document",
        message=fault.message,
        offset=place[0] + fault.offset,
        line=place[1] + text.count("\n", 0, fault.offset),
    )
    return LongshoreError(
        ErrorCode.DOCUMENT_UNPARSEABLE,
        f"Document cannot be read: {fault.message}",
        details=(detail,),
    )


def too_long_segment(offset: int, line: int) -> LongshoreError:
    """Return the refusal of a document with a segment that begins here and does not end in time."""
    detail = ErrorDetail(
        code=ErrorCode.SEGMENT_TOO_LONG,
        param="document",
        message=f"a segment has more than {MAX_SEGMENT_CHARS} characters",
        offset=offset,
        line=line,
    )
    message = f"A segment is longer than {MAX_SEGMENT_CHARS} characters (1 MiB)."
    return LongshoreError(ErrorCode.SEGMENT_TOO_LONG, message, details=(detail,))
