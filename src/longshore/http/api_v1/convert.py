"""POST /api/v1/convert: a document and rules in, another document out; stored if asked for."""

from typing import Final, Literal

import msgspec

from longshore.domain.accounts.model import ApiCaller, KeyScope
from longshore.domain.maps.model import SavedMap
from longshore.domain.partners.service import VISIBLE_TO_API_KEY
from longshore.domain.vault.model import NewDocument, VaultStatus
from longshore.engine import ConvertedResult, RuleText
from longshore.engine.converted import filename_of
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.conversion import conversion_options
from longshore.http.api_v1.convert_shapes import ConvertAnswer, ConvertRequest, rules_text
from longshore.http.api_v1.execution import run_conversion
from longshore.http.envelope import Answer, result_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import Call, Operation, Response
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError


class RulesRequiredError(LongshoreError):
    """The request has neither a saved map nor rules."""

    def __init__(self) -> None:
        code = ErrorCode.MAP_OR_FIELD_MAP_REQUIRED
        message = "Give map_id, the id of a saved map, or field_map, a list of rules, or both."
        details = tuple(
            ErrorDetail(code=code, param=param, message=message)
            for param in ("map_id", "field_map")
        )
        super().__init__(code, message, details=details)


class MapVersionWithoutMapError(LongshoreError):
    """The request names a version of no map."""

    def __init__(self) -> None:
        code = ErrorCode.INVALID_PARAMETER
        message = 'Parameter "map_version" is a version of map_id, which is missing.'
        detail = ErrorDetail(code=code, param="map_version", message=message)
        super().__init__(code, message, details=(detail,))


class _Written(msgspec.Struct, kw_only=True):
    """One output as the vault stores it."""

    filename: str
    output: str
    explain: msgspec.Raw = msgspec.Raw()


class _Result(_Written, kw_only=True):
    """A result as the vault stores it."""

    format: str
    outputs: list[_Written] = []


async def convert(caller: ApiCaller, call: Call[ConvertRequest]) -> Answer:
    body, services = call.body, call.services
    services.metrics.document_received(len(body.document))
    if body.map_id is None and body.field_map is None:
        raise RulesRequiredError
    if body.map_id is None and body.map_version is not None:
        raise MapVersionWithoutMapError
    saved = None
    if body.map_id is not None:
        saved = await services.maps.get(caller.scope, body.map_id, body.map_version)
    rules = _rules(body, saved)
    result = await run_conversion(
        services.compute,
        services.convert_result,
        body.document,
        rules,
        **await conversion_options(
            caller,
            call,
            VISIBLE_TO_API_KEY[caller.environment],
            tx_set=None if saved is None else saved.definition.tx_set,
            is_explained=bool(body.explain),
        ),
    )
    members = result.members
    if body.save_to_vault:
        documents = _documents(body, rules, saved, result)
        stored = await services.vault.store(caller.scope, *documents)
        members = _with_ids(members, stored.output_ids, is_split=bool(body.split))
    if saved is not None:
        members = b'%s,"map_version":%d}' % (members[:-1], saved.version)
    return result_answer(members, caller.environment)


def _rules(body: ConvertRequest, saved: SavedMap | None) -> RuleText:
    """Return the rules to run: those of the request go before those of the map."""
    defaults = RuleText("[]") if saved is None else _rules_of(saved)
    field_map = defaults.field_map if body.field_map is None else rules_text(body.field_map)
    return RuleText(
        field_map,
        defaults.lookups,
        body.source_format or defaults.source_format,
        body.target_format or defaults.target_format,
    )


def _rules_of(saved: SavedMap) -> RuleText:
    definition = saved.definition
    return RuleText(
        definition.field_map, definition.lookups, definition.source_fmt, definition.target_fmt
    )


# ---- the vault ---------------------------------------------------------------------------------


def _documents(
    body: ConvertRequest, rules: RuleText, saved: SavedMap | None, result: ConvertedResult
) -> tuple[NewDocument, list[NewDocument]]:
    """Return the source and the outputs as they are to be stored."""
    read = msgspec.json.decode(result.members, type=_Result)
    # What other rules than its own make is not of the map.
    made_by = None if body.field_map is not None else saved
    direction: Literal["inbound", "outbound"] = body.direction or "inbound"
    source_set = result.sets[0][0]
    status = VaultStatus.PROCESSED_PARTLY if result.is_partial else VaultStatus.PROCESSED
    source = NewDocument(
        filename=filename_of(source_set, body.document, rules.source_format),
        fmt=rules.source_format,
        direction=direction,
        transaction_set=source_set,
        content=body.document,
        status=status,
    )
    outputs = [
        NewDocument(
            filename=written.filename,
            fmt=read.format,
            direction=direction,
            transaction_set=about_set,
            content=written.output,
            map_id=None if made_by is None else made_by.head.id,
            map_version=None if made_by is None else made_by.version,
            explain=bytes(written.explain).decode() or None,
            status=status,
        )
        for written, (_, about_set) in zip(read.outputs or [read], result.sets, strict=True)
    ]
    return source, outputs


def _with_ids(members: bytes, ids: tuple[int, ...], *, is_split: bool) -> bytes:
    """Return the result members with the ids of the stored outputs."""
    if is_split:
        result = msgspec.json.decode(members, type=dict[str, msgspec.Raw])
        outputs = msgspec.json.decode(result["outputs"], type=list[msgspec.Raw])
        items = (
            b'%s,"doc_id":%d}' % (bytes(item)[:-1], doc_id)
            for item, doc_id in zip(outputs, ids, strict=True)
        )
        result["outputs"] = msgspec.Raw(b"[%s]" % b",".join(items))
        members = msgspec.json.encode(result)
    return b'%s,"doc_id":%d}' % (members[:-1], ids[0])


CONVERT: Final = Operation(
    method="POST",
    path="/api/v1/convert",
    operation_id="convert",
    tag="Documents",
    summary="Convert a document",
    description=(
        "Converts a document to X12, JSON, XML or CSV with the rules of a saved map or of the "
        "request. The rules are checked before the document, and all their errors are reported "
        "at once. With save_to_vault the source and the output are stored together; if the "
        "conversion is refused, nothing is stored. Needs scope convert."
    ),
    caller=API_KEY,
    scope=KeyScope.CONVERT,
    limit_class=LimitClass.DOCUMENTS,
    body=ConvertRequest,
    body_example={
        "document": "ST*850*0001~BEG*00*SA*PO-1**20260115~SE*3*0001~",
        "field_map": [{"src": "BEG.03", "tgt": "order.number", "transform": "none"}],
    },
    response=Response(description="The document was converted.", shape=ConvertAnswer),
    errors=frozenset({
        ErrorCode.STORAGE_QUOTA_EXCEEDED,
        ErrorCode.UNSUPPORTED_FORMAT,
        ErrorCode.MAP_OR_FIELD_MAP_REQUIRED,
        ErrorCode.INVALID_MAPPING_RULE,
        ErrorCode.INVALID_FORMULA,
        ErrorCode.UNSUPPORTED_TRANSFORM,
        ErrorCode.MAP_TX_SET_MISMATCH,
        ErrorCode.CONVERSION_FAILED,
        ErrorCode.DELIMITER_IN_DATA,
        ErrorCode.DOCUMENT_EMPTY,
        ErrorCode.DOCUMENT_UNPARSEABLE,
        ErrorCode.DOCUMENT_NOT_X12,
        ErrorCode.SEGMENT_TOO_LONG,
        ErrorCode.LIMIT_EXCEEDED,
        ErrorCode.NOT_FOUND,
        ErrorCode.INVALID_STATE,
        ErrorCode.STORAGE_UNAVAILABLE,
    }),
    handler=convert,
)
