"""What partners put around their sets: an interchange with one group, under their own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from longshore.demo.documents import FUNCTIONAL_IDS, Segments, transaction_set
from longshore.domain.partners.model import Identity

FIRST_NUMBER: Final = 500_000_001
"""Of all that a partner sends; ours are far below, so that nobody takes one for the other."""

GUIDE_999: Final = "005010X231A1"
_USES_999_FROM: Final = "005010"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedInterchange:
    """An interchange. ``number``: ISA13 and GS06; ``usage``: ISA15; ``width``: of ISA06 and 08."""

    sender: Identity
    receiver: Identity
    version: str
    at: datetime
    number: int
    usage: str = "T"
    width: int = 15

    def write(self, set_id: str, *bodies: Segments) -> bytes:
        """Return the interchange with a set for each body."""
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
        """Return a letter that differs in these members."""
        return replace(self, **members)  # type: ignore[arg-type]  # each as its field


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedError:
    """What a partner finds wrong with an element of ours; ``code``: AK403, as 7 for a code."""

    segment_id: str
    position: int
    element: int
    reference: str
    code: str
    value: str


def complaint_about(body: Sequence[str], rule: tuple[str, int, str, str]) -> SimulatedError | None:
    """Return a complaint about the first segment of an id that has the element.

    ``body``: the segments of a set from its ST. ``rule``: segment id, element, its number in the
    dictionary, and the code.
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


def answer_form(version: str) -> str:
    """Return what acknowledges groups of a version: ``997``, from 005010 on ``999``."""
    return "999" if version >= _USES_999_FROM else "997"


def verdict(
    version: str, group: Sequence[str], set_head: Sequence[str], complaint: SimulatedError | None
) -> Segments:
    """Return the body of a 997 or 999 about the only set of a group: rejected, or accepted.

    ``group`` and ``set_head``: the elements of its GS and ST, the tag first.
    """
    is_999 = answer_form(version) == "999"
    mark = "IK" if is_999 else "AK"
    noted: Segments = ()
    if complaint is not None:
        of = complaint
        noted = (
            f"{mark}3*{of.segment_id}*{of.position}**8",
            f"{mark}4*{of.element}*{of.reference}*{of.code}*{of.value}",
        )
    return (
        f"AK1*{group[1]}*{group[6]}{f'*{group[8]}' if is_999 else ''}",
        f"AK2*{set_head[1]}*{set_head[2]}",
        *noted,
        f"{mark}5*{'R*5' if complaint else 'A'}",
        f"AK9*{'R*1*1*0' if complaint else 'A*1*1*1'}",
    )
