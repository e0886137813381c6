"""A submission: what the caller asks for, and the answer.

The answer is made in the unit that stores the document, and stored with it: a repeated request gets
the same bytes.

Source: contract.md section 6, section 15 (``/api/transactions/submit``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.domain.outbound.checks import OnInvalid, SubmissionDiagnostic
from longshore.domain.outbound.drafts import Draft, ValidationSummary
from longshore.domain.outbound.errors import InvalidOrderError
from longshore.domain.outbound.outlines import InterchangeOutline
from longshore.domain.partners.model import Direction
from longshore.domain.transactions.model import Source
from longshore.formats.document import findings_json, json_text
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, ErrorDetail
from longshore.x12.findings import Finding

CONTENT_MISSING: Final = (
    'Parameter "content" is missing: the X12 document to submit; or give "document" with "map_id",'
    " to have it converted."
)
MAX_KEY_CHARS: Final = 255
MAX_BUSINESS_KEY_CHARS: Final = 256
MAX_REASON_CHARS: Final = 500
MAX_METADATA: Final = 50
MAX_METADATA_NAME_CHARS: Final = 64
MAX_METADATA_VALUE_CHARS: Final = 1_000
_TX_SET = re.compile("[A-Z0-9]{3}")
_LINE: Final = r"[^\x00-\x1f\x7f\ud800-\udfff]"
_KEY = re.compile(rf"{_LINE}{{1,{MAX_KEY_CHARS}}}")
_BUSINESS_KEY = re.compile(rf"{_LINE}{{0,{MAX_BUSINESS_KEY_CHARS}}}")
_REASON = re.compile(rf"{_LINE}{{0,{MAX_REASON_CHARS}}}")
_NAME = re.compile(rf"{_LINE}{{1,{MAX_METADATA_NAME_CHARS}}}")
_VALUE = re.compile(rf"[^\x00\ud800-\udfff]{{0,{MAX_METADATA_VALUE_CHARS}}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitOrder:
    """A document to be submitted: ``content``, or ``document`` with the map that converts it."""

    partner_id: int
    tx_set: str
    direction: Direction
    content: str | None = field(default=None, repr=False)
    document: str | None = field(default=None, repr=False)
    map_id: int | None = None
    map_version: int | None = None
    on_invalid: OnInvalid | None = None
    """None: the request does not say."""
    restamp: bool | None = None
    """None: the request does not say."""
    business_key: str = field(default="", repr=False)
    metadata: Mapping[str, str] = field(default_factory=dict, repr=False)
    dry_run: bool = False
    parent_id: int | None = None
    """The transaction that a corrected resend corrects."""
    reason: str = field(default="", repr=False)
    """The reason of a corrected resend."""
    supersedes: int | None = None
    """The transaction that supersedes ``parent_id`` already, as the caller knows."""
    idempotency_key: str | None = field(default=None, repr=False)
    """Not compared between repeats of a request."""
    source: Source = Source.API
    """Not compared between repeats of a request."""

    @property
    def origin(self) -> str:
        """Of what the document was made and why, as timelines tell it; ``""``: of nothing."""
        if self.parent_id is None:
            return ""
        return origin_of("Corrected", self.parent_id, self.reason)

    def request_body(self) -> bytes:
        """Return the same bytes for the same request, and other ones for any other."""
        members = {
            "partner_id": self.partner_id,
            "tx_set": self.tx_set,
            "direction": self.direction,
            "content": self.content,
            "document": self.document,
            "map_id": self.map_id,
            "map_version": self.map_version,
            "on_invalid": self.on_invalid,
            "restamp": self.restamp,
            "business_key": self.business_key,
            "metadata": dict(self.metadata),
            "parent_id": self.parent_id,
            "reason": self.reason,
            # Else the bytes are those of before there was such a parameter.
            **({} if self.supersedes is None else {"supersedes": self.supersedes}),
        }
        return json.dumps(members, sort_keys=True).encode()


def origin_of(done: str, parent_id: int, reason: str) -> str:
    """Return the origin of a record as text: ``Corrected from transaction 10042: wrong unit``.

    ``done`` is ``Corrected`` or ``Reissued``, and ``reason`` may be empty.
    """
    sentence = f"{done} from transaction {parent_id}"
    return f"{sentence}: {reason.strip()}" if reason.strip() else f"{sentence}."


def check_order(order: SubmitOrder) -> None:
    """Make sure that an order says one thing.

    Raises:
        InvalidOrderError: With a detail for each fault.
    """
    faults = [*_document_faults(order), *_text_faults(order)]
    if faults:
        raise InvalidOrderError(faults)


def _document_faults(order: SubmitOrder) -> Iterator[ErrorDetail]:
    """Yield what is wrong with what names the document."""
    if order.content is None and order.document is None:
        yield _detail("content", CONTENT_MISSING, ErrorCode.MISSING_PARAMETER)
    if order.content is not None and order.document is not None:
        message = 'Give "content", or "document" with "map_id", and not both.'
        yield _detail("document", message)
    if order.document is not None and order.map_id is None:
        message = 'Parameter "map_id" is missing: the map that makes X12 of "document".'
        yield _detail("map_id", message, ErrorCode.MISSING_PARAMETER)
    if order.document is None and order.map_id is not None:
        message = 'Parameter "map_id" is of "document", which is missing.'
        yield _detail("map_id", message)
    if order.map_id is None and order.map_version is not None:
        message = 'Parameter "map_version" is a version of "map_id", which is missing.'
        yield _detail("map_version", message)
    if order.document is not None and order.direction is Direction.INBOUND:
        message = 'Parameter "document" is for what is sent; give "content" for an inbound one.'
        yield _detail("document", message)
    if order.document is not None and order.restamp is False:
        message = (
            'Parameter "restamp" cannot be false with "document": the envelope that a map writes is'
            " a preview, and the partner's replaces it."
        )
        yield _detail("restamp", message)


def _text_faults(order: SubmitOrder) -> Iterator[ErrorDetail]:
    """Yield what is wrong with the other members."""
    if not _TX_SET.fullmatch(order.tx_set):
        message = 'Parameter "tx_set" must be the code of a transaction set, such as 850.'
        yield _detail("tx_set", message)
    if not _BUSINESS_KEY.fullmatch(order.business_key):
        yield _detail("business_key", _line("business_key", MAX_BUSINESS_KEY_CHARS))
    if not _REASON.fullmatch(order.reason):
        yield _detail("reason", _line("reason", MAX_REASON_CHARS))
    if not _is_metadata(order.metadata):
        message = (
            f'Parameter "metadata" must have at most {MAX_METADATA} members, with names of 1 to'
            f" {MAX_METADATA_NAME_CHARS} and values of at most {MAX_METADATA_VALUE_CHARS}"
            " characters."
        )
        yield _detail("metadata", message)
    if order.idempotency_key is not None and not _KEY.fullmatch(order.idempotency_key):
        message = (
            f"The header Idempotency-Key must have 1 to {MAX_KEY_CHARS} characters, none of them"
            " control characters."
        )
        yield _detail("Idempotency-Key", message)


def _is_metadata(metadata: Mapping[str, str]) -> bool:
    return len(metadata) <= MAX_METADATA and all(
        _NAME.fullmatch(name) and _VALUE.fullmatch(value) for name, value in metadata.items()
    )


def _line(param: str, most: int) -> str:
    return (
        f'Parameter "{param}" must be a text of at most {most} characters, none of them control'
        " characters."
    )


def _detail(param: str, message: str, code: ErrorCode = ErrorCode.INVALID_PARAMETER) -> ErrorDetail:
    return ErrorDetail(code=code, param=param, message=message)


Members = dict[str, object]

DRY_RUN: Final = "dry_run"
RECEIVED: Final = "received"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """The answer."""

    content: bytes
    """Its members but ``ok``, as JSON text."""
    is_replayed: bool = False
    """Again."""

    def members(self) -> Members:
        """Return the members in the order of the answer."""
        members: Members = json.loads(self.content)
        return members

    @property
    def transaction_id(self) -> int | None:
        """The first record; None of what was not stored, or is not read yet."""
        found = self.members()["transaction_id"]
        return found if isinstance(found, int) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """The facts of an answer that do not come from the document and the checks."""

    status: str
    message: str
    environment: Environment
    transaction_ids: Sequence[int] = ()
    interchange_id: int | None = None
    is_duplicate: bool = False
    is_ack_expected: bool = False
    ack_due_at: datetime | None = None
    """Aware UTC."""
    sent: InterchangeOutline | None = None
    """The outline that was sent, whose control numbers are named; None if nothing was."""
    receipt_id: int | None = None


def submitted(
    answer: AnswerFacts, draft: Draft, diagnostics: Iterable[SubmissionDiagnostic] = ()
) -> Submitted:
    """Return an answer about a document. Diagnostics name what production would have refused."""
    members: Members = {
        "transaction_id": answer.transaction_ids[0] if answer.transaction_ids else None,
        "status": answer.status,
        "environment": answer.environment,
        "message": answer.message,
        "transaction_ids": list(answer.transaction_ids),
        "interchange_id": answer.interchange_id,
        "receipt_id": answer.receipt_id,
        "duplicate": answer.is_duplicate,
        "ack_expected": answer.is_ack_expected,
        "ack_due_at": _moment(answer.ack_due_at),
        "validation": _validation(draft.validation_summary),
        "control_numbers": _numbers(answer.sent),
        "warnings": [
            *(
                {"code": each.code, "message": each.message, "param": each.param}
                for each in diagnostics
            ),
            *(each.to_members() for each in draft.notices),
            *_left_out(draft.validation_summary),
        ],
    }
    return Submitted(content=json_text(members))


def _validation(validation_summary: ValidationSummary) -> Members:
    return {
        "valid": validation_summary.outcome.is_valid,
        "outcome": validation_summary.outcome,
        "errors": _findings(validation_summary.errors),
        "warnings": _findings(validation_summary.warnings),
    }


def _findings(findings: tuple[Finding, ...]) -> object:
    return json.loads(findings_json(findings))


def _left_out(summary: ValidationSummary) -> list[Mapping[str, str]]:
    errors, warnings = summary.error_count, summary.warning_count
    shown = (len(summary.errors), len(summary.warnings))
    if shown == (errors, warnings):
        return []
    message = (
        f"The document has {errors} errors and {warnings} warnings; the first {shown[0]} and"
        f" {shown[1]} are shown. Validate lists more."
    )
    return [{"code": "findings_truncated", "message": message}]


def _numbers(sent: InterchangeOutline | None) -> Members | None:
    if sent is None:
        return None
    headers = [group.header for group in sent.groups if group.header is not None]
    return {
        "isa": sent.control_number,
        "gs": headers[0].gs_control_number if headers else "",
        "st": [each.control_number for each in sent.sets],
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%S")
