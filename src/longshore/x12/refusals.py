"""The refusals of X12 text that cannot be read at all. None of their texts holds document content.

Source: x12.md sections 1.2 and 1.3, fields-and-mapping.md section 1.
"""

from __future__ import annotations

from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.x12.delimiters import HeadFault
from longshore.x12.findings import FindingCode

MAX_SEGMENT_CHARS: Final = 1_048_576  # 1 MiB; BIN and BDS excepted


def unreadable_head(fault: HeadFault, base: int, text: str) -> LongshoreError:
    """Return the refusal of a document whose first ISA cannot be read.

    ``text`` begins with the ISA, ``base`` is its offset.
    """
    is_short = fault.code == FindingCode.CONTROL_STRUCTURE_INVALID
    detail = ErrorDetail(
        code="isa_too_short" if is_short else "delimiter_invalid",
        message=fault.message,
        offset=base + fault.offset,
        line=1 + text.count("\n", 0, fault.offset) if base == 0 else None,
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
        message=f"a segment has more than {MAX_SEGMENT_CHARS} characters",
        offset=offset,
        line=line,
    )
    message = f"A segment is longer than {MAX_SEGMENT_CHARS} characters (1 MiB)."
    return LongshoreError(ErrorCode.SEGMENT_TOO_LONG, message, details=(detail,))
