"""The identities of an account, by which its partners address it.

An account always has one: the last is never removed. Source: contract.md section 15 (own
identity), x12.md section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from longshore.domain.audit.writer import AuditWriter, entry_of
from longshore.domain.partners.errors import (
    IdentityInUseError,
    InvalidPartnerError,
    NoOwnIdentityError,
)
from longshore.domain.partners.members import RefusedValueError, RequestFaults, ValueKind
from longshore.domain.partners.model import Identity, OwnIdentity, OwnIdentityId, Partner
from longshore.domain.partners.parser import ID, QUALIFIER
from longshore.domain.ports import NotUniqueError, RequestContext, Sealer
from longshore.domain.units import ReadUnit, Units, WriteUnit
from longshore.kit.clock import Clock
from longshore.kit.errors import ErrorCode, ErrorDetail
from longshore.kit.faults import fault_point

PARAM: Final = "identities"
MAX_IDENTITIES: Final = 100
_SWAPPED: Final = ErrorDetail(
    code=ErrorCode.INVALID_PARAMETER,
    param=PARAM,
    message="An identity cannot take the place of another one in the same request: do it in two.",
)


class WantedIdentity(NamedTuple):
    """An identity as it should be stored."""

    id: int | None
    """None: a new one."""
    identity: Identity


def own_identity(partner: Partner, identities: Sequence[OwnIdentity]) -> Identity:
    """Return who we are towards a partner: the identity that it names, else our first.

    ``identities`` is those of the account, in the order they were made.

    Raises:
        NoOwnIdentityError: The account has none.
    """
    named = partner.terms.own_identity_id
    found = [each.identity for each in identities if named is None or each.id == named]
    if not found:
        raise NoOwnIdentityError
    return found[0]


class IdentityService:
    """The own identities of all accounts, each through the scope of its caller."""

    def __init__(self, units: Units, clock: Clock, sealer: Sealer) -> None:
        self._units = units
        self._clock = clock
        self._sealer = sealer

    async def list(self, context: RequestContext) -> tuple[OwnIdentity, ...]:
        """Return all identities of the account, in the order they were made."""

        async def read(unit: ReadUnit) -> tuple[OwnIdentity, ...]:
            return tuple(await unit.identities.list())

        return await self._units.read(context.scope, read)

    async def replace(
        self, context: RequestContext, wanted: Sequence[WantedIdentity]
    ) -> tuple[OwnIdentity, ...]:
        """Make these the identities of the account, and return them; all or nothing.

        Raises:
            InvalidPartnerError: One is not written as an identity is, or there twice, or names an
                id that the account has not, or there is none, or more than ``MAX_IDENTITIES``.
            IdentityInUseError: One that is left out is named by a partner.
        """
        refuse_faults(wanted)
        now = self._clock.now()

        async def work(unit: WriteUnit) -> tuple[OwnIdentity, ...]:
            known = await unit.identities.list()
            _refuse_unknown(wanted, known)
            fault_point("partners.identities.before_insert")
            await _store(unit, context, wanted, known, now)
            entry = entry_of(context, "account.set_identities", f"account {context.account_id}")
            await AuditWriter(unit, self._sealer, context.account_id).record((entry,), now)
            fault_point("partners.identities.before_commit")
            return tuple(await unit.identities.list())

        try:
            stored = await self._units.write(context.scope, work)
        except NotUniqueError as error:
            raise InvalidPartnerError((_SWAPPED,)) from error
        fault_point("partners.identities.after_commit")
        return stored


def refuse_faults(wanted: Sequence[WantedIdentity]) -> None:
    """Refuse what no account's identities can be.

    Raises:
        InvalidPartnerError: With a detail for each fault.
    """
    faults = RequestFaults()
    if not 1 <= len(wanted) <= MAX_IDENTITIES:
        faults.add(PARAM, f'Parameter "{PARAM}" must be 1 to {MAX_IDENTITIES} identities.')
    seen: set[Identity | int] = set()
    for at, each in enumerate(wanted):
        _check_identity(each.identity, f"{PARAM}[{at}]", faults)
        if each.identity in seen or each.id in seen:
            faults.add(f"{PARAM}[{at}]", f"{PARAM}[{at}] is there already.")
        seen.update((each.identity,) if each.id is None else (each.identity, each.id))
    if faults.details:
        raise InvalidPartnerError(faults.details)


def _check_identity(identity: Identity, param: str, faults: RequestFaults) -> None:
    parts: tuple[tuple[str, ValueKind, str], ...] = (
        ("qualifier", QUALIFIER, identity.qualifier),
        ("isa_id", ID, identity.isa_id),
        ("gs_id", ID, identity.gs_id),
    )
    for name, kind, value in parts:
        try:
            kind.read(value, name)
        except RefusedValueError:
            faults.add(f"{param}.{name}", f'Parameter "{param}.{name}" must be {kind.allowed}.')
    if not identity.isa_id:
        faults.add(f"{param}.isa_id", f'Parameter "{param}.isa_id" must not be empty.')


def _refuse_unknown(wanted: Sequence[WantedIdentity], known: Sequence[OwnIdentity]) -> None:
    ids = {None, *(each.id for each in known)}
    faults = RequestFaults()
    for at, each in enumerate(wanted):
        if each.id not in ids:
            param = f"{PARAM}[{at}].id"
            faults.add(param, f'Parameter "{param}" must be the id of an identity of your account.')
    if faults.details:
        raise InvalidPartnerError(faults.details)


async def _store(
    unit: WriteUnit,
    context: RequestContext,
    wanted: Sequence[WantedIdentity],
    known: Sequence[OwnIdentity],
    now: datetime,
) -> None:
    wanted_ids = {each.id for each in wanted}
    for each in known:
        if each.id not in wanted_ids and not await unit.identities.delete(each.id):
            raise IdentityInUseError(each.identity.edi_identity)
    for identity_id, identity in wanted:
        if identity_id is not None:
            await unit.identities.change(OwnIdentityId(identity_id), identity)
    for identity_id, identity in wanted:
        if identity_id is None:  # where it is there by now, somebody else wanted it too
            await unit.identities.insert(context.account_id, identity, now)
