"""The interchange around sample sets, as segments and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from longshore.x12.samples.sample_set import COMPONENT, REPETITION, SampleSet

Row = list[str]
ELEMENT: Final = "*"
SEGMENT: Final = "~"
_REFERENCE_SINCE: Final = "005010"  # ST03, and a separator of repetitions
_NUMBERS: Final = 10**9  # control numbers have at most nine digits


class SampleAddress(NamedTuple):
    """The address of an interchange: ISA05 and ISA06, or ISA07 and ISA08."""

    qualifier: str
    id: str


SENDER: Final = SampleAddress("ZZ", "QUILLMARK")
RECEIVER: Final = SampleAddress("ZZ", "BRINDLEWOOD")


def interchange(
    first: SampleSet,
    bodies: Sequence[Sequence[Row]],
    control_number: int,
    sender: SampleAddress = SENDER,
    receiver: SampleAddress = RECEIVER,
) -> list[Row]:
    """Return the segments of an interchange with one group of sets, ISA to IEA.

    Args:
        first: The first set, whose definition and day the interchange has.
        bodies: The segments of each set, without ST and SE.
        control_number: The control number of the interchange and of the group.
        sender: The address that sends.
        receiver: The address that receives.
    """
    definition, values = first.definition, first.values
    has_reference = definition.release >= _REFERENCE_SINCE
    number = str(control_number % _NUMBERS or 1)
    isa = [
        *("ISA", "00", " " * 10, "00", " " * 10),
        *(sender.qualifier.ljust(2), sender.id.ljust(15)),
        *(receiver.qualifier.ljust(2), receiver.id.ljust(15)),
        *(f"{values.day:%y%m%d}", values.time, REPETITION if has_reference else "U"),
        *("00501" if has_reference else "00401", number.rjust(9, "0"), "0", "T", COMPONENT),
    ]
    gs = [
        *("GS", definition.functional_id, sender.id, receiver.id),
        *(f"{values.day:%Y%m%d}", values.time, number, "X"),
        definition.guide or definition.release,
    ]
    reference = [definition.guide] if definition.guide and has_reference else []
    rows = [isa, gs]
    for at, body in enumerate(bodies, 1):
        rows.append(["ST", definition.tx_set, f"{at:04d}", *reference])
        rows += body
        rows.append(["SE", str(len(body) + 2), f"{at:04d}"])
    return [*rows, ["GE", str(len(bodies)), number], ["IEA", "1", isa[13]]]


def text_of(rows: Iterable[Row]) -> str:
    """Return segments as text, each on a line of its own."""
    return "".join(f"{ELEMENT.join(row)}{SEGMENT}\n" for row in rows)
