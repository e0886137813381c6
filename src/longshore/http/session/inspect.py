"""POST /api/inspect: any document in, what it is, its findings and all of it as a tree out."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.users.model import SessionUser
from longshore.http.api_v1.code_choice import CODES_MEANING, CodesName, UsedCodes, code_options
from longshore.http.api_v1.execution import run_validation
from longshore.http.api_v1.findings import (
    CodesCheckedItem,
    DefinitionName,
    FindingItem,
    NamedGuide,
    OutcomeName,
    OwnDefinition,
    ValidatedSetItem,
)
from longshore.http.api_v1.parse import (
    GUIDE_MEANING,
    RELEASE_MEANING,
    CsvOptions,
    Format,
    Release,
    Text,
)
from longshore.http.envelope import Answer, EnvironmentName, result_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.session_caller import VIEWER
from longshore.kit.errors import ErrorCode

Unset = msgspec.UnsetType


class InspectRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A document and how to read it. What is absent or null is found out."""

    document: Annotated[str, msgspec.Meta(description="X12, JSON, XML or CSV.")]
    format: Annotated[
        Format | None, msgspec.Meta(description="Absent: as the document begins.")
    ] = None
    elem_sep: Annotated[
        Text | None, msgspec.Meta(description="Element separator, X12 only.", examples=["*"])
    ] = None
    seg_term: Annotated[
        Text | None, msgspec.Meta(description="Segment terminator, X12 only.", examples=["~"])
    ] = None
    csv: CsvOptions | None = None
    release: Annotated[Release | None, msgspec.Meta(description=RELEASE_MEANING)] = None
    guide: Annotated[
        Text | None, msgspec.Meta(description=GUIDE_MEANING, examples=["005010X222A1"])
    ] = None
    codes: Annotated[CodesName | None, msgspec.Meta(description=CODES_MEANING)] = None


class TreeNode(msgspec.Struct, kw_only=True):
    """One line of the tree."""

    path: Annotated[
        str,
        msgspec.Meta(
            description="Key of its value in the fields of parse, such as BEG.03; of a set or loop "
            "that of the segment which begins it."
        ),
    ]
    code: Annotated[
        str,
        msgspec.Meta(description="What the document or the dictionary calls it: 850, PO1, BEG03."),
    ]
    kind: Annotated[
        Literal[
            "set",
            "loop",
            "segment",
            "element",
            "component",
            "object",
            "array",
            "member",
            "item",
            "attribute",
            "row",
            "cell",
        ],
        msgspec.Meta(description="What it is, by the format of the document."),
    ]
    name: Annotated[str, msgspec.Meta(description='Its label; "" if it has none.')]
    type: Annotated[
        str | None,
        msgspec.Meta(
            description="X12: type and lengths, such as AN 1..22, of a composite its id; JSON: "
            "object, array, string, number, boolean, null."
        ),
    ]
    value: Annotated[str | None, msgspec.Meta(description="null: it has none of its own.")]
    required: Annotated[bool, msgspec.Meta(description="The dictionary or guide requires it.")]
    count: Annotated[
        int, msgspec.Meta(description="Number of neighbouring nodes with this kind and code.")
    ]
    qualifier: Annotated[
        str | None,
        msgspec.Meta(description="Meaning of the code; of a segment, of what tells it apart."),
    ]
    children: list["TreeNode"]


class InspectAnswer(msgspec.Struct, kw_only=True):
    """The inspected document. The members of validate other than these only of X12."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")]
    format: Annotated[
        Literal["x12", "json", "csv", "xml"], msgspec.Meta(description="Given or found out.")
    ]
    valid: Annotated[
        bool | None,
        msgspec.Meta(
            description="Null if the outcome is not_checked. Other formats than X12 have no "
            "definition: true says that the document could be read."
        ),
    ]
    tx_set: Annotated[str, msgspec.Meta(description='Code of the first set; "" if there is none.')]
    tx_set_name: str
    version: str
    elem_sep: str
    seg_term: str
    comp_sep: str
    rep_sep: str
    field_count: Annotated[int, msgspec.Meta(description="Values of the whole document.")]
    findings: list[FindingItem]
    node_count: Annotated[int, msgspec.Meta(description="Nodes of the tree, at most 20,000.")]
    tree_truncated: Annotated[
        bool, msgspec.Meta(description="The document goes on where the tree ends.")
    ]
    tree: list[TreeNode]
    environment: EnvironmentName
    guide: str | Unset | None = msgspec.UNSET
    outcome: OutcomeName | Unset = msgspec.UNSET
    named_guide: NamedGuide | Unset = msgspec.UNSET
    definition: DefinitionName | Unset = msgspec.UNSET
    own_definition: OwnDefinition | Unset = msgspec.UNSET
    snip_level: int | Unset = msgspec.UNSET
    codes_checked: CodesCheckedItem | Unset = msgspec.UNSET
    codes: UsedCodes | Unset = msgspec.UNSET
    sets: list[ValidatedSetItem] | Unset = msgspec.UNSET
    set_count: int | Unset = msgspec.UNSET
    sets_truncated: bool | Unset = msgspec.UNSET
    finding_count: int | Unset = msgspec.UNSET
    truncated: bool | Unset = msgspec.UNSET
    ack_withheld: list[int] | Unset = msgspec.UNSET
    ack_truncated: bool | Unset = msgspec.UNSET
    ack_type: Literal["997", "999", "TA1", ""] | Unset = msgspec.UNSET
    ack: str | Unset = msgspec.UNSET


async def inspect(user: SessionUser, call: Call[InspectRequest]) -> Answer:
    body, services = call.body, call.services
    services.metrics.document_received(len(body.document))
    chosen = {
        "format": body.format,
        "elem_sep": body.elem_sep,
        "seg_term": body.seg_term,
        "csv_header": None if body.csv is None else body.csv.header,
        "release": body.release,
        "guide": body.guide,
    }
    options: dict[str, object] = {
        name: value for name, value in chosen.items() if value is not None and value != ""
    }
    options |= code_options(body.codes, services)
    definitions = await services.trading.definitions.current(user.scope)
    result = await run_validation(
        services.compute, services.inspect_result, body.document, definitions, **options
    )
    return result_answer(result, user.environment)


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    Operation(
        method="POST",
        path="/api/inspect",
        operation_id="inspect",
        tag="Documents",
        summary="Look into a document",
        description=(
            "Finds out the format, validates X12 as validate does, and gives the whole document as "
            "a tree, with names and meanings from the dictionary. Nothing is stored. For every "
            "role."
        ),
        caller=VIEWER,
        scope=None,
        limit_class=LimitClass.DOCUMENTS,
        body=InspectRequest,
        body_example={"document": "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~"},
        response=Response(description="What there is to see.", shape=InspectAnswer),
        errors=frozenset({
            ErrorCode.UNSUPPORTED_FORMAT,
            ErrorCode.DOCUMENT_EMPTY,
            ErrorCode.DOCUMENT_UNPARSEABLE,
            ErrorCode.DOCUMENT_NOT_X12,
            ErrorCode.SEGMENT_TOO_LONG,
            ErrorCode.LIMIT_EXCEEDED,
        }),
        handler=inspect,
    ),
)
