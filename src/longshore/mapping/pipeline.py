"""The way of a value through a rule: transform, lookup, operations, type.

Source: fields-and-mapping.md section 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.rule import OnMissing, Rule
from longshore.mapping.target_refusals import conversion_failed
from longshore.mapping.values import (
    DATE_ISO,
    MAX_VALUE_CHARS,
    Stage,
    ValueFaultError,
    ValueTooLongError,
)
from longshore.mapping.writes import NULL, Binding, MappingWarning, RuleWrites

# Called now and then with the characters that were made since; raises when it is enough.
Checkpoint = Callable[[int], object]

_CHARS_UNTOLD: Final = 1_000  # of a rule; fewer are not worth a checkpoint
_WORK_BETWEEN: Final = 1_000_000  # characters that operations go through: about a millisecond
_WORK_OF_A_CALL: Final = 200  # what calling an operation costs, in such characters
_FILLERS: Final[Mapping[OnMissing, str]] = MappingProxyType({
    OnMissing.NULL: NULL,
    OnMissing.EMPTY: "",
})


class ValuePipeline:
    """Makes the values that rules write of those that they read.

    Args:
        checkpoint: Called during costly operations.
        warnings: Receives the warnings about values.
        has_literals: Values may be JSON literals.
    """

    def __init__(
        self, checkpoint: Checkpoint, warnings: list[MappingWarning], *, has_literals: bool
    ) -> None:
        self._checkpoint = checkpoint
        self._warnings = warnings
        self._has_literals = has_literals

    def single(self, rule: Rule, value: str | None) -> str | None:
        """Return what becomes of the only value of a rule."""
        if value is None or (rule.is_plain and not self._has_literals):
            return value
        values = rule.values
        final: str | None = None
        if len(value) <= _CHARS_UNTOLD and len(values.stages) <= 1:
            noted: list[str] = []
            try:
                final = values.stages[0](noted.append)(value) if values.stages else value
                if final is not None and values.finish is not None:
                    final = values.finish(final)
            except (ValueFaultError, ValueTooLongError):
                final = None
            if final is not None and not noted and len(final) <= _CHARS_UNTOLD:
                return final
        return self.finals(rule, (value,))[0]

    def finals(self, rule: Rule, values: Sequence[str | None]) -> Sequence[str | None]:
        """Return what becomes of values; None for one that is missing.

        Raises:
            conversion_failed: A LongshoreError; a value does not do what the rule demands.
            too_long: A LongshoreError limit_exceeded.
        """
        finish = rule.values.finish
        has_finish = finish is not None and (finish is not str or self._has_literals)
        if not rule.values.stages and not has_finish:
            return values
        noted: Counter[str] = Counter()
        try:
            stages = [make(_note_into(noted, rule)) for make in rule.values.stages]
            if finish is not None:
                stages.append(finish)
            finals = list(self._through(stages, values))
        except ValueFaultError as error:
            raise conversion_failed(error.code, rule.index, error.message) from error
        except ValueTooLongError as error:
            raise too_long(rule) from error
        for code, count in noted.items():
            message = f"{count} of {len(values)} values are not as {code} expects; left unchanged"
            self._warnings.append(MappingWarning(code, message, rule.param, rule.tgt))
        return finals

    def _through(
        self, stages: Sequence[Stage], values: Sequence[str | None]
    ) -> Iterator[str | None]:
        """Yield what stages make of values; None for one that is missing or gets lost."""
        work = made = 0
        for given in values:
            value = given
            for stage in stages:
                if value is None:
                    break
                work += _WORK_OF_A_CALL + len(value)
                value = stage(value)
                if work > _WORK_BETWEEN:
                    self._checkpoint(made)
                    work = made = 0
            made += len(value or "")
            yield value
        if made > _CHARS_UNTOLD:
            self._checkpoint(made)


def _note_into(noted: Counter[str], rule: Rule) -> Callable[[str], None]:
    def note(code: str) -> None:
        if code == DATE_ISO and rule.values.on_missing is OnMissing.ERROR:
            raise ValueFaultError("date_invalid", "the value is not a date that date_iso knows")
        noted[code] += 1

    return note


def too_long(rule: Rule) -> LongshoreError:
    """Return the error about a rule that makes a value longer than ``MAX_VALUE_CHARS``."""
    code = ErrorCode.LIMIT_EXCEEDED
    member, what = ("then", "an operation") if rule.formula is None else ("formula", "the formula")
    message = f"{what} makes a value longer than {MAX_VALUE_CHARS} characters"
    detail = ErrorDetail(
        code=code,
        param=f"{rule.param}.{member}",
        message=message,
        limit="value_chars",
        max=MAX_VALUE_CHARS,
    )
    return LongshoreError(
        code, f"{message[0].upper()}{message[1:]} ({rule.param}).", details=(detail,)
    )


def fill_gaps(
    rule: Rule, made: RuleWrites, bindings: Sequence[Binding], finals: Sequence[str | None]
) -> None:
    """Write the default, or the result of ``on_missing``, where a value is missing."""
    default = rule.values.default
    pairs = zip(bindings, finals, strict=True)
    if default is not None:
        made.entries = [(binding, default if final is None else final) for binding, final in pairs]
        return
    refuse_missing(rule)
    filler = _FILLERS.get(rule.values.on_missing)
    if filler is not None:
        made.fillers = [(binding, filler) for binding, final in pairs if final is None]


def refuse_missing(rule: Rule) -> None:
    """Refuse that a value is missing, if the rule demands it.

    Raises:
        conversion_failed: A LongshoreError, required_missing.
    """
    if rule.values.on_missing is OnMissing.ERROR and rule.values.default is None:
        raise conversion_failed("required_missing", rule.index, "the source has no such value")
