"""The AS2 identities of an account: made, listed, and given other keys.

The keys of an identity are replaced in three steps, so that no message is lost between them:
``add_key`` makes messages for the new key readable while the old one still signs, ``switch_keys``
signs with the new one once the partners have its certificate, and ``drop_key`` forgets the old one
once nobody encrypts for it any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from longshore.as2.certificates import PemKeyPair
from longshore.domain.as2.encryption import open_keys, private_keys_text, with_keys
from longshore.domain.as2.errors import (
    As2IdentityNotFoundError,
    As2KeysError,
    InvalidAs2NameError,
)
from longshore.domain.as2.model import MAX_KEYS, As2Identity, As2IdentityId, As2Keys
from longshore.domain.as2.store import KEYS_ROW_KIND, NewAs2Identity, StoredAs2Identity
from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.encryption import key_for_row
from longshore.domain.partners.connections import As2Connection
from longshore.domain.partners.encryption import partner_of
from longshore.domain.ports import NotUniqueError, RequestContext, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock

NAME: Final = re.compile(r"[!#-\[\]-~](?:[ !#-\[\]-~]{0,126}[!#-\[\]-~])?")
"""An AS2 name: at most 128 printable characters without quotes and backslashes."""
MAX_IDENTITIES: Final = 50
"""Of an account in an environment."""

_Pairs = Sequence[PemKeyPair]


class As2IdentityService:
    """The AS2 identities of all accounts, each through the scope of its caller."""

    def __init__(self, units: Units, clock: Clock, sealer: Sealer) -> None:
        self._units = units
        self._clock = clock
        self._sealer = sealer

    async def list(self, context: RequestContext) -> tuple[As2Identity, ...]:
        """Return the identities of the account in the caller's environment, the oldest first."""

        async def read(unit: ReadUnit) -> tuple[As2Identity, ...]:
            return tuple(
                each.identity for each in await unit.as2_identities.list(context.environment)
            )

        return await self._units.read(context.scope, read)

    async def create(self, context: RequestContext, name: str, pair: PemKeyPair) -> As2Identity:
        """Store an identity with its first key.

        Raises:
            InvalidAs2NameError: The name is none, or an identity of the installation has it.
            As2KeysError: The account has ``MAX_IDENTITIES`` already.
        """
        check_name(name)
        now = self._clock.now()
        key = self._sealer.new_key()
        new = NewAs2Identity(
            account_id=context.account_id,
            environment=context.environment,
            name=name,
            certificates=(pair.certificate,),
            private_keys=self._sealer.seal(key, private_keys_text((pair,))),
        )
        owner = (context.account_id, context.environment)
        key_for = key_for_row(self._sealer, key, KEYS_ROW_KIND, owner)

        async def insert(unit: WriteUnit) -> As2Identity:
            if len(await unit.as2_identities.list(context.environment)) >= MAX_IDENTITIES:
                raise As2KeysError(
                    f"An account has at most {MAX_IDENTITIES} AS2 identities in an environment."
                )
            identity_id = await unit.as2_identities.insert(new, key_for, now)
            await self._record(unit, context, "as2.create_identity", identity_id)
            stored = await unit.as2_identities.find(context.environment, name)
            assert stored is not None  # it was stored in this unit
            return stored.identity

        try:
            return await self._units.write(context.scope, insert)
        except NotUniqueError as error:
            raise InvalidAs2NameError(
                "This AS2 name is used already. A name belongs to one identity of the"
                " installation: choose another one."
            ) from error

    async def add_key(self, context: RequestContext, name: str, pair: PemKeyPair) -> As2Identity:
        """Add a second key, which opens messages and does not sign yet.

        Raises:
            As2IdentityNotFoundError: There is no such identity.
            As2KeysError: It has two keys already.
        """

        def added(pairs: _Pairs) -> _Pairs:
            if len(pairs) == MAX_KEYS:
                raise As2KeysError(
                    "The identity has two keys already. Drop the one that does not sign first."
                )
            return (*pairs, pair)

        return await self._change(context, name, "as2.add_key", added)

    async def switch_keys(self, context: RequestContext, name: str) -> As2Identity:
        """Sign with the other key from now on.

        Raises:
            As2IdentityNotFoundError: There is no such identity.
            As2KeysError: It has one key only.
        """
        return await self._change(context, name, "as2.switch_keys", lambda pairs: pairs[::-1])

    async def drop_key(self, context: RequestContext, name: str) -> As2Identity:
        """Forget the key that does not sign.

        Raises:
            As2IdentityNotFoundError: There is no such identity.
            As2KeysError: It has one key only.
        """
        return await self._change(context, name, "as2.drop_key", lambda pairs: pairs[:1])

    async def export_key(self, context: RequestContext, name: str) -> PemKeyPair:
        """Return the key pair that signs, for a file that is encrypted; the audit log has it.

        Raises:
            As2IdentityNotFoundError: There is no such identity.
        """

        async def export(unit: WriteUnit) -> PemKeyPair:
            stored = await _found(unit, context, name)
            await self._record(unit, context, "as2.export_key", stored.identity.id)
            return open_keys(self._sealer, stored).pairs[0]

        return await self._units.write(context.scope, export)

    async def keys_to_open(
        self, context: RequestContext, name: str, sender: str
    ) -> tuple[As2Keys, As2Connection | None]:
        """Return the keys of an identity, and the connection of the partner that sends as a name.

        They are for a message that was saved; the audit log has it. None: no partner has that name
        in its connection with the identity.

        Raises:
            As2IdentityNotFoundError: There is no such identity.
        """

        async def find(unit: WriteUnit) -> tuple[As2Keys, As2Connection | None]:
            stored = await _found(unit, context, name)
            await self._record(unit, context, "as2.open_message", stored.identity.id)
            partners = await unit.partners.list_as2(context.environment, sender)
            terms = (partner_of(each).terms.connections for each in partners)
            agreed = (each.of(context.environment) for each in terms)
            ours = [each for each in agreed if isinstance(each, As2Connection)]
            connection = next((each for each in ours if each.as2_from == name), None)
            return open_keys(self._sealer, stored), connection

        return await self._units.write(context.scope, find)

    async def delete(self, context: RequestContext, name: str) -> None:
        """Remove an identity with its keys.

        Raises:
            As2IdentityNotFoundError: There is no such identity.
        """

        async def delete(unit: WriteUnit) -> None:
            identity_id = (await _found(unit, context, name)).identity.id
            await unit.as2_identities.delete(identity_id)
            await self._record(unit, context, "as2.delete_identity", identity_id)

        await self._units.write(context.scope, delete)

    async def _change(
        self,
        context: RequestContext,
        name: str,
        action: str,
        changed: Callable[[_Pairs], _Pairs],
    ) -> As2Identity:
        async def change(unit: WriteUnit) -> As2Identity:
            stored = await _found(unit, context, name)
            pairs = open_keys(self._sealer, stored).pairs
            if action != "as2.add_key" and len(pairs) == 1:
                raise As2KeysError("The identity has one key only. Add another one first.")
            new = with_keys(self._sealer, stored, changed(pairs))
            if not await unit.as2_identities.change_keys(new, self._clock.now()):
                raise As2KeysError("The keys of the identity were changed meanwhile. Try again.")
            await self._record(unit, context, action, stored.identity.id)
            return new.identity

        return await self._units.write(context.scope, change)

    async def _record(
        self, unit: WriteUnit, context: RequestContext, action: str, identity_id: As2IdentityId
    ) -> None:
        entry = entry_of(context, action, f"as2_identity {identity_id}")
        await AuditWriter(unit, self._sealer, context.account_id).record(
            (entry,), self._clock.now()
        )


def check_name(name: str) -> None:
    """Refuse what no AS2 name can be.

    Raises:
        InvalidAs2NameError: It is empty, too long, or has other characters.
    """
    if NAME.fullmatch(name) is None:
        raise InvalidAs2NameError(
            'Parameter "as2_name" must be a name of at most 128 printable characters without'
            " quotes and backslashes, and without spaces at its ends."
        )


async def _found(unit: ReadUnit, context: RequestContext, name: str) -> StoredAs2Identity:
    stored = await unit.as2_identities.find(context.environment, name)
    if stored is None:
        raise As2IdentityNotFoundError
    return stored
