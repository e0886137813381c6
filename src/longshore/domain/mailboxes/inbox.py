"""The folder of a mailbox in which the partner puts files: each becomes a receipt.

A file of the same name and content is the same receipt for at least 7 days, so a partner that got
no answer sends it again without harm.

Source: transports.md section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from longshore.domain.inbound.files import ReceivedFile, store_file

if TYPE_CHECKING:
    from longshore.domain.interchanges.store import ReceiptId
    from longshore.domain.mailboxes.logins import PartnerMailbox
    from longshore.domain.ports import Ports


class Inbox:
    """The receiving end of all mailboxes."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    async def store(self, mailbox: PartnerMailbox, name: str, content: bytes) -> ReceiptId:
        """Store a file that has arrived whole; return its receipt.

        Raises:
            StorageQuotaError: The account has used its quota; nothing was stored.
            LongshoreError: ``storage_unavailable``; nothing was stored.
        """
        file = ReceivedFile(
            account_id=mailbox.account_id,
            environment=mailbox.environment,
            partner_id=mailbox.partner_id,
            name=name,
            content=content,
            origin=f"{mailbox.partner_id} inbox/{name}",
        )
        return await store_file(self._ports, file)
