"""Defaults of a new account: an identity of its own, and a partner that answers by a script.

Given once: an account that has an identity has been given both, and keeps what it made of them.

Source: contract.md sections 8 and 15.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from longshore.domain.accounts.model import Account
from longshore.domain.audit.model import NewEntry
from longshore.domain.audit.writer import AuditWriter
from longshore.domain.partners.connections import SimulatorConnection
from longshore.domain.partners.encryption import draw_token
from longshore.domain.partners.model import Connections, Identity, NewPartner, PartnerTerms
from longshore.domain.partners.parser import DEFAULT_QUALIFIER
from longshore.domain.partners.writer import PartnerWriter
from longshore.domain.ports import OPERATOR, SYSTEM, AccountId, Scope, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.environment import Environment
from longshore.kit.faults import fault_point
from longshore.kit.ids import IdSource

SIMULATOR: Final = NewPartner(
    terms=PartnerTerms(
        name="Simulator",
        identity=Identity(qualifier=DEFAULT_QUALIFIER, isa_id="SIMULATOR"),
        connections=Connections(test=SimulatorConnection()),
    )
)

_ISA_ID_CHARS: Final = 15
# Of the basic character set what no partner is likely to use as a separator.
_NOT_IN_ID: Final = re.compile("[^A-Z0-9 .&/-]")
_BLANKS: Final = re.compile(" +")


class AccountProvisioner:
    """Gives accounts what they begin with."""

    def __init__(self, units: Units, clock: Clock, sealer: Sealer, ids: IdSource) -> None:
        self._units = units
        self._clock = clock
        self._sealer = sealer
        self._ids = ids

    async def provision_accounts(self) -> int:
        """Equip the accounts that are not; return how many were. At once with others is fine."""

        async def accounts(unit: ReadUnit) -> tuple[Account, ...]:
            return tuple(await unit.accounts.list())

        found = await self._units.read(SYSTEM, accounts)
        return sum([await self.provision_defaults(account) for account in found])

    async def provision_defaults(self, account: Account) -> bool:
        """Give an account an identity and a simulator; False, and nothing, if it has one."""
        account_id, now = account.id, self._clock.now()
        own = first_identity(account.name, account_id)
        tokens = {each: draw_token(self._ids) for each in Environment}

        async def work(unit: WriteUnit) -> bool:
            fault_point("partners.equip.before_insert")
            # If the list is empty and it is there all the same, another server was first.
            if (
                await unit.identities.list()
                or await unit.identities.insert(account_id, own, now) is None
            ):
                return False
            writer = PartnerWriter(unit, self._sealer, account_id)
            await writer.insert(SIMULATOR, tokens, now)
            entry = NewEntry(actor=OPERATOR, action="account.equip", object=f"account {account_id}")
            await AuditWriter(unit, self._sealer, account_id).record((entry,), now)
            fault_point("partners.equip.before_commit")
            return True

        # Partners are of no environment, but a unit that changes them has one.
        scope = Scope(account_id=account_id, environment=Environment.SANDBOX)
        has_equipped = await self._units.write(scope, work)
        fault_point("partners.equip.after_commit")
        return has_equipped


def first_identity(name: str, account_id: AccountId) -> Identity:
    """Return who an account is at first: ``ZZ`` and its name in capitals, as far as ASCII has it.

    A name without a letter or a digit of ASCII gives ``ACCOUNT 7``.
    """
    plain = unicodedata.normalize("NFKD", name).upper()
    text = _BLANKS.sub(" ", _NOT_IN_ID.sub("", plain)).strip(" ")
    if not re.search("[A-Z0-9]", text):
        text = f"ACCOUNT {account_id}"
    return Identity(qualifier=DEFAULT_QUALIFIER, isa_id=text[:_ISA_ID_CHARS].rstrip(" "))
