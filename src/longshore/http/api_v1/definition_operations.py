"""/api/v1/definitions: definitions that accounts import, for keys and for sessions."""

from typing import Any, Final

from longshore.domain.accounts.model import KeyScope
from longshore.domain.definitions.errors import DefinitionNotFoundError
from longshore.domain.definitions.model import MAX_DEFINITIONS, OwnDefinitionId
from longshore.http.api_caller import API_KEY
from longshore.http.api_v1.definition_shapes import (
    EXAMPLE_ITEM,
    DefinitionAnswer,
    DefinitionImportAnswer,
    DefinitionImportRequest,
    DefinitionParameters,
    DefinitionsAnswer,
    DefinitionText,
    definition_item,
    import_answer,
)
from longshore.http.envelope import Answer, DoneAnswer, done, json_answer
from longshore.http.exchange import AccountCaller
from longshore.http.limits import LimitClass
from longshore.http.listing import id_in_path
from longshore.http.operation import AnyOperation, Call, Operation, Response
from longshore.http.request_context import request_context_of
from longshore.kit.errors import ErrorCode

DEFINITIONS: Final = "Definitions"
_EXAMPLE_FILE: Final = """form: X12
version: "004010"
structures:
- id: "850"
  name: "Order of ours"
  class: PO
  heading:
  - { idRef: BEG, position: "0100", usage: M }
  - { idRef: REF, position: "0200", usage: M, count: 2 }
"""


async def list_definitions(caller: AccountCaller, call: Call[None]) -> Answer:
    found = await call.services.trading.definitions.list(request_context_of(caller, call))
    return json_answer(
        DefinitionsAnswer(
            environment=caller.environment.value,
            count=len(found),
            definitions=[definition_item(each) for each in found],
        )
    )


async def show_definition(caller: AccountCaller, call: Call[None]) -> Answer:
    service, context = call.services.trading.definitions, request_context_of(caller, call)
    stored, texts = await service.show(context, _id(call))
    return json_answer(
        DefinitionAnswer(
            definition=definition_item(stored),
            texts=[DefinitionText(name=name, text=text) for name, text in texts.items()],
        )
    )


async def import_definition(caller: AccountCaller, call: Call[DefinitionImportRequest]) -> Answer:
    service, context = call.services.trading.definitions, request_context_of(caller, call)
    imported = await service.import_file(context, call.body.content, call.body.names())
    return json_answer(import_answer(imported, caller.environment.value))


async def delete_definition(caller: AccountCaller, call: Call[None]) -> Answer:
    await call.services.trading.definitions.delete(request_context_of(caller, call), _id(call))
    return done()


# Any: the type of the body makes no difference here.
def _id(call: Call[Any]) -> OwnDefinitionId:
    number = id_in_path(call.parameters_as(DefinitionParameters).id)
    if number is None:
        raise DefinitionNotFoundError
    return OwnDefinitionId(number)


def _operation(method: str, path: str, **members: Any) -> AnyOperation:  # noqa: ANN401 - those of Operation
    """Return an operation of API keys: reading needs scope read, all else scope submit."""
    scope = KeyScope.READ if method == "GET" else KeyScope.SUBMIT
    text = members.pop("description")
    return Operation(
        method=method,
        path=f"/api/v1/definitions{path}",
        tag=DEFINITIONS,
        description=f"{text} Needs scope {scope.value}.",
        caller=API_KEY,
        scope=scope,
        **members,
    )


DEFINITION_OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    _operation(
        "GET",
        "",
        operation_id="listDefinitions",
        summary="List imported definitions",
        description=(
            "Returns the definitions that the account imported in the environment, by set, release "
            "and guide. Those of Longshore are in /api/v1/schemas."
        ),
        limit_class=LimitClass.REQUESTS,
        response=Response(
            description="The definitions.",
            shape=DefinitionsAnswer,
            example={
                "ok": True,
                "environment": "sandbox",
                "count": 1,
                "definitions": [EXAMPLE_ITEM],
            },
        ),
        handler=list_definitions,
    ),
    _operation(
        "POST",
        "",
        operation_id="importDefinition",
        summary="Import a definition",
        description=(
            "Reads a file that describes transaction sets or an implementation guide, and uses it "
            "in place of the definition of Longshore for its set, release and guide: in validate, "
            "submit, received documents and their acknowledgements, of this account and "
            "environment. An earlier import for the same set, release and guide is replaced. An "
            f"account has at most {MAX_DEFINITIONS} definitions in an environment."
        ),
        limit_class=LimitClass.DOCUMENTS,
        body=DefinitionImportRequest,
        body_example={"file": "acme-850.esl", "format": "mulesoft", "content": _EXAMPLE_FILE},
        response=Response(
            description="The definitions that the file became.",
            shape=DefinitionImportAnswer,
            example={
                "ok": True,
                "environment": "sandbox",
                "definitions": [EXAMPLE_ITEM],
                "replaced": [],
                "warnings": [],
                "warning_count": 0,
            },
        ),
        errors=frozenset({ErrorCode.INVALID_STATE, ErrorCode.LIMIT_EXCEEDED}),
        handler=import_definition,
    ),
    _operation(
        "GET",
        "/{id}",
        operation_id="showDefinition",
        summary="Show an imported definition",
        description="Returns one definition with its texts, in the form of the dictionary.",
        limit_class=LimitClass.REQUESTS,
        parameters=DefinitionParameters,
        response=Response(
            description="The definition.",
            shape=DefinitionAnswer,
            example={
                "ok": True,
                "definition": EXAMPLE_ITEM,
                "texts": [{"name": "850.xd", "text": "set 850 PO 004010 …"}],
            },
        ),
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=show_definition,
    ),
    _operation(
        "DELETE",
        "/{id}",
        operation_id="deleteDefinition",
        summary="Delete an imported definition",
        description=(
            "Deletes a definition; that of Longshore, if there is one, is used again. This cannot "
            "be undone."
        ),
        limit_class=LimitClass.REQUESTS,
        parameters=DefinitionParameters,
        response=Response(
            description="The definition is deleted.", shape=DoneAnswer, example={"ok": True}
        ),
        errors=frozenset({ErrorCode.NOT_FOUND}),
        handler=delete_definition,
    ),
)
