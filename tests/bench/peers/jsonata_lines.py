"""The lines of an order by an expression of JSONata: what ``LINE_RULES`` make of them.

The language knows JSON alone, so the segments are made objects first, line by line; that is part
of what is timed, as reading is for ours.
"""

import json
from collections.abc import Callable
from importlib import import_module

from tests.bench.conversions import lines_by_hand, segments_of

EXPRESSION = """{
  "number": number,
  "lines": [lines.{
    "line": po1[1] ? po1[1],
    "quantity": $number(po1[2]),
    "unit": po1[3] ? po1[3],
    "unit_name": po1[3] = "EA" ? "each" : po1[3],
    "price": po1[4] ? po1[4],
    "basis": po1[5] ? po1[5],
    "qualifier": po1[6] ? po1[6],
    "part": po1[7] ? po1[7],
    "key": $lowercase(po1[7]),
    "vendor_qualifier": po1[8] ? po1[8],
    "vendor_part": po1[9] ? po1[9],
    "id": po1[6] & ":" & po1[7],
    "status": "ordered",
    "kind": pid[1],
    "text": pid[5]
  }]
}"""


def prepare_lines(text: str) -> Callable[[], str]:
    """Return what converts a document; the expression is compiled before."""
    expression = import_module("jsonata").Jsonata(EXPRESSION)

    def convert() -> str:
        return json.dumps(expression.evaluate(order_of(text)), separators=(",", ":"))

    return convert


def order_of(text: str) -> dict[str, object]:
    """Return the first set of a document as the object that the expression reads."""
    number = ""
    lines: list[dict[str, object]] = []
    for row in segments_of(text):
        if row[0] == "BEG":
            number = row[3]
        elif row[0] == "PO1":
            lines.append({"po1": row})
        elif row[0] == "PID" and "pid" not in lines[-1]:
            lines[-1]["pid"] = row
        elif row[0] == "SE":
            break
    return {"number": number, "lines": lines}


def is_right(text: str, answer: str) -> bool:
    """Tell whether an answer is what a program written by hand makes."""
    return bool(json.loads(answer) == json.loads(lines_by_hand(text)))
