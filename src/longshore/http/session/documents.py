"""Give pages, which have no key, what a key may ask of /api/v1: validate, schemas, samples."""

from dataclasses import replace
from typing import Final

from longshore.http.api_v1.samples import SAMPLE
from longshore.http.api_v1.schemas import SCHEMA, SCHEMAS
from longshore.http.api_v1.validate import VALIDATE
from longshore.http.operation import AnyOperation
from longshore.http.session_caller import VIEWER


def _counterpart(operation: AnyOperation, operation_id: str) -> AnyOperation:
    """Return an operation of /api/v1 for sessions; its environment is the one the page shows."""
    return replace(
        operation,
        path=operation.path.replace("/api/v1/", "/api/"),
        operation_id=operation_id,
        description=operation.description.replace("Needs scope read.", "For every role."),
        caller=VIEWER,
        scope=None,
    )


OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    _counterpart(VALIDATE, "validateInSession"),
    _counterpart(SCHEMAS, "listSchemasInSession"),
    _counterpart(SCHEMA, "showSchemaInSession"),
    _counterpart(SAMPLE, "makeSampleInSession"),
)
