"""POST /api/v1/validate: an X12 document in, what is wrong with it and its acknowledgement out."""

from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.accounts.model import KeyScope
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.code_choice import CODES_MEANING, CodesName, RawCodes, code_options
from longshore.http.api_v1.execution import run_validation
from longshore.http.api_v1.findings import ValidationItem
from longshore.http.api_v1.parse import (
    GUIDE_MEANING,
    RAW_MEDIA_TYPES,
    RELEASE_MEANING,
    CsvOptions,
    RawElementSeparator,
    RawGuide,
    RawRelease,
    RawSegmentTerminator,
    Release,
    Text,
)
from longshore.http.envelope import Answer, EnvironmentName, result_answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.operation import Call, Operation, RawForm, Response
from longshore.kit.errors import ErrorCode

_NO_EFFECT: Final = "As in parse; it has no effect here."


OnlyX12 = Annotated[Literal["x12"], msgspec.Meta(extra={"code": ErrorCode.UNSUPPORTED_FORMAT})]


UnknownSetsName = Literal["reject", "accept", "hold"]
UNKNOWN_SETS_MEANING: Final = (
    "How ack treats sets without errors that were not checked. hold (default): there is no "
    "acknowledgement, ack_withheld names the sets; reject: they are rejected with code 1; "
    "accept: they are accepted."
)


AckTypeName = Literal["auto", "997", "999", "TA1", "277CA", "824"]
ACK_TYPE_MEANING: Final = (
    "What ack is. auto (default): a 999 for an implementation guide, otherwise a 997; TA1: only "
    "the TA1, even if not requested; 277CA: the answer to an 837, claim by claim; 824: what became "
    "of each set, with its faults."
)


class ValidateRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """An X12 document and what to validate it by. The members are those of parse."""

    document: Annotated[str, msgspec.Meta(description="The X12 document as a string.")]
    format: Annotated[
        OnlyX12 | None,
        msgspec.Meta(description="Only X12 is validated."),
    ] = None
    elem_sep: Annotated[
        Text | None,
        msgspec.Meta(
            description="Element separator. Detected when absent or empty.", examples=["*"]
        ),
    ] = None
    seg_term: Annotated[
        Text | None,
        msgspec.Meta(
            description="Segment terminator. Detected when absent or empty.", examples=["~"]
        ),
    ] = None
    include: Annotated[
        list[Literal["segments", "tree", "validation"]] | None,
        msgspec.Meta(description=_NO_EFFECT),
    ] = None
    csv: Annotated[CsvOptions | None, msgspec.Meta(description=_NO_EFFECT)] = None
    release: Annotated[Release | None, msgspec.Meta(description=RELEASE_MEANING)] = None
    guide: Annotated[
        Text | None, msgspec.Meta(description=GUIDE_MEANING, examples=["005010X222A1"])
    ] = None
    codes: Annotated[CodesName | None, msgspec.Meta(description=CODES_MEANING)] = None
    unknown_sets: Annotated[
        UnknownSetsName | None, msgspec.Meta(description=UNKNOWN_SETS_MEANING)
    ] = None
    ack_type: Annotated[AckTypeName | None, msgspec.Meta(description=ACK_TYPE_MEANING)] = None


class ValidateAnswer(ValidationItem, kw_only=True):
    """The findings of a validation. An invalid document is an answer, not a refusal."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")]
    environment: EnvironmentName


class ValidateQuery(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Options for validating an X12 document that is the body itself."""

    format: Annotated[
        OnlyX12 | msgspec.UnsetType,
        msgspec.Meta(description="With a raw body: only X12 is validated."),
    ] = msgspec.UNSET
    elem_sep: RawElementSeparator = msgspec.UNSET
    seg_term: RawSegmentTerminator = msgspec.UNSET
    release: RawRelease = msgspec.UNSET
    guide: RawGuide = msgspec.UNSET
    codes: RawCodes = msgspec.UNSET
    unknown_sets: Annotated[
        UnknownSetsName | msgspec.UnsetType,
        msgspec.Meta(description=f"With a raw body: {UNKNOWN_SETS_MEANING}"),
    ] = msgspec.UNSET
    ack_type: Annotated[
        AckTypeName | msgspec.UnsetType,
        msgspec.Meta(description=f"With a raw body: {ACK_TYPE_MEANING}"),
    ] = msgspec.UNSET


def request_of(query: ValidateQuery) -> ValidateRequest:
    """Return the request that these parameters stand for, without its document."""
    chosen = msgspec.structs.asdict(query)
    given = {name: value for name, value in chosen.items() if value is not msgspec.UNSET}
    return ValidateRequest(document="", **given)


async def validate(caller: AccountCaller, call: Call[ValidateRequest]) -> Answer:
    body = call.body
    document = body.document if call.raw_document is None else call.raw_document
    call.services.metrics.document_received(len(document))
    chosen = {
        "elem_sep": body.elem_sep,
        "seg_term": body.seg_term,
        "release": body.release,
        "guide": body.guide,
        "unknown_sets": body.unknown_sets,
        "ack_type": body.ack_type,
    }
    options: dict[str, object] = {name: value for name, value in chosen.items() if value}
    services = call.services
    options |= code_options(body.codes, services)
    definitions = await services.trading.definitions.current(caller.scope)
    result = await run_validation(
        services.compute, services.validate_result, document, definitions, **options
    )
    return result_answer(result, caller.environment)


VALIDATE: Final = Operation(
    method="POST",
    path="/api/v1/validate",
    operation_id="validate",
    tag="Documents",
    summary="Validate an X12 document",
    description=(
        "Validates an X12 document by the dictionary: envelope, segments and loops, elements, "
        "codes, amounts; under an implementation guide where the document names one. Every "
        "finding has its exact place, and the acknowledgement that answers the document is made "
        "at once, with preview control numbers. The document is a member of a JSON body, or the "
        "body itself as application/edi-x12, with the options in the query. Nothing is stored. "
        "Needs scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.DOCUMENTS,
    body=ValidateRequest,
    body_example={"document": "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~"},
    raw_form=RawForm(media_types=RAW_MEDIA_TYPES, parameters=ValidateQuery, request=request_of),
    response=Response(description="The document was validated.", shape=ValidateAnswer),
    errors=frozenset({
        ErrorCode.UNSUPPORTED_FORMAT,
        ErrorCode.DOCUMENT_EMPTY,
        ErrorCode.DOCUMENT_UNPARSEABLE,
        ErrorCode.DOCUMENT_NOT_X12,
        ErrorCode.SEGMENT_TOO_LONG,
        ErrorCode.LIMIT_EXCEEDED,
    }),
    handler=validate,
)
