"""Runs one step of the operator's commands against the database."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from typing import TypeVar

from longshore.cli.terminal import print_error
from longshore.database import (
    OpenSealer,
    open_any_database,
    open_sealer,
    require_database,
    upgrade_database,
)
from longshore.domain.accounts.service import AccountService
from longshore.domain.as2.identities import As2IdentityService
from longshore.domain.control_numbers.service import ControlNumberService
from longshore.domain.partners.connection_check import ConnectionCheckService
from longshore.domain.partners.service import PartnerService
from longshore.domain.partners.simulators import AccountProvisioner
from longshore.domain.users.administration import UserAdministration
from longshore.domain.webhooks.deliveries import WebhookDeliveryService
from longshore.domain.webhooks.service import WebhookService
from longshore.kit.clock import SystemClock
from longshore.kit.ids import SystemIdSource
from longshore.listeners import open_checkers
from longshore.settings import Settings
from longshore.transport.addresses import Destinations
from longshore.wiring import (
    Administration,
    MapAdministration,
    open_administration,
    open_map_administration,
    open_user_administration,
)

T = TypeVar("T")
AdminT = TypeVar("AdminT")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerAdministration:
    """Everything that the operator's commands about partners work with."""

    accounts: AccountService
    partners: PartnerService
    connection_checks: ConnectionCheckService
    as2_identities: As2IdentityService
    control_numbers: ControlNumberService
    webhooks: WebhookService
    webhook_deliveries: WebhookDeliveryService
    provisioner: AccountProvisioner


def administer(
    settings: Settings, work: Callable[[Administration], Coroutine[object, object, T]]
) -> T:
    """Return what ``work`` returns, with the database open while it runs.

    Migrates an old database.

    Raises:
        NoDataError: There is no database; none is made.
    """
    return _run(settings, open_administration, work)


def administer_users(
    settings: Settings, work: Callable[[UserAdministration], Coroutine[object, object, T]]
) -> T:
    """Do the same for commands about users."""
    return _run(settings, open_user_administration, work)


def administer_maps(
    settings: Settings, work: Callable[[MapAdministration], Coroutine[object, object, T]]
) -> T:
    """Do the same for commands about saved maps; makes the master key if the database has none."""
    sealer = _open_sealer(settings).sealer
    return _run(settings, lambda settings: open_map_administration(settings, sealer), work)


def administer_partners(
    settings: Settings, work: Callable[[PartnerAdministration], Coroutine[object, object, T]]
) -> T:
    """Do the same for commands about partners; makes the master key if there is none."""
    opened = _open_sealer(settings)
    return _run(settings, lambda settings: _open_partner_administration(settings, opened), work)


def _open_sealer(settings: Settings) -> OpenSealer:
    require_database(settings)
    upgrade_database(settings)
    opened = open_sealer(settings)
    if opened.made_key:
        print_error(f"the master key was created; keep a safe copy: {opened.made_key}")
    return opened


@asynccontextmanager
async def _open_partner_administration(
    settings: Settings, opened: OpenSealer
) -> AsyncIterator[PartnerAdministration]:
    from longshore.crypto.passwords import Argon2Hasher  # noqa: PLC0415 - slow to import

    clock, ids, sealer = SystemClock(), SystemIdSource(), opened.sealer
    async with open_any_database(settings) as database:
        units = database.units
        destinations = Destinations(settings.allowed_networks)
        with closing(Argon2Hasher()) as hasher:
            partners = PartnerService(units, clock, sealer, ids, destinations, hasher)
            checkers = open_checkers(settings, units, opened.sftp_host_key)
            yield PartnerAdministration(
                accounts=AccountService(units, clock, database.revocations),
                partners=partners,
                connection_checks=ConnectionCheckService(partners, *checkers),
                as2_identities=As2IdentityService(units, clock, sealer),
                control_numbers=ControlNumberService(units, clock),
                webhooks=WebhookService(units, clock, sealer, ids, destinations),
                webhook_deliveries=WebhookDeliveryService(units, clock, sealer),
                provisioner=AccountProvisioner(units, clock, sealer, ids),
            )


def _run(
    settings: Settings,
    opened: Callable[[Settings], AbstractAsyncContextManager[AdminT]],
    work: Callable[[AdminT], Coroutine[object, object, T]],
) -> T:
    async def run() -> T:
        async with opened(settings) as admin:
            return await work(admin)

    require_database(settings)
    upgrade_database(settings)
    return asyncio.run(run())
