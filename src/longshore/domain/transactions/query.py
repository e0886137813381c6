"""Which transactions a list shows, and in which order.

Source: contract.md section 5 (``GET /api/v1/transactions``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, TypeVar

from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.transactions.errors import InvalidQueryError
from longshore.domain.transactions.model import (
    AckStatus,
    DeliveryStatus,
    ProcessingStatus,
    TransactionId,
    TransactionStatus,
    ValidationStatus,
)

OperationDoc = TypeVar("OperationDoc", bound=StrEnum)

_LARGEST_ID: Final = 2**63 - 1
MOST_FILTER_VALUES: Final = 50
MOST_FILTER_CHARS: Final = 200
_ID = re.compile("[1-9][0-9]{0,18}")
_TX_SET = re.compile("[A-Za-z0-9]{1,15}")
_LINE = re.compile(r"[^\x00-\x1f\x7f]*")
_FLAGS: Final[Mapping[str, bool | None]] = {"": None, "true": True, "false": False}


@unique
class SortField(StrEnum):
    """What a list may be in order of."""

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
    """What is asked for; None, ``""`` and empty ask for any, several values for any of them.

    ``since`` inclusive, ``before`` exclusive, of ``created_at``. ``control_number``: equal to
    ISA13, GS06 or ST02. ``business_key``: equal to one of the references. ``q``: equal to the id,
    a control number or the business key, or how the partner's name begins. ``is_test`` None: both.
    ``parent_id``: what was made of this one, by a reissue or a correction. ``is_open``: nothing was
    made of it that may stand in its place, which what was refused or cancelled may not.
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
    business_key: str = ""
    q: str = ""
    parent_id: TransactionId | None = None
    is_open: bool | None = None
    is_test: bool | None = None
    since: datetime | None = None
    before: datetime | None = None


def read_filters(
    given: Mapping[str, str], since: datetime | None = None, before: datetime | None = None
) -> TransactionFilters:
    """Return the filters that parameters name; ``""`` counts as absent, others are not looked at.

    ``since`` and ``before``: what ``date_from`` and ``date_to`` mean.

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

    def words(self, name: str, known: type[OperationDoc]) -> frozenset[OperationDoc]:
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
        if len(texts) > MOST_FILTER_VALUES or not all(map(form.fullmatch, texts)):
            self.faults[name] = (
                f"must be at most {MOST_FILTER_VALUES} {what}, separated by commas",
                None,
            )
            return frozenset()
        return texts

    def line(self, name: str) -> str:
        """Return a text."""
        text = self._given.get(name, "")
        if len(text) > MOST_FILTER_CHARS or _LINE.fullmatch(text) is None:
            what = f"must be a text of at most {MOST_FILTER_CHARS} characters, none of them control"
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
