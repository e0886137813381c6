"""/api/definitions: imported definitions, for the pages of the service."""

from typing import Final

from longshore.http.api_v1.definition_operations import DEFINITION_OPERATIONS
from longshore.http.api_v1.webhook_operations import in_session
from longshore.http.operation import AnyOperation
from longshore.http.session_caller import EDITOR, VIEWER

OPERATIONS: Final[tuple[AnyOperation, ...]] = tuple(
    in_session(each, VIEWER, EDITOR) for each in DEFINITION_OPERATIONS
)
