"""The state in which a formula is computed: the row, the values of its paths, and the call.

Source: formulas.md sections 1 to 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.formulas.values import Value

MAX_STEPS: Final = 500_000
CHARS_PER_STEP: Final = 1_000

Row = tuple[int, ...]
"""The ordinals of a row, from 0, outermost first."""


@dataclass(slots=True)
class FormulaCall:
    """The state that the formulas of one conversion share."""

    moment: datetime | None
    """Date and time of the call, in its zone; None if the caller gave none."""
    checkpoint: Callable[[int], object]
    """Called now and then; an exception it raises ends the conversion."""
    steps_left: int = MAX_STEPS
    outer: Row = ()
    """The ordinals of the element of a list rule whose rules are run."""
    numbers: dict[str, dict[object, int]] = field(default_factory=dict)
    """The rows that each counter has numbered, by its name."""

    def spend(self, steps: int) -> None:
        """Take steps.

        Raises:
            _too_many_steps: A LongshoreError limit_exceeded: the conversion has none left.
        """
        before = self.steps_left
        self.steps_left = before - steps
        if self.steps_left < 0:
            raise _too_many_steps()
        if before // CHARS_PER_STEP != self.steps_left // CHARS_PER_STEP:
            self.checkpoint(0)


@dataclass(slots=True)
class Frame:
    """The values that a formula computes with."""

    call: FormulaCall
    columns: list[Sequence[Value]]
    """For each path that has one value in a row: its values by row; a single one goes with all."""
    lists: list[Sequence[Sequence[Value]]]
    """For each path that has several: by row the values, in order."""
    rows: Sequence[Row] = ()
    scope: object = None
    """The list that the rule writes, the same object for all rules that write it."""
    row: int = 0
    """The current row, an index of ``rows``."""
    inner: int = -1
    """The current row of the list that a list function goes through, -1 outside."""
    made: dict[int, Sequence[Value]] = field(default_factory=dict)
    """The lists that ``where``, ``sort`` and ``distinct`` made, by their number."""
    hits: list[tuple[str, str]] = field(default_factory=list)
    """The sources of the value besides paths, for ``explain``: a name and its value."""
    written: Mapping[str, int] = field(default_factory=dict)
    """The numbers of segments of the output so far, by id."""


def _too_many_steps() -> LongshoreError:
    code = ErrorCode.LIMIT_EXCEEDED
    message = f"the formulas of a conversion take more than {MAX_STEPS} steps"
    detail = ErrorDetail(code=code, message=message, limit="formula_steps", max=MAX_STEPS)
    return LongshoreError(code, f"T{message[1:]}.", details=(detail,))
