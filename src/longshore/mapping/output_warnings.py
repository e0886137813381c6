"""Collect the warnings about an X12 output, each once for a rule.

Source: fields-and-mapping.md section 7, X12, points 4 and 7.
"""

from __future__ import annotations

from longshore.mapping.target_paths import ALL, X12Step, X12Target
from longshore.mapping.writes import MappingWarning, RuleWrites


class OutputWarnings:
    """Collects warnings; the same one about the same rule counts once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, int | None], MappingWarning] = {}

    def add(self, code: str, message: str, writes: RuleWrites | None = None) -> None:
        """Add a warning.

        Args:
            code: The code of the warning.
            message: Its text.
            writes: The rule it is about, if any.
        """
        rule = None if writes is None else writes.rule
        param = "" if rule is None else f"field_map[{rule}]"
        target = None if writes is None else writes.target
        tgt = target_text(target) if isinstance(target, X12Target) else ""
        self._found.setdefault((code, message, rule), MappingWarning(code, message, param, tgt))

    def all(self) -> tuple[MappingWarning, ...]:
        """Return the warnings in the order in which they came up."""
        return tuple(self._found.values())


def target_text(target: X12Target) -> str:
    """Return a target as a rule has it, such as ``PO1[*]>PID.05``."""
    path = ">".join(map(_step, target.steps))
    repetition = _number(target.repetition)
    component = f".{target.component:02d}" if target.component else ""
    return f"{path}.{target.position:02d}{repetition}{component}"


def _step(step: X12Step) -> str:
    return step.segment_id + _number(step.occurrence)


def _number(occurrence: object) -> str:
    if occurrence is ALL:
        return "[*]"
    return "" if occurrence == 1 else f"[{occurrence}]"
