"""What is converted in the benchmarks: rules, and the same by hand in plain Python.

By hand means as somebody would write it for documents that are known to be sound: no detection
but of the separators, no findings, no positions. The outputs are compared before anything is timed.
"""

import json
from collections.abc import Callable
from datetime import datetime

from longshore.engine.convert import convert
from longshore.mapping.rules import compile_rules

Segments = list[list[str]]

HEADER_RULES: list[dict[str, object]] = [
    {"src": "BEG.01", "tgt": "order.purpose", "transform": "none"},
    {"src": "BEG.02", "tgt": "order.type", "transform": "none"},
    {"src": "BEG.03", "tgt": "order.number", "transform": "none"},
    {"src": "BEG.05", "tgt": "order.date", "transform": "date_iso"},
    {"src": "CUR.01", "tgt": "order.payer", "transform": "none"},
    {"src": "CUR.02", "tgt": "order.currency", "transform": "none"},
    {"src": "REF[01=DP].02", "tgt": "order.department", "transform": "none"},
    {"src": "DTM[01=002].02", "tgt": "order.deliver_by", "transform": "date_iso"},
    {"src": "DTM[01=001].02", "tgt": "order.cancel_after", "transform": "date_iso"},
    {"src": "TD5.04", "tgt": "ship.mode", "transform": "none"},
    {"src": "TD5.05", "tgt": "ship.remark", "transform": "lowercase"},
    {"src": "N1[01=BT].02", "tgt": "bill_to.name", "transform": "none"},
    {"src": "N1[01=BT].04", "tgt": "bill_to.id", "transform": "none"},
    {"src": "N1[01=ST].02", "tgt": "ship_to.name", "transform": "none"},
    {"src": "N1[01=ST].03", "tgt": "ship_to.list", "transform": "none"},
    {"src": "N1[01=ST].04", "tgt": "ship_to.id", "transform": "none"},
    {"src": "PO1[-1].01", "tgt": "last_line", "transform": "none"},
    {"src": "CTT.01", "tgt": "totals.lines", "transform": "none", "type": "number"},
    {"src": "AMT[01=TT].02", "tgt": "totals.amount", "transform": "none"},
    {"src": "ISA.06", "tgt": "sender", "transform": "trim"},
]

LINE_RULES: list[dict[str, object]] = [
    {"src": "BEG.03", "tgt": "number", "transform": "none"},
    {"src": "PO1[*].01", "tgt": "lines[*].line", "transform": "none"},
    {"src": "PO1[*].02", "tgt": "lines[*].quantity", "transform": "none", "type": "number"},
    {"src": "PO1[*].03", "tgt": "lines[*].unit", "transform": "none"},
    {"src": "PO1[*].03", "tgt": "lines[*].unit_name", "lookup": {"table": {"EA": "each"}}},
    {"src": "PO1[*].04", "tgt": "lines[*].price", "transform": "none"},
    {"src": "PO1[*].05", "tgt": "lines[*].basis", "transform": "none"},
    {"src": "PO1[*].06", "tgt": "lines[*].qualifier", "transform": "none"},
    {"src": "PO1[*].07", "tgt": "lines[*].part", "transform": "none"},
    {"src": "PO1[*].07", "tgt": "lines[*].key", "transform": "lowercase"},
    {"src": "PO1[*].08", "tgt": "lines[*].vendor_qualifier", "transform": "none"},
    {"src": "PO1[*].09", "tgt": "lines[*].vendor_part", "transform": "none"},
    {"src": ["PO1[*].06", "PO1[*].07"], "tgt": "lines[*].id", "join": ":"},
    {"const": "ordered", "tgt": "lines[*].status"},
    {"src": "PO1[*]>PID.01", "tgt": "lines[*].kind", "transform": "none"},
    {"src": "PO1[*]>PID.05", "tgt": "lines[*].text", "transform": "none"},
]


def segments_of(text: str) -> Segments:
    """Return a document as lists of elements."""
    element, terminator = text[3], text[105]
    return [segment.split(element) for segment in text.split(terminator) if segment]


def headers_by_hand(text: str) -> str:
    """Return what ``HEADER_RULES`` make of the first set of a document."""
    found: dict[str, list[list[str]]] = {}
    for row in segments_of(text):
        found.setdefault(row[0], []).append(row)
        if row[0] == "SE":
            break

    def qualified(tag: str, qualifier: str) -> list[str]:
        return next(row for row in found[tag] if row[1] == qualifier)

    begin, currency, carrier = found["BEG"][0], found["CUR"][0], found["TD5"][0]
    payer, receiver = qualified("N1", "BT"), qualified("N1", "ST")
    return compact({
        "order": {
            "purpose": begin[1], "type": begin[2], "number": begin[3], "date": iso(begin[5]),
            "payer": currency[1], "currency": currency[2], "department": qualified("REF", "DP")[2],
            "deliver_by": iso(qualified("DTM", "002")[2]),
            "cancel_after": iso(qualified("DTM", "001")[2]),
        },
        "ship": {"mode": carrier[4], "remark": carrier[5].lower()},
        "bill_to": {"name": payer[2], "id": payer[4]},
        "ship_to": {"name": receiver[2], "list": receiver[3], "id": receiver[4]},
        "last_line": found["PO1"][-1][1],
        "totals": {"lines": int(found["CTT"][0][1]), "amount": qualified("AMT", "TT")[2]},
        "sender": found["ISA"][0][6].strip(),
    })  # fmt: skip


def lines_by_hand(text: str) -> str:
    """Return what ``LINE_RULES`` make of the first set of a document."""
    number = ""
    lines: list[dict[str, object]] = []
    for row in segments_of(text):
        if row[0] == "BEG":
            number = row[3]
        elif row[0] == "PO1":
            lines.append(line_by_hand(row))
        elif row[0] == "PID" and "kind" not in lines[-1]:
            lines[-1] |= {"kind": row[1], "text": row[5]}
        elif row[0] == "SE":
            break
    return compact({"number": number, "lines": lines})


def line_by_hand(row: list[str]) -> dict[str, object]:
    """Return what stands in a PO1; members of empty elements are left out."""
    names = (
        ("line", 1), ("quantity", 2), ("unit", 3), ("unit_name", 3), ("price", 4), ("basis", 5),
        ("qualifier", 6), ("part", 7), ("key", 7), ("vendor_qualifier", 8), ("vendor_part", 9),
    )  # fmt: skip
    line: dict[str, object] = {name: row[at] for name, at in names if row[at]}
    line["quantity"] = int(row[2])
    line["unit_name"] = {"EA": "each"}.get(row[3], row[3])
    line["key"] = row[7].lower()
    line["id"] = f"{row[6]}:{row[7]}"
    line["status"] = "ordered"
    return line


def iso(date: str) -> str:
    """Return CCYYMMDD as an ISO date."""
    return datetime.strptime(f"{date}+0000", "%Y%m%d%z").date().isoformat()


def compact(value: object) -> str:
    """Return a value as the service writes JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


UNITS = {"EA": "each", "CA": "case"}

TRANSFORM_RULES: list[dict[str, object]] = [
    {"src": "BEG.05", "tgt": "date", "then": [{"op": "date", "in": "CCYYMMDD", "out": "MM/DD/YY"}]},
    {"src": "BEG.03", "tgt": "number", "transform": "trim"},
    {"src": "PO1[*].02", "tgt": "lines[*].quantity", "transform": "trim"},
    {"src": "PO1[*].03", "tgt": "lines[*].unit", "transform": "lowercase"},
    {"src": "PO1[*].03", "tgt": "lines[*].unit_name", "lookup": {"table": UNITS, "default": "?"}},
    {"src": "PO1[*].04", "tgt": "lines[*].price", "then": [{"op": "round", "digits": 2}]},
    {"src": "PO1[*].07", "tgt": "lines[*].part", "transform": "uppercase"},
    {
        "src": "PO1[*].07",
        "tgt": "lines[*].family",
        "then": [{"op": "substring", "start": 0, "len": 3}],
    },
    {"src": ["PO1[*].06", "PO1[*].07"], "tgt": "lines[*].id", "join": ":"},
]

FORMULA_RULES: list[dict[str, object]] = [
    {"formula": 'format(date(BEG.05), "MM/DD/YY")', "tgt": "date"},
    {"formula": "trim(BEG.03)", "tgt": "number"},
    {"formula": "trim({PO1[*].02})", "tgt": "lines[*].quantity"},
    {"formula": "lower({PO1[*].03})", "tgt": "lines[*].unit"},
    {
        "formula": 'switch({PO1[*].03}, "EA", "each", "CA", "case", "?")',
        "tgt": "lines[*].unit_name",
    },
    {"formula": "round({PO1[*].04}, 2)", "tgt": "lines[*].price"},
    {"formula": "upper({PO1[*].07})", "tgt": "lines[*].part"},
    {"formula": "left({PO1[*].07}, 3)", "tgt": "lines[*].family"},
    {"formula": '{PO1[*].06} & ":" & {PO1[*].07}', "tgt": "lines[*].id"},
]


def by_transforms(text: str) -> str:
    """Return what ``FORMULA_RULES`` make of a document, by the rules without formulas."""
    return convert(
        text, compile_rules(TRANSFORM_RULES, source_format="x12", target_format="json")
    ).output


CONVERSIONS: dict[str, tuple[list[dict[str, object]], Callable[[str], str]]] = {
    "convert": (HEADER_RULES, headers_by_hand),
    "convert-lines": (LINE_RULES, lines_by_hand),
    "convert-formulas": (FORMULA_RULES, by_transforms),
}
"""By operation: rules, and what does the same by hand."""
