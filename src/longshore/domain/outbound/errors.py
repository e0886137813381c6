"""Refusals of the submission slice, one class per thing a caller can act on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from longshore.domain.events.model import NewEvent
from longshore.domain.outbound.checks import SubmissionDiagnostic
from longshore.domain.partners.errors import PartnerNotFoundError
from longshore.domain.ports import AccountId
from longshore.domain.transactions.errors import ActionRefusedError
from longshore.domain.transactions.model import TransactionId
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError, more_in_details
from longshore.x12.findings import Finding

MAX_DETAILS: Final = 100
_MAX_MESSAGES: Final = 3  # of a record that was not sent: enough to see what kind of fault it is


class SubmitRefusedError(LongshoreError):
    """The document, the partner and the request do not go together; each fault has its detail."""

    def __init__(self, diagnostics: Sequence[SubmissionDiagnostic]) -> None:
        details = tuple(
            ErrorDetail(code=each.code, param=each.param, message=each.message)
            for each in diagnostics
        )
        text = details[0].message + more_in_details(len(details))
        super().__init__(ErrorCode(details[0].code), text, details=details)
        self.diagnostics = tuple(diagnostics)


class StillInProgressError(ActionRefusedError):
    """The transaction to replace is being sent once more, or processed, so both would go on."""

    def __init__(self, transaction_id: int) -> None:
        super().__init__(
            f"Transaction {transaction_id} is on its way itself. Cancel it, or wait until that has"
            " ended, and ask again."
        )


class OtherDirectionError(LongshoreError):
    """A received transaction is corrected by a received one, a sent one by a sent one."""

    def __init__(self, transaction_id: int, direction: str) -> None:
        code = ErrorCode.INVALID_PARAMETER
        text = f"Transaction {transaction_id} is {direction}, so what corrects it has to be so too."
        detail = ErrorDetail(code=code, param="direction", message=text, allowed=(direction,))
        super().__init__(code, text, details=(detail,))


class SeveralSetsError(LongshoreError):
    """The document that is to replace one transaction set holds several."""

    def __init__(self, transaction_id: int, count: int) -> None:
        code = ErrorCode.INVALID_PARAMETER
        text = (
            f"Transaction {transaction_id} is one transaction set, and this document holds {count}:"
            " the others would be exchanged once more. Leave the one that is corrected."
        )
        super().__init__(
            code, text, details=(ErrorDetail(code=code, param="content", message=text),)
        )


class PartnerNotShownError(PartnerNotFoundError):
    """The partner exists, but the caller may not see it; only the audit log says so."""

    def __init__(self, partner_id: int) -> None:
        super().__init__()
        self.partner_id = partner_id


class InvalidOrderError(LongshoreError):
    """Members of the request are at fault; each has its detail."""

    def __init__(self, details: Sequence[ErrorDetail]) -> None:
        text = details[0].message + more_in_details(len(details))
        super().__init__(ErrorCode(details[0].code), text, details=tuple(details))


class DocumentInvalidError(LongshoreError):
    """The document has errors and was not sent; ``transaction_id`` is its record."""

    def __init__(
        self, errors: Sequence[Finding], error_count: int, transaction_id: TransactionId
    ) -> None:
        details = tuple(
            ErrorDetail(
                code=each.code,
                param="content",
                message=each.message,
                offset=each.offset,
                line=each.line,
            )
            for each in errors[:MAX_DETAILS]
        )
        super().__init__(ErrorCode.DOCUMENT_INVALID, error_text(error_count), details=details)
        self.transaction_id = transaction_id


class NumbersExhaustedError(LongshoreError):
    """The range of control numbers agreed with the partner has none that is free.

    ``event`` is to be recorded in the feed of ``owner``.
    """

    def __init__(self, owner: tuple[AccountId, Environment], event: NewEvent) -> None:
        code = ErrorCode.INVALID_STATE
        text = (
            "Not enough control numbers between control_min and control_max of this partner are"
            " free: the others were used in the last 366 days. Widen the range in the partner's"
            " settings."
        )
        detail = ErrorDetail(code=code, param="partner_id", message=text)
        super().__init__(code, text, details=(detail,))
        self.owner = owner
        self.event = event


class PartnerChangedError(LongshoreError):
    """The partner was changed again and again while the document was prepared for it."""

    def __init__(self) -> None:
        text = "The partner was changed while the document was prepared for it. Try again."
        super().__init__(ErrorCode.EDIT_CONFLICT, text)


class MapOutputNotX12Error(LongshoreError):
    """The map makes something that is no X12 document."""

    def __init__(self, made: str) -> None:
        code = ErrorCode.UNSUPPORTED_FORMAT
        text = f"The map makes {made}; what is submitted has to be X12."
        detail = ErrorDetail(code=code, param="map_id", message=text, allowed=("x12",))
        super().__init__(code, text, details=(detail,))


def error_text(error_count: int) -> str:
    """Return why a document was not sent: ``The document has 2 errors and was not sent.``."""
    errors = "an error" if error_count == 1 else f"{error_count} errors"
    return f"The document has {errors} and was not sent."


def unsent_text(errors: Sequence[Finding], error_count: int) -> str:
    """Return the same with the first errors: ``… was not sent: code is not known (PO1.03).``."""
    messages = [f"{each.message} ({each.path})" if each.path else each.message for each in errors]
    messages = messages[:_MAX_MESSAGES]
    if error_count > len(messages):
        messages.append(f"and {error_count - len(messages)} more")
    return f"{error_text(error_count).removesuffix('.')}: {'; '.join(messages)}."
