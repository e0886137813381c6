"""What is asked to be done with something that was sent, and who may send it once more.

To send again is to send: who may not submit a document to a partner may not have one sent again to
it either, and is told the same.

Source: contract.md sections 5 (actions), 6 and 8.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from longshore.domain.partners.model import Partner, PartnerStatus
from longshore.domain.submission.checks import inactivity
from longshore.domain.submission.errors import PartnerNotShownError, SubmitRefusedError
from longshore.domain.transactions.model import Transaction
from longshore.domain.transactions.states import Action
from longshore.kit.environment import Environment

SEEN_BY_PEOPLE: Final = frozenset(PartnerStatus)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionOrder:
    """What is to be done with a transaction, and why: ``reason``, ``""`` if it was not said.

    ``answer``: makes of the record, as it stands then, the answer that repeats get as well.
    ``seen``: in which status the caller sees partners.
    """

    transaction_id: int
    answer: Callable[[Transaction], bytes]
    reason: str = field(default="", repr=False)
    idempotency_key: str | None = field(default=None, repr=False)
    seen: frozenset[PartnerStatus] = SEEN_BY_PEOPLE

    def request_body(self, action: Action) -> bytes:
        """Return the same bytes for the same request, and other ones for any other."""
        members = {
            "action": action,
            "transaction_id": self.transaction_id,
            "reason": self.reason,
        }
        return json.dumps(members, sort_keys=True).encode()


def check_taker(partner: Partner, environment: Environment, seen: frozenset[PartnerStatus]) -> None:
    """Make sure that a caller may send a partner a document of an environment.

    Raises:
        PartnerNotShownError: The caller does not see it.
        SubmitRefusedError: It takes no such documents.
    """
    if partner.status not in seen:
        raise PartnerNotShownError(partner.id)
    refusals = inactivity(partner, environment)
    if refusals:
        raise SubmitRefusedError(refusals)
