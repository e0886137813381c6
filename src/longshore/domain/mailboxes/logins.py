"""Logins of partners at their mailboxes.

Source: transports.md section 3, reliability.md section 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.inbound.intake import is_open_for, takes_from
from longshore.domain.partners.connections import MailboxConnection
from longshore.domain.partners.encryption import partner_of, terms_with_secrets
from longshore.domain.partners.mailbox_users import mailbox_user, read_mailbox_user
from longshore.domain.partners.model import ConnectionStatus, PartnerId, PartnerStatus
from longshore.domain.partners.public_keys import key_of
from longshore.domain.ports import AccountId, Scope
from longshore.domain.users.errors import TooManyLoginsError
from longshore.domain.users.throttle import LoginOutcome, LoginThrottle
from longshore.kit.environment import Environment

if TYPE_CHECKING:
    from longshore.domain.accounts.model import Account
    from longshore.domain.partners.store import StoredPartner
    from longshore.domain.ports import Ports
    from longshore.domain.units import ReadUnit, WriteUnit
    from longshore.domain.users.passwords import PasswordHasher

_MAX_PASSWORD_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerMailbox:
    """The mailbox of a partner for one environment."""

    account_id: AccountId
    partner_id: PartnerId
    environment: Environment
    connection: MailboxConnection = field(repr=False)
    """With the hash of the password."""

    @property
    def scope(self) -> Scope:
        """The scope of every unit that runs for it."""
        return Scope(account_id=self.account_id, environment=self.environment)

    @property
    def user(self) -> str:
        """The user name."""
        return mailbox_user(self.account_id, self.partner_id, self.environment)

    def has_key(self, public_key: str) -> bool:
        """Tell whether a public key may log in."""
        return key_of(public_key) in {key_of(each) for each in self.connection.public_keys}


class MailboxLogins:
    """Lets partners in. One per process, on its event loop."""

    def __init__(self, ports: Ports, hasher: PasswordHasher) -> None:
        self._ports = ports
        self._hasher = hasher
        self._throttle = LoginThrottle(ports.clock)

    async def find(self, user: str, ip: str) -> PartnerMailbox | None:
        """Return the mailbox of a user name; None if there is none that is open to an address.

        Raises:
            LongshoreError: ``storage_unavailable``.
            SealBrokenError: The secrets of the partner are not what was stored.
        """
        named = read_mailbox_user(user)
        if named is None:
            return None
        account_id, partner_id, environment = named

        async def find(unit: ReadUnit) -> tuple[list[Account], StoredPartner | None]:
            return [*await unit.accounts.list()], await unit.partners.find(partner_id)

        scope = Scope(account_id=account_id, environment=environment)
        accounts, stored = await self._ports.units.read(scope, find)
        if stored is None or not is_open_for(accounts[0], environment):
            return None
        partner = partner_of(stored)
        is_open = partner.status is not PartnerStatus.INACTIVE and takes_from(ip, partner)
        connection = terms_with_secrets(self._ports.sealer, stored).connections.of(environment)
        if not is_open or not isinstance(connection, MailboxConnection):
            return None
        return PartnerMailbox(
            account_id=account_id,
            partner_id=partner_id,
            environment=environment,
            connection=connection,
        )

    async def is_still_open(self, mailbox: PartnerMailbox, ip: str) -> bool:
        """Tell whether nothing about a mailbox was changed since its partner logged in.

        Raises:
            LongshoreError: ``storage_unavailable``.
            SealBrokenError: The secrets of the partner are not what was stored.
        """
        return await self.find(mailbox.user, ip) == mailbox

    async def check_password(
        self, mailbox: PartnerMailbox | None, user: str, password: str, ip: str
    ) -> bool:
        """Tell whether a password is that of a mailbox; of none it takes as long.

        Too many wrong ones from an address are refused without a look.
        """
        password_hash = None if mailbox is None else mailbox.connection.password
        is_possible = len(password) <= _MAX_PASSWORD_CHARS
        try:
            with self._throttle.attempt(user, ip) as attempt:
                attempt.outcome = LoginOutcome.FAILED
                if is_possible and await self._hasher.verify(password, password_hash):
                    attempt.outcome = LoginOutcome.SUCCEEDED
        except TooManyLoginsError:
            return False
        return attempt.outcome is LoginOutcome.SUCCEEDED

    async def record_login(self, mailbox: PartnerMailbox, ip: str, method: str) -> None:
        """Store that a partner has logged in: its connection works.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        await self._record(
            mailbox, ip, "mailbox.log_in", f"By {method}.", ConnectionStatus.CONNECTED
        )

    async def record_refusal(self, mailbox: PartnerMailbox, ip: str) -> None:
        """Store that somebody tried to log in and did not; not for an address that does so often.

        Raises:
            LongshoreError: ``storage_unavailable``.
        """
        try:
            with self._throttle.attempt(f"{mailbox.user} refused", ip) as attempt:
                attempt.outcome = LoginOutcome.FAILED
                await self._record(mailbox, ip, "mailbox.refuse_login", "", None)
        except TooManyLoginsError:
            return

    async def _record(
        self,
        mailbox: PartnerMailbox,
        ip: str,
        action: str,
        detail: str,
        status: ConnectionStatus | None,
    ) -> None:
        now = self._ports.clock.now()
        entry = NewEntry(
            actor=f"partner {mailbox.partner_id}",
            action=action,
            object=f"partner {mailbox.partner_id}",
            ip=ip,
            detail=f"As {mailbox.user}. {detail}".rstrip(),
        )

        async def write(unit: WriteUnit) -> None:
            if status is not None:
                await unit.partners.set_connection_status(
                    mailbox.partner_id, mailbox.environment, status
                )
            writer = AuditWriter(unit, self._ports.sealer, mailbox.account_id)
            await writer.record((entry,), now)

        await self._ports.units.write(mailbox.scope, write)
