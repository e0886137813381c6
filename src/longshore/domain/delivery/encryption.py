"""What is kept sealed of an attempt that failed: the sentence for people, and the answer.

Of ``last_error`` and of an attempt people see ``message``, which says nothing of the document. The
destination's answer may repeat parts of it, so that it is sealed beside and shown apart.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

from longshore.domain.delivery.store import (
    ATTEMPT_PLACE_KIND,
    AttemptId,
    AttemptResult,
    DeliveryAttempt,
)
from longshore.domain.ports import AccountId, AssociatedData, SealBrokenError, Sealer
from longshore.kit.environment import Environment

Owner = tuple[AccountId, Environment]

_MOST_ANSWER_CHARS: Final = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptFailure:
    """Why an attempt failed. ``answer``: the body of the destination's answer, ``""`` for none."""

    message: str
    answer: str = ""


def sealed_result(
    sealer: Sealer,
    place: tuple[Owner, AttemptId],
    result: AttemptResult,
    failure: AttemptFailure | None,
) -> AttemptResult:
    """Return a result with its failure sealed for the attempt; without one, as it is."""
    if failure is None:
        return result
    key = sealer.new_key()
    facts = {"message": failure.message, "answer": failure.answer[:_MOST_ANSWER_CHARS]}
    return replace(
        result,
        wrapped_key=sealer.wrap(key, _place(*place)),
        facts=sealer.seal(key, json.dumps(facts).encode()),
    )


def open_failure(sealer: Sealer, attempt: DeliveryAttempt) -> AttemptFailure | None:
    """Return why an attempt failed; None if it succeeded, runs, or nobody knows.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    result = attempt.result
    if result is None or not result.facts:
        return None
    place = _place((attempt.account_id, attempt.environment), attempt.id)
    opened = sealer.open(sealer.unwrap(result.wrapped_key, place), result.facts)
    try:
        facts = json.loads(opened)
        return AttemptFailure(message=facts["message"], answer=facts["answer"])
    except (ValueError, TypeError, KeyError) as error:
        raise SealBrokenError("the failure of an attempt is none") from error


def _place(owner: Owner, attempt_id: AttemptId) -> AssociatedData:
    account_id, environment = owner
    return AssociatedData(
        account_id=account_id, environment=environment, kind=ATTEMPT_PLACE_KIND, id=attempt_id
    )
