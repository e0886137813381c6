"""Saved maps on their way from and to the wire."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from longshore.domain.maps.definitions import BLANK, copy_of_starter
from longshore.domain.maps.errors import MapNotFoundError
from longshore.domain.maps.model import (
    ListedMap,
    MapDefinition,
    MapHead,
    MapVersion,
    SampleDocument,
    Saved,
    SavedMap,
)
from longshore.engine.trials import MapTest, TestReport
from longshore.http.api_v1.convert_shapes import ConversionNotice, rules_text
from longshore.http.envelope import Answer, json_answer, utc_text
from longshore.http.listing import id_in_path
from longshore.http.operation import Call
from longshore.http.session.maps_shapes import (
    DifferenceItem,
    ListedMapItem,
    LookupTable,
    MapBody,
    MapDetail,
    MapParameters,
    MapSample,
    MapTestItem,
    NewMapBody,
    SavedMapAnswer,
    TestItem,
    TestSummary,
    VersionItem,
)
from longshore.kit.errors import ErrorCode, ErrorDetail, LongshoreError
from longshore.mapping.writes import MappingWarning

MAPS: Final = "Maps"
"""The tag of the operations on maps."""

RULE_ERRORS: Final = frozenset({
    ErrorCode.INVALID_PARAMETER,
    ErrorCode.INVALID_JSON,
    ErrorCode.UNSUPPORTED_FORMAT,
    ErrorCode.INVALID_MAPPING_RULE,
    ErrorCode.INVALID_FORMULA,
    ErrorCode.UNSUPPORTED_TRANSFORM,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.OVERLOADED,
})
"""The codes with which rules are refused."""

NOT_FOUND: Final = frozenset({ErrorCode.NOT_FOUND})


class MissingMembersError(LongshoreError):
    """A new map without a starter lacks what only a starter could bring."""

    def __init__(self, names: tuple[str, ...]) -> None:
        code = ErrorCode.MISSING_PARAMETER
        details = tuple(
            ErrorDetail(
                code=code,
                param=name,
                message=f'Parameter "{name}" is missing; only a copy of a starter goes without.',
            )
            for name in names
        )
        super().__init__(code, details[0].message, details=details)


def map_id_of(text: str) -> int:
    """Return the id of a map as it stands in a path.

    Raises:
        MapNotFoundError: It is no id, so no map has it.
    """
    map_id = id_in_path(text)
    if map_id is None:
        raise MapNotFoundError
    return map_id


def conversion_notices(
    warnings: Sequence[MappingWarning],
) -> list[ConversionNotice] | msgspec.UnsetType:
    """Return the warnings of a conversion as an answer shows them; unset if there are none."""
    notices = [msgspec.convert(each.to_members(), ConversionNotice) for each in warnings]
    return notices or msgspec.UNSET


def summary_of_tests(report: TestReport) -> TestSummary:
    """Return how tests went, as an answer shows it."""
    results = [
        TestItem(
            name=each.name,
            passed=each.has_passed,
            diff=[
                DifferenceItem(
                    path=place.path,
                    expected=raw_or_unset(place.before),
                    actual=raw_or_unset(place.after),
                )
                for place in each.diff
            ],
            error=each.error or msgspec.UNSET,
            warnings=conversion_notices(each.warnings),
        )
        for each in report.results
    ]
    return TestSummary(passed=report.passed, failed=report.failed, results=results)


def detail_of(saved: SavedMap) -> MapDetail:
    """Return a map with the rules of the version that was read.

    Of an old version the name and formats are those it had; ``version`` tells which it is.
    """
    definition = saved.definition
    sample = definition.sample
    old = {
        "name": definition.name,
        "source_fmt": definition.source_fmt,
        "target_fmt": definition.target_fmt,
        "tx_set": definition.tx_set,
        "direction": definition.direction,
        "version": saved.version,
    }
    rules = msgspec.json.decode(definition.field_map, type=list[msgspec.Raw])
    return MapDetail(
        **{**_members(saved.head), **old, "rule_count": len(rules)},
        description=definition.description,
        field_map=rules,
        lookups=msgspec.json.decode(definition.lookups, type=list[LookupTable]),
        sample=None if sample is None else _sample_item(sample),
        target_sample=definition.target_sample,
        tests=[
            MapTestItem(name=test.name, document=test.document, expected=test.expected)
            for test in definition.tests
        ],
    )


def new_definition(body: NewMapBody) -> MapDefinition:
    """Return the definition of a new map.

    Raises:
        MissingMembersError: There is no starter, and no name or no rules.
        LongshoreError: not_found: there is no such starter.
    """
    if body.starter:
        return definition_of(body, copy_of_starter(body.starter))
    required = {"name": body.name, "field_map": body.field_map}
    missing = tuple(name for name, given in required.items() if given is None)
    if missing:
        raise MissingMembersError(missing)
    return definition_of(body, BLANK)


def definition_of(body: MapBody | NewMapBody, base: MapDefinition) -> MapDefinition:
    """Return ``base`` with the members that the body gives."""
    sample, tests = body.sample, body.tests
    given: dict[str, Any] = {  # members of various types
        "name": body.name,
        "description": body.description,
        "source_fmt": body.source_fmt,
        "target_fmt": body.target_fmt,
        "tx_set": body.tx_set,
        "direction": body.direction,
        "field_map": None if body.field_map is None else rules_text(body.field_map),
        "lookups": None if body.lookups is None else msgspec.json.encode(body.lookups).decode(),
        "sample": sample and SampleDocument(document=sample.document, format=sample.format),
        "target_sample": body.target_sample,
        "tests": None
        if tests is None
        else tuple(
            MapTest(name=test.name, document=test.document, expected=test.expected)
            for test in tests
        ),
    }
    return replace(base, **{name: value for name, value in given.items() if value is not None})


def asked_map_id(call: Call[Any]) -> int:  # whatever the body is
    """Return the id of the map that a path names.

    Raises:
        MapNotFoundError: It is no id.
    """
    return map_id_of(call.parameters_as(MapParameters).map_id)


def _sample_item(sample: SampleDocument) -> MapSample:
    members = {"document": sample.document, "format": sample.format}
    return msgspec.convert(members, MapSample)


def raw_or_unset(text: str | None) -> msgspec.Raw | msgspec.UnsetType:
    """Return a JSON text as a member, which is absent if there is none."""
    return msgspec.UNSET if text is None else msgspec.Raw(text.encode())


def listed_item(listed: ListedMap) -> ListedMapItem:
    """Return a map as the list shows it."""
    last_run_at = listed.last_run_at
    return ListedMapItem(
        **_members(listed.head),
        last_run_at=None if last_run_at is None else utc_text(last_run_at),
        issue_count=listed.issue_count,
    )


def _members(head: MapHead) -> dict[str, Any]:  # members of various types
    return {
        "id": head.id,
        "name": head.name,
        "source_fmt": head.source_fmt,
        "target_fmt": head.target_fmt,
        "tx_set": head.tx_set,
        "updated_at": f"{head.updated_at:%b} {head.updated_at.day}, {head.updated_at.year}",
        "updated_at_iso": utc_text(head.updated_at),
        "created_at": utc_text(head.created_at),
        "direction": head.direction,
        "version": head.version,
        "rule_count": head.rule_count,
        "locked": head.is_locked,
    }


def version_item(version: MapVersion) -> VersionItem:
    """Return a version as the history shows it."""
    return VersionItem(
        version=version.version,
        author=version.saved_by,
        note=version.note,
        created_at=utc_text(version.saved_at),
        rule_count=version.rule_count,
        added=version.changes.added,
        removed=version.changes.removed,
        changed=version.changes.changed,
    )


def tagged(answer: Answer, saved: SavedMap) -> Answer:
    """Return an answer with the version as its ``ETag``, for ``If-Match`` of a change."""
    tag = (b"etag", b'"%d"' % saved.head.version)
    return answer._replace(headers=(*answer.headers, tag))


def saved_answer(saved: Saved) -> Answer:
    """Return what is answered to a save."""
    answer = SavedMapAnswer(map=detail_of(saved.map), tests=summary_of_tests(saved.tests))
    return tagged(json_answer(answer), saved.map)
