"""The values of ISA and GS, without padding and without those that are computed."""

from __future__ import annotations

from typing import NamedTuple

from longshore.x12.control import element_at


class InterchangeHeader(NamedTuple):
    """The values of an ISA, without padding; ISA11 and ISA16 are computed from the separators.

    Addresses, authorization and security are pairs of qualifier and value.
    """

    sender: tuple[str, str]
    receiver: tuple[str, str]
    date: str
    """YYMMDD, ``time``: HHMM."""
    time: str
    version: str
    control_number: str
    usage: str
    ack_requested: str = "0"
    authorization: tuple[str, str] = ("00", "")
    security: tuple[str, str] = ("00", "")

    @classmethod
    def of(cls, row: list[str]) -> InterchangeHeader:
        """Return the header with the values of an ISA."""
        isa = [element.rstrip(" ") for element in row]
        return cls(
            authorization=(isa[1], isa[2]),
            security=(isa[3], isa[4]),
            sender=(isa[5], isa[6]),
            receiver=(isa[7], isa[8]),
            date=isa[9],
            time=isa[10],
            version=isa[12],
            control_number=isa[13],
            ack_requested=isa[14],
            usage=isa[15],
        )


class GroupHeader(NamedTuple):
    """The values of a GS."""

    functional_id: str
    sender: str
    receiver: str
    date: str
    """CCYYMMDD, ``time``: HHMM and perhaps more."""
    time: str
    control_number: str
    version: str
    agency: str = "X"

    @classmethod
    def of(cls, row: list[str]) -> GroupHeader:
        """Return the header with the values of a GS; missing ones are ``""``."""
        gs = [element_at(row, position) for position in range(9)]
        return cls(
            functional_id=gs[1],
            sender=gs[2],
            receiver=gs[3],
            date=gs[4],
            time=gs[5],
            control_number=gs[6],
            agency=gs[7],
            version=gs[8],
        )
