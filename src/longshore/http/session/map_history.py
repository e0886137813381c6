"""/api/maps/{map_id}/…: the versions of a map, and its lock."""

from typing import Final

from longshore.domain.maps.model import Authorship
from longshore.domain.users.model import SessionUser
from longshore.http.envelope import Answer, json_answer
from longshore.http.limits import LimitClass
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.maps_answers import (
    MAPS,
    NOT_FOUND,
    RULE_ERRORS,
    asked_map_id,
    detail_of,
    saved_answer,
    tagged,
    version_item,
)
from longshore.http.session.maps_shapes import (
    MapAnswer,
    MapParameters,
    RestoreBody,
    SavedMapAnswer,
    VersionsAnswer,
)
from longshore.http.session_caller import EDITOR, VIEWER
from longshore.kit.errors import ErrorCode


async def list_versions(user: SessionUser, call: Call[None]) -> Answer:
    versions = await call.services.maps.versions(user.scope, asked_map_id(call))
    items = [version_item(each) for each in versions]
    return json_answer(VersionsAnswer(count=len(items), versions=items))


async def restore_map(user: SessionUser, call: Call[RestoreBody]) -> Answer:
    body = call.body
    by = Authorship(saved_by=user.email, note=body.note or f"Version {body.version} again")
    saved = await call.services.maps.restore(
        request_context_of(user, call), asked_map_id(call), body.version, by
    )
    return saved_answer(saved)


async def lock_map(user: SessionUser, call: Call[None]) -> Answer:
    return await _set_locked(user, call, is_locked=True)


async def unlock_map(user: SessionUser, call: Call[None]) -> Answer:
    return await _set_locked(user, call, is_locked=False)


async def _set_locked(user: SessionUser, call: Call[None], *, is_locked: bool) -> Answer:
    maps = call.services.maps
    saved = await maps.set_locked(
        request_context_of(user, call), asked_map_id(call), is_locked=is_locked
    )
    answer = MapAnswer(map=detail_of(saved))
    return tagged(json_answer(answer), saved)


LIST_VERSIONS: Final = Operation(
    method="GET",
    path="/api/maps/{map_id}/versions",
    operation_id="listMapVersions",
    tag=MAPS,
    summary="Show the history of a map",
    description="Every save, the newest first, with who saved it and how many rules it changed.",
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    parameters=MapParameters,
    response=Response(description="The versions.", shape=VersionsAnswer),
    errors=NOT_FOUND,
    handler=list_versions,
)
RESTORE_MAP: Final = Operation(
    method="POST",
    path="/api/maps/{map_id}/restore",
    operation_id="restoreMap",
    tag=MAPS,
    summary="Save an old version again",
    description="The old version becomes the newest; nothing of the history is lost.",
    caller=EDITOR,
    scope=None,
    limit_class=LimitClass.DOCUMENTS,
    parameters=MapParameters,
    body=RestoreBody,
    body_example={"version": 3},
    response=Response(description="The version was saved.", shape=SavedMapAnswer),
    errors=RULE_ERRORS
    | NOT_FOUND
    | {ErrorCode.INVALID_STATE, ErrorCode.EDIT_CONFLICT, ErrorCode.STORAGE_QUOTA_EXCEEDED},
    handler=restore_map,
)
LOCK_MAP: Final = Operation(
    method="POST",
    path="/api/maps/{map_id}/lock",
    operation_id="lockMap",
    tag=MAPS,
    summary="Lock a map against changes",
    description="It still converts; PUT and DELETE are refused with 409 invalid_state.",
    caller=EDITOR,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    parameters=MapParameters,
    response=Response(description="The map is locked.", shape=MapAnswer),
    errors=NOT_FOUND,
    handler=lock_map,
)
UNLOCK_MAP: Final = Operation(
    method="POST",
    path="/api/maps/{map_id}/unlock",
    operation_id="unlockMap",
    tag=MAPS,
    summary="Unlock a map",
    description="It can be changed and removed again.",
    caller=EDITOR,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    parameters=MapParameters,
    response=Response(description="The map is not locked.", shape=MapAnswer),
    errors=NOT_FOUND,
    handler=unlock_map,
)

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    LIST_VERSIONS,
    RESTORE_MAP,
    LOCK_MAP,
    UNLOCK_MAP,
)
