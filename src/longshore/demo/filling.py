"""Fills the sandbox of an account that has none: partners, maps, and months of documents.

Everything is done by the services, in the demo's time; nothing is stored past them. The same seed,
days and number of documents give the same traffic: only secrets differ.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import date
from typing import Final

from longshore.compute.inline import InlineCompute
from longshore.demo.desk import DemoRunner, Told
from longshore.demo.mishaps import mishaps
from longshore.demo.office import FilledAccount, open_office
from longshore.demo.period import DemoPeriod
from longshore.demo.plan import DemoPlan, in_order, trade
from longshore.demo.scope import SandboxUnits
from longshore.domain.accounts.errors import AccountSuspendedError
from longshore.domain.accounts.model import AccountStatus
from longshore.domain.interchanges.store import InterchangeQuery
from longshore.domain.partners.model import Identity
from longshore.domain.partners.store import PartnerQuery
from longshore.domain.transactions.lists import TransactionFilters
from longshore.domain.transactions.model import TransactionStatus
from longshore.domain.transactions.store import TransactionQuery
from longshore.domain.units import ReadUnit
from longshore.kit.environment import Environment
from longshore.kit.errors import ErrorCode, LongshoreError

_SIMULATOR_ALONE: Final = 1
_SEPARATORS: Final = frozenset("*~>^")


class SandboxInUseError(LongshoreError):
    """The account trades already."""

    def __init__(self, name: str) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            f"The sandbox of account {name!r} is in use: it has documents, maps, or partners beside"
            " the simulator. The demo fills an empty one; name another account with --account, or"
            " empty this one with --reset.",
        )


class SeparatorInIdentityError(LongshoreError):
    """Partners of the demo could not write to the account."""

    def __init__(self, name: str) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            f"The first identity of account {name!r} holds one of the characters * ~ > ^, which"
            " separate values in the demo's documents. Name another account with --account.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoContents:
    """What there is then. ``by_status``: transactions by their status, those there are."""

    first_day: date
    last_day: date
    partners: int
    interchanges: int
    transactions: int
    by_status: dict[str, int]


async def fill(
    place: FilledAccount, wanted: DemoPlan, told: Told = lambda _done, _of: None
) -> DemoContents:
    """Fill the sandbox of an account; return what there is then.

    Raises:
        SandboxInUseError: It is not empty; nothing was changed.
        SeparatorInIdentityError: The account cannot be written to; nothing was changed.
        NotAloneError: Another process worked on it; what was stored until then stays.
        AccountSuspendedError: The account takes nothing; nothing was changed.
        LongshoreError: ``storage_unavailable``; what was stored until then stays.
    """
    if place.account.status is not AccountStatus.ACTIVE:
        raise AccountSuspendedError
    scope, name = place.context.scope, place.account.name
    units = SandboxUnits(place.units, place.account.id)
    own = await units.read(scope, lambda unit: _checked(unit, name))
    acts = in_order(wanted.period, [*trade(wanted), *mishaps(wanted)])
    with closing(InlineCompute()) as compute:
        office = await open_office(place, wanted, own, compute)
        await DemoRunner(office, wanted.period, wanted.seed).run(acts, told)
    return await units.read(scope, lambda unit: _found(unit, wanted.period))


async def _checked(unit: ReadUnit, name: str) -> Identity:
    """Return who the account is, if it can be filled.

    Raises:
        SandboxInUseError: It trades already.
        SeparatorInIdentityError: Its documents could not be written.
    """
    query = InterchangeQuery(environment=Environment.SANDBOX)
    is_used = await unit.interchanges.count(query) or await unit.maps.list()
    if is_used or await unit.partners.count(PartnerQuery()) > _SIMULATOR_ALONE:
        raise SandboxInUseError(name)
    first, *_ = await unit.identities.list()  # an equipped account has one
    own = first.identity
    if not _SEPARATORS.isdisjoint(own.isa_id + own.group_id):
        raise SeparatorInIdentityError(name)
    return own


async def _found(unit: ReadUnit, period: DemoPeriod) -> DemoContents:
    by_status = {
        each.value: await _count(unit, TransactionFilters(status=frozenset({each})))
        for each in TransactionStatus
    }
    return DemoContents(
        first_day=period.start.date(),
        last_day=period.until,
        partners=await unit.partners.count(PartnerQuery()),
        interchanges=await unit.interchanges.count(
            InterchangeQuery(environment=Environment.SANDBOX)
        ),
        transactions=await _count(unit, TransactionFilters()),
        by_status={status: count for status, count in by_status.items() if count},
    )


async def _count(unit: ReadUnit, filters: TransactionFilters) -> int:
    return await unit.transactions.count(TransactionQuery(filters=filters))
