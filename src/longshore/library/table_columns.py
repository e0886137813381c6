"""The tables that documents become: their names, and the name and type of each column.

Source: docs/reference/library.md. Columns are added at the end and never renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import Final, NamedTuple


class ColumnType(Enum):
    """The types of columns."""

    TEXT = auto()
    COUNT = auto()
    """A number of 32 bits."""
    SIZE = auto()
    """A number of 64 bits."""
    SECONDS = auto()
    """A number of seconds with a fraction."""
    FLAG = auto()
    AMOUNT = auto()
    """A decimal number of 18 digits, 4 of them after the point."""
    DATE = auto()
    TIMESTAMP = auto()
    """A date with a time of day, without a time zone: X12 names none."""
    DIGEST = auto()
    """32 bytes."""
    TEXTS = auto()
    COUNTS = auto()
    ELEMENTS = auto()
    """The elements of a segment, each a list of repetitions, each a list of components."""
    CODES = auto()
    """Codes by level: pairs of texts."""


class TableColumn(NamedTuple):
    """A column of a table."""

    name: str
    type: ColumnType


def _columns(declaration: str) -> tuple[TableColumn, ...]:
    """Read columns written as ``name:type``; the type of a name alone is text."""
    words = (word.partition(":") for word in declaration.split())
    return tuple(TableColumn(name, ColumnType[(kind or "text").upper()]) for name, _, kind in words)


KEYS: Final = _columns(
    "file file_sha256:digest interchange:count group:count transaction_set:count"
)
"""The columns that every table begins with; the last three are positions in the file, from 1."""
_SEGMENT: Final = _columns("segment:count")
_ITEM: Final = "buyer_item vendor_item upc"
_DECLARATIONS: Final = MappingProxyType({
    "files": """size:size charset status error_code error_message interchange_count:count
        group_count:count transaction_set_count:count segment_count:count finding_count:count
        seconds:seconds""",
    "interchanges": """sender_qualifier sender_id receiver_qualifier receiver_id date time version
        control_number usage element_separator segment_terminator component_separator
        repetition_separator ack_requested:flag is_complete:flag""",
    "groups": "functional_id sender receiver timestamp:timestamp control_number version",
    "transaction_sets": """tx_set control_number version guide definition outcome error_count:count
        business_key reference_date:date total:amount segment_count:count""",
})
_OF_SEGMENTS: Final = MappingProxyType({
    "segments": "segment_id loop:texts loop_index:counts hl_id hl_parent elements:elements",
    "elements": "segment_id position:count repetition:count component:count value name",
    "findings": """code severity layer message segment_id segment_position:count loop_id
        element_position:count component_position:count repeat:count element_ref path offset:size
        line:size allowed:texts ack_code:codes""",
    "acknowledgements": """level ack_type answered_interchange functional_id answered_group tx_set
        answered_set status codes:texts answered_segment_id answered_segment_position:count
        answered_loop_id answered_element_position:count answered_component_position:count
        answered_repeat:count element_ref bad_value""",
    "purchase_order_lines": f"""order line quantity:amount unit unit_price:amount {_ITEM}
        description""",
    "invoice_lines": f"""invoice order line quantity:amount unit unit_price:amount {_ITEM}
        description""",
    "ship_notice_items": f"shipment order quantity:amount unit {_ITEM}",
    "claims": """batch claim total:amount place_of_service frequency billing_provider subscriber
        payer""",
    "claim_services": """claim line procedure charge:amount unit quantity:amount
        service_date:date""",
    "remittance_claims": """payment payment_date:date payer claim status charge:amount paid:amount
        patient_responsibility:amount payer_claim""",
    "remittance_services": """payment claim procedure charge:amount paid:amount quantity:amount
        service_date:date""",
    "members": """member subscriber maintenance_type relationship last_name first_name
        birth_date:date""",
    "coverages": "member insurance_line plan level begin_date:date end_date:date",
    "load_stops": "shipment stop reason weight:amount weight_unit",
    "shipment_statuses": "shipment status reason status_date:date status_time time_zone",
})
TABLES: Final[Mapping[str, tuple[TableColumn, ...]]] = MappingProxyType(
    {name: KEYS + _columns(columns) for name, columns in _DECLARATIONS.items()}
    | {name: KEYS + _SEGMENT + _columns(columns) for name, columns in _OF_SEGMENTS.items()}
)
"""The columns of each table, by its name."""
