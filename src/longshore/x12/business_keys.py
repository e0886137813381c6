"""Where the numbers that people know a document by stand: one table by transaction set.

Source: contract.md section 5 (business key).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class KeyElement(NamedTuple):
    """Where a reference stands, and what it is called."""

    segment_id: str
    position: int
    name: str

    @property
    def element(self) -> str:
        """The place as a key: ``BEG.03``."""
        return f"{self.segment_id}.{self.position:02d}"


_TRACE: Final = KeyElement("TRN", 2, "Trace number")
_GROUP: Final = KeyElement("AK1", 2, "Acknowledged group control number")
KEY_ELEMENTS: Final[Mapping[str, tuple[KeyElement, ...]]] = MappingProxyType({
    "850": (KeyElement("BEG", 3, "Purchase order number"),),
    "855": (KeyElement("BAK", 3, "Purchase order number"),),
    "860": (KeyElement("BCH", 3, "Purchase order number"),),
    "856": (
        KeyElement("BSN", 2, "Shipment identification"),
        KeyElement("PRF", 1, "Purchase order number"),
    ),
    "810": (
        KeyElement("BIG", 2, "Invoice number"),
        KeyElement("BIG", 4, "Purchase order number"),
    ),
    "820": (_TRACE,),
    "835": (_TRACE,),
    "837": (
        KeyElement("BHT", 3, "Originator's reference"),
        KeyElement("CLM", 1, "Claim number"),
    ),
    "204": (KeyElement("B2", 4, "Shipment identification number"),),
    "214": (KeyElement("B10", 2, "Shipment identification number"),),
    "990": (KeyElement("B1", 2, "Shipment identification number"),),
    "940": (KeyElement("W05", 2, "Depositor order number"),),
    "945": (KeyElement("W06", 2, "Depositor order number"),),
    "997": (_GROUP,),
    "999": (_GROUP,),
})
"""By transaction set; the first that a set has is its business key."""
