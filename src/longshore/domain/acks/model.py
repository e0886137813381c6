"""Acknowledgements: those that partners sent for our sets, and ours for theirs.

One row for each set. A row of a set we sent begins as ``pending``, with the time it is expected
by, and is closed by what the partner answers; an answer to nothing we sent has a row of its own.

Source: contract.md section 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import NewType

from longshore.domain.partners.model import Direction, PartnerId
from longshore.domain.ports import AccountId
from longshore.domain.transactions.model import AckStatus, InterchangeId, TransactionId
from longshore.kit.environment import Environment

AckId = NewType("AckId", int)
GroupId = NewType("GroupId", int)


@unique
class AckForm(StrEnum):
    """The kinds of acknowledgement."""

    F997 = "997"
    F999 = "999"
    TA1 = "TA1"
    F277CA = "277CA"
    F824 = "824"


APPLICATION_FORMS = frozenset({AckForm.F277CA, AckForm.F824})
"""The kinds that say what the application of the partner does with a document."""


@unique
class AckRowStatus(StrEnum):
    """Of the partner's: awaited or received. Of ours: made, sent, or given up."""

    PENDING = "pending"
    RECEIVED = "received"
    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


@unique
class AckErrorLevel(StrEnum):
    """The level that an error of an acknowledgement is about."""

    SET = "set"
    SEGMENT = "segment"
    ELEMENT = "element"


@dataclass(frozen=True, slots=True, kw_only=True)
class AckError:
    """An AK3 or AK4 (IK3, IK4), or a TED of an 824, and what it means in our document.

    Positions from 1, as the partner counts.
    """

    level: AckErrorLevel
    segment_id: str
    segment_position: int | None
    loop_id: str
    element_position: int | None = None
    component_position: int | None = None
    repeat: int | None = None
    element_ref: str = ""
    code: str
    code_meaning: str
    bad_value: str = ""
    source: str
    our_value: str = ""
    our_path: str = ""
    """The key of the value in it."""
    our_offset: int | None = None
    """0-based character of our stored document."""
    our_rule: str = ""
    """``field_map[12]``, where a map made it. What is not known is None or ``""``."""
    hint: str = ""
    message: str = ""
    """The partner's own words (TED02)."""


@unique
class ClaimResult(StrEnum):
    """The partner's decision about a claim."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNCLEAR = "unclear"
    """Its codes do not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AckClaim:
    """A claim in a 277CA, and where it is in our document."""

    claim_number: str
    """CLM01, as the partner repeats it."""
    result: ClaimResult
    category: str
    """STC01-1, such as ``A7``."""
    category_meaning: str
    code: str
    """STC01-2, such as ``684``."""
    entity: str
    """STC01-3."""
    amount: str
    """STC04."""
    payer_claim_number: str
    reason: str
    """STC12."""
    our_path: str = ""
    """The key of CLM01 in our document, ``""`` if no claim of it has this number."""
    our_offset: int | None = None
    """0-based character of our stored document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCounts:
    """The number of claims in a 277CA by what it says of them."""

    accepted: int = 0
    rejected: int = 0
    unclear: int = 0
    not_ours: int = 0
    """Of all of these, those that our document does not have."""
    unanswered: int | None = None
    """The claims of our document that it does not name, None where that is not known."""
    listed: int = 0
    """The number of those that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AckFacts:
    """The statements of an acknowledgement about a set and its group, verbatim."""

    ack_type: AckForm
    tx_set: str = ""
    functional_group: str = ""
    isa_control_number: str = ""
    """Of the interchange it came in. Counts are AK902 to AK904."""
    acked_gs_control_number: str = ""
    acked_st_control_number: str = ""
    group_code: str = ""
    group_error_codes: tuple[str, ...] = ()
    """AK905."""
    transaction_code: str = ""
    """AK501, ``""`` where the set is not listed."""
    transaction_error_codes: tuple[str, ...] = ()
    sets_included: int | None = None
    sets_received: int | None = None
    sets_accepted: int | None = None
    errors: tuple[AckError, ...] = ()
    claims: tuple[AckClaim, ...] = ()
    """Of a 277CA, the rejected ones first."""
    claim_counts: ClaimCounts | None = None
    """None: it is no 277CA."""

    @property
    def summary(self) -> str:
        """The summary of an application answer in one sentence; ``""`` for other kinds."""
        if self.ack_type is AckForm.F824:
            return f"824, {len(self.errors) or 'no'} error{'s' * (len(self.errors) != 1)} listed."
        counts = self.claim_counts
        if counts is None:
            return ""
        parts = [f"{counts.accepted} accepted", f"{counts.rejected} rejected"]
        others = {"unclear": counts.unclear, "not ours": counts.not_ours}
        parts += [f"{count} {name}" for name, count in others.items() if count]
        return f"277CA by claim: {', '.join(parts)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAck:
    """A row to be stored, or what a pending one becomes."""

    environment: Environment
    direction: Direction
    status: AckRowStatus
    facts: AckFacts
    result: AckStatus | None = None
    """None: none has come, or it states no result."""
    is_overdue: bool = False
    is_matched: bool = True
    is_weak_match: bool = False
    is_ambiguous: bool = False
    is_conflict: bool = False
    transaction_id: TransactionId | None = None
    partner_id: PartnerId | None = None
    interchange_id: InterchangeId | None = None
    """The one the acknowledgement came or goes in."""
    acked_interchange_id: InterchangeId | None = None
    """The interchange that it acknowledges."""
    acked_group_id: GroupId | None = None
    """The group that it acknowledges."""
    digest: bytes | None = None
    """Of its content, by which a second copy is known."""
    expected_by: datetime | None = None
    received_at: datetime | None = None
    sent_at: datetime | None = None
    doc_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """A stored row. Times are aware UTC."""

    id: AckId
    account_id: AccountId
    row: NewAck
    partner_name: str
    created_at: datetime
    updated_at: datetime
    business_key: str = ""
    """Of the transaction that it is about, ``""`` where none is known."""
