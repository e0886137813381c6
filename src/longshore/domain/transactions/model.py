"""A transaction: the record of one transaction set, sent or received.

Four axes say what became of it; ``status`` is derived from them and never stored. There is one
record for each set from ST to SE, and one for rejected or unreadable input, so that nothing that
was received is invisible.

Source: contract.md section 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum, unique
from typing import Final, NamedTuple, NewType

from longshore.domain.partners.model import Direction, Identity, PartnerId
from longshore.domain.ports import AccountId
from longshore.kit.environment import Environment

TransactionId = NewType("TransactionId", int)
InterchangeId = NewType("InterchangeId", int)


@unique
class ProcessingStatus(StrEnum):
    """State of the processing of a received set; of a set that is sent, ``not_applicable``."""

    NOT_APPLICABLE = "not_applicable"
    RECEIVED = "received"
    PROCESSING = "processing"
    DONE = "done"
    DUPLICATE = "duplicate"
    QUARANTINED = "quarantined"
    FAILED = "failed"


@unique
class ValidationStatus(StrEnum):
    """Result of validation."""

    NOT_CHECKED = "not_checked"
    VALID = "valid"
    VALID_WITH_WARNINGS = "valid_with_warnings"
    INVALID = "invalid"


@unique
class DeliveryStatus(StrEnum):
    """State of the delivery. ``sent`` is handed over, a receipt is outstanding."""

    NOT_APPLICABLE = "not_applicable"
    PENDING = "pending"
    HELD = "held"
    SENDING = "sending"
    SENT = "sent"
    DELIVERED = "delivered"
    FAILED = "failed"
    CANCELLED = "cancelled"


@unique
class AckStatus(StrEnum):
    """The acknowledgement by the partner; of a received set, by us."""

    NOT_EXPECTED = "not_expected"
    PENDING = "pending"
    ACCEPTED = "accepted"
    ACCEPTED_WITH_ERRORS = "accepted_with_errors"
    PARTIALLY_ACCEPTED = "partially_accepted"
    REJECTED = "rejected"
    OVERDUE = "overdue"


ACK_OUTCOMES: Final = frozenset((
    AckStatus.ACCEPTED,
    AckStatus.ACCEPTED_WITH_ERRORS,
    AckStatus.PARTIALLY_ACCEPTED,
    AckStatus.REJECTED,
))
"""The answers a partner can give."""


@unique
class TransactionStatus(StrEnum):
    """The four axes in one word."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    DELIVERED = "delivered"
    HELD = "held"
    CANCELLED = "cancelled"
    ACKNOWLEDGED = "acknowledged"
    REJECTED = "rejected"
    RECEIVED = "received"
    PROCESSING = "processing"
    PROCESSED = "processed"
    DUPLICATE = "duplicate"
    QUARANTINED = "quarantined"
    INVALID = "invalid"
    FAILED = "failed"


@unique
class Source(StrEnum):
    """The way a document came in."""

    API = "api"
    BROWSER = "browser"
    CLI = "cli"
    RECEIVE = "receive"
    AS2 = "as2"
    SFTP = "sftp"
    FTPS = "ftps"
    REPLAY = "replay"


class States(NamedTuple):
    """The four axes."""

    processing: ProcessingStatus
    validation: ValidationStatus
    delivery: DeliveryStatus
    ack: AckStatus


class Reference(NamedTuple):
    """A number people know a document by: ``BEG.03``, ``Purchase order number``, its value."""

    element: str
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LastError:
    """The last error; of a quarantined record the reason, without document content."""

    code: str
    message: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFacts:
    """The values in the envelope and body of a set.

    Control numbers as they stand there; ids trimmed.
    """

    tx_set: str = ""
    format: str = "x12"
    version: str = ""
    functional_group: str = ""
    isa_control_number: str = ""
    gs_control_number: str = ""
    st_control_number: str = ""
    sender: Identity
    receiver: Identity
    usage_indicator: str = ""
    references: tuple[Reference, ...] = ()
    """The first is the business key."""
    segment_count: int = 0
    file_size: int = 0
    """Bytes of the interchange."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTransaction:
    """A record to be stored."""

    environment: Environment
    partner_id: PartnerId | None
    direction: Direction
    facts: SetFacts
    states: States
    source: Source
    business_key: str = ""
    """The one the caller gave, else that of the set."""
    interchange_id: InterchangeId | None = None
    doc_id: int | None = None
    parent_id: TransactionId | None = None
    """The transaction of which it is a reissue or a correction."""
    duplicate_of: TransactionId | None = None
    """The transaction that was received before."""
    last_error: LastError | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transaction:
    """A stored record."""

    id: TransactionId
    account_id: AccountId
    record: NewTransaction
    partner_name: str
    attempts: int
    """Of delivery. Times are aware UTC."""
    created_at: datetime
    updated_at: datetime

    @property
    def is_test(self) -> bool:
        """Return whether it is of the sandbox; the row's environment alone decides."""
        return self.record.environment is Environment.SANDBOX
