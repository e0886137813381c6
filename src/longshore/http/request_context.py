"""The context of a request: the caller as services, events and the audit log record it."""

from typing import Any

from longshore.domain.accounts.model import ApiCaller
from longshore.domain.ports import RequestContext
from longshore.domain.users.changes import actor_of
from longshore.http.exchange import AccountCaller
from longshore.http.operation import Call


# Any: the type of the body makes no difference here.
def request_context_of(caller: AccountCaller, call: Call[Any]) -> RequestContext:
    """Return the account, the actor (``key 3`` or ``user 5``), the address and the request id."""
    return RequestContext(
        account_id=caller.account_id,
        environment=caller.environment,
        actor=f"key {caller.key_id}" if isinstance(caller, ApiCaller) else actor_of(caller.user_id),
        ip=call.client,
        request_id=call.request_id,
    )
