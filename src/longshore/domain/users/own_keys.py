"""API keys in the hands of whoever is logged in: those of their own account, as their role allows.

An editor manages sandbox keys, an owner all. Each action needs a fresh login or the password again
(``LoginService.confirm``). Every unit runs in the scope of the caller's account.
"""

from datetime import datetime

from longshore.domain.accounts.keys import (
    CREATE_KEY,
    REVOKE_KEY,
    ROTATE_KEY,
    KeyFacts,
    check_overlap,
    check_plan,
    issue,
    key_name,
    rotate,
)
from longshore.domain.accounts.model import ApiKey, ApiKeyId, IssuedKey, RotatedKey
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.ports import Revocations, Scope
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.domain.users.changes import actor_of
from longshore.domain.users.errors import ForbiddenRoleError, OwnKeyNotFoundError
from longshore.domain.users.login import LoginService
from longshore.domain.users.model import Confirmation, SessionUser, UserRole
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.ids import IdSource


class OwnKeyService:
    """API keys of the account of a session."""

    def __init__(
        self,
        units: Units,
        clock: Clock,
        ids: IdSource,
        revocations: Revocations,
        login: LoginService,
    ) -> None:
        self._units = units
        self._clock = clock
        self._ids = ids
        self._revocations = revocations
        self._login = login

    async def list(self, scope: Scope) -> tuple[ApiKey, ...]:
        """Return the keys of the account, of both environments, in the order they were made."""

        async def keys(unit: ReadUnit) -> tuple[ApiKey, ...]:
            return tuple(await unit.api_keys.list(scope.account_id))

        return await self._units.read(scope, keys)

    async def create(self, who: Confirmation, facts: KeyFacts) -> IssuedKey:
        """Store a new key; the answer is the only one that holds its text.

        Raises:
            ForbiddenRoleError: An editor asks for a production key.
            PlanRequiredError: The plan of the account has no production.
            InvalidAccountParameterError: As ``KeyFacts.check``.
            PasswordRequiredError, InvalidLoginError, TooManyLoginsError: As ``confirm``.
        """
        _check_rights(who.user, facts.environment)
        check_plan(who.user.account_type, facts.environment)
        now, ids, account_id = self._clock.now(), self._ids, who.user.account_id
        facts.check(now)
        await self._login.confirm(who)

        async def insert(unit: WriteUnit) -> IssuedKey:
            issued = await issue(unit, ids, account_id, facts, now)
            await _record(unit, who, CREATE_KEY, issued.record.id, now)
            return issued

        return await self._units.write(who.user.scope, insert)

    async def rotate(self, who: Confirmation, key_id: ApiKeyId, overlap_hours: int) -> RotatedKey:
        """Issue a key in place of another, as ``issuing.rotate`` says.

        Raises:
            InvalidAccountParameterError: The overlap is outside 0..168.
            OwnKeyNotFoundError: The account has no such key.
            ForbiddenRoleError: An editor asks for a production key.
            PlanRequiredError: The plan of the account has no production.
            ApiKeyNotRotatableError: The key is revoked, expired or was rotated before.
            PasswordRequiredError, InvalidLoginError, TooManyLoginsError: As ``confirm``.
        """
        check_overlap(overlap_hours)
        key = await self._changeable(who, key_id)
        check_plan(who.user.account_type, key.environment)
        await self._login.confirm(who)
        now, ids = self._clock.now(), self._ids

        async def replace_key(unit: WriteUnit) -> RotatedKey:
            old = await _own_key(unit, key_id)
            rotated = await rotate(unit, ids, old, overlap_hours, now)
            await _record(unit, who, ROTATE_KEY, key_id, now)
            return rotated

        issued = await self._units.write(who.user.scope, replace_key)
        self._revocations.announce()
        return issued

    async def revoke(self, who: Confirmation, key_id: ApiKeyId) -> None:
        """Refuse a key from the next request on; a second time changes nothing.

        Raises:
            OwnKeyNotFoundError: The account has no such key.
            ForbiddenRoleError: An editor asks for a production key.
            PasswordRequiredError, InvalidLoginError, TooManyLoginsError: As ``confirm``.
        """
        await self._changeable(who, key_id)
        await self._login.confirm(who)
        now = self._clock.now()

        async def revoke(unit: WriteUnit) -> None:
            await unit.api_keys.revoke(key_id, now)
            await _record(unit, who, REVOKE_KEY, key_id, now)

        await self._units.write(who.user.scope, revoke)
        self._revocations.announce()

    async def _changeable(self, who: Confirmation, key_id: ApiKeyId) -> ApiKey:
        """Return a key that the user may change; its environment never changes.

        Raises:
            OwnKeyNotFoundError: The account has no such key.
            ForbiddenRoleError: It is a production key, and the user no owner.
        """

        async def find(unit: ReadUnit) -> ApiKey:
            return await _own_key(unit, key_id)

        key = await self._units.read(who.user.scope, find)
        _check_rights(who.user, key.environment)
        return key


async def _record(
    unit: WriteUnit, who: Confirmation, action: str, key_id: ApiKeyId, now: datetime
) -> None:
    """Add to the audit log what somebody did to a key."""
    entry = NewEntry(
        actor=actor_of(who.user.user_id),
        action=action,
        object=key_name(key_id),
        ip=who.ip,
        request_id=who.request_id,
    )
    await AuditWriter(unit, None, who.user.account_id).record((entry,), now)


async def _own_key(unit: ReadUnit, key_id: ApiKeyId) -> ApiKey:
    key = await unit.api_keys.find(key_id)
    if key is None:
        raise OwnKeyNotFoundError
    return key


def _check_rights(user: SessionUser, environment: Environment) -> None:
    if environment is Environment.PRODUCTION and not user.role.includes(UserRole.OWNER):
        raise ForbiddenRoleError(UserRole.OWNER, user.role)
