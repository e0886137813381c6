"""GET /api/v1/schemas: what the dictionary knows, for the mapper and for people."""

from typing import Annotated, Any, Final, Literal

import msgspec

from longshore.domain.accounts.model import KeyScope
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.parse import Release, Text
from longshore.http.envelope import Answer, EnvironmentName, result_answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.operation import Call, Operation, Response
from longshore.kit.errors import ErrorCode


class SchemaEntry(msgspec.Struct, kw_only=True):
    """A transaction set in one release."""

    tx_set: Annotated[str, msgspec.Meta(description="Code of the set, such as 850.")]
    name: str
    release: Annotated[str, msgspec.Meta(description="Six digits, such as 004010.")]
    functional_id: Annotated[str, msgspec.Meta(description="GS01 of its groups, such as PO.")]
    guides: Annotated[
        list[str], msgspec.Meta(description="Implementation guides over it in this release.")
    ]


class SchemasAnswer(msgspec.Struct, kw_only=True):
    """Everything documents are validated by, one entry for each set and release."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")]
    schemas: list[SchemaEntry]
    environment: EnvironmentName


class SchemaPosition(msgspec.Struct, kw_only=True):
    """A segment in its place. What begins a loop says so in ``loop``."""

    path: Annotated[
        str, msgspec.Meta(description="The loops around it and its id, such as PO1/PID/PID.")
    ]
    segment: str
    requirement: Annotated[
        Literal["M", "O", "R", "S", "N"],
        msgspec.Meta(description="Mandatory, optional; in guides required, situational, not used."),
    ]
    max: Annotated[int, msgspec.Meta(description="How often it may occur; 0: without limit.")]
    label: str | None
    elements: Annotated[
        list[dict[str, Any]],  # of a composite other members than of a simple one
        msgspec.Meta(
            description="position (1-based), element, type, min, max, requirement, repeat, label, "
            "code_list or, where a guide leaves certain ones, codes; of a composite components in "
            "place of type and lengths."
        ),
    ]
    loop: Annotated[
        dict[str, Any] | msgspec.UnsetType,
        msgspec.Meta(description="id, requirement and max of the loop that begins here."),
    ] = msgspec.UNSET
    when: Annotated[
        dict[str, Any] | msgspec.UnsetType,
        msgspec.Meta(description="element and codes that distinguish it from others with its id."),
    ] = msgspec.UNSET


class SchemaItem(msgspec.Struct, kw_only=True):
    """The structure of a set, as `longshore dictionary export` has it, with its elements."""

    set: Annotated[str, msgspec.Meta(description="Code of the set, such as 850.")]
    release: str
    guide: str | None
    functional_id: str
    name: str
    positions: Annotated[
        list[SchemaPosition], msgspec.Meta(description="In the order of the table; no ST and SE.")
    ]
    code_lists: Annotated[
        dict[str, dict[str, str]],
        msgspec.Meta(description="The lists that elements name: each code with its meaning."),
    ]
    extensions: Annotated[
        list[str], msgspec.Meta(description="What a partner's overlay has widened.")
    ]


class SchemaAnswer(msgspec.Struct, kw_only=True):
    """One set in one release, under a guide or not."""

    ok: Annotated[Literal[True], msgspec.Meta(description="Always true.")]
    schema: SchemaItem
    environment: EnvironmentName


class SchemaParameters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The set, its release and its guide."""

    tx_set: Annotated[str, msgspec.Meta(description="Code of the set, such as 850.")]
    release: Annotated[
        Release | msgspec.UnsetType,
        msgspec.Meta(description="Six digits; absent, that of the guide or the newest known."),
    ] = msgspec.UNSET
    guide: Annotated[
        Text | msgspec.UnsetType,
        msgspec.Meta(description="Implementation guide, such as 005010X222A1."),
    ] = msgspec.UNSET


async def list_schemas(caller: AccountCaller, call: Call[None]) -> Answer:
    return _answer(await call.services.compute.run(call.services.schemas_result), caller)


async def show_schema(caller: AccountCaller, call: Call[None]) -> Answer:
    asked = call.parameters_as(SchemaParameters)
    result = await call.services.compute.run(
        call.services.schema_result, asked.tx_set, asked.release or "", asked.guide or ""
    )
    return _answer(result, caller)


def _answer(result: bytes, caller: AccountCaller) -> Answer:
    return result_answer(result, caller.environment)


SCHEMAS: Final = Operation(
    method="GET",
    path="/api/v1/schemas",
    operation_id="listSchemas",
    tag="Dictionary",
    summary="List the transaction sets of the dictionary",
    description=(
        "Names every transaction set with its releases and implementation guides. Needs scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.REQUESTS,
    response=Response(description="The sets that are known.", shape=SchemasAnswer),
    handler=list_schemas,
)
SCHEMA: Final = Operation(
    method="GET",
    path="/api/v1/schemas/{tx_set}",
    operation_id="showSchema",
    tag="Dictionary",
    summary="Describe a transaction set",
    description=(
        "Returns the segments and loops of a set in order, each with its elements, codes and "
        "labels; with guide only the parts that the guide uses. Needs scope read."
    ),
    caller=API_KEY,
    scope=KeyScope.READ,
    limit_class=LimitClass.REQUESTS,
    parameters=SchemaParameters,
    response=Response(description="The definition of the set.", shape=SchemaAnswer),
    errors=frozenset({ErrorCode.NOT_FOUND}),
    handler=show_schema,
)
