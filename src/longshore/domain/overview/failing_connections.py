"""List the connections of all accounts that fail or are disabled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from longshore.domain.accounts.model import Account
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.encryption import partner_of
from longshore.domain.partners.model import ConnectionStatus, PartnerStatus
from longshore.domain.ports import SYSTEM, AccountId, Scope
from longshore.domain.units import ReadUnit, Units
from longshore.domain.webhooks.model import DisabledReason
from longshore.kit.environment import Environment

_TYPES: Final = frozenset(ConnectionType) - {ConnectionType.SIMULATOR, ConnectionType.NONE}
_IDLE: Final = frozenset({PartnerStatus.PENDING, PartnerStatus.INACTIVE})
_SHOWN: Final = frozenset({ConnectionStatus.FAILING, ConnectionStatus.DISABLED})


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingConnection:
    """A connection of a partner, or a webhook endpoint, that fails or is disabled."""

    account_id: AccountId
    environment: Environment
    holder: str
    """Its kind: ``partner`` or ``webhook``."""
    holder_id: int
    status: ConnectionStatus
    """The connection's status: its last attempt failed, or nothing is sent until a person acts."""


async def list_failing_connections(units: Units) -> Sequence[FailingConnection]:
    """Return what fails or is disabled, by account and environment, partners before webhooks.

    Partners that are pending or inactive are left out, as are endpoints that a person disabled.

    Raises:
        LongshoreError: ``storage_unavailable``.
    """

    async def accounts(unit: ReadUnit) -> Sequence[Account]:
        return await unit.accounts.list()

    found: list[FailingConnection] = []
    for account in await units.read(SYSTEM, accounts):
        for environment in Environment:
            scope = Scope(account_id=account.id, environment=environment)
            found += await units.read(scope, partial(_of_account, scope=scope))
    return found


async def _of_account(unit: ReadUnit, scope: Scope) -> Sequence[FailingConnection]:
    environment = scope.environment
    assert environment is not None
    assert scope.account_id is not None
    partners = {each.id: each for by in _TYPES for each in await unit.partners.list_connected(by)}
    statuses: list[tuple[str, int, ConnectionStatus]] = [
        ("partner", number, partner_of(each).connection_status(environment))
        for number, each in sorted(partners.items())
        if each.state.status not in _IDLE
    ]
    endpoints = [each.endpoint for each in await unit.webhooks.list(environment)]
    statuses += [
        ("webhook", each.id, ConnectionStatus.DISABLED)
        for each in endpoints
        if each.disabled_reason not in {None, DisabledReason.BY_USER}
    ]
    return [
        FailingConnection(
            account_id=scope.account_id,
            environment=environment,
            holder=holder,
            holder_id=number,
            status=status,
        )
        for holder, number, status in statuses
        if status in _SHOWN
    ]
