"""Mailboxes of partners as a transport: an interchange lies there until its partner fetches it.

Source: transports.md section 3.
"""

from __future__ import annotations

from longshore.domain.delivery.outcome import AttemptOutcome, AttemptVerdict, FailureKind
from longshore.domain.delivery.ports import OutboundMessage, Sent, failed
from longshore.domain.partners.connections import missing_secrets


class PartnerMailboxes:
    """Sends to connections of the type ``mailbox``: what is stored already waits there."""

    async def send(self, message: OutboundMessage) -> Sent:
        """Return that the partner may fetch the interchange, if it has a login."""
        if missing_secrets(message.connection):
            return failed(FailureKind.NOT_CONFIGURED)
        return Sent(verdict=AttemptVerdict(AttemptOutcome.SUCCEEDED), awaits_fetch=True)
