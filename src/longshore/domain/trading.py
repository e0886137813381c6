"""Exchanging documents: all its services, joined from the ports they need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from longshore.domain.acks.service import AckService
from longshore.domain.as2.identities import As2IdentityService
from longshore.domain.as2.intake import As2Intake
from longshore.domain.as2.receipt_intake import As2ReceiptIntake
from longshore.domain.audit.service import AuditService
from longshore.domain.control_numbers.service import ControlNumberService
from longshore.domain.definitions.service import DefinitionService
from longshore.domain.delivery.worker import Backlog
from longshore.domain.events.service import EventService
from longshore.domain.exports import ExportService
from longshore.domain.inbound.intake import IntakeService
from longshore.domain.inbound.quarantine import QuarantineService
from longshore.domain.inbound.returned_acks import ReturnedAcknowledgements
from longshore.domain.interchanges.service import InterchangeService
from longshore.domain.outbound.service import SubmitService
from longshore.domain.overview.service import OverviewService
from longshore.domain.pairing.service import PairingService
from longshore.domain.partners.connection_check import (
    As2Checker,
    ConnectionChecker,
    ConnectionCheckService,
    MailboxServer,
)
from longshore.domain.partners.connections import ConnectionType
from longshore.domain.partners.identities import IdentityService
from longshore.domain.partners.service import PartnerService
from longshore.domain.partners.simulators import AccountProvisioner
from longshore.domain.ports import Ports
from longshore.domain.transactions.service import TransactionService
from longshore.domain.transactions.timeline import PendingDeliveries
from longshore.domain.users.passwords import PasswordHasher
from longshore.domain.webhooks.deliveries import WebhookDeliveryService
from longshore.domain.webhooks.service import WebhookService


@dataclass(frozen=True, slots=True, kw_only=True)
class Trading:
    """The services. ``equipment`` gives accounts what they begin with."""

    partners: PartnerService
    connection_checks: ConnectionCheckService
    identities: IdentityService
    control_numbers: ControlNumberService
    definitions: DefinitionService
    provisioner: AccountProvisioner
    backlog: Backlog

    submissions: SubmitService
    intake: IntakeService
    as2_intake: As2Intake
    as2_receipt_intake: As2ReceiptIntake
    as2_identities: As2IdentityService
    returned_acks: ReturnedAcknowledgements
    interchanges: InterchangeService
    quarantine: QuarantineService
    transactions: TransactionService
    pending_deliveries: PendingDeliveries
    acks: AckService
    pairings: PairingService
    events: EventService
    webhooks: WebhookService
    webhook_deliveries: WebhookDeliveryService
    audit: AuditService
    overview: OverviewService
    exports: ExportService


def open_trading(
    ports: Ports,
    connection_checkers: Mapping[ConnectionType, ConnectionChecker] = MappingProxyType({}),
    as2_checker: As2Checker | None = None,
    mailbox_server: MailboxServer | None = None,
    hasher: PasswordHasher | None = None,
) -> Trading:
    """Return the services over the same ports; no connection is checked without a checker.

    Passwords of mailboxes can be set with a ``hasher`` only.
    """
    units, clock, sealer, ids = ports.units, ports.clock, ports.sealer, ports.ids
    partners = PartnerService(units, clock, sealer, ids, ports.destinations, hasher)
    return Trading(
        partners=partners,
        connection_checks=ConnectionCheckService(
            partners, connection_checkers, as2_checker, mailbox_server
        ),
        identities=IdentityService(units, clock, sealer),
        control_numbers=ControlNumberService(units, clock),
        definitions=DefinitionService(ports),
        provisioner=AccountProvisioner(units, clock, sealer, ids),
        backlog=Backlog(units, clock),
        submissions=SubmitService(ports),
        intake=IntakeService(ports),
        as2_intake=As2Intake(ports),
        as2_receipt_intake=As2ReceiptIntake(ports),
        as2_identities=As2IdentityService(units, clock, sealer),
        returned_acks=ReturnedAcknowledgements(ports),
        interchanges=InterchangeService(ports),
        quarantine=QuarantineService(ports),
        transactions=TransactionService(ports),
        pending_deliveries=PendingDeliveries(units),
        acks=AckService(units, sealer),
        pairings=PairingService(units),
        events=EventService(units),
        webhooks=WebhookService(units, clock, sealer, ids, ports.destinations),
        webhook_deliveries=WebhookDeliveryService(units, clock, sealer),
        audit=AuditService(units, sealer),
        overview=OverviewService(units, clock),
        exports=ExportService(ports),
    )
