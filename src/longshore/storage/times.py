"""Times in columns: integer microseconds since 1970 in UTC, exact on both engines."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, overload

from longshore.storage.queries import SqlValue

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

BEYOND: Final = 2**62
"""Behind every column of a time, and every id."""


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


def keyset_values(
    row: tuple[datetime, int] | None, values: Mapping[str, SqlValue]
) -> Mapping[str, SqlValue]:
    """Return the values of a count as those of a page of the newest: behind a row, if one is given.

    A page begins behind that row and before the time ``before``, whichever comes first: as one
    condition, ``(created_at, id) < (:before_at, :before_id)``, it is one that an index serves.
    """
    before = values["before"]
    assert isinstance(before, int)
    ends = (before, 0)
    behind = ends if row is None else min(ends, (to_us(row[0]), row[1]))
    others = {name: value for name, value in values.items() if name != "before"}
    return {**others, "before_at": behind[0], "before_id": behind[1]}
