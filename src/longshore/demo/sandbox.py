"""Fill the empty sandbox of an account with partners, maps, and months of documents.

The services of the product do everything, in simulated time; nothing is stored without them. The
same seed, days and number of documents give the same traffic; only secrets differ.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import date
from typing import Final

from longshore.compute.inline import InlineCompute
from longshore.demo.failure_scenarios import failure_scenarios
from longshore.demo.period import DemoPeriod
from longshore.demo.plan import DemoPlan, order_traffic, sort_events
from longshore.demo.runner import DemoRunner, OnProgress
from longshore.demo.sandbox_units import SandboxUnits
from longshore.demo.services import DemoTarget, open_services
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
    """The sandbox is not empty."""

    def __init__(self, name: str) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            f"The sandbox of account {name!r} is in use: it has documents, maps, or partners other"
            " than the simulator. The demo fills an empty sandbox. Name another account with"
            " --account, or empty this one with --reset.",
        )


class SeparatorInIdentityError(LongshoreError):
    """The identity of the account cannot be written in the documents of the demo."""

    def __init__(self, name: str) -> None:
        super().__init__(
            ErrorCode.INVALID_STATE,
            f"The first identity of account {name!r} holds one of the characters * ~ > ^, which"
            " separate values in the demo's documents. Name another account with --account.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoContents:
    """The contents of the sandbox after it was filled."""

    first_day: date
    last_day: date
    partners: int
    interchanges: int
    transactions: int
    by_status: dict[str, int]
    """The number of transactions of each status that occurs."""


async def fill(
    target: DemoTarget, plan: DemoPlan, on_progress: OnProgress = lambda _done, _of: None
) -> DemoContents:
    """Fill the sandbox of an account; return what it contains then.

    Raises:
        SandboxInUseError: It is not empty; nothing was changed.
        SeparatorInIdentityError: The identity holds a separator; nothing was changed.
        ConcurrentWorkerError: Another process took work; what was stored until then stays.
        AccountSuspendedError: The account is suspended; nothing was changed.
        LongshoreError: ``storage_unavailable``; what was stored until then stays.
    """
    if target.account.status is not AccountStatus.ACTIVE:
        raise AccountSuspendedError
    scope, name = target.context.scope, target.account.name
    units = SandboxUnits(target.units, target.account.id)
    own = await units.read(scope, lambda unit: _checked(unit, name))
    events = sort_events(plan.period, [*order_traffic(plan), *failure_scenarios(plan)])
    with closing(InlineCompute()) as compute:
        services = await open_services(target, plan, own, compute)
        await DemoRunner(services, plan.period, plan.seed).run(events, on_progress)
    return await units.read(scope, lambda unit: _found(unit, plan.period))


async def _checked(unit: ReadUnit, name: str) -> Identity:
    """Return the identity of the account after checking that it can be filled.

    Raises:
        SandboxInUseError: The sandbox is not empty.
        SeparatorInIdentityError: The identity holds a separator.
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
