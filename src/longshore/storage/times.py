"""Times in columns: integer microseconds since 1970 in UTC, exact on both engines."""

from datetime import UTC, datetime, timedelta
from typing import Final, overload

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


@overload
def to_us(moment: datetime) -> int: ...
@overload
def to_us(moment: None) -> None: ...
def to_us(moment: datetime | None) -> int | None:
    """Return the column value of an aware time; a naive one is a TypeError."""
    return None if moment is None else (moment - _EPOCH) // _MICROSECOND


@overload
def from_us(column: int) -> datetime: ...
@overload
def from_us(column: None) -> None: ...
def from_us(column: int | None) -> datetime | None:
    """Return the aware UTC time of a column."""
    return None if column is None else _EPOCH + timedelta(microseconds=column)
