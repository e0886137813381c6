"""What must wait for what: documents of one kind reach a partner in the order of their numbers.

The rows of one order key are sent one after the other, the oldest first; a later one waits while
an earlier one is due, leased or held. One that is dead or cancelled holds up nobody, and comes
behind when it is retried: it is late anyhow, and its number says so.

Source: reliability.md section 10, transports.md section 5.
"""

from __future__ import annotations

from enum import StrEnum, unique

from longshore.domain.partners.model import PartnerId


@unique
class JobKind(StrEnum):
    """What an entry of the outbox is about."""

    DOCUMENT = "document"
    """An interchange of documents is delivered."""
    ACKNOWLEDGEMENT = "acknowledgement"
    """An interchange of acknowledgements is delivered."""
    RECEIVE = "receive"
    """A receipt is processed."""
    RELEASE = "release"
    """An interchange that was set aside is processed for its partner, as if it had come now."""
    REPLAY = "replay"
    """A stored interchange is processed again; no acknowledgement of it is sent."""
    REPLAY_ACKNOWLEDGED = "replay_acknowledged"
    """The same, and it is acknowledged as well."""


def order_key(kind: JobKind, partner_id: PartnerId, functional_group: str) -> str:
    """Return the key under which deliveries keep their order: partner and kind of document.

    ``functional_group``: GS01 of the first group. Acknowledgements do not wait for documents, and
    have one order among themselves.
    """
    of_kind = kind.value if kind is JobKind.ACKNOWLEDGEMENT else functional_group
    return f"{partner_id}/{of_kind}"
