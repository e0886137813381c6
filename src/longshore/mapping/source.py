"""The protocol of sources: how rules read a document of any format.

Source: fields-and-mapping.md sections 4 and 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.paths import SourcePath
from longshore.mapping.writes import Binding

MAX_VALUES: Final = 4_000_000
"""The number of values that the rules of one conversion may read, missing ones included."""


class SourcePlace(NamedTuple):
    """The position of a value: canonical key and raw text, as in ``writes.ReadValue``."""

    key: str
    span: tuple[int, int] | None
    conditions: tuple[str, ...] = ()
    """The canonical keys that the conditions in the path tested."""


class PathReading(NamedTuple):
    """The occurrences of a path: for each the binding, and its value, None where it is missing.

    A path without wildcards has one, whose binding is empty.
    """

    bindings: Sequence[Binding]
    values: Sequence[str | None]


class MapSource(Protocol):
    """A document that rules read from."""

    @property
    def has_literals(self) -> bool:
        """Values may be JSON literals."""

    def read(self, path: SourcePath) -> PathReading:
        """Return the values of a path."""

    def values(self, paths: Iterable[SourcePath]) -> Iterator[str | None]:
        """Yield the values of paths without wildcards on demand, faster than ``read``."""

    def read_condition(self, path: SourcePath) -> PathReading:
        """Return the values of a path; what has none, but is there, counts as not empty."""

    def places(self, path: SourcePath) -> list[SourcePlace]:
        """Return the position of each value of ``read``, and of ``read_condition``.

        The key of a missing value is empty.
        """

    def guessed_paths(self) -> Sequence[str]:
        """Return the paths that were read whose scopes no definition determines, in order."""


def too_many_values() -> LongshoreError:
    """Return the error about rules that read more than ``MAX_VALUES`` values."""
    code, message = ErrorCode.LIMIT_EXCEEDED, f"the rules look up more than {MAX_VALUES} values"
    detail = ErrorDetail(code=code, message=message, limit="values", max=MAX_VALUES)
    return LongshoreError(code, f"T{message[1:]}.", details=(detail,))
