"""POST /api/maps/suggest: which rules may be meant, by an example of each side."""

from typing import Annotated, Final

import msgspec

from longshore.domain.users.model import SessionUser
from longshore.engine import RuleText
from longshore.http.api_v1.convert_shapes import FieldMap, rules_text
from longshore.http.api_v1.parse import Format
from longshore.http.envelope import Answer, json_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.session.maps_answers import MAPS, RULE_ERRORS
from longshore.http.session.maps_shapes import LookupTable, Ok
from longshore.http.session_caller import VIEWER
from longshore.kit.errors import ErrorCode
from longshore.mapping.suggest import suggest


class RejectedPair(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A suggestion that was not meant."""

    src: str
    tgt: str


class SuggestBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """An example of the source and one of what is wanted."""

    document: str
    target_sample: Annotated[
        str, msgspec.Meta(description="An example of the output; for CSV the header is enough.")
    ]
    source_format: Annotated[Format | None, msgspec.Meta(description="x12 if absent.")] = None
    target_format: Annotated[Format | None, msgspec.Meta(description="json if absent.")] = None
    field_map: Annotated[
        FieldMap | None, msgspec.Meta(description="The rules there are; their targets are taken.")
    ] = None
    lookups: list[LookupTable] | None = None
    rejected: list[RejectedPair] | None = None


class SuggestionItem(msgspec.Struct, kw_only=True):
    """A rule that may be meant; nothing applies it but its acceptance."""

    src: str
    tgt: str
    transform: str
    score: Annotated[float, msgspec.Meta(description="0 to 1.")]
    reason: Annotated[str, msgspec.Meta(description="In words.")]
    group: Annotated[str, msgspec.Meta(description="Outermost loop of the source, or heading.")]
    rules: Annotated[
        list[dict[str, str]],
        msgspec.Meta(
            description="What field_map gets when it is accepted: with the type that the target "
            "has in the sample, and one rule for each position of a value that a code before it "
            "names.",
        ),
    ]


class SuggestionsAnswer(msgspec.Struct, kw_only=True):
    """Suggested rules, in the order of the target."""

    ok: Ok = True
    suggestions: list[SuggestionItem]
    is_cut: Annotated[
        bool, msgspec.Meta(description="The examples are so large that not all was looked at.")
    ]


async def suggest_rules(_: SessionUser, call: Call[SuggestBody]) -> Answer:
    body = call.body
    rules = RuleText(
        "[]" if body.field_map is None else rules_text(body.field_map),
        "[]" if body.lookups is None else msgspec.json.encode(body.lookups).decode(),
        body.source_format or "x12",
        body.target_format or "json",
    )
    rejected = tuple((pair.src, pair.tgt) for pair in body.rejected or ())
    made = await call.services.compute.submit_to_executor(
        suggest, body.document, body.target_sample, rules, rejected
    )
    items = [msgspec.convert(each, SuggestionItem, from_attributes=True) for each in made.found]
    return json_answer(SuggestionsAnswer(suggestions=items, is_cut=made.is_cut))


SUGGEST_RULES: Final = Operation(
    method="POST",
    path="/api/maps/suggest",
    operation_id="suggestRules",
    tag=MAPS,
    summary="Suggest rules",
    description=(
        "Compares the fields of an example document with those of an example output by meaning, "
        "loop and values. Suggests only clear matches, each with its reason, and applies "
        "nothing."
    ),
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.DOCUMENTS,
    body=SuggestBody,
    body_example={
        "document": "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~",
        "target_sample": '{"poNumber": "4711", "orderDate": "2026-01-02"}',
    },
    response=Response(description="The suggestions.", shape=SuggestionsAnswer),
    errors=RULE_ERRORS
    | {
        ErrorCode.DOCUMENT_EMPTY,
        ErrorCode.DOCUMENT_UNPARSEABLE,
        ErrorCode.DOCUMENT_NOT_X12,
        ErrorCode.SEGMENT_TOO_LONG,
    },
    handler=suggest_rules,
)

OPERATIONS: Final[tuple[AnyOperation, ...]] = (SUGGEST_RULES,)
