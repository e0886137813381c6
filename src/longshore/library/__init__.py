"""Documents as objects: read, stream, build, convert and write them.

``import longshore as ls`` has everything here, and the functions of ``longshore.engine``::

    doc = ls.read("order.edi")
    for st in doc.transaction_sets:
        for line in st.loops("PO1"):
            print(line["PO1"]["PO102"], doc.outcome)

Three rules hold everywhere. What is not there is empty and false, and everything in it is empty
too: ``st.loop("2310B")["NM1"]["NM103"]`` is ``""`` without such a loop. What cannot be asked, such
as ``BEG03`` of a PO1, is refused with LongshoreError. Nothing is checked or placed in loops before
it is asked for.
"""

from longshore.engine import (
    Acknowledgement,
    Converted,
    ErrorCode,
    ErrorDetail,
    Finding,
    FindingCode,
    LongshoreError,
    Parsed,
    RedactedDocument,
    Severity,
    Stamp,
    Validated,
    acknowledge,
    compile_rules,
    parse,
    redact,
    sample,
    schema,
    schemas,
    stream_segments,
    validate,
)
from longshore.library.builders import DocumentBuilder, new
from longshore.library.containers import DocumentLoop, TransactionSet
from longshore.library.documents import (
    CheckedTransactionSet,
    Document,
    DocumentGroup,
    DocumentInterchange,
    read,
)
from longshore.library.segments import DocumentSegment
from longshore.library.streams import DocumentStream, stream
from longshore.library.tables import DocumentTables, tables
from longshore.library.targets import convert, write

__all__ = [
    "Acknowledgement",
    "CheckedTransactionSet",
    "Converted",
    "Document",
    "DocumentBuilder",
    "DocumentGroup",
    "DocumentInterchange",
    "DocumentLoop",
    "DocumentSegment",
    "DocumentStream",
    "DocumentTables",
    "ErrorCode",
    "ErrorDetail",
    "Finding",
    "FindingCode",
    "LongshoreError",
    "Parsed",
    "RedactedDocument",
    "Severity",
    "Stamp",
    "TransactionSet",
    "Validated",
    "acknowledge",
    "compile_rules",
    "convert",
    "new",
    "parse",
    "read",
    "redact",
    "sample",
    "schema",
    "schemas",
    "stream",
    "stream_segments",
    "tables",
    "validate",
    "write",
]
