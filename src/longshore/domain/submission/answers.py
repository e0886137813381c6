"""What is answered to a submission, as JSON has it.

The answer is made once, in the unit that stores the document, and is kept with it: whoever repeats
the request gets its very bytes again.

Source: contract.md section 6.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from longshore.domain.submission.checks import Remark
from longshore.domain.submission.drafts import Draft, ValidationSummary, Warned
from longshore.domain.submission.outlines import InterchangeOutline
from longshore.formats.document import findings_json, json_text
from longshore.kit.environment import Environment
from longshore.x12.findings import Finding

Members = dict[str, object]

DRY_RUN: Final = "dry_run"
RECEIVED: Final = "received"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """The answer. ``content``: its members but ``ok``, as JSON text. ``is_replayed``: again."""

    content: bytes
    is_replayed: bool = False

    def members(self) -> Members:
        """Return the members in the order of the answer."""
        members: Members = json.loads(self.content)
        return members

    @property
    def transaction_id(self) -> int | None:
        """The first record; None of what was not stored, or is not read yet."""
        found = self.members()["transaction_id"]
        return found if isinstance(found, int) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """What an answer says besides what the document and the checks do.

    ``sent``: what went out, whose control numbers are named; None if nothing did.
    ``ack_due_at``: aware UTC.
    """

    status: str
    message: str
    environment: Environment
    transaction_ids: Sequence[int] = ()
    interchange_id: int | None = None
    is_duplicate: bool = False
    is_ack_expected: bool = False
    ack_due_at: datetime | None = None
    sent: InterchangeOutline | None = None
    receipt_id: int | None = None


def submitted(answer: AnswerFacts, draft: Draft, remarks: Iterable[Remark] = ()) -> Submitted:
    """Return an answer about a document. ``remarks``: what production would have refused."""
    members: Members = {
        "transaction_id": answer.transaction_ids[0] if answer.transaction_ids else None,
        "status": answer.status,
        "environment": answer.environment,
        "message": answer.message,
        "transaction_ids": list(answer.transaction_ids),
        "interchange_id": answer.interchange_id,
        "receipt_id": answer.receipt_id,
        "duplicate": answer.is_duplicate,
        "ack_expected": answer.is_ack_expected,
        "ack_due_at": _moment(answer.ack_due_at),
        "validation": _validation(draft.judgement),
        "control_numbers": _numbers(answer.sent),
        "warnings": [
            *(
                {"code": each.code, "message": each.message, "param": each.param}
                for each in remarks
            ),
            *(_notice(each) for each in draft.notices),
            *_left_out(draft.judgement),
        ],
    }
    return Submitted(content=json_text(members))


def _notice(warned: Warned) -> Members:
    return {name: text for name, text in warned._asdict().items() if text}


def _validation(judgement: ValidationSummary) -> Members:
    return {
        "valid": judgement.outcome.is_valid,
        "outcome": judgement.outcome,
        "errors": _findings(judgement.errors),
        "warnings": _findings(judgement.warnings),
    }


def _findings(findings: tuple[Finding, ...]) -> object:
    return json.loads(findings_json(findings))


def _left_out(judgement: ValidationSummary) -> list[Mapping[str, str]]:
    errors, warnings = judgement.error_count, judgement.warning_count
    if errors == len(judgement.errors) and warnings == len(judgement.warnings):
        return []
    message = (
        f"The document has {errors} errors and {warnings} warnings; the first"
        f" {len(judgement.errors)} and {len(judgement.warnings)} are shown. Validate lists more."
    )
    return [{"code": "findings_truncated", "message": message}]


def _numbers(sent: InterchangeOutline | None) -> Members | None:
    if sent is None:
        return None
    headers = [group.header for group in sent.groups if group.header is not None]
    return {
        "isa": sent.control_number,
        "gs": headers[0].gs_control_number if headers else "",
        "st": [each.control_number for each in sent.sets],
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%S")
