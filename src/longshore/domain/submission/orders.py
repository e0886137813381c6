"""What is asked for when a document is submitted, and what of it makes no sense in any case.

Source: contract.md section 6, section 15 (``/api/transactions/submit``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from longshore.domain.partners.model import Direction
from longshore.domain.submission.checks import OnInvalid
from longshore.domain.submission.errors import InvalidOrderError
from longshore.domain.transactions.model import Source
from longshore.kit.errors import ErrorCode, ErrorDetail

CONTENT_MISSING: Final = (
    'Parameter "content" is missing: the X12 document to submit; or give "document" with "map_id",'
    " to have it converted."
)
MOST_KEY_CHARS: Final = 255
MOST_BUSINESS_KEY_CHARS: Final = 256
MOST_REASON_CHARS: Final = 500
MOST_METADATA: Final = 50
MOST_METADATA_NAME_CHARS: Final = 64
MOST_METADATA_VALUE_CHARS: Final = 1_000
_TX_SET = re.compile("[A-Z0-9]{3}")
_LINE: Final = r"[^\x00-\x1f\x7f\ud800-\udfff]"
_KEY = re.compile(rf"{_LINE}{{1,{MOST_KEY_CHARS}}}")
_BUSINESS_KEY = re.compile(rf"{_LINE}{{0,{MOST_BUSINESS_KEY_CHARS}}}")
_REASON = re.compile(rf"{_LINE}{{0,{MOST_REASON_CHARS}}}")
_NAME = re.compile(rf"{_LINE}{{1,{MOST_METADATA_NAME_CHARS}}}")
_VALUE = re.compile(rf"[^\x00\ud800-\udfff]{{0,{MOST_METADATA_VALUE_CHARS}}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitOrder:
    """A document to be submitted: ``content``, or ``document`` with the map that converts it.

    ``on_invalid`` and ``restamp`` None: not said. ``parent_id`` and ``reason``: of a corrected
    resend; ``supersedes``: what stands in its place already, as the caller knows.
    ``idempotency_key`` and ``source`` are no part of what is compared between repeats.
    """

    partner_id: int
    tx_set: str
    direction: Direction
    content: str | None = field(default=None, repr=False)
    document: str | None = field(default=None, repr=False)
    map_id: int | None = None
    map_version: int | None = None
    on_invalid: OnInvalid | None = None
    restamp: bool | None = None
    business_key: str = field(default="", repr=False)
    metadata: Mapping[str, str] = field(default_factory=dict, repr=False)
    dry_run: bool = False
    parent_id: int | None = None
    reason: str = field(default="", repr=False)
    supersedes: int | None = None
    idempotency_key: str | None = field(default=None, repr=False)
    source: Source = Source.API

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
    """Return of what a record was made: ``Corrected from transaction 10042: wrong unit``.

    ``done``: ``Corrected`` or ``Reissued``; ``reason``: ``""`` where none was given.
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
        yield _detail("business_key", _line("business_key", MOST_BUSINESS_KEY_CHARS))
    if not _REASON.fullmatch(order.reason):
        yield _detail("reason", _line("reason", MOST_REASON_CHARS))
    if not _is_metadata(order.metadata):
        message = (
            f'Parameter "metadata" must have at most {MOST_METADATA} members, with names of 1 to'
            f" {MOST_METADATA_NAME_CHARS} and values of at most {MOST_METADATA_VALUE_CHARS}"
            " characters."
        )
        yield _detail("metadata", message)
    if order.idempotency_key is not None and not _KEY.fullmatch(order.idempotency_key):
        message = (
            f"The header Idempotency-Key must have 1 to {MOST_KEY_CHARS} characters, none of them"
            " control characters."
        )
        yield _detail("Idempotency-Key", message)


def _is_metadata(metadata: Mapping[str, str]) -> bool:
    return len(metadata) <= MOST_METADATA and all(
        _NAME.fullmatch(name) and _VALUE.fullmatch(value) for name, value in metadata.items()
    )


def _line(param: str, most: int) -> str:
    return (
        f'Parameter "{param}" must be a text of at most {most} characters, none of them control'
        " characters."
    )


def _detail(param: str, message: str, code: ErrorCode = ErrorCode.INVALID_PARAMETER) -> ErrorDetail:
    return ErrorDetail(code=code, param=param, message=message)
