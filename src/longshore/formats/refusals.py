"""Errors that the formats share. Their messages hold no document content.

``offset`` is the 0-based character of the document as received, a leading U+FEFF included; ``line``
is 1-based and counts CR LF, LF and CR.
"""

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError

BYTE_ORDER_MARK = "\ufeff"

_VIEWS = ("tree",)


class UnparseableDocumentError(LongshoreError):
    """The document cannot be read, because of a fault at one of its characters.

    ``code`` is the exact one for ``details``, such as ``json_syntax``; the message is ``fault``,
    followed by the position.
    """

    def __init__(self, code: str, fault: str, document: str, offset: int) -> None:
        line = _line_at(document, offset)
        message = f"{fault} (line {line}, character offset {offset})"
        detail = ErrorDetail(code=code, message=message, param="document", offset=offset, line=line)
        super().__init__(ErrorCode.DOCUMENT_UNPARSEABLE, _sentence(message), details=(detail,))


class LimitExceededError(LongshoreError):
    """The document passes a limit; ``limit`` is the name clients read, such as ``depth``."""

    def __init__(self, limit: str, maximum: int, fault: str) -> None:
        message = f"{fault}; at most {maximum} are allowed"
        code = ErrorCode.LIMIT_EXCEEDED
        detail = ErrorDetail(code=code, message=message, param="document", limit=limit, max=maximum)
        super().__init__(code, _sentence(message), details=(detail,))


def refuse_unknown_views(
    views: frozenset[str], document_format: str, allowed: tuple[str, ...] = _VIEWS
) -> None:
    """Refuse a view that this format does not have; ``segments`` exists for X12 only.

    Raises:
        LongshoreError: ``invalid_parameter`` naming ``include`` and the allowed views.
    """
    if views <= frozenset(allowed):
        return
    names = ", ".join(allowed)
    message = f"{document_format} documents have no such view; allowed: {names}"
    detail = ErrorDetail(
        code=ErrorCode.INVALID_PARAMETER, message=message, param="include", allowed=allowed
    )
    raise LongshoreError(ErrorCode.INVALID_PARAMETER, f"In include: {message}.", details=(detail,))


def utf8_of(document: str, *, surrogate_code: str) -> bytes:
    """Return ``document`` as UTF-8.

    Raises:
        LongshoreError: ``document_empty``; there is only white space.
        UnparseableDocumentError: ``surrogate_code``; a lone surrogate has no UTF-8 form.
    """
    if not document.removeprefix(BYTE_ORDER_MARK).strip():
        message = "the document is empty or only white space"
        detail = ErrorDetail(code=ErrorCode.DOCUMENT_EMPTY, message=message, param="document")
        raise LongshoreError(ErrorCode.DOCUMENT_EMPTY, _sentence(message), details=(detail,))
    return encoded(document, surrogate_code=surrogate_code)


def encoded(document: str, *, surrogate_code: str) -> bytes:
    """Return ``document`` as UTF-8, white space or not.

    Raises:
        UnparseableDocumentError: ``surrogate_code``; a lone surrogate has no UTF-8 form.
    """
    try:
        return document.encode()
    except UnicodeEncodeError as error:
        raise UnparseableDocumentError(
            surrogate_code, "a lone surrogate is not a character", document, error.start
        ) from error


def _line_at(document: str, offset: int) -> int:
    line_feeds = document.count("\n", 0, offset)
    lone_returns = document.count("\r", 0, offset) - document.count("\r\n", 0, offset)
    return 1 + line_feeds + lone_returns


def _sentence(message: str) -> str:
    return f"{message[0].upper()}{message[1:]}."
