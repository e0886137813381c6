"""/api/webhooks and /api/events/{id}/replay: webhooks, for the pages of the service."""

from typing import Final

from longshore.http.api_v1.webhook_operations import WEBHOOK_OPERATIONS, in_session
from longshore.http.operation import AnyOperation
from longshore.http.session_caller import EDITOR, VIEWER

OPERATIONS: Final[tuple[AnyOperation, ...]] = tuple(
    in_session(each, VIEWER, EDITOR) for each in WEBHOOK_OPERATIONS
)
