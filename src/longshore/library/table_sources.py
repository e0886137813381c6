"""Where the columns of business rows come from, by transaction set.

A row is a loop, known by the segment that begins it. A source is tried where it is most likely to
belong to the row: in its loop, in the loops directly in that, then likewise around it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class ColumnSource(NamedTuple):
    """An element that a column is read from."""

    segment_id: str
    position: int
    component: int
    """1-based, 0 for the whole element."""
    qualifiers: tuple[tuple[int, tuple[str, ...]], ...]
    """Elements, by position, and the values one of which each must have."""
    pairs: tuple[str, ...] = ()
    """Codes: the column is the element behind the first of these, searched in pairs from
    ``position`` on."""


class RowSource(NamedTuple):
    """The rows of a table that a transaction set has."""

    table: str
    trigger: str
    """The segment that begins the loop of a row."""
    qualifiers: tuple[tuple[int, tuple[str, ...]], ...]
    columns: Mapping[str, tuple[ColumnSource, ...]]
    """The sources of each column, the first that has a value wins."""


_SOURCE = re.compile(
    "([A-Z0-9]{2,3}?)([0-9]{2})(?:-([0-9]))?((?:,[0-9]{2}=[A-Z0-9/]+)*)(?:#([A-Z/]+))?"
)
# A set, a table, the segment that begins a row, and the columns; ``item`` stands for three of them.
_DECLARATIONS: Final = """
850 purchase_order_lines PO1 order=BEG03 line=PO101 quantity=PO102 unit=PO103 unit_price=PO104
    item=PO106 description=PID05

860 purchase_order_lines POC order=BCH03 line=POC01 quantity=POC03 unit=POC05-1 unit_price=POC06
    item=POC08 description=PID05

810 invoice_lines IT1 invoice=BIG02 order=BIG04 line=IT101 quantity=IT102 unit=IT103
    unit_price=IT104 item=IT106 description=PID05

856 ship_notice_items HL,03=I shipment=BSN02 order=PRF01 quantity=SN102 unit=SN103 item=LIN02

837 claims CLM batch=BHT03 claim=CLM01 total=CLM02 place_of_service=CLM05-1 frequency=CLM05-3
    billing_provider=NM109,01=85 subscriber=NM109,01=IL payer=NM109,01=PR

837 claim_services LX claim=CLM01 line=LX01 procedure=SV101-2|SV202-2|SV301-2
    charge=SV102|SV203|SV302 unit=SV103|SV204 quantity=SV104|SV205|SV306
    service_date=DTP03,01=472,02=D8

835 remittance_claims CLP payment=TRN02 payment_date=BPR16 payer=N102,01=PR claim=CLP01 status=CLP02
    charge=CLP03 paid=CLP04 patient_responsibility=CLP05 payer_claim=CLP07

835 remittance_services SVC payment=TRN02 claim=CLP01 procedure=SVC01-2 charge=SVC02 paid=SVC03
    quantity=SVC05 service_date=DTM02,01=472/150

834 members INS member=NM109,01=IL/74 subscriber=REF02,01=0F maintenance_type=INS03
    relationship=INS02 last_name=NM103,01=IL/74 first_name=NM104,01=IL/74 birth_date=DMG02,01=D8

834 coverages HD member=NM109,01=IL/74 insurance_line=HD03 plan=HD04 level=HD05
    begin_date=DTP03,01=348,02=D8 end_date=DTP03,01=349,02=D8

204 load_stops S5 shipment=B204 stop=S501 reason=S502 weight=S503 weight_unit=S504

214 shipment_statuses AT7 shipment=B1002 status=AT701 reason=AT702 status_date=AT705
    status_time=AT706 time_zone=AT707
"""
_ITEM: Final = "buyer_item={0}#BP/IN vendor_item={0}#VP/VN/VC/SK upc={0}#UP/UK/UA/UI/EN"


def _qualifiers(text: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    words = (word.partition("=") for word in text.split(",") if word)
    return tuple((int(position), tuple(values.split("/"))) for position, _, values in words)


def _source(text: str) -> ColumnSource:
    found = _SOURCE.fullmatch(text)
    assert found is not None  # the declarations are ours
    segment_id, position, component, qualifiers, pairs = found.groups()
    return ColumnSource(
        segment_id,
        int(position),
        int(component or 0),
        _qualifiers(qualifiers),
        tuple(pairs.split("/")) if pairs else (),
    )


def _row_source(table: str, trigger: str, *declarations: str) -> RowSource:
    segment_id, _, qualifiers = trigger.partition(",")
    columns: dict[str, tuple[ColumnSource, ...]] = {}
    for declaration in declarations:
        start = declaration.removeprefix("item=")
        words = [declaration] if start == declaration else _ITEM.format(start).split()
        for name, _, sources in (word.partition("=") for word in words):
            columns[name] = tuple(map(_source, sources.split("|")))
    return RowSource(table, segment_id, _qualifiers(qualifiers), MappingProxyType(columns))


def _row_sources() -> Mapping[str, tuple[RowSource, ...]]:
    found: dict[str, tuple[RowSource, ...]] = {}
    for block in _DECLARATIONS.strip().split("\n\n"):
        tx_set, *words = block.split()
        found[tx_set] = (*found.get(tx_set, ()), _row_source(*words))
    return MappingProxyType(found)


ROW_SOURCES: Final = _row_sources()
"""The business rows of each transaction set."""
BUSINESS_TABLES: Final = frozenset(
    source.table for sources in ROW_SOURCES.values() for source in sources
)

SET_DATES: Final[Mapping[str, ColumnSource]] = MappingProxyType({
    tx_set: _source(source)
    for tx_set, source in (
        *(("850", "BEG05"), ("855", "BAK04"), ("856", "BSN03"), ("860", "BCH06")),
        *(("810", "BIG01"), ("835", "BPR16"), ("820", "BPR16"), ("837", "BHT04")),
    )
})
"""The date of reference of a transaction set."""
SET_TOTALS: Final[Mapping[str, ColumnSource]] = MappingProxyType({
    tx_set: _source(source)
    for tx_set, source in (("810", "TDS01"), ("835", "BPR02"), ("820", "BPR02"))
})
"""The total of a transaction set."""
