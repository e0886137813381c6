"""Users as the operator manages them: of all accounts, by name and address.

The first user of a new database is let in by a one-time link that the first start prints.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from longshore.domain.accounts.errors import AccountNotFoundError
from longshore.domain.accounts.model import Account
from longshore.domain.accounts.service import fold as fold_name
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.ports import OPERATOR, SYSTEM, NotUniqueError, Revocations
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.users.changes import (
    CREATE,
    ISSUE_LINK,
    SET_PASSWORD,
    actor_of,
    insert_user,
    new_link,
    new_user,
    replace_password,
    set_role,
)
from longshore.domain.users.errors import EmailNotFoundError, EmailTakenError
from longshore.domain.users.model import IssuedLink, User, UserRole
from longshore.domain.users.passwords import (
    PasswordHasher,
    check_email,
    fold,
    hash_new_password,
    is_email,
    new_secret,
)
from longshore.kit.clock import Clock
from longshore.kit.ids import IdSource


class UserAdministration:
    """The users of all accounts; for the operator alone."""

    def __init__(
        self, units: Units, clock: Clock, revocations: Revocations, hasher: PasswordHasher
    ) -> None:
        self._units = units
        self._clock = clock
        self._revocations = revocations
        self._hasher = hasher

    async def list(self) -> Sequence[tuple[User, Account]]:
        """Return all users with their accounts, in the order they were made."""

        async def users(unit: ReadUnit) -> Sequence[tuple[User, Account]]:
            accounts = {account.id: account for account in await unit.accounts.list()}
            return [(user, accounts[user.account_id]) for user in await unit.users.list()]

        return await self._units.read(SYSTEM, users)

    async def create(self, account_name: str, email: str, role: UserRole, password: str) -> User:
        """Store a new user with a password.

        Raises:
            InvalidUserParameterError: The address or the password cannot be used.
            EmailTakenError: Somebody has the address.
            AccountNotFoundError: No account has this name.
        """
        check_email(email)
        password_hash = await hash_new_password(self._hasher, password, email)
        now = self._clock.now()

        async def store(unit: WriteUnit) -> User:
            account = await unit.accounts.find(fold_name(account_name))
            if account is None:
                raise AccountNotFoundError(account_name)
            for each in await unit.accounts.list():  # whatever the first start printed
                await unit.links.use_setup(each.id, now)
            new = new_user(account.id, email, role, password_hash, now)
            user = await insert_user(unit, new)
            await _record(unit, user, (CREATE, set_role(role), SET_PASSWORD), now)
            return user

        try:
            return await self._units.write(SYSTEM, store)
        except NotUniqueError as error:
            raise EmailTakenError from error

    async def set_password(self, email: str, password: str) -> tuple[User, Account]:
        """Set the password of a user, end their sessions, and return user and account.

        Raises:
            InvalidUserParameterError: The password is too short, too long, or can be guessed.
            EmailNotFoundError: Nobody has this address.
        """
        password_hash = await hash_new_password(self._hasher, password, email)
        now = self._clock.now()

        async def change(unit: WriteUnit) -> tuple[User, Account]:
            found = await unit.users.find_credentials(fold(email)) if is_email(email) else None
            if found is None:
                raise EmailNotFoundError(email)
            done = await replace_password(unit, found.user.id, password_hash, now)
            await _record(unit, found.user, done, now)
            return replace(found.user, has_password=True), found.account

        changed = await self._units.write(SYSTEM, change)
        self._revocations.announce()
        return changed


async def open_set_up(units: Units, clock: Clock, ids: IdSource) -> IssuedLink | None:
    """Make a link for the first user, owner of the first account, on a database without users.

    A link made before stays good until it expires or a user is there. Returns None, and makes none,
    if there is a user or no account. Links that have expired, whoever they were for, are removed.
    """
    now = clock.now()
    token = new_secret(ids)

    async def make(unit: WriteUnit) -> IssuedLink | None:
        await unit.links.delete_expired(now)
        accounts = await unit.accounts.list()
        if not accounts or await unit.users.list():
            return None
        link = new_link(accounts[0].id, None, token, now)
        await unit.links.insert(link)
        of = f"account {link.account_id}"  # there is no user yet
        entry = NewEntry(actor=OPERATOR, action=ISSUE_LINK, object=of)
        await AuditWriter(unit, None, link.account_id).record((entry,), now)
        return IssuedLink(token=token, account_id=link.account_id, expires_at=link.expires_at)

    return await units.write(SYSTEM, make)


async def _record(unit: WriteUnit, user: User, actions: Iterable[str], now: datetime) -> None:
    """Add to the log of a user's account what the operator did to them."""
    of = actor_of(user.id)
    entries = [NewEntry(actor=OPERATOR, action=each, object=of) for each in actions]
    await AuditWriter(unit, None, user.account_id).record(entries, now)
