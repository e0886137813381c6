"""Who asks for something, as units, events and the audit log have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from longshore.domain.ports import AccountId, Scope
from longshore.kit.environment import Environment

WORKER: Final = "worker"
OPERATOR: Final = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """Somebody of one account, in one environment.

    ``actor``: ``key 3``, ``user 5``, ``worker``, ``operator``. ``ip`` and ``request_id``: of the
    request, ``""`` where there is none.
    """

    account_id: AccountId
    environment: Environment
    actor: str
    ip: str = ""
    request_id: str = ""

    @property
    def scope(self) -> Scope:
        """Return the scope of every unit that runs for them."""
        return Scope(account_id=self.account_id, environment=self.environment)
