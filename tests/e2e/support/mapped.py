"""An order that a stored map made, and that its partner rejects because of one rule of the map."""

import json
import re
from typing import Final

from tests.e2e.support.api import Api
from tests.e2e.support.trade import receive, settle, simulator

MAP_NAME: Final = "Order to 850"
WRONG: Final = "PO1[*].06"
"""What the wrong rule writes: the qualifier of the article, always XX."""

RULES: Final = (
    {"const": "00", "tgt": "BEG.01"},
    {"const": "SA", "tgt": "BEG.02"},
    {"src": "number", "tgt": "BEG.03"},
    {"src": "date", "tgt": "BEG.05"},
    {"src": "items[*].line", "tgt": "PO1[*].01"},
    {"src": "items[*].quantity", "tgt": "PO1[*].02"},
    {"const": "EA", "tgt": "PO1[*].03"},
    {"src": "items[*].price", "tgt": "PO1[*].04"},
    {"const": "XX", "tgt": WRONG},
    {"src": "items[*].sku", "tgt": "PO1[*].07"},
)


def rejected_order(api: Api, number: str) -> int:
    """Make an order by a map, send it, and let the partner reject its PO1.06; return its record."""
    partner = simulator(api)
    members = {"source_fmt": "json", "target_fmt": "x12", "tx_set": "850", "field_map": RULES}
    sample = {"document": source(number), "format": "json"}
    made = api.post("/api/maps", {"name": MAP_NAME, "sample": sample, **members})["map"]
    body = {
        "partner_id": partner,
        "tx_set": "850",
        "direction": "outbound",
        "document": source(number),
        "map_id": made["id"],
        "on_invalid": "send",
        "metadata": {"simulate": "never"},
    }
    record: int = api.post("/api/transactions/submit", body)["transaction_id"]
    settle(api, record, "delivered")
    receive(api, partner, answer(api, record))
    settle(api, record, "rejected")
    return record


def source(number: str) -> str:
    """Return an order as a program of ours would write it."""
    items = [{"line": "1", "quantity": "40", "price": "31", "sku": "AB-220"}]
    return json.dumps({"number": number, "date": "20260115", "items": items})


def answer(
    api: Api, record: int, number: str = "0001", segment: str = "PO1", note: str = "6*235*7*XX"
) -> str:
    """Return a 997 from the partner that names an element as a wrong code.

    ``number``: ST02 of the set. All sets have the first ``segment`` at the same position; ``note``
    is what follows AK4.
    """
    sent = api.call("GET", f"/api/transactions/{record}/content").text()
    group = re.search(r"GS\*(?:[^*]*\*){5}([0-9]+)", sent)
    assert group is not None, sent
    segments = sent[sent.index("ST*") :].split("~")
    position = 1 + next(at for at, each in enumerate(segments) if each.strip().startswith(segment))
    date, time = "260115", "1406"
    names = f"ZZ*{'SIMULATOR':15}*ZZ*{own_id(sent):15}"
    body = [
        f"ISA*00*{'':10}*00*{'':10}*{names}*{date}*{time}*U*00401*900000{record:03}*0*T*>",
        f"GS*FA*SIMULATOR*{own_id(sent)}*20{date}*{time}*900{record}*X*004010",
        "ST*997*0001",
        f"AK1*PO*{group[1]}",
        f"AK2*850*{number}",
        f"AK3*{segment}*{position}**8",
        f"AK4*{note}",
        "AK5*R*5",
        "AK9*R*1*1*0",
        "SE*8*0001",
        f"GE*1*900{record}",
        f"IEA*1*900000{record:03}",
    ]
    return "~".join([*body, ""])


def own_id(sent: str) -> str:
    """Return who has sent an interchange."""
    return sent[35:50].strip()
