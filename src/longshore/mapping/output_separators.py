"""Choose the separators of an X12 output: those wanted, unless a value holds one of them.

Source: fields-and-mapping.md section 7, X12, point 7.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from longshore.mapping.output_warnings import OutputWarnings
from longshore.mapping.set_lines import SetLine
from longshore.mapping.target_refusals import delimiter_in_data, invalid_envelope
from longshore.x12.delimiters import Delimiters, is_usable
from longshore.x12.writer.separators import DEFAULT_DELIMITERS, separators_for

REPETITION_SINCE: Final = "00402"  # ISA12
_NAMES: Final = ("element", "segment", "component", "repetition")


def wanted_separators(addressing: Delimiters | None, interchange_version: str) -> Delimiters:
    """Return the separators to begin with; one for repetitions only in versions that have it.

    Raises:
        invalid_envelope: A LongshoreError: two are equal, or one could be data.
    """
    wanted = (addressing or DEFAULT_DELIMITERS)._replace(release="")
    if interchange_version < REPETITION_SINCE:
        wanted = wanted._replace(repetition="")
    marks = wanted.marks.replace("\r\n", "\n")
    if len(set(marks)) != len(marks) or not all(map(is_usable, marks)) or not all(wanted[:3]):
        message = "separators are four different characters, no letters, digits or spaces"
        raise invalid_envelope("separators", message)
    return wanted


def fixed_separators(
    lines: Iterable[SetLine], wanted: Delimiters, replacement: str, warnings: OutputWarnings
) -> None:
    """Make sure that no line holds a separator of ``wanted``, which may not be changed.

    ``replacement`` is written in place of one; ``""`` refuses it.

    Raises:
        delimiter_in_data: A LongshoreError.
    """
    marks = set(wanted.marks)
    replaced = str.maketrans(dict.fromkeys(marks, replacement))
    for line in lines:
        for place, text in list(line.data()):
            if marks.isdisjoint(text):
                continue
            writes = line.part(place).writes
            if not replacement:
                raise delimiter_in_data(writes.rule)
            message = "separators in values were replaced, as the profile of the partner says"
            warnings.add("separator_replaced", message, writes)
            line.texts[place] = text.translate(replaced)


def free_separators(
    lines: Iterable[SetLine], headers: Iterable[str], wanted: Delimiters, warnings: OutputWarnings
) -> Delimiters:
    """Return ``wanted``, other separators instead of those that occur in the data.

    Raises:
        LongshoreError: delimiter_in_data: the values hold everything that could be one.
    """
    values = [text for line in lines for _, text in line.data()]
    chosen = separators_for([*values, *headers], wanted)
    changed = [
        f"{name} {_shown(mark)}"
        for name, mark, before in zip(_NAMES, chosen, wanted, strict=False)
        if mark != before
    ]
    if changed:
        message = f"values hold separators, so others were chosen: {', '.join(changed)}"
        warnings.add("separators_changed", message)
    return chosen


def _shown(mark: str) -> str:
    return mark if mark.isprintable() else f"0x{ord(mark):02X}"
