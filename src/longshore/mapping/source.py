"""What a source of any format answers when the rules ask it.

Source: fields-and-mapping.md sections 4 and 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.paths import SourcePath
from longshore.mapping.writes import Binding

MAX_VALUES: Final = 4_000_000
"""Values that the rules of one conversion may look up, missing ones included."""


class SourcePlace(NamedTuple):
    """Where a value stands: canonical key and raw text, as in ``writes.SourceRead``.

    ``conditions``: the canonical keys that the conditions of the path looked at on the way.
    """

    key: str
    span: tuple[int, int] | None
    conditions: tuple[str, ...] = ()


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
        """Whether values may be JSON literals."""

    def read(self, path: SourcePath) -> PathReading:
        """Return the values of a path."""

    def values(self, paths: Iterable[SourcePath]) -> Iterator[str | None]:
        """Yield the values of paths without wildcards, each read when it is asked for.

        A shorter way than ``read``.
        """

    def read_condition(self, path: SourcePath) -> PathReading:
        """Return the values of a path; what has none, but is there, counts as not empty."""

    def places(self, path: SourcePath) -> list[SourcePlace]:
        """Return where each value of ``read`` stands, and each of ``read_condition``.

        Of a value that is missing the key is empty.
        """

    def guessed_paths(self) -> Sequence[str]:
        """Return the paths asked for whose scopes no definition tells, in order."""


def too_many_values() -> LongshoreError:
    """Return the refusal of rules that stand for more than ``MAX_VALUES`` values."""
    code, message = ErrorCode.LIMIT_EXCEEDED, f"the rules look up more than {MAX_VALUES} values"
    detail = ErrorDetail(code=code, message=message, limit="values", max=MAX_VALUES)
    return LongshoreError(code, f"T{message[1:]}.", details=(detail,))
