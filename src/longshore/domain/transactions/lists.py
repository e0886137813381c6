"""Filters, order and cursors of the list of transactions.

A cursor names the last row of a page by its time and its id. A keyed hash binds it to the scope,
the filters and the order of the list it was made for; any other text is refused.

Source: contract.md section 5 (``GET /api/v1/transactions``, ``cursor``).
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from enum import StrEnum, unique
from json import dumps
from typing import Final, NamedTuple, TypeVar

from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import Scope
from longshore.domain.transactions.errors import InvalidQueryError
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    TransactionId,
    TransactionStatus,
    ValidationStatus,
)

Word = TypeVar("Word", bound=StrEnum)

_LARGEST_ID: Final = 2**63 - 1
MAX_FILTER_VALUES: Final = 50
MAX_FILTER_CHARS: Final = 200
_ID = re.compile("[1-9][0-9]{0,18}")
_TX_SET = re.compile("[A-Za-z0-9]{1,15}")
_LINE = re.compile(r"[^\x00-\x1f\x7f]*")
_FLAGS: Final[Mapping[str, bool | None]] = {"": None, "true": True, "false": False}


@unique
class SortField(StrEnum):
    """The columns by which a list may be sorted."""

    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    ID = "id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """The order of a list; what is equal goes by id, the same way."""

    field: SortField
    is_descending: bool

    @property
    def word(self) -> str:
        """The order as the parameter has it: ``-created_at``."""
        return f"-{self.field}" if self.is_descending else str(self.field)


DEFAULT_SORT: Final = Sort(field=SortField.CREATED_AT, is_descending=True)
SORTS: Final[Mapping[str, Sort]] = {
    sort.word: sort
    for field in SortField
    for sort in (Sort(field=field, is_descending=True), Sort(field=field, is_descending=False))
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionFilters:
    """Filters of transactions; None, ``""`` and empty ask for any, several values for any of them.

    ``since`` inclusive, ``before`` exclusive, of ``created_at``.
    """

    direction: frozenset[Direction] = frozenset()
    tx_set: frozenset[str] = frozenset()
    partner_id: frozenset[PartnerId] = frozenset()
    status: frozenset[TransactionStatus] = frozenset()
    processing_status: frozenset[ProcessingStatus] = frozenset()
    validation_status: frozenset[ValidationStatus] = frozenset()
    delivery_status: frozenset[DeliveryStatus] = frozenset()
    ack_status: frozenset[AckStatus] = frozenset()
    control_number: str = ""
    """Equal to ISA13, GS06 or ST02."""
    business_key: str = ""
    """Equal to one of the references."""
    q: str = ""
    """Equal to the id, a control number or the business key, or how the partner's name begins."""
    parent_id: TransactionId | None = None
    """The transaction of which it is a reissue or a correction."""
    is_open: bool | None = None
    """Parameter ``open``: no replacement of it exists, apart from refused or cancelled ones."""
    is_test: bool | None = None
    """Parameter ``test``: it is of the sandbox."""
    since: datetime | None = None
    before: datetime | None = None


def read_filters(
    given: Mapping[str, str], since: datetime | None = None, before: datetime | None = None
) -> TransactionFilters:
    """Return the filters that parameters name; ``""`` counts as absent, others are not looked at.

    ``since`` and ``before`` are what ``date_from`` and ``date_to`` mean.

    Raises:
        InvalidQueryError: With a detail for each parameter that is at fault.
    """
    reader = _Reader(given)
    ids = reader.several("partner_id", _ID, "ids of partners")
    filters = TransactionFilters(
        direction=reader.words("direction", Direction),
        tx_set=reader.several("tx_set", _TX_SET, "codes of transaction sets"),
        partner_id=frozenset(PartnerId(int(each)) for each in ids),
        status=reader.words("status", TransactionStatus),
        processing_status=reader.words("processing_status", ProcessingStatus),
        validation_status=reader.words("validation_status", ValidationStatus),
        delivery_status=reader.words("delivery_status", DeliveryStatus),
        ack_status=reader.words("ack_status", AckStatus),
        control_number=reader.line("control_number"),
        business_key=reader.line("business_key"),
        q=reader.line("q"),
        is_open=reader.flag("open"),
        is_test=reader.flag("test"),
        since=since,
        before=before,
    )
    if any(each > _LARGEST_ID for each in filters.partner_id):
        reader.faults["partner_id"] = (f"must be ids of at most {_LARGEST_ID}", None)
    if reader.faults:
        raise InvalidQueryError(reader.faults)
    return filters


def read_sort(word: str) -> Sort:
    """Return the order that a parameter names; ``""``: the newest first.

    Raises:
        InvalidQueryError: There is no such order.
    """
    sort = SORTS.get(word or DEFAULT_SORT.word)
    if sort is None:
        allowed = tuple(SORTS)
        raise InvalidQueryError({"sort": (f"must be one of: {', '.join(allowed)}", allowed)})
    return sort


class _Reader:
    """Reads parameters, and notes what is wrong with each."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        self.faults: dict[str, tuple[str, tuple[str, ...] | None]] = {}

    def words(self, name: str, known: type[Word]) -> frozenset[Word]:
        """Return the words between commas."""
        texts = self._between_commas(name)
        allowed = tuple(map(str, known))
        if not texts <= {*allowed}:
            text = f"must be one of, or several by comma: {', '.join(allowed)}"
            self.faults[name] = (text, allowed)
            return frozenset()
        return frozenset(map(known, texts))

    def several(self, name: str, form: re.Pattern[str], what: str) -> frozenset[str]:
        """Return the texts between commas, all of the same form."""
        texts = self._between_commas(name)
        if len(texts) > MAX_FILTER_VALUES or not all(map(form.fullmatch, texts)):
            self.faults[name] = (
                f"must be at most {MAX_FILTER_VALUES} {what}, separated by commas",
                None,
            )
            return frozenset()
        return texts

    def line(self, name: str) -> str:
        """Return a text."""
        text = self._given.get(name, "")
        if len(text) > MAX_FILTER_CHARS or _LINE.fullmatch(text) is None:
            what = f"must be a text of at most {MAX_FILTER_CHARS} characters, none of them control"
            self.faults[name] = (f"{what} characters", None)
        return text

    def flag(self, name: str) -> bool | None:
        """Return what a flag says."""
        text = self._given.get(name, "")
        if text not in _FLAGS:
            self.faults[name] = ("must be true or false", ("true", "false"))
        return _FLAGS.get(text)

    def _between_commas(self, name: str) -> frozenset[str]:
        text = self._given.get(name, "")
        return frozenset(text.split(",")) if text else frozenset()


KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 16
_NUMBER_BYTES: Final = 8
_START: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FORM = re.compile("[A-Za-z0-9_-]{43}")  # 32 bytes


class Position(NamedTuple):
    """The last record of a page: the time the list goes by, and its id."""

    moment: datetime
    """Aware UTC; in a list in order of ids it is not looked at."""
    id: TransactionId


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorContext:
    """The context that a cursor is bound to."""

    key: bytes
    """``KEY_BYTES`` secret bytes of this installation."""
    scope: Scope
    filters: TransactionFilters
    sort: Sort


def cursor_after(position: Position, context: CursorContext) -> str:
    """Return the text from which the next page begins."""
    micros = (position.moment - _START) // _MICROSECOND
    payload = b"".join(each.to_bytes(_NUMBER_BYTES, "big") for each in (micros, position.id))
    return _text(payload + _signature(payload, context))


def read_cursor(text: str, context: CursorContext) -> Position:
    """Return behind which record the page begins.

    Raises:
        _foreign: An InvalidQueryError: we did not make this text, or made it for another list.
    """
    if _FORM.fullmatch(text) is None:
        raise _foreign()
    given = urlsafe_b64decode(f"{text}=")
    payload, signature = given[:-_SIGNATURE_BYTES], given[-_SIGNATURE_BYTES:]
    # The last character of a text has bits that no byte takes, so it is compared as well.
    is_ours = hmac.compare_digest(signature, _signature(payload, context))
    if not is_ours or _text(given) != text:
        raise _foreign()
    micros = int.from_bytes(payload[:_NUMBER_BYTES], "big")
    number = int.from_bytes(payload[_NUMBER_BYTES:], "big")
    return Position(_START + micros * _MICROSECOND, TransactionId(number))


def _text(octets: bytes) -> str:
    return urlsafe_b64encode(octets).decode().rstrip("=")


def _signature(payload: bytes, context: CursorContext) -> bytes:
    list_of = {
        "account": context.scope.account_id,
        "environment": context.scope.environment,
        "sort": context.sort.word,
        **{
            each.name: _plain(getattr(context.filters, each.name))
            for each in fields(context.filters)
        },
    }
    message = dumps(list_of, sort_keys=True).encode() + b"\n" + payload
    return hmac.digest(context.key, message, "sha256")[:_SIGNATURE_BYTES]


def _plain(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    return value.isoformat() if isinstance(value, datetime) else value


def _foreign() -> InvalidQueryError:
    text = "must be the next_cursor of a page of this list, with the same filters and order"
    return InvalidQueryError({"cursor": (text, None)})
