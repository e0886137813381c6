"""Refusals of bodies that partners send."""

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class MalformedBodyError(LongshoreError):
    """The body is not what its headers say, so nothing can be taken out of it."""

    def __init__(self, text: str) -> None:
        super().__init__(ErrorCode.BAD_REQUEST, text)


class EmptyDocumentError(LongshoreError):
    """A document is empty; ``place`` is its number from 1, or None if there is only one."""

    def __init__(self, place: int | None) -> None:
        which = "The document" if place is None else f"Document {place} of the request"
        text = f"{which} is empty: not one byte was sent."
        code = ErrorCode.DOCUMENT_EMPTY
        super().__init__(code, text, details=(ErrorDetail(code=code, message=text),))


class NoDocumentError(LongshoreError):
    """A form has no field that a document can be in."""

    def __init__(self, names: tuple[str, ...]) -> None:
        code = ErrorCode.MISSING_PARAMETER
        text = f"The form has no document: send it in the field {' or '.join(names)}."
        detail = ErrorDetail(code=code, param=names[0], message=text, allowed=names)
        super().__init__(code, text, details=(detail,))
