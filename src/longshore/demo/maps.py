"""The saved maps of the demo: one writes orders, the other reads them.

"Order to 850" takes the qualifier of an article number from the lookup table ``article_numbers``.
Its row ``special`` has the value ``XX``, which no partner knows. This is the mistake to find.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from longshore.demo.documents import json_order
from longshore.demo.orders import Order
from longshore.domain.maps.model import MapDefinition, SampleDocument

ORDER_MAP: Final = "Order to 850"
READING_MAP: Final = "850 to order"
STANDARD, SPECIAL = "standard", "special"
"""The kinds of article: with the seller's number, and with the wrong qualifier."""

ARTICLE_NUMBERS: Final = "article_numbers"
WRONG_QUALIFIER: Final = "XX"

_Rule = Mapping[str, object]
_ORDER: Final = "order"
_LINE: Final = "order.lines[*]"


def _read(source: str, target: str, **members: object) -> _Rule:
    return {"src": source, "tgt": target, **members}


def _write(value: str, target: str) -> _Rule:
    return {"const": value, "tgt": target}


_X12_DATE: Final = [{"op": "date", "in": "CCYY-MM-DD", "out": "CCYYMMDD"}]
_TO_850: Final[Sequence[_Rule]] = (
    _write("00", "BEG.01"),
    _write("NE", "BEG.02"),
    _read(f"{_ORDER}.number", "BEG.03", required=True),
    _read(f"{_ORDER}.date", "BEG.05", then=_X12_DATE),
    _write("ST", "N1.01"),
    _read(f"{_ORDER}.ship_to.name", "N1.02"),
    _write("92", "N1.03"),
    _read(f"{_ORDER}.ship_to.id", "N1.04"),
    _read(f"{_ORDER}.ship_to.street", "N1>N3.01"),
    _read(f"{_ORDER}.ship_to.city", "N1>N4.01"),
    _read(f"{_ORDER}.ship_to.state", "N1>N4.02"),
    _read(f"{_ORDER}.ship_to.postcode", "N1>N4.03"),
    _read(f"{_LINE}.number", "PO1[*].01"),
    _read(f"{_LINE}.quantity", "PO1[*].02"),
    _read(f"{_LINE}.unit", "PO1[*].03"),
    _read(f"{_LINE}.price", "PO1[*].04"),
    _read(f"{_LINE}.kind", "PO1[*].06", lookup={"table_id": ARTICLE_NUMBERS, "on_miss": "error"}),
    _read(f"{_LINE}.article", "PO1[*].07"),
    _write("F", "PO1[*]>PID.01"),
    _read(f"{_LINE}.name", "PO1[*]>PID.05"),
    _write("auto", "CTT.01"),
)
_FROM_850: Final[Sequence[_Rule]] = (
    _read("BEG.03", f"{_ORDER}.number", required=True),
    _read("BEG.05", f"{_ORDER}.date", transform="date_iso"),
    _read("N1[01=ST].02", f"{_ORDER}.ship_to.name"),
    _read("N1[01=ST].04", f"{_ORDER}.ship_to.id"),
    _read("PO1[*].07", f"{_LINE}.article"),
    _read("PO1[*].02", f"{_LINE}.quantity", type="integer"),
    _read("PO1[*].03", f"{_LINE}.unit"),
    _read("PO1[*].04", f"{_LINE}.price", type="number"),
)
_LOOKUPS: Final = (
    {
        "name": ARTICLE_NUMBERS,
        "rows": [{"from": STANDARD, "to": "VP"}, {"from": SPECIAL, "to": WRONG_QUALIFIER}],
    },
)


def order_map(sample: Order) -> MapDefinition:
    """Return the map "Order to 850" with a sample order."""
    return _definition(
        ORDER_MAP,
        _TO_850,
        source_fmt="json",
        target_fmt="x12",
        lookups=_LOOKUPS,
        sample=SampleDocument(document=json_order(sample, STANDARD), format="json"),
    )


def reading_map() -> MapDefinition:
    """Return the map "850 to order"."""
    return _definition(READING_MAP, _FROM_850, source_fmt="x12", target_fmt="json")


def _definition(
    name: str,
    rules: Sequence[_Rule],
    *,
    source_fmt: str,
    target_fmt: str,
    lookups: Sequence[Mapping[str, object]] = (),
    sample: SampleDocument | None = None,
) -> MapDefinition:
    return MapDefinition(
        name=name,
        description="",
        source_fmt=source_fmt,
        target_fmt=target_fmt,
        tx_set="850",
        direction="outbound" if target_fmt == "x12" else "inbound",
        field_map=json.dumps(rules),
        lookups=json.dumps(lookups),
        sample=sample,
        target_sample="",
        tests=(),
    )
