"""Errors about values that cannot be written. Their messages hold no document content."""

from __future__ import annotations

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


def separator_in(tag: str, position: int) -> LongshoreError:
    """Return the refusal of an element that holds a separator; position 0 is the segment id."""
    if not position:
        return unwritable("The id of a segment holds a separator.", "segment")
    name = f"{tag}{position:02d}"
    message = f"{name} holds a separator of the document; choose other separators."
    return unwritable(message, f"{tag}.{position:02d}")


def unwritable(
    message: str, param: str, code: ErrorCode = ErrorCode.DELIMITER_IN_DATA
) -> LongshoreError:
    """Return the refusal of a value, named by ``param``, that cannot be written."""
    return LongshoreError(
        code, message, details=(ErrorDetail(code=code, param=param, message=message),)
    )
