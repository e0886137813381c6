"""POST /api/v1/parse: a document in, its fields out."""

from typing import Annotated, Any, Final, Literal

import msgspec

from longshore.domain.accounts.model import ApiCaller, KeyScope
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.code_choice import CODES_MEANING, CodesName, RawCodes, code_options
from longshore.http.api_v1.execution import run_validation
from longshore.http.api_v1.findings import (
    FindingItem,
    TransactionItem,
    ValidationItem,
)
from longshore.http.api_v1.transaction_shapes import Flag, listed_words
from longshore.http.envelope import Answer, EnvironmentName, result_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import Call, Operation, RawForm, Response
from longshore.kit.errors import ErrorCode

RAW_MEDIA_TYPES: Final = ("application/edi-x12", "application/octet-stream")
"""Of bodies that are the document itself; clients send JSON as text/plain by default."""
VIEWS: Final = ("segments", "tree", "validation")

MAX_TEXT_CHARS: Final = 10_240  # of every member but the document (reliability.md section 9)

RELEASE_MEANING: Final = (
    "Release to validate an X12 document against, instead of its own. If the dictionary does "
    "not have it, there is a warning no_definition."
)
GUIDE_MEANING: Final = (
    "Implementation guide to validate an X12 document against, instead of the one named in ST03 "
    "or GS08."
)
_WARNINGS: Final = b',"warnings":['

Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT_CHARS)]
Format = Annotated[
    Literal["x12", "json", "csv", "xml"],
    msgspec.Meta(extra={"code": ErrorCode.UNSUPPORTED_FORMAT}),
]
Release = Annotated[
    str,
    msgspec.Meta(
        pattern="^[0-9]{6}$",
        min_length=6,
        max_length=6,
        extra={"text": "a release of six digits such as 004010"},
    ),
]


RawElementSeparator = Annotated[
    Text | msgspec.UnsetType,
    msgspec.Meta(description="For a raw X12 body: its element separator; detected if absent."),
]
RawSegmentTerminator = Annotated[
    Text | msgspec.UnsetType,
    msgspec.Meta(description="For a raw X12 body: its segment terminator; detected if absent."),
]
RawRelease = Annotated[
    Release | msgspec.UnsetType, msgspec.Meta(description=f"With a raw body: {RELEASE_MEANING}")
]
RawGuide = Annotated[
    Text | msgspec.UnsetType, msgspec.Meta(description=f"With a raw body: {GUIDE_MEANING}")
]


class CsvOptions(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Options for reading a CSV document."""

    header: Annotated[
        bool | None, msgspec.Meta(description="Whether the first row names the columns.")
    ] = True


class ParseRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A document and how to read it. An optional member that is null counts as absent."""

    document: Annotated[
        str, msgspec.Meta(description="The raw document: an X12 string, JSON, CSV or XML.")
    ]
    format: Annotated[
        Format | None, msgspec.Meta(description="Format of the document; x12 if absent.")
    ] = None
    elem_sep: Annotated[
        Text | None,
        msgspec.Meta(
            description="Element separator (X12 only). Detected when absent or empty.",
            examples=["*"],
        ),
    ] = None
    seg_term: Annotated[
        Text | None,
        msgspec.Meta(
            description="Segment terminator (X12 only). Detected when absent or empty.",
            examples=["~"],
        ),
    ] = None
    include: Annotated[
        list[Literal["segments", "tree", "validation"]] | None,
        msgspec.Meta(description="Further views of the document, each under its own name."),
    ] = None
    csv: CsvOptions | None = None
    release: Annotated[Release | None, msgspec.Meta(description=RELEASE_MEANING)] = None
    guide: Annotated[
        Text | None, msgspec.Meta(description=GUIDE_MEANING, examples=["005010X222A1"])
    ] = None
    codes: Annotated[
        CodesName | None, msgspec.Meta(description=f"For the view validation. {CODES_MEANING}")
    ] = None


class ParseAnswer(msgspec.Struct, kw_only=True):
    """The contents of the document. Faults of its envelope are findings, not refusals."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")]
    fields: Annotated[
        dict[str, str],
        msgspec.Meta(
            description="Every value by its key, in document order: BEG.03, PO1[2].02. Positions "
            "in keys are 1-based."
        ),
    ]
    format: Annotated[
        Literal["x12", "json", "csv", "xml"], msgspec.Meta(description="The format parsed.")
    ]
    tx_set: Annotated[str, msgspec.Meta(description='Transaction set code; "" if not X12.')]
    elem_sep: Annotated[
        str,
        msgspec.Meta(
            description="Element separator of the first interchange; of CSV the delimiter; "
            '"" for JSON and XML.'
        ),
    ]
    seg_term: Annotated[
        str,
        msgspec.Meta(
            description="Segment terminator of the first interchange; of CSV the line ending; "
            '"" for JSON and XML.'
        ),
    ]
    field_count: Annotated[int, msgspec.Meta(description="Members of fields.")]
    comp_sep: Annotated[str, msgspec.Meta(description="Component separator.")]
    rep_sep: Annotated[str, msgspec.Meta(description='Repetition separator; "" if there is none.')]
    charset: str
    version: Annotated[str, msgspec.Meta(description="Version of the document, such as 004010.")]
    segment_count: Annotated[int, msgspec.Meta(description="Segments read, envelopes included.")]
    interchanges: Annotated[
        list[dict[str, Any]],  # the envelope of each, whose members its format decides
        msgspec.Meta(description="Each interchange with its separators and control number."),
    ]
    transactions: list[TransactionItem]
    null_fields: Annotated[list[str], msgspec.Meta(description="Keys whose JSON value was null.")]
    empty_containers: Annotated[
        list[str], msgspec.Meta(description="Keys of empty objects and arrays.")
    ]
    warnings: list[FindingItem]
    errors: list[FindingItem]
    environment: EnvironmentName
    segments: Annotated[
        list[Any] | msgspec.UnsetType,  # rows of text and nested text
        msgspec.Meta(description='With include ["segments"]: each segment as it was read.'),
    ] = msgspec.UNSET
    tree: Annotated[
        Any,  # as deep as the document
        msgspec.Meta(description='With include ["tree"]: the document as a nested value.'),
    ] = msgspec.UNSET
    validation: Annotated[
        ValidationItem | msgspec.UnsetType,
        msgspec.Meta(description='With include ["validation"]: as POST /api/v1/validate.'),
    ] = msgspec.UNSET


class ParseQuery(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Options for reading a document that is the body itself."""

    format: Annotated[
        Format | msgspec.UnsetType,
        msgspec.Meta(description="With a raw body: its format; x12 if absent."),
    ] = msgspec.UNSET
    elem_sep: RawElementSeparator = msgspec.UNSET
    seg_term: RawSegmentTerminator = msgspec.UNSET
    include: Annotated[
        Annotated[str, listed_words(VIEWS)] | msgspec.UnsetType,
        msgspec.Meta(description=f"With a raw body: further views, by comma: {', '.join(VIEWS)}."),
    ] = msgspec.UNSET
    csv_header: Annotated[
        Flag | msgspec.UnsetType,
        msgspec.Meta(description="With a raw body: whether the first row of CSV names columns."),
    ] = msgspec.UNSET
    release: RawRelease = msgspec.UNSET
    guide: RawGuide = msgspec.UNSET
    codes: RawCodes = msgspec.UNSET


def request_of(query: ParseQuery) -> ParseRequest:
    """Return the request that these parameters stand for, without its document."""
    chosen = msgspec.structs.asdict(query)
    chosen = {name: value for name, value in chosen.items() if value is not msgspec.UNSET}
    header, include = chosen.pop("csv_header", None), chosen.pop("include", None)
    if header is not None:
        chosen["csv"] = CsvOptions(header=header == "true")
    if include is not None:
        chosen["include"] = include.split(",")
    return ParseRequest(document="", **chosen)


async def parse(caller: ApiCaller, call: Call[ParseRequest]) -> Answer:
    body = call.body
    document = body.document if call.raw_document is None else call.raw_document
    call.services.metrics.document_received(len(document))
    services, options = call.services, _options(body)
    definitions = None
    if body.include or body.release or body.guide:  # flat fields need no definition
        definitions = await services.trading.definitions.current(caller.scope)
    is_validated = "validation" in (body.include or ())
    if is_validated:
        options |= code_options(body.codes, services)
    if definitions is not None or is_validated:
        result = await run_validation(
            services.compute, services.parse_result, document, definitions, **options
        )
    else:
        result = await services.compute.run(services.parse_result, document, **options)
    return result_answer(result, caller.environment)


def _options(body: ParseRequest) -> dict[str, object]:
    """Return what was chosen; the engine's own defaults stand for the rest."""
    options: dict[str, object] = {
        "format": body.format,
        "elem_sep": body.elem_sep,
        "seg_term": body.seg_term,
        "include": body.include,
        "csv_header": None if body.csv is None else body.csv.header,
        "release": body.release,
        "guide": body.guide,
    }
    return {name: value for name, value in options.items() if value is not None and value != ""}


PARSE: Final = Operation(
    method="POST",
    path="/api/v1/parse",
    operation_id="parse",
    tag="Documents",
    summary="Parse a document",
    description=(
        "Reads an X12, JSON, XML or CSV document into ordered fields. Parsing is tolerant: what is "
        "wrong with an envelope is a finding in errors or warnings; only a document that cannot be "
        "read at all is refused. The document is a member of a JSON body, or the body itself as "
        "application/edi-x12, with the options in the query; it is then decoded by its byte order "
        "mark, as UTF-8 or as ISO-8859-1. Needs scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.DOCUMENTS,
    body=ParseRequest,
    body_example={"document": "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~"},
    raw_form=RawForm(media_types=RAW_MEDIA_TYPES, parameters=ParseQuery, request=request_of),
    response=Response(description="The document was read.", shape=ParseAnswer),
    errors=frozenset({
        ErrorCode.UNSUPPORTED_FORMAT,
        ErrorCode.DOCUMENT_EMPTY,
        ErrorCode.DOCUMENT_UNPARSEABLE,
        ErrorCode.DOCUMENT_NOT_X12,
        ErrorCode.SEGMENT_TOO_LONG,
        ErrorCode.LIMIT_EXCEEDED,
    }),
    handler=parse,
)
