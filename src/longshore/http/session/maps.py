"""/api/maps: saved maps, for the pages of the service."""

from typing import Final

import msgspec

from longshore.domain.maps.definitions import BLANK, copy_of_starter
from longshore.domain.maps.model import Authorship, MapQuery
from longshore.domain.users.model import SessionUser
from longshore.http.envelope import Answer, json_answer
from longshore.http.limits import LimitClass
from longshore.http.listing import page_of
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.http.session.maps_answers import (
    MAPS,
    NOT_FOUND,
    RULE_ERRORS,
    asked_map_id,
    definition_of,
    detail_of,
    listed_item,
    map_id_of,
    new_definition,
    saved_answer,
    tagged,
)
from longshore.http.session.maps_shapes import (
    MapAnswer,
    MapBody,
    MapParameters,
    MapsAnswer,
    MapsParameters,
    MapVersionParameters,
    NewMapBody,
    RemovedAnswer,
    SavedMapAnswer,
    StarterAnswer,
    StarterDetail,
    StarterItem,
    StarterParameters,
    StartersAnswer,
)
from longshore.http.session_caller import EDITOR, VIEWER
from longshore.kit.errors import ErrorCode
from longshore.mapping.starters import starters


async def list_maps(user: SessionUser, call: Call[None]) -> Answer:
    asked = call.parameters_as(MapsParameters)
    limit, offset, warnings = page_of(asked.limit, asked.offset)
    query = MapQuery(q=asked.q or "", limit=limit if asked.limit else None, offset=offset)
    page = await call.services.maps.list(user.scope, query)
    return json_answer(
        MapsAnswer(
            count=len(page.maps),
            total=page.total,
            limit=query.limit,
            offset=offset,
            has_more=offset + len(page.maps) < page.total,
            maps=[listed_item(each) for each in page.maps],
            warnings=warnings,
        )
    )


_STARTER_MEMBERS: Final = ("name", "source_fmt", "target_fmt", "tx_set", "direction")


async def list_starters(_: SessionUser, __: Call[None]) -> Answer:
    items = [msgspec.convert(each, StarterItem, from_attributes=True) for each in starters()]
    return json_answer(StartersAnswer(starters=items))


async def show_starter(_: SessionUser, call: Call[None]) -> Answer:
    key = call.parameters_as(StarterParameters).key
    definition = copy_of_starter(key)
    shown = {
        **{name: getattr(definition, name) for name in _STARTER_MEMBERS},
        "key": key,
        "field_map": msgspec.json.decode(definition.field_map, type=list[msgspec.Raw]),
        "lookups": msgspec.json.decode(definition.lookups),
    }
    answer = StarterAnswer(starter=msgspec.convert(shown, StarterDetail))
    return json_answer(answer)


async def show_map(user: SessionUser, call: Call[None]) -> Answer:
    asked = call.parameters_as(MapVersionParameters)
    version = int(asked.version) if asked.version else None
    saved = await call.services.maps.get(user.scope, map_id_of(asked.map_id), version)
    answer = MapAnswer(map=detail_of(saved))
    return tagged(json_answer(answer), saved)


async def create_map(user: SessionUser, call: Call[NewMapBody]) -> Answer:
    definition = new_definition(call.body)
    by = Authorship(saved_by=user.email, note=call.body.note or "")
    saved = await call.services.maps.create(request_context_of(user, call), definition, by)
    return saved_answer(saved)


async def save_map(user: SessionUser, call: Call[MapBody]) -> Answer:
    maps, map_id = call.services.maps, asked_map_id(call)
    definition = definition_of(call.body, BLANK)
    by = Authorship(saved_by=user.email, note=call.body.note or "")
    expected = call.expected_version
    if expected is None:
        expected = (await maps.get(user.scope, map_id)).head.version
    saved = await maps.save(request_context_of(user, call), map_id, expected, definition, by)
    return saved_answer(saved)


async def remove_map(user: SessionUser, call: Call[None]) -> Answer:
    context = request_context_of(user, call)
    await call.services.maps.delete(context, asked_map_id(call), call.expected_version)
    return json_answer(RemovedAnswer())


_EXAMPLE: Final = {
    "name": "Orders for the shop",
    "source_fmt": "x12",
    "target_fmt": "json",
    "tx_set": "850",
    "field_map": [{"src": "BEG.03", "tgt": "order.number", "transform": "none"}],
}

LIST_MAPS: Final = Operation(
    method="GET",
    path="/api/maps",
    operation_id="listMaps",
    tag=MAPS,
    summary="List the saved maps",
    description=(
        "The maps of the account, the last saved first: all of them, or those and the page that "
        "are asked for. Both environments share them."
    ),
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    parameters=MapsParameters,
    response=Response(description="A page of maps.", shape=MapsAnswer),
    handler=list_maps,
)
CREATE_MAP: Final = Operation(
    method="POST",
    path="/api/maps",
    operation_id="createMap",
    tag=MAPS,
    summary="Save a new map",
    description=(
        "Saves version 1 of a new map, or a copy of a starter map. The rules are checked first: "
        "if they have errors, all are reported at once and nothing is stored. The tests run "
        "after the save; a failing test does not undo it."
    ),
    caller=EDITOR,
    scope=None,
    limit_class=LimitClass.DOCUMENTS,
    body=NewMapBody,
    body_example=_EXAMPLE,
    response=Response(description="The map was saved.", shape=SavedMapAnswer),
    errors=RULE_ERRORS
    | NOT_FOUND
    | {ErrorCode.MISSING_PARAMETER, ErrorCode.STORAGE_QUOTA_EXCEEDED},
    handler=create_map,
)
LIST_STARTERS: Final = Operation(
    method="GET",
    path="/api/maps/starters",
    operation_id="listStarterMaps",
    tag=MAPS,
    summary="List the maps that come with Longshore",
    description="POST /api/maps with starter and one of the keys saves a copy, yours to change.",
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    response=Response(description="The starter maps.", shape=StartersAnswer),
    handler=list_starters,
)
SHOW_STARTER: Final = Operation(
    method="GET",
    path="/api/maps/starters/{key}",
    operation_id="showStarterMap",
    tag=MAPS,
    summary="Show a map that comes with Longshore",
    description="Its rules, to look at or to begin with; nothing is saved.",
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    parameters=StarterParameters,
    response=Response(description="The starter map.", shape=StarterAnswer),
    errors=NOT_FOUND,
    handler=show_starter,
)
SHOW_MAP: Final = Operation(
    method="GET",
    path="/api/maps/{map_id}",
    operation_id="showMap",
    tag=MAPS,
    summary="Show a map with its rules",
    description="The newest version, or the one asked for. The ETag is the newest version.",
    caller=VIEWER,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    parameters=MapVersionParameters,
    response=Response(description="The map.", shape=MapAnswer),
    errors=NOT_FOUND,
    handler=show_map,
)
SAVE_MAP: Final = Operation(
    method="PUT",
    path="/api/maps/{map_id}",
    operation_id="saveMap",
    tag=MAPS,
    summary="Save the next version of a map",
    description=(
        "Replaces the whole map; the version before stays in the history. If-Match names the "
        "version that was edited: 409 edit_conflict if another was saved since, 409 invalid_state "
        "if the map is locked."
    ),
    caller=EDITOR,
    scope=None,
    limit_class=LimitClass.DOCUMENTS,
    parameters=MapParameters,
    is_versioned=True,
    body=MapBody,
    body_example=_EXAMPLE,
    response=Response(description="The version was saved.", shape=SavedMapAnswer),
    errors=RULE_ERRORS | NOT_FOUND | {ErrorCode.INVALID_STATE, ErrorCode.STORAGE_QUOTA_EXCEEDED},
    handler=save_map,
)
REMOVE_MAP: Final = Operation(
    method="DELETE",
    path="/api/maps/{map_id}",
    operation_id="removeMap",
    tag=MAPS,
    summary="Remove a map and its history",
    description="Documents it produced stay in the vault. A locked map is not deleted.",
    caller=EDITOR,
    scope=None,
    limit_class=LimitClass.REQUESTS,
    parameters=MapParameters,
    is_versioned=True,
    response=Response(description="The map was deleted.", shape=RemovedAnswer),
    errors=NOT_FOUND | {ErrorCode.INVALID_STATE},
    handler=remove_map,
)

OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    LIST_MAPS,
    CREATE_MAP,
    LIST_STARTERS,
    SHOW_STARTER,
    SHOW_MAP,
    SAVE_MAP,
    REMOVE_MAP,
)
