"""When an acknowledgement is expected, and when it is overdue, and whether at all.

Source: x12.md section 2.6, contract.md section 7.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from longshore.domain.acks.model import AckRowStatus, NewAck
from longshore.domain.partners.usage import INFORMATION
from longshore.domain.transactions.model import AckStatus
from longshore.x12.acks.judge import NEVER_ACKNOWLEDGED
from longshore.x12.acks.profile import AckType


def expected_by(sent_at: datetime, ack_hours: int) -> datetime:
    """Return until when a partner is expected to acknowledge what was sent then."""
    return sent_at + timedelta(hours=ack_hours)


def is_due_to_be_overdue(row: NewAck, now: datetime) -> bool:
    """Tell whether a row is overdue and nobody was told yet; the event is raised once."""
    is_waiting = row.status is AckRowStatus.PENDING and not row.is_overdue
    return is_waiting and row.expected_by is not None and row.expected_by < now


def overdue_step(ack: AckStatus) -> AckStatus:
    """Return the axis of a set whose row is overdue: changed only while it waits."""
    return AckStatus.OVERDUE if ack is AckStatus.PENDING else ack


def is_awaited(ack_type: AckType, functional_group: str, usage: str) -> bool:
    """Tell whether a partner is expected to acknowledge a group that is sent.

    Never one of acknowledgements, nor one sent for information (ISA15 ``I``).
    """
    is_acknowledged = functional_group != NEVER_ACKNOWLEDGED and usage != INFORMATION
    return is_acknowledged and ack_type is not AckType.NONE
