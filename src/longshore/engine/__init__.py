"""The library door: documents in, fields and findings out; no account, store or port needed.

>>> from longshore.engine import parse
>>> parsed = parse("ST*850*0001~BEG*00*SA*PO-1**20240115~SE*3*0001~")
>>> parsed.fields["BEG.03"]
'PO-1'
"""

from longshore.engine.parse import Parsed, parse
from longshore.engine.schemas import schema, schemas
from longshore.engine.segments import SegmentStream, stream_segments
from longshore.engine.validate import Acknowledgement, Validated, acknowledge, validate

__all__ = [
    "Acknowledgement",
    "Parsed",
    "SegmentStream",
    "Validated",
    "acknowledge",
    "parse",
    "schema",
    "schemas",
    "stream_segments",
    "validate",
]
