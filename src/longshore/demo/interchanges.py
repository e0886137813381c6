"""Interchanges and acknowledgements as the partners of the demo write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from longshore.demo.documents import FUNCTIONAL_IDS, Segments, transaction_set
from longshore.domain.partners.model import Identity

FIRST_NUMBER: Final = 500_000_001
"""The first control number of each partner. Ours are much lower, so that they never meet."""

GUIDE_999: Final = "005010X231A1"
_USES_999_FROM: Final = "005010"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedInterchange:
    """The envelope of an interchange with one functional group."""

    sender: Identity
    receiver: Identity
    version: str
    at: datetime
    number: int
    """The control number: ISA13 and GS06."""
    usage: str = "T"
    """ISA15."""
    width: int = 15
    """The width of ISA06 and ISA08; another width makes the header invalid."""

    def write(self, set_id: str, *bodies: Segments) -> bytes:
        """Return the interchange with one transaction set for each body."""
        date, time = self.at.strftime("%Y%m%d"), self.at.strftime("%H%M")
        is_999 = set_id == "999"
        version = GUIDE_999 if is_999 else self.version
        names = f"{self.sender.group_id}*{self.receiver.group_id}"
        has_repetition = self.version >= "00402"
        return "".join((
            "ISA*00*          *00*          ",
            *(
                f"*{each.qualifier}*{each.isa_id:{self.width}}"
                for each in (self.sender, self.receiver)
            ),
            f"*{date[2:]}*{time}*{'^' if has_repetition else 'U'}*{self.version[:5]}",
            f"*{self.number:09d}*0*{self.usage}*>~",
            f"GS*{FUNCTIONAL_IDS[set_id]}*{names}*{date}*{time}*{self.number}*X*{version}~",
            *(
                transaction_set(set_id, body, f"{at:04d}", GUIDE_999 if is_999 else "")
                for at, body in enumerate(bodies, 1)
            ),
            f"GE*{len(bodies)}*{self.number}~IEA*1*{self.number:09d}~",
        )).encode()

    def changed(self, **members: object) -> SimulatedInterchange:
        """Return an interchange that differs in these members."""
        return replace(self, **members)  # type: ignore[arg-type]  # each as its field


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedError:
    """An error that a partner reports in an element of our document."""

    segment_id: str
    position: int
    """The position of the segment in its transaction set, ST being 1."""
    element: int
    reference: str
    """The number of the element in the dictionary: AK402."""
    code: str
    """AK403, such as 7 for an invalid code value."""
    value: str


def find_value_error(body: Sequence[str], rule: tuple[str, int, str, str]) -> SimulatedError | None:
    """Return an error in the first segment of an id that has the element, if there is one.

    Args:
        body: The segments of a transaction set from its ST.
        rule: Segment id, element, its number in the dictionary, and the code of the error.
    """
    segment_id, element, reference, code = rule
    for position, segment in enumerate(body, 1):
        parts = segment.split("*")
        if parts[0] == segment_id and len(parts) > element and parts[element]:
            return SimulatedError(
                segment_id=segment_id,
                position=position,
                element=element,
                reference=reference,
                code=code,
                value=parts[element],
            )
    return None


def ack_set_id(version: str) -> str:
    """Return what acknowledges groups of a version: ``997``, from 005010 on ``999``."""
    return "999" if version >= _USES_999_FROM else "997"


def acknowledgement_body(
    version: str, group: Sequence[str], set_head: Sequence[str], error: SimulatedError | None
) -> Segments:
    """Return the body of a 997 or 999 about the only set of a group: rejected, or accepted.

    ``group`` and ``set_head`` are the elements of its GS and ST, the tag first.
    """
    is_999 = ack_set_id(version) == "999"
    mark = "IK" if is_999 else "AK"
    noted: Segments = ()
    if error is not None:
        of = error
        noted = (
            f"{mark}3*{of.segment_id}*{of.position}**8",
            f"{mark}4*{of.element}*{of.reference}*{of.code}*{of.value}",
        )
    return (
        f"AK1*{group[1]}*{group[6]}{f'*{group[8]}' if is_999 else ''}",
        f"AK2*{set_head[1]}*{set_head[2]}",
        *noted,
        f"{mark}5*{'R*5' if error else 'A'}",
        f"AK9*{'R*1*1*0' if error else 'A*1*1*1'}",
    )
