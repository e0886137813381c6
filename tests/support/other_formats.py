"""Documents of six formats that are not X12."""

from typing import Final

DOCUMENTS: Final = {
    "edifact": "UNA:+.? '\r\nUNB+UNOC:3+4012345:14+5412345:14+240115:0930+77'\r\n"
    "UNH+1+ORDERS:D:96A:UN'BGM+220+PO-1+9'UNT+3+1'UNZ+1+77'",
    "tradacoms": "STX=ANA:1+5000000000000:BUYER+5010000000000:SELLER+240115:093000+77'"
    "MHD=1+ORDHDR:9'MTR=2'END=1'",
    "hl7": "\x0bMSH|^~\\&|LAB|HOSPITAL|CHART|CLINIC|202401150930||ADT^A01|77|P|2.5\r"
    "PID|1||12345^^^MRN||DOE^JANE\r\x1c\r",
    "json": '{"order": "PO-1", "lines": [{"sku": "A", "qty": 4}]}',
    "xml": '<?xml version="1.0"?>\n<order number="PO-1"><line sku="A" qty="4"/></order>',
    "csv": "order,sku,qty\nPO1,ABC,4\nPO1,XYZ,5\n",
}
NAMES: Final = {name: name.upper() for name in DOCUMENTS}


def message(found: str, next_step: str) -> str:
    """Return the message of an interface that could read JSON, XML and CSV."""
    if found in {"json", "xml", "csv"}:
        return f"This is {NAMES[found]}; {next_step.format(found)}."
    return f"This is {NAMES[found]}; Longshore reads X12, JSON, XML and CSV."


def x12_only_message(found: str) -> str:
    """Return the message of an interface that reads X12 alone."""
    return f"This is {NAMES[found]}; only X12 is possible here."
