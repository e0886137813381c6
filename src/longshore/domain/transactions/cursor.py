"""Where a page of transactions ends: an opaque text that only we can make.

It is bound to the scope, the filters and the order it was made under by a keyed hash: any other
text, and one that was made for another list, is refused. It holds a time and an id, nothing else.

Source: contract.md section 5 (``cursor``).
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from json import dumps
from typing import Final, NamedTuple

from longshore.domain.ports import Scope
from longshore.domain.transactions.errors import InvalidQueryError
from longshore.domain.transactions.model import TransactionId
from longshore.domain.transactions.query import Sort, TransactionFilters

KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 16
_NUMBER_BYTES: Final = 8
_START: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FORM = re.compile("[A-Za-z0-9_-]{43}")  # 32 bytes


class Position(NamedTuple):
    """The last record of a page: the time the list goes by, and its id.

    ``moment``: aware UTC; in a list in order of ids it is not looked at.
    """

    moment: datetime
    id: TransactionId


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorContext:
    """What a cursor is bound to. ``key``: ``KEY_BYTES`` secret bytes of this installation."""

    key: bytes
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
