"""/api/maps/…: rules tried before they are saved or used: preview, tests, suggestions, replay."""

from collections import Counter
from typing import Annotated, Final, Literal

import msgspec

from longshore.domain.maps.model import Candidate
from longshore.domain.maps.replay import DEFAULT_DOCUMENTS, MAX_DOCUMENTS, ReplayResult
from longshore.domain.partners.service import ALL_STATUSES
from longshore.domain.users.model import SessionUser
from longshore.engine import RuleText
from longshore.http.api_v1.conversion import conversion_options
from longshore.http.api_v1.convert_shapes import (
    ConvertAnswer,
    EnvelopeOptions,
    FieldMap,
    rules_text,
)
from longshore.http.api_v1.execution import run_conversion
from longshore.http.api_v1.parse import CsvOptions, Format
from longshore.http.envelope import Answer, json_answer, result_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.maps_answers import (
    MAPS,
    NOT_FOUND,
    RULE_ERRORS,
    asked_map_id,
    conversion_notices,
    raw_or_unset,
    summary_of_tests,
)
from longshore.http.session.maps_shapes import (
    ConversionWarnings,
    Direction,
    LookupTable,
    MapParameters,
    Ok,
    TestItem,
)
from longshore.http.session_caller import VIEWER
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class PreviewBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A document and rules that are not saved."""

    document: str
    field_map: FieldMap
    source_format: Annotated[Format | None, msgspec.Meta(description="x12 if absent.")] = None
    target_format: Annotated[Format | None, msgspec.Meta(description="json if absent.")] = None
    lookups: list[LookupTable] | None = None
    tx_set: str | None = None
    direction: Direction | None = None
    envelope: EnvelopeOptions | None = None
    partner_id: Annotated[
        int | None, msgspec.Meta(description="Partner whose envelope an X12 output gets.")
    ] = None
    csv: CsvOptions | None = None
    explain: Annotated[bool | None, msgspec.Meta(description="False leaves explain out.")] = None
    split: bool | None = None
    force: Annotated[
        bool | None, msgspec.Meta(description="Convert sets that the map is not for.")
    ] = None


class CandidateBody(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Rules to try in place of the saved ones; what is absent is as in the newest version."""

    field_map: FieldMap | None = None
    lookups: list[LookupTable] | None = None
    version: Annotated[int | None, msgspec.Meta(description="Take this old version.")] = None

    def candidate(self) -> Candidate:
        """Return what is to be tried.

        Raises:
            LongshoreError: invalid_json: a rule is not UTF-8; invalid_parameter: no such version.
        """
        if self.version is not None and self.version < 1:
            message = 'Parameter "version" must be a version number, from 1 on.'
            code = ErrorCode.INVALID_PARAMETER
            detail = ErrorDetail(code=code, param="version", message=message)
            raise LongshoreError(code, message, details=(detail,))
        return Candidate(
            field_map=None if self.field_map is None else rules_text(self.field_map),
            lookups=None if self.lookups is None else msgspec.json.encode(self.lookups).decode(),
            version=self.version,
        )


class ReplayBody(CandidateBody, forbid_unknown_fields=True, kw_only=True):
    """A candidate, and over how many stored documents it is to run."""

    last: Annotated[
        Annotated[
            int,
            msgspec.Meta(
                ge=1, le=MAX_DOCUMENTS, extra={"text": f"a number from 1 to {MAX_DOCUMENTS}"}
            ),
        ]
        | None,
        msgspec.Meta(description=f"The newest so many; {DEFAULT_DOCUMENTS} if absent."),
    ] = None


class TestsAnswer(msgspec.Struct, kw_only=True):
    """Results of the saved tests of a map."""

    ok: Ok = True
    passed: int
    failed: int
    results: list[TestItem]


class ReplayDifference(msgspec.Struct, kw_only=True):
    """A place that the candidate changes; a side without a value there is absent."""

    path: str
    before: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    after: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class ReplayItem(msgspec.Struct, kw_only=True):
    """The difference that the candidate makes for one stored document."""

    source_doc_id: int
    transaction_id: int | None
    outcome: Literal["identical", "changed", "failed"]
    diff: list[ReplayDifference]
    error: str | None
    warnings: ConversionWarnings = msgspec.UNSET


class ReplayAnswer(msgspec.Struct, kw_only=True):
    """The differences that a candidate makes for documents that the map converted before."""

    ok: Ok = True
    compared: int
    identical: int
    changed: int
    failed: int
    results: list[ReplayItem]


async def preview_map(user: SessionUser, call: Call[PreviewBody]) -> Answer:
    body, services = call.body, call.services
    lookups = "[]" if body.lookups is None else msgspec.json.encode(body.lookups).decode()
    rules = RuleText(
        rules_text(body.field_map),
        lookups,
        body.source_format or "x12",
        body.target_format or "json",
    )
    result = await run_conversion(
        services.compute,
        services.convert_result,
        body.document,
        rules,
        **await conversion_options(
            user,
            call,
            ALL_STATUSES,
            tx_set=body.tx_set,
            is_explained=body.explain is not False,
        ),
    )
    return result_answer(result.members, user.environment)


async def run_tests(user: SessionUser, call: Call[CandidateBody]) -> Answer:
    report = await call.services.maps.run_tests(
        user.scope, asked_map_id(call), call.body.candidate()
    )
    summary = summary_of_tests(report)
    return json_answer(
        TestsAnswer(
            passed=summary.passed,
            failed=summary.failed,
            results=summary.results,
        )
    )


async def replay_map(user: SessionUser, call: Call[ReplayBody]) -> Answer:
    results = await call.services.replays.replay(
        request_context_of(user, call),
        asked_map_id(call),
        call.body.candidate(),
        call.body.last or DEFAULT_DOCUMENTS,
    )
    items = [_replayed(each) for each in results]
    counts = Counter(item.outcome for item in items)
    return json_answer(
        ReplayAnswer(
            compared=len(items),
            identical=counts["identical"],
            changed=counts["changed"],
            failed=counts["failed"],
            results=items,
        )
    )


def _replayed(result: ReplayResult) -> ReplayItem:
    replayed = result.replayed
    return ReplayItem(
        source_doc_id=result.source_doc_id,
        transaction_id=result.transaction_id,
        outcome=replayed.outcome,
        diff=[
            ReplayDifference(
                path=place.path, before=raw_or_unset(place.before), after=raw_or_unset(place.after)
            )
            for place in replayed.diff
        ],
        error=replayed.error or None,
        warnings=conversion_notices(replayed.warnings),
    )


_CONVERSION_ERRORS: Final = RULE_ERRORS | {
    ErrorCode.MAP_TX_SET_MISMATCH,
    ErrorCode.CONVERSION_FAILED,
    ErrorCode.DELIMITER_IN_DATA,
    ErrorCode.DOCUMENT_EMPTY,
    ErrorCode.DOCUMENT_UNPARSEABLE,
    ErrorCode.DOCUMENT_NOT_X12,
    ErrorCode.SEGMENT_TOO_LONG,
}

PREVIEW_MAP: Final = Operation(
    method="POST",
    path="/api/maps/preview",
    operation_id="previewMap",
    tag=MAPS,
    summary="Convert by rules that are not saved",
    description=(
        "The engine of POST /api/v1/convert, and its answer byte for byte; with explain unless "
        "that is false. Nothing is stored."
    ),
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.DOCUMENTS,
    body=PreviewBody,
    body_example={
        "document": "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~",
        "field_map": [{"src": "BEG.03", "tgt": "order.number"}],
    },
    response=Response(description="What the rules make of the document.", shape=ConvertAnswer),
    errors=_CONVERSION_ERRORS | NOT_FOUND | {ErrorCode.INVALID_STATE},
    handler=preview_map,
)
RUN_MAP_TESTS: Final = Operation(
    method="POST",
    path="/api/maps/{map_id}/tests/run",
    operation_id="runMapTests",
    tag=MAPS,
    summary="Run the saved tests of a map",
    description="By its newest rules, or by those of the request; nothing is stored.",
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.DOCUMENTS,
    parameters=MapParameters,
    body=CandidateBody,
    body_example={},
    response=Response(description="The tests ran.", shape=TestsAnswer),
    errors=RULE_ERRORS | NOT_FOUND,
    handler=run_tests,
)
REPLAY_MAP: Final = Operation(
    method="POST",
    path="/api/maps/{map_id}/replay",
    operation_id="replayMap",
    tag=MAPS,
    summary="Try rules on documents that the map converted before",
    description=(
        "Runs a candidate and the newest version on the newest stored sources of this map in "
        "the chosen environment, and returns the differences of the outputs. Nothing is stored; "
        "the audit log records the call and the documents read."
    ),
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.DOCUMENTS,
    parameters=MapParameters,
    body=ReplayBody,
    body_example={"last": 20},
    response=Response(description="The candidate ran.", shape=ReplayAnswer),
    errors=RULE_ERRORS | NOT_FOUND,
    handler=replay_map,
)

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    PREVIEW_MAP,
    RUN_MAP_TESTS,
    REPLAY_MAP,
)
