"""The Python library: parse, validate, convert, acknowledge, make and redact documents.

It needs no server.

>>> from longshore.engine import parse
>>> parsed = parse("ST*850*0001~BEG*00*SA*PO-1**20240115~SE*3*0001~")
>>> parsed.fields["BEG.03"]
'PO-1'
"""

from longshore.engine.acknowledgement import Acknowledgement
from longshore.engine.code_lists import read_code_lists
from longshore.engine.convert import convert
from longshore.engine.converted import Converted, ConvertedResult, Output
from longshore.engine.parse import Parsed, parse
from longshore.engine.redact import RedactedDocument, redact
from longshore.engine.samples import sample
from longshore.engine.schemas import schema, schemas
from longshore.engine.segments import SegmentStream, stream_segments
from longshore.engine.validate import Validated, acknowledge, validate
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.envelopes import Stamp
from longshore.mapping.rule_texts import RuleText
from longshore.mapping.rules import RuleList, compile_rules
from longshore.x12.dictionary.own_codes import CodeLists
from longshore.x12.findings import Finding, FindingCode, Severity
from longshore.x12.samples.expected import ExpectedFinding, GeneratedSample

__all__ = [
    "Acknowledgement",
    "CodeLists",
    "Converted",
    "ConvertedResult",
    "ErrorCode",
    "ErrorDetail",
    "ExpectedFinding",
    "Finding",
    "FindingCode",
    "GeneratedSample",
    "LongshoreError",
    "Output",
    "Parsed",
    "RedactedDocument",
    "RuleList",
    "RuleText",
    "SegmentStream",
    "Severity",
    "Stamp",
    "Validated",
    "acknowledge",
    "compile_rules",
    "convert",
    "parse",
    "read_code_lists",
    "redact",
    "sample",
    "schema",
    "schemas",
    "stream_segments",
    "validate",
]
