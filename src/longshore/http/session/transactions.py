"""/api/transactions: what was sent and received, for the pages of the service."""

from typing import Final

from longshore.http.api_v1.transaction_actions import action_operations
from longshore.http.api_v1.transaction_redrive import redrive_operation
from longshore.http.api_v1.transactions import RouteGroup, read_operations
from longshore.http.operation import AnyOperation
from longshore.http.session_caller import EDITOR, VIEWER

SESSION_ROUTES: Final = RouteGroup(
    prefix="/api",
    name="InSession",
    reader=VIEWER,
    actor=EDITOR,
    read_scope=None,
    act_scope=None,
)
OPERATIONS: Final[tuple[AnyOperation, ...]] = (
    *read_operations(SESSION_ROUTES),
    *action_operations(SESSION_ROUTES),
    redrive_operation(SESSION_ROUTES),
)
