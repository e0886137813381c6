"""Encrypted details of a failed attempt: the message, and the destination's answer.

People see the message, which says nothing about the content of the document. The answer may repeat
parts of the document, so it is stored and shown separately.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

from longshore.domain.delivery.model import (
    ATTEMPT_PLACE_KIND,
    AttemptId,
    AttemptResult,
    DeliveryAttempt,
)
from longshore.domain.encryption import Owner, decrypt_row, encrypt_row, row_associated_data
from longshore.domain.ports import SealBrokenError, Sealer

_MAX_ANSWER_CHARS: Final = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptFailure:
    """Why an attempt failed."""

    message: str
    answer: str = ""
    """The body of the destination's answer; ``""`` if there was none."""


def sealed_result(
    sealer: Sealer,
    associated_data: tuple[Owner, AttemptId],
    result: AttemptResult,
    failure: AttemptFailure | None,
) -> AttemptResult:
    """Return a result with its failure sealed for the attempt; without one, as it is."""
    if failure is None:
        return result
    text = {"message": failure.message, "answer": failure.answer[:_MAX_ANSWER_CHARS]}
    owner, attempt_id = associated_data
    row = row_associated_data(ATTEMPT_PLACE_KIND, *owner, attempt_id)
    wrapped_key, facts = encrypt_row(sealer, row, json.dumps(text).encode())
    return replace(result, wrapped_key=wrapped_key, facts=facts)


def open_failure(sealer: Sealer, attempt: DeliveryAttempt) -> AttemptFailure | None:
    """Return why an attempt failed; None if it succeeded, runs, or nobody knows.

    Raises:
        SealBrokenError: It is not what was stored in this row.
    """
    result = attempt.result
    if result is None or not result.facts:
        return None
    associated_data = row_associated_data(
        ATTEMPT_PLACE_KIND, attempt.account_id, attempt.environment, attempt.id
    )
    opened = decrypt_row(sealer, associated_data, result.wrapped_key, result.facts)
    try:
        facts = json.loads(opened)
        return AttemptFailure(message=facts["message"], answer=facts["answer"])
    except (ValueError, TypeError, KeyError) as error:
        raise SealBrokenError("the failure of an attempt is none") from error
