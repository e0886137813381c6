"""The headers of an X12 output, from rules, addressing and stamp, checked.

Source: fields-and-mapping.md section 7, X12, points 4 to 6; x12.md sections 1.1, 1.5 and 3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from longshore.kit.errors import LongshoreError
from longshore.mapping.addressing import Addressing
from longshore.mapping.cells import CellValues
from longshore.mapping.target_refusals import (
    TYPE_MISMATCH,
    VALUE_TOO_LONG,
    conversion_failed,
    invalid_envelope,
)
from longshore.x12.dictionary.release import is_guide_id
from longshore.x12.writer.headers import GroupHeader, InterchangeHeader

HeaderPlace = tuple[str, int]
"""The id of a header and the position of an element, from 1."""

_REFERENCE_SINCE: Final = "005010"  # ST03
_WITHOUT_REFERENCE: Final = "835"  # its guide alone does not use ST03
_DECLARATION: Final = """
204:SM 210:IM 211:BL 214:QM 270:HS 271:HB 276:HR 277:HN 278:HI 315:QO 404:SR 753:RF 754:RG 810:IN
812:CD 816:OR 820:RA 824:AG 830:PS 832:SC 834:BE 835:HP 837:HC 840:RQ 843:RR 846:IB 850:PO 852:PD
855:PR 856:SH 857:BS 860:PC 861:RC 862:SS 864:TX 865:CA 867:PT 869:RS 870:RS 875:OG 880:GP 940:OW
943:AR 944:RE 945:SW 947:AW 990:GF 997:FA 999:FA
"""
FUNCTIONAL_IDS: Final[Mapping[str, str]] = MappingProxyType({
    tx_set: group for tx_set, _, group in (word.partition(":") for word in _DECLARATION.split())
})
"""GS01 by transaction set."""


@dataclass(frozen=True, slots=True)
class _Form:
    """The maximum length of an element, its pattern, and the envelope member that sets it."""

    most: int
    pattern: re.Pattern[str]
    member: str = ""


def _form(most: int, pattern: str, member: str = "") -> _Form:
    return _Form(most, re.compile(pattern), member)


_ANY: Final = "[^\r\n]*"
_SOMETHING: Final = "[^\r\n]*[^ \r\n][^\r\n]*"
_FORMS: Final[Mapping[HeaderPlace, _Form]] = MappingProxyType({
    ("ISA", 1): _form(2, "0[0-6]"),
    ("ISA", 2): _form(10, _ANY),
    ("ISA", 3): _form(2, "0[01]"),
    ("ISA", 4): _form(10, _ANY),
    ("ISA", 5): _form(2, "[A-Za-z0-9]{2}", "sender_qualifier"),
    ("ISA", 6): _form(15, _SOMETHING, "sender_id"),
    ("ISA", 7): _form(2, "[A-Za-z0-9]{2}", "receiver_qualifier"),
    ("ISA", 8): _form(15, _SOMETHING, "receiver_id"),
    ("ISA", 9): _form(6, "[0-9]{6}"),
    ("ISA", 10): _form(4, "[0-9]{4}"),
    ("ISA", 12): _form(5, "[0-9]{5}"),
    ("ISA", 13): _form(9, "[0-9]{1,9}"),
    ("ISA", 14): _form(1, "[01]"),
    ("ISA", 15): _form(1, "[PTI]", "usage_indicator"),
    ("GS", 1): _form(2, "[A-Z0-9]{2}"),
    ("GS", 2): _form(15, _SOMETHING, "gs_sender_id"),
    ("GS", 3): _form(15, _SOMETHING, "gs_receiver_id"),
    ("GS", 4): _form(8, "[0-9]{8}"),
    ("GS", 5): _form(8, "[0-9]{4}(?:[0-9]{2,4})?"),
    ("GS", 6): _form(9, "[0-9]{1,9}"),
    ("GS", 7): _form(2, "[A-Z]{1,2}"),
    ("GS", 8): _form(12, "[0-9]{6}[A-Z0-9]{0,6}", "version"),
    ("ST", 1): _form(3, "[A-Z0-9]{3}", "tx_set"),
    ("ST", 2): _form(9, "[A-Za-z0-9]{4,9}"),
    ("ST", 3): _form(35, _ANY),
})
HEADER_PLACES: Final = frozenset(_FORMS)
"""The elements of headers that a rule may write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Time and control numbers, which the caller provides.

    By default the numbers are preview numbers.
    """

    date: str
    """CCYYMMDD, ``time``: HHMM."""
    time: str
    seconds: str = "00"
    """Of the time, for formulas; no header has them."""
    interchange_number: str = "000000001"
    group_number: str = "1"
    set_number: str = "0001"

    @classmethod
    def at(cls, moment: datetime) -> Stamp:
        """Return the stamp of a moment, with preview numbers."""
        date, time, seconds = (moment.strftime(form) for form in ("%Y%m%d", "%H%M", "%S"))
        return cls(date=date, time=time, seconds=seconds)

    @property
    def moment(self) -> datetime:
        """The date and time, of no zone."""
        return datetime.strptime(self.date + self.time[:4] + self.seconds, "%Y%m%d%H%M%S")  # noqa: DTZ007


@dataclass(frozen=True, slots=True)
class Headers:
    """The elements of ISA, GS and ST; without ISA11 and ISA16, which follow from separators."""

    values: Mapping[HeaderPlace, str]

    @property
    def tx_set(self) -> str:
        """ST01."""
        return self.values["ST", 1]

    @property
    def interchange(self) -> InterchangeHeader:
        """The ISA."""
        return InterchangeHeader.of(["ISA", *self.row("ISA", 16)])

    @property
    def group(self) -> GroupHeader:
        """The GS."""
        return GroupHeader.of(["GS", *self.row("GS", 8)])

    def row(self, tag: str, count: int) -> list[str]:
        """Return the elements of a header, without its id."""
        return [self.values.get((tag, position), "") for position in range(1, count + 1)]


def headers_of(
    cells: Mapping[HeaderPlace, CellValues], addressing: Addressing, stamp: Stamp
) -> Headers:
    """Return the headers of an X12 output.

    Args:
        cells: The values that rules write, which take precedence over the addressing.
        addressing: The addressing.
        stamp: Date, time and control numbers.

    Raises:
        conversion_failed: A LongshoreError: tx_set_missing, functional_id_missing, value_too_long,
            type_mismatch.
        LongshoreError: invalid_parameter: a member of the envelope is at fault.
    """
    values = _header_values(addressing, stamp) | {
        place: cell.text for place, cell in cells.items() if cell.text
    }
    if not values["ST", 1]:
        message = "no rule, envelope or map says which transaction set it is"
        raise conversion_failed("tx_set_missing", None, message)
    version = values["GS", 8]
    values.setdefault(("ISA", 12), version[:5])
    has_reference = is_guide_id(version) and values["ST", 1] != _WITHOUT_REFERENCE
    if has_reference and version >= _REFERENCE_SINCE:
        values.setdefault(("ST", 3), version)
    for place, value in values.items():
        _check(place, value, cells.get(place))
    values["ISA", 13] = values["ISA", 13].rjust(9, "0")
    if ("GS", 1) not in values:
        functional_id = FUNCTIONAL_IDS.get(values["ST", 1])
        if functional_id is None:
            message = "the functional group of this transaction set is unknown: write GS.01"
            raise conversion_failed("functional_id_missing", None, message)
        values["GS", 1] = functional_id
    return Headers(values)


def _header_values(addressing: Addressing, stamp: Stamp) -> dict[HeaderPlace, str]:
    return {
        ("ISA", 1): "00",
        ("ISA", 3): "00",
        ("ISA", 5): addressing.sender_qualifier,
        ("ISA", 6): addressing.sender_id,
        ("ISA", 7): addressing.receiver_qualifier,
        ("ISA", 8): addressing.receiver_id,
        ("ISA", 9): stamp.date[2:],
        ("ISA", 10): stamp.time[:4],
        ("ISA", 13): stamp.interchange_number,
        ("ISA", 14): "0",
        ("ISA", 15): addressing.usage_indicator,
        ("GS", 2): addressing.gs_sender_id,
        ("GS", 3): addressing.gs_receiver_id,
        ("GS", 4): stamp.date,
        ("GS", 5): stamp.time,
        ("GS", 6): stamp.group_number,
        ("GS", 7): "X",
        ("GS", 8): addressing.version,
        ("ST", 1): addressing.tx_set,
        ("ST", 2): stamp.set_number,
    }


def _check(place: HeaderPlace, value: str, cell: CellValues | None) -> None:
    form = _FORMS[place]
    name = f"{place[0]}.{place[1]:02d}"
    if len(value) > form.most:
        raise _refusal(VALUE_TOO_LONG, f"{name} has at most {form.most} characters", cell, form)
    if form.pattern.fullmatch(value) is None:
        raise _refusal(TYPE_MISMATCH, f"the value is not what {name} may hold", cell, form)


def _refusal(code: str, message: str, cell: CellValues | None, form: _Form) -> LongshoreError:
    if cell is not None:
        return conversion_failed(code, cell.groups[0][-1].writes.rule, message)
    assert form.member  # nothing else comes from outside
    return invalid_envelope(form.member, message)
